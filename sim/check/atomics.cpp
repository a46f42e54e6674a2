// SPDX-License-Identifier: Apache-2.0
// Atomic and volatile accesses as they are announced.
#include "sim/check/clocks.hpp"
#include "sim/check/code_sites.hpp"
#include "sim/check/core.hpp"
#include "sim/check/deferred_shared.hpp"
#include "sim/check/quick_additions.hpp"
#include "sim/check/unfenced.hpp"

namespace simt::check {
namespace {

// May others learn by this access that volatile data is there? Arrays in shared memory are no flags: warps hand data on
// in them.
bool tells_others(thread_state& t, std::uintptr_t address, atomic_op what, bool is_volatile) {
  block_state& b = *t.block;
  const detector_core& d = *b.core;
  if (!d.opt.races || b.launch->on_host) return false;
  const bool shared = d.shadow.in_shared(address);
  if (is_volatile && !shared) b.uses_volatile = true;
  return b.uses_volatile && what != atomic_op::load && !(shared && in_shared_array(b, address));
}

bool any_atomic(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o, scope s,
                std::uintptr_t pc, bool is_volatile = false) {
  detector_core& d = *t.block->core;
  if (!d.shadow.cell_of(address)) return false;
  t.block->comes_to(address);
  // What only counts and passes nothing on leaves the block's shared memory as it is.
  const bool counts = o == order::relaxed && !is_volatile && !d.shadow.in_shared(address) && !passes_on(t);
  if (!counts) close_deferred(*t.block);
  clock_pair own;
  if (tells_others(t, address, what, is_volatile)) publish(t, own);
  operation op{t, address, size, pc, access_kind::atomic, epoch_for(t, pc)};
  op.scope = s;
  op.is_volatile = is_volatile;
  op.writes = what != atomic_op::load;
  if (address & (size - 1)) {
    if (d.opt.memory) d.reports.memory(op, rule::misaligned, address);
    return true;
  }
  if (op.writes) d.watch_write(*t.block, address, address + size);
  if (d.shadow.in_shared(address))
    for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + size; at += 4)
      d.accesses.refresh_shared(t, *d.shadow.cell_of(at), at);
  // The acquire comes first: what was released with the value is ordered before this access itself.
  if (what != atomic_op::store)
    d.syncs.acquire(t, address, size, s, acquires(o), what == atomic_op::rmw && s >= scope::device);
  d.accesses.atomic(op, what);
  if (what != atomic_op::load) d.syncs.release(t, address, size, what, o, s);
  if (what != atomic_op::store) see_mark(d.shadow, t, address, size, pc);
  if (auto& asked = t.block->asked; what != atomic_op::store && asked[0] != address && !d.shadow.in_shared(address))
    asked = {address, asked[0]};
  if (what != atomic_op::load) leave_mark(d.shadow, t, address, size, what, own.unscoped, pc);
  if (counts && passes_on(t)) close_deferred(*t.block);  // it was told of something
  if (what == atomic_op::rmw && o == order::relaxed && !d.shadow.in_shared(address))
    open_for_additions(t, address, size, s);
  return true;
}

}  // namespace

atomic_section::atomic_section(thread_state& t, std::uintptr_t address, std::uint32_t size, bool let_count) {
  detector_core& d = *t.block->core;
  close_deferred(*t.block, address);
  if (t.pending) d.flush(t);
  is_counter_ = let_count && d.shadow.guard_unless_counter(address, guard_);
  if (!let_count) guard_ = d.shadow.guard_operation(address, size);
}
atomic_section::~atomic_section() { end_guard(guard_); }

void compared_and_swapped(thread_state& t, std::uintptr_t address, std::uint32_t size) {
  detector_core& d = *t.block->core;
  if (!d.opt.races) return;
  d.accesses.forget_unconfirmed(t, address, size);
  if (!d.log.unconfirmed.any()) return;
  std::lock_guard guard(d.log.mutex);
  d.log.unconfirmed.confirm({t.block->launch->agent, t.block->number, t.rank, address}, size);
}

bool atomic(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o, scope s,
            std::uintptr_t pc, bool is_sum) {
  if (what == atomic_op::rmw && o == order::relaxed && quick_addition(t, address, size, s, pc, is_sum)) return true;
  return any_atomic(t, address, size, what, o, s, pc);
}

void update_of_shared(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc) {
  detector_core& d = *t.block->core;
  operation op{t, address, size, pc, access_kind::atomic, epoch_for(t, pc)};
  op.scope = s;
  op.writes = true;
  for (std::uintptr_t at = address; at < address + size; at += 4) {
    d.shadow.settle(at, false);
    d.accesses.refresh_shared(t, *d.shadow.cell_of(at), at);
  }
  d.accesses.atomic(op, atomic_op::rmw);
}

bool read_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  detector_core& d = *t.block->core;
  if (d.opt.volatile_is_plain) return read(t, address, size, pc);
  atomic_section guard(t, address, size);
  if (!any_atomic(t, address, size, atomic_op::load, order::relaxed, scope::system, pc, true)) return false;
  if (d.opt.volatile_reads_lag) {
    t.clocks->volatile_read = {address, size, pc};
    t.pending = t.block->has_unjudged_write = t.block->dirty = true;
  }
  return true;
}

bool write_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
  if (t.block->core->opt.volatile_is_plain) return write(t, address, size, pc);
  atomic_section guard(t, address, size);
  return any_atomic(t, address, size, atomic_op::store, order::relaxed, scope::system, pc, true);
}

}  // namespace simt::check
