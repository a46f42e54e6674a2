// SPDX-License-Identifier: Apache-2.0
#include "sim/check/memory_rules.hpp"

#include "sim/check/block_state.hpp"
#include "sim/memory/device_memory.hpp"

namespace simt::check {

namespace event = sim::event;

namespace {

access_kind of(event::access_kind k) { return k == event::access_kind::write ? access_kind::write : access_kind::read; }
bool writes(event::access_kind k) { return k == event::access_kind::write; }

finding of_device_memory(rule r, cause what) {
  finding f;
  f.rule = r;
  f.cause = what;
  f.space = memory_space::global;
  return f;
}

access by_host(access_kind kind, std::uintptr_t pc, deed what = deed::none) {
  access a;
  a.deed = what;
  a.kind = kind;
  a.agent = actor::host;
  a.work = work::host_code;
  a.pc = pc;
  return a;
}

thread_state& state(sim::watched_thread* t) { return *static_cast<thread_state*>(t); }

constexpr std::uintptr_t kNearNull = 65536;  // a null pointer, or an offset from one

}  // namespace

void judge_bad_free(const event::bad_free& e, rule_findings& found) {
  finding f = of_device_memory(rule::invalid_free, e.last == nullptr              ? cause::freed_unknown
                                                   : e.last->address == e.address ? cause::freed_twice
                                                                                  : cause::freed_inside);
  f.facts.address = e.address;
  if (e.last != nullptr) {
    f.object = e.last->name;
    f.facts.distance = static_cast<std::int64_t>(e.address - e.last->address);
  }
  f.accesses.push_back(by_host(access_kind::write, e.site, deed::frees));
  found.add(std::move(f), e.site, e.address);
}

void judge_bad_copy(const event::bad_copy& e, rule_findings& found) {
  const bool write = writes(e.kind);
  finding f =
      e.freed ? of_device_memory(rule::use_after_free, write ? cause::copy_writes_freed : cause::copy_reads_freed)
              : of_device_memory(rule::out_of_bounds, write ? cause::copy_writes_outside : cause::copy_reads_outside);
  f.object = e.owner->name;
  f.bytes = static_cast<std::int64_t>(e.size);
  f.facts.offset = static_cast<std::int64_t>(e.address - e.owner->address);
  f.facts.size = static_cast<std::int64_t>(e.owner->bytes);
  f.accesses.push_back(by_host(of(e.kind), e.site));
  f.accesses.back().work = write ? work::copy_to_device : work::copy_to_host;
  found.add(std::move(f), e.site, e.address);
}

void judge_host_touch(const event::host_touch_of_device& e, rule_findings& found) {
  const bool write = writes(e.kind), variable = e.owner != nullptr && e.owner->is_variable;
  finding f =
      of_device_memory(rule::host_memory, variable ? (write ? cause::host_writes_variable : cause::host_reads_variable)
                                                   : (write ? cause::host_writes_device : cause::host_reads_device));
  f.bytes = static_cast<std::int64_t>(e.size);
  if (e.owner != nullptr) {
    f.object = e.owner->name;
    f.type = e.owner->type;
    if (e.owner->element_bytes != 0)
      f.index = {static_cast<std::int64_t>((e.address - e.owner->address) / e.owner->element_bytes)};
  }
  // A container's or an algorithm's header may read for the user.
  f.accesses.push_back(by_host(of(e.kind), e.site));
  found.add(std::move(f), e.site, 0, [&](finding& first) { first.accesses.front().callers = e.callers(e.site); });
}

void judge_foreign_access(const event::foreign_access& e) {
  const bool write = writes(e.kind);
  const cause what = e.address < kNearNull ? (write ? cause::null_written : cause::null_read)
                                           : (write ? cause::host_memory_written : cause::host_memory_read);
  report_here(state(e.thread), rule::host_memory, severity::error, of(e.kind), e.address, e.size, e.site, what);
}

void judge_index_outside(const event::index_outside& e) {
  facts values;
  values.position.assign(e.index.begin(), e.index.end());
  values.extents.assign(e.extents.begin(), e.extents.end());
  for (std::size_t axis = 0; axis < e.index.size(); ++axis)
    values.offset = values.offset * e.extents[axis] + e.index[axis];
  report_here(state(e.thread), rule::out_of_bounds, severity::error, access_kind::read, e.data, e.element_bytes, e.site,
              e.index.size() == 1 ? cause::outside_extent : cause::outside_extents, std::move(values));
}

void judge_misplaced_object(const event::misplaced_object& e) {
  facts values;
  values.type = e.type;
  values.alignment = static_cast<std::int64_t>(e.alignment);
  report_here(state(e.thread), rule::misaligned, e.accessed ? severity::error : severity::warning, of(e.kind),
              e.address, e.alignment, e.site,
              !e.accessed ? cause::misaligned_refer
              : *e.type   ? cause::misaligned_type
                          : cause::misaligned_whole,
              std::move(values));
}

void judge_misplaced_copy(const event::misplaced_copy& e) {
  report_broken_copy(state(e.thread), {e.address, e.piece, e.whole, e.kind == event::access_kind::write, e.declared},
                     e.site);
}

}  // namespace simt::check
