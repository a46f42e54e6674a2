// SPDX-License-Identifier: Apache-2.0
// Device memory as objects: what an address belongs to, which bytes hold values, copies and fills by the host.
#include "sim/check/core.hpp"

namespace simt::check {
void detector::allocated(allocation a, bool initialised) {
  detector_core& d = *core_;
  // First touches of the shadow are much of the time of a short kernel.
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  if (d.shadow.cell_of(a.address) && a.size >= kLarge) d.shadow.use_large_pages(a.address, a.address + a.size);
  d.objects.add(std::move(a), initialised);
}

bool detector::freed(std::uintptr_t address, std::span<const std::uintptr_t> stack, int stream) {
  detector_core& d = *core_;
  (void)stream;
  object_record* const start = d.objects.starts_at(address);
  if (!start || !start->live) {
    if (d.opt.memory) {
      const object_record* o = d.objects.find(address);
      const std::string object = o ? o->what.info.name : "";
      std::lock_guard guard(d.log.mutex);
      const auto [index, fresh, found] =
          d.log.count({rule::invalid_free, object, stack.empty() ? address : stack[0], 0});
      if (!fresh) return false;
      finding& f = *found;
      f.cause = start ? cause::freed_twice : o ? cause::freed_inside : cause::freed_unknown;
      f.facts.address = address;
      simt::access side;
      side.kind = access_kind::write;
      side.agent = actor::host;
      side.work = work::host_code;
      if (!stack.empty()) {
        side.pc = stack[0];
        side.callers.assign(stack.begin() + 1, stack.end());
      }
      f.accesses.push_back(std::move(side));
    }
    return false;
  }
  ++d.objects.version;
  object_record& o = *start;
  d.past_reads.forget(address, o.end());
  if (o.touched) d.shadow.clear(address, address + o.what.size, o.has_slow_cells);
  o.live = o.touched = o.has_slow_cells = o.initialised = false;
  o.initial.clear();
  o.writes.clear();
  return true;
}

std::vector<allocation> detector::live_allocations() const {
  std::vector<allocation> out;
  for (const auto& [address, o] : core_->objects.all())
    if (o.live) out.push_back(o.what);
  return out;
}

std::size_t detector::uninitialised_bytes(std::uintptr_t address, std::size_t size) const {
  detector_core& d = *core_;
  const object_record* o = d.objects.find(address);
  if (!o || !o->live) return size;
  std::size_t count = 0;
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4) {
    const std::uint8_t init = d.forms.initialised_in(d.shadow.look(at), *o, at);
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (at + i >= address && at + i < address + size && !(init >> i & 1)) ++count;
  }
  return count;
}

std::int64_t detector::unwritten_elements(std::uintptr_t address, std::size_t element_size, std::int64_t count) const {
  detector_core& d = *core_;
  const object_record* o = d.objects.find(address);
  if (!o || !o->live) return -1;
  std::int64_t unwritten = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uintptr_t from = address + static_cast<std::uintptr_t>(i) * element_size;
    bool written = false;
    for (std::uintptr_t at = from & ~std::uintptr_t{3}; at < from + element_size && !written; at += 4) {
      const cell c = d.shadow.look(at);
      const shadow_word w = c.writer;
      // Counters, bins and sums: where nothing is added the host's value is the result.
      const epoch last = epoch_of(d.forms.last_write(c));
      if (is_slow(w) && slow_cell_of(w).updated.size != 0 && last > o->host_written) return 0;
      written = last > kAncient && last > o->host_written;
    }
    unwritten += !written;
  }
  return unwritten;
}

bool detector_core::never_written(const object_record& o, std::uintptr_t address, std::size_t bytes) {
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + bytes; at += 4) {
    const std::uint8_t init = forms.initialised_in(shadow.look(at), o, at);
    for (std::uintptr_t i = 0; i < 4; ++i)
      if (at + i >= address && at + i < address + bytes && (init >> i & 1)) return false;
  }
  return true;
}

