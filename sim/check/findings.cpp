// SPDX-License-Identifier: Apache-2.0
// Turns what the checks saw into findings: the cause and the facts of the first example. Decides nothing else.
#include <bit>
#include <cstring>

#include "sim/check/core.hpp"
#include "sim/check/sides.hpp"
#include "sim/check/told_of_race.hpp"

namespace simt::check {
namespace {

// A number for the calls that led to an allocation: the place itself may be a library's, the same for all its callers.
std::uintptr_t way_here(std::span<const std::uintptr_t> stack) {
  std::uintptr_t way = 0;
  for (const std::uintptr_t call : stack) way = (way ^ call) * 0x9e3779b97f4a7c15ULL;
  return way;
}

cause cause_of_race(const reporter& d, const operation& op, const earlier_access& o, const epoch_record& before,
                    bool scope_only) {
  const block_state& b = *op.thread.block;
  const launch_state& l = *b.launch;
  const bool one_launch = before.agent == l.agent;
  if (scope_only) {
    const bool both_atomic = op.kind == access_kind::atomic && o.kind == access_kind::atomic;
    if (both_atomic) return one_launch ? cause::scope_atomics : cause::scope_atomics_apart;
    return one_launch ? cause::scope_order : cause::scope_order_apart;
  }
  if (!one_launch) {
    const auto of_host = [&](std::uint32_t number) {
      const agent& a = d.agents.of(number);
      return a.kind != agent_kind::launch && a.stream == 0;
    };
    if (of_host(before.agent) || of_host(l.agent)) return cause::race_host;
    if (d.agents.descends_from(l.agent, before.agent)) return cause::race_child;
    const bool by_kernels = d.agents.of(l.agent).parent != kNoParent || d.agents.of(before.agent).parent != kNoParent;
    return by_kernels ? cause::race_children : cause::race_streams;
  }
  if (((before.block | b.number) & kAsyncBlock) != 0 || d.copies.has(before.pc)) return cause::race_async_copy;
  if (l.elements && !d.shadow.in_shared(op.address)) return cause::race_elements;
  const own_place mine = own_place_of(b.number, op.thread.rank, l.grid, l.block),
                  other = own_place_of(before.block, o.rank, l.grid, l.block);
  if (mine.block != other.block)
    return op.kind == access_kind::read && o.kind == access_kind::write ? cause::race_blocks_handover
                                                                        : cause::race_blocks;
  const bool volatiles = op.is_volatile && o.is_volatile;
  if (other.rank / kWarp == mine.rank / kWarp) return volatiles ? cause::race_volatile_lanes : cause::race_lanes;
  return volatiles ? cause::race_volatile_block : cause::race_block;
}

// How far apart the threads are: what orders those of one block does not order blocks, so of all accesses at two places
// a finding shows those that are furthest apart.
constexpr int kAsFound = 5;  // such a finding shows the first
int reach_of(cause c) {
  switch (c) {
    case cause::race_lanes:
    case cause::race_volatile_lanes:
      return 1;
    case cause::race_block:
    case cause::race_volatile_block:
      return 2;
    case cause::race_blocks:
    case cause::race_blocks_handover:
    case cause::race_blocks_unfenced:
    case cause::race_blocks_unacquired:
      return 3;
    case cause::race_streams:
    case cause::race_child:
    case cause::race_children:
      return 4;
    default:
      return kAsFound;
  }
}

static_assert(static_cast<int>(scope::system) == static_cast<int>(sync_scope::system));
sync_scope in_report(scope s) { return static_cast<sync_scope>(s); }

std::int64_t object_size(const reporter& d, const thread_state& t, const place& p, std::uintptr_t at) {
  if (!d.shadow.in_shared(at)) {
    const object_record* const o = d.objects.nearest(at);
    return o == nullptr ? 0 : static_cast<std::int64_t>(o->what.size);
  }
  for (const shared_object& a : t.block->owner->arrays)
    if (a.info.name == p.object) return static_cast<std::int64_t>(a.size);
  return 0;
}

std::vector<std::uintptr_t> calls_that_allocated(const reporter& d, std::uintptr_t at) {
  const object_record* const o = d.shadow.in_shared(at) ? nullptr : d.objects.nearest(at);
  return o == nullptr ? std::vector<std::uintptr_t>() : o->what.stack;
}

// Where a reader read. Readers of one group may have read at several places (options::readers_by_place), and nothing
// keeps who did where. Threads mostly run one after another, so the one that is named, the first, read at the first
// place. The last place may be `own`, where the thread that writes now has read for its x += 1: nobody else, if there
// is another.
std::uintptr_t place_of_reader(const epoch_table& epochs, epoch readers, std::uintptr_t own) {
  std::uintptr_t first = epochs[readers].pc;
  for (epoch x = epochs[readers].next; x != 0; x = epochs[x].next)
    if (epochs[x].pc != own) first = epochs[x].pc;
  return first;
}

}  // namespace

void reporter::race(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& o,
                    bool scope_only) {
  if (log.on_instance) {
    const rule r = scope_only ? rule::race_scope : shadow.in_shared(granule) ? rule::race_shared : rule::race_global;
    log.on_instance(log.on_instance_data, {r, granule, mask, &op, &o});
  }
  if (op.last_race_epoch == o.when && op.last_race_rank == o.rank && op.last_race_pc == o.pc)
    return;  // the same pair, in the next cell
  op.last_race_epoch = o.when;
  op.last_race_rank = o.rank;
  op.last_race_pc = o.pc;
  thread_state& t = op.thread;
  const block_state& b = *t.block;
  const launch_state& l = *b.launch;
  const std::uintptr_t at = granule + static_cast<std::uintptr_t>(std::countr_zero(static_cast<unsigned>(mask)));
  const bool shared_space = shadow.in_shared(at);
  const rule what = scope_only ? rule::race_scope : shared_space ? rule::race_shared : rule::race_global;
  epoch_record d = epochs[o.when];
  bool unsure = false;
  if (o.pc != 0) {
    d.pc = o.pc;
  } else if (o.kind == access_kind::read) {
    unsure = d.next != 0;
    d.pc = place_of_reader(epochs, o.when, op.pc);
  }
  // A flag that every block sets: of those that stored at one line, each would be the same finding once more.
  if (!scope_only && op.kind == access_kind::write && o.kind == access_kind::write && d.agent == l.agent &&
      own_place_of(d.block, o.rank, l.grid, l.block).block != own_place_of(b.number, t.rank, l.grid, l.block).block) {
    if (op.told_write_pc == d.pc) return;
    op.told_write_pc = d.pc;
  }
  // Two writes of one launch may be meant to store one value, as of a flag: the later one is judged by what it changes.
  const bool stores_later = op.kind == access_kind::write && op.size <= 16 &&
                            agents.of(l.agent).kind == agent_kind::launch && !(b.number & kAsyncBlock);
  const bool by_value = stores_later && o.kind != access_kind::read && d.agent == l.agent;
  if (unsure) log.unsure_places = true;
  const severity how_bad = by_value ? severity::warning : severity::error;
  auto& known = t.block->races[((op.pc ^ d.pc << 7) * 0x9e3779b97f4a7c15ULL) >> 60];
  const bool is_known = known.pc == op.pc && known.other_pc == d.pc && known.version == objects.version &&
                        known.scope_only == scope_only && at - known.object.base < known.object.size;
  place p;
  if (!is_known) p = place_of(*this, t, at);
  std::lock_guard guard(log.mutex);
  const auto [index, fresh, found] =
      is_known ? log.count(known.index, how_bad) : log.count({what, p.object, op.pc, d.pc, how_bad});
  if (found == nullptr) return;
  if (const object_record* const o = is_known || shared_space ? nullptr : objects.find(at))
    known = {op.pc, d.pc, {o->what.address, o->what.size}, objects.version, scope_only, index};
  finding& f = *found;
  if (op.kind == access_kind::read && o.kind == access_kind::atomic)
    log.unconfirmed.add({l.agent, b.number, t.rank, op.address}, index);
  else if (op.kind == access_kind::atomic && o.kind == access_kind::read)
    log.unconfirmed.add({d.agent, d.block, o.rank, op.address}, index);
  const bool may_be_farther = fresh || reach_of(f.cause) < kAsFound;  // else there is no need to look
  const cause why = may_be_farther ? cause_of_race(*this, op, o, d, scope_only) : f.cause;
  if (fresh || reach_of(why) > reach_of(f.cause)) {
    if (is_known) p = place_of(*this, t, at);
    f.cause = why;
    f.facts.barriers = b.barriers;
    f.facts.cooperative = l.cooperative;
    f.facts.named_barriers = b.meets_by_number;
    f.facts.last_barrier = is_between_blocks(why) ? b.last_grid_barrier : b.barriers > 0 ? b.last_barrier : 0;
    if (scope_only) f.facts.later_scope = in_report(op.scope), f.facts.earlier_scope = in_report(o.scope);
    f.space = shared_space ? memory_space::shared : memory_space::global;
    f.allocated = calls_that_allocated(*this, at);
    f.index = p.index;
    f.type = p.type;
    f.bytes = static_cast<std::int64_t>(op.size);
    f.kernel = l.kernel;
    simt::access here = side_here(*this, op), before = side_of(*this, l, d.agent, d.block, o.rank, shown_kind(o), d.pc);
    if (op.kind == access_kind::read && op.size <= 16)
      here.value = value_text(p.type, reinterpret_cast<void*>(op.address), op.size);
    if (o.kind == access_kind::write && op.kind != access_kind::atomic &&
        op.size <= 16)  // an atomic has changed it already
      before.value = value_text(p.type, reinterpret_cast<void*>(op.address), op.size);
    if (here.kind == access_kind::atomic && !op.writes) here.deed = deed::loads;
    if (before.kind == access_kind::atomic && !o.writes) before.deed = deed::loads;
    f.accesses = {std::move(here), std::move(before)};
    f.unsure_place = unsure;
    if (const scope reach = unacquired(f.cause, op, o, d); reach != scope::thread) {
      f.cause = cause::race_blocks_unacquired;
      f.facts.later_scope = in_report(reach);
    } else if (const std::uintptr_t told = told_unfenced(*this, f.cause, op, o, d)) {
      f.cause = cause::race_blocks_unfenced;
      simt::access flag = side_of(*this, l, d.agent, d.block, o.rank, access_kind::atomic, told);
      flag.thread = kUnknownPosition;  // any of the block
      flag.deed = deed::tells;
      f.accesses.push_back(std::move(flag));
    }
  }
  if (stores_later) {
    if (!t.clocks->unjudged_write) t.clocks->unjudged_write = std::make_unique<pending_write>();
    pending_write& w = *t.clocks->unjudged_write;
    if (w.findings.empty()) {
      w.address = op.address;
      w.size = static_cast<std::uint32_t>(op.size);
      std::memcpy(w.before.data(), reinterpret_cast<void*>(op.address), op.size);
    }
    w.may_be_copy = true;
    if (w.findings.size() < 8) w.findings.push_back(index);
    t.pending = t.block->has_unjudged_write = true;
  }
}

void reporter::missing_fence(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& o,
                             const handover& h) {
  if (log.on_instance) log.on_instance(log.on_instance_data, {rule::missing_fence, granule, mask, &op, &o, h.fenced});
  const thread_state& t = op.thread;
  const launch_state& l = *t.block->launch;
  const std::uintptr_t at = granule + static_cast<std::uintptr_t>(std::countr_zero(static_cast<unsigned>(mask)));
  const object_record* const owner = objects.nearest(at);
  if (owner == nullptr) return;
  const finding_log::data_read data{granule, op.pc, owner->what.address};
  const epoch_record d = epochs[o.when];
  const place p = place_of(*this, t, at);
  const cause what = h.fenced ? cause::fence_of_reader : h.narrow ? cause::fence_narrow : cause::fence_missing;
  std::lock_guard guard(log.mutex);
  if (log.is_flag(data)) return;
  const auto [index, fresh, found] =
      log.count({rule::missing_fence, p.object, op.pc, d.pc, h.fenced ? severity::warning : severity::error});
  if (found == nullptr) return;
  finding& f = *found;
  // An error says more than a warning, and data more than what is a flag by now.
  const bool better = !h.fenced && f.cause == cause::fence_of_reader;
  if (!fresh && !better && !log.is_flag(log.handed_over[index])) return;
  log.handed_over[index] = data;
  f.cause = what;
  f.facts.later_scope = in_report(h.needed);
  f.index = p.index;
  f.type = p.type;
  f.bytes = static_cast<std::int64_t>(op.size);
  f.kernel = l.kernel;
  simt::access flag =
      h.fenced ? side_here(*this, op) : side_of(*this, l, d.agent, d.block, o.rank, access_kind::write, h.written_at);
  flag.pc = h.fenced ? h.seen_at : h.written_at;
  flag.callers.clear();
  flag.thread = kUnknownPosition;  // any of the block, behind a barrier
  flag.deed = h.fenced ? deed::is_told : deed::tells;
  f.accesses = {side_here(*this, op), side_of(*this, l, d.agent, d.block, o.rank, shown_kind(o), d.pc)};
  if (flag.pc != 0) f.accesses.push_back(std::move(flag));
}

void reporter::noncoherent(operation& op, std::uintptr_t granule, std::uint8_t mask, const earlier_access& o) {
  const thread_state& t = op.thread;
  const launch_state& l = *t.block->launch;
  const std::uintptr_t at = granule + static_cast<std::uintptr_t>(std::countr_zero(static_cast<unsigned>(mask)));
  epoch_record d = epochs[o.when];
  if (o.pc != 0) d.pc = o.pc;
  const place p = place_of(*this, t, at);
  std::lock_guard guard(log.mutex);
  const auto [index, fresh, found] = log.count({rule::noncoherent_read, p.object, op.pc, d.pc});
  if (!fresh) return;
  finding& f = *found;
  f.cause = cause::noncoherent_read;
  f.index = p.index;
  f.type = p.type;
  f.bytes = static_cast<std::int64_t>(op.size);
  f.kernel = l.kernel;
  f.accesses = {side_here(*this, op), side_of(*this, l, d.agent, d.block, o.rank, shown_kind(o), d.pc)};
}

void reporter::polled(std::uintptr_t granule, std::uintptr_t pc) {
  const object_record* const owner = objects.nearest(granule);
  if (owner == nullptr) return;
  std::lock_guard guard(log.mutex);
  log.polled.insert(granule);
  if (pc != 0) log.polling.emplace(pc, owner->what.address);
}

void reporter::judge_pending_write(thread_state& t) {
  if (!t.clocks->unjudged_write || t.clocks->unjudged_write->findings.empty()) return;
  pending_write& w = *t.clocks->unjudged_write;
  const bool changed = std::memcmp(w.before.data(), reinterpret_cast<void*>(w.address), w.size) != 0;
  std::lock_guard guard(log.mutex);
  for (std::size_t i : w.findings) {
    finding& f = log.at(i);
    if (changed) f.severity = severity::error;
    if (f.count == 1 && !f.accesses.empty() && f.accesses[0].value.empty())
      f.accesses[0].value = value_text(f.type, reinterpret_cast<void*>(w.address), w.size);
  }
  w.findings.clear();
}

namespace {

cause cause_of(const operation& op, rule r, bool shared, const place& p) {
  const bool whole_copy = op.whole_copy != 0;
  switch (r) {
    case rule::uninitialized_read:
      return whole_copy ? cause::unwritten_copy : shared ? cause::unwritten_shared : cause::unwritten_global;
    case rule::misaligned:
      return !whole_copy                    ? cause::misaligned_access
             : op.whole_copy % op.size != 0 ? cause::misaligned_size
             : op.declared_align != 0       ? cause::misaligned_array
                                            : cause::misaligned_copy;
    case rule::use_after_free:
      return cause::freed_memory;
    default:
      return !p.known ? cause::outside_all : p.offset < 0 ? cause::outside_before : cause::outside_behind;
  }
}
// The host may have its reasons to copy what nobody wrote: padding, a capacity. And a GPU copies rightly where an array
// lies better than it is declared, by luck, as it does here.
severity severity_of(cause c) {
  return c == cause::unwritten_copy || c == cause::misaligned_array ? severity::warning : severity::error;
}

}  // namespace

void reporter::memory(operation& op, rule r, std::uintptr_t at) {
  if (log.on_instance && op.whole_copy == 0) log.on_instance(log.on_instance_data, {r, at, 0xf, &op, nullptr});
  thread_state& t = op.thread;
  at = std::max(at, op.address);
  const place p = place_of(*this, t, at);
  const bool shared = shadow.in_shared(at);
  const auto left = r == rule::out_of_bounds && shared ? blocks.left_at(at) : std::nullopt;
  const cause why = left ? cause::outside_left : cause_of(op, r, shared, p);
  std::lock_guard guard(log.mutex);
  const auto [index, fresh, found] = log.count({r, p.object, op.pc, op.pc, severity_of(why)});
  if (!fresh) return;
  finding& f = *found;
  f.space = shared ? memory_space::shared : memory_space::global;
  f.allocated = calls_that_allocated(*this, at);
  f.cause = why;
  f.index = p.index;
  f.type = p.type;
  f.bytes = static_cast<std::int64_t>(op.size);
  f.kernel = agents.of(t.block->launch->agent).kind == agent_kind::launch ? t.block->launch->kernel : "";
  f.accesses.push_back(side_here(*this, op));
  if (left) {
    simt::access owner =
        side_of(*this, *t.block->launch, t.block->launch->agent, left->number, 0, access_kind::read, 0);
    owner.thread = kUnknownPosition, owner.deed = deed::exited;
    f.accesses.push_back(std::move(owner));
  }
  if (op.whole_copy != 0) f.facts.size = static_cast<std::int64_t>(op.whole_copy);
  if (r == rule::misaligned) f.facts.alignment = op.declared_align;
  if (why != cause::outside_before && why != cause::outside_behind) return;
  f.facts.size = object_size(*this, t, p, at);
  f.facts.distance = p.offset < 0 ? -p.offset : p.offset - f.facts.size;
}

void report_here(thread_state& t, rule r, severity s, access_kind kind, std::uintptr_t address, std::size_t bytes,
                 std::uintptr_t pc, cause what, facts values) {
  detector_core& d = *t.block->core;
  operation op{t, address, bytes, pc, kind, 0};
  const bool known = d.shadow.cell_of(address) != nullptr;
  const place p = known ? place_of(d.reports, t, address) : place{};
  std::lock_guard guard(d.log.mutex);
  const auto [index, fresh, found] = d.log.count({r, p.object, pc, pc, s});
  if (!fresh) return;
  finding& f = *found;
  f.cause = what;
  f.facts = std::move(values);
  f.space = !known ? memory_space::host : d.shadow.in_shared(address) ? memory_space::shared : memory_space::global;
  f.index = p.index;
  f.type = p.type;
  f.bytes = static_cast<std::int64_t>(bytes);
  f.kernel = t.block->launch->kernel;
  f.accesses.push_back(side_here(d.reports, op));
}

void detector::report_leaks() {
  detector_core& d = *core_;
  std::lock_guard guard(d.log.mutex);
  for (const auto& [address, o] : d.objects.all()) {
    if (!o.live || o.what.outlives) continue;
    const std::uintptr_t pc = o.what.stack.empty() ? address : o.what.stack[0];
    const auto [index, fresh, found] = d.log.count({rule::leak, o.what.info.name, pc, way_here(o.what.stack)});
    if (found == nullptr) continue;
    finding& f = *found;
    f.leaked.push_back(address);
    if (!fresh) continue;
    f.cause = cause::leaked;
    f.facts.size = f.bytes = static_cast<std::int64_t>(o.what.size);
    f.type = o.what.info.type;
    simt::access side;
    side.kind = access_kind::write;
    side.agent = actor::host;
    side.work = work::host_code;
    side.deed = deed::allocated;
    side.pc = o.what.stack.empty() ? 0 : o.what.stack[0];
    if (o.what.stack.size() > 1) side.callers.assign(o.what.stack.begin() + 1, o.what.stack.end());
    f.accesses.push_back(std::move(side));
  }
}

std::vector<finding> detector::findings() const {
  std::lock_guard guard(core_->log.mutex);
  return core_->log.all();
}

}  // namespace simt::check