void detector_core::host_access(int stream, std::uintptr_t address, std::size_t bytes, bool write, work what,
                                std::span<const std::uintptr_t> stack, bool waited,
                                const std::vector<std::pair<std::uintptr_t, std::uintptr_t>>* init, bool copied_out) {
  if (!bytes) return;
  ++objects.version;
  launch_state& l = host_launch;
  begin_agent(l, stream, {0, 0, 0, stream == 0 ? agent_kind::host : agent_kind::copy, what, {}});
  block_state& b = take_block();
  b.launch = &l;
  b.number = 0;
  b.begin_at(epochs.now());
  thread_state& t = b.all[0];
  if (l.start) b.know(l.start);
  if (write && past_reads.meets(l, agents, address, address + bytes)) reads.doubtful = true;
  const std::uintptr_t pc = stack.empty() ? 0 : stack[0];
  operation op{t, address, bytes, pc, write ? access_kind::write : access_kind::read, epochs.add({pc, 0, l.agent, 0})};
  op.uninitialised = true;  // the host may copy what nobody wrote beside what somebody did
  object_record* o = objects.find(address);
  const bool inside = o && o->live && address + bytes <= o->end();
  if (!inside) {
    if (opt.memory)
      reports.memory(op, o && !o->live ? rule::use_after_free : rule::out_of_bounds, o && o->live ? o->end() : address);
  } else {
    if (write) o->host_written = op.when;
    if (write && init) o->initialised = false;  // it may bring bytes that have held none
    if (!write && opt.uninit && copied_out && never_written(*o, address, bytes)) {
      op.whole_copy = bytes;
      reports.memory(op, rule::uninitialized_read, address);
    }
    // Everything before is ordered before this read, and everything after comes after it: nothing to find or keep.
    if (!write && waited && l.floor == b.base) {
      give_block(b);
      return;
    }
    // A write that comes after all that happened before simply replaces it, without a look at each cell. Cells that
    // also stand for bytes outside the range go the general way.
    const bool replaces = write && l.floor == b.base;
    const std::uintptr_t end = address + bytes;
    std::uintptr_t from = (address + 3) & ~std::uintptr_t{3}, to = end & ~std::uintptr_t{3};
    if (!replaces || from >= to) from = to = end;
    auto general = [&](std::uintptr_t first, std::uintptr_t last) {
      if (first >= last) return;
      op.address = first;
      op.size = last - first;
      accesses.plain(op, write);
      if (!write || !init) return;
      auto unwrite = [&](std::uintptr_t x, std::uintptr_t y) {
        for (x = std::max(x, first); x < std::min(y, last); ++x) {
          cell* c = shadow.cell_of(x);
          slow_cell& e =
              c->writer & kSlow ? forms.slow_form(*c) : forms.make_slow(t, op.when, *c, x & ~std::uintptr_t{3});
          e.initialised &= static_cast<std::uint8_t>(~(1 << (x & 3)));
        }
      };
      std::uintptr_t at = address;
      for (auto [x, y] : *init) unwrite(at, x), at = y;
      unwrite(at, end);
    };
    general(address, from);
    if (from < to) {
      // Cells that stay say "written, before all that comes": true of what the host knows to be done, whoever wrote.
      if (write && (stream == 0 || waited) && !init) {
        if (o->has_slow_cells) shadow.forget_slow(from, to);
      } else if (o->touched) {
        shadow.clear(from, to, o->has_slow_cells);
      }
      remove_range(o->initial, from, to);
      if (init) {
        for (auto [x, y] : *init) add_range(o->initial, std::max(x, from), std::min(y, to));
      } else {
        add_range(o->initial, from, to);
      }
      std::erase_if(o->writes,
                    [&](const range_write& w) { return w.when < agents.horizon || (w.from >= from && w.to <= to); });
      if (stream != 0 && !waited) o->writes.push_back({op.when, from, to});
      general(to, end);
    }
  }
  ++objects.version;
  give_block(b);
}

// Between two events all atomics and fences of the host are those of one agent: a loop that polls is not one for each
// turn.
thread_state& detector_core::host_thread(int stream) {
  const bool goes_on =
      host_block && !host_waited && stream == 0 && host_agent + 1 == agents.next() && agents.of(host_agent).stream == 0;
  if (goes_on) return host_block->all[0];
  launch_state& l = host_launch;
  host_waited = false;
  if (host_block) give_block(*host_block);
  ++objects.version;
  begin_agent(l, stream, {0, 0, 0, agent_kind::host, stream == 0 ? work::host_code : work::callback, {}});
  host_agent = l.agent;
  block_state& b = take_block();
  b.launch = &l;
  b.number = 0;
  b.begin_at(epochs.now());
  b.know(l.start);
  thread_state& t = b.all[0];
  const auto& before = agents.host_on(stream);
  t.clocks->fenced = before.fenced;
  t.clocks->acquirable = before.acquirable;
  t.has_acquirable = static_cast<bool>(before.acquirable[0]);
  t.clocks->told = before.told;
  t.clocks->told_at = before.told_at;
  host_block = &b;
  return t;
}

void detector_core::host_acted(thread_state& t, int stream) {
  auto& after = agents.host_on(stream);
  after.fenced = t.clocks->fenced;
  after.acquirable = t.clocks->acquirable;
  after.told = t.clocks->told;
  after.told_at = t.clocks->told_at;
  if (stream == 0)
    agents.host_known = t.clocks->known;
  else
    pass_on(*t.block);
}

void detector::host_atomic(int stream, std::uintptr_t address, std::uint32_t bytes, atomic_op op, order o,
                           std::uintptr_t pc) {
  thread_state& t = core_->host_thread(stream);
  core_->shadow.settle(address, false);
  if (op != atomic_op::load && core_->past_reads.meets(core_->host_launch, core_->agents, address, address + bytes))
    core_->reads.doubtful = true;
  atomic(t, address, bytes, op, o, scope::system, pc);
  core_->host_acted(t, stream);
}
void detector::host_acquires(int stream, std::uintptr_t address, std::uint32_t bytes, order o) {
  thread_state& t = core_->host_thread(stream);
  core_->syncs.acquire(t, address, bytes, scope::system, acquires(o), false);
  core_->host_acted(t, stream);
}
void detector::host_fence(int stream, order o) {
  thread_state& t = core_->host_thread(stream);
  fence(t, o, scope::system);
  core_->host_acted(t, stream);
}
void detector::copy_to_device(int stream, std::uintptr_t to, std::size_t bytes, std::span<const std::uintptr_t> stack,
                              bool waited) {
  core_->host_access(stream, to, bytes, true, work::copy_to_device, stack, waited, nullptr);
}
void detector::copy_to_host(int stream, std::uintptr_t from, std::size_t bytes, std::span<const std::uintptr_t> stack,
                            bool waited) {
  core_->host_access(stream, from, bytes, false, work::copy_to_host, stack, waited || stream == 0, nullptr, true);
}
void detector::host_reads(int stream, std::uintptr_t from, std::size_t bytes, std::span<const std::uintptr_t> stack,
                          work what) {
  core_->host_access(stream, from, bytes, false, what, stack, stream == 0, nullptr);
}
void detector::fill(int stream, std::uintptr_t to, std::size_t bytes, std::span<const std::uintptr_t> stack,
                    work what) {
  core_->host_access(stream, to, bytes, true, what, stack, false, nullptr);
}
void detector::copy_on_device(int stream, std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                              std::span<const std::uintptr_t> stack) {
  core_->host_access(stream, from, bytes, false, work::copy_on_device, stack, false, nullptr);
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> runs;  // initialised parts, at their new place
  if (uninitialised_bytes(from, bytes) == 0) {
    core_->host_access(stream, to, bytes, true, work::copy_on_device, stack, false, nullptr);
    return;
  }
  for (std::uintptr_t i = 0; i < bytes; ++i)
    if (uninitialised_bytes(from + i, 1) == 0) {
      if (!runs.empty() && runs.back().second == to + i)
        ++runs.back().second;
      else
        runs.emplace_back(to + i, to + i + 1);
    }
  core_->host_access(stream, to, bytes, true, work::copy_on_device, stack, false, &runs);
}

}  // namespace simt::check
