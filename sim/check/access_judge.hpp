// SPDX-License-Identifier: Apache-2.0
// The detector as the judge that instrumented code is bound to: see sim/instrument/access_hooks.hpp and
// atomic_hooks.hpp for what is asked of it.
#pragma once

#include "sim/check/fast_path.hpp"
#include "sim/check/quick_additions.hpp"

namespace simt::check {

struct access_judge {
  using thread = thread_state;
  using atomic_section = check::atomic_section;
  using counting = check::counting;

  template <bool Write, std::uint32_t Size, bool Again>
  [[gnu::always_inline]] static inline bool fast(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
    return fast_path_check<Write, Size, Again>(t, address, pc);
  }
  template <bool Write, std::uint32_t Size>
  [[gnu::always_inline]] static inline bool scalar(thread_state& t, std::uintptr_t address, std::uintptr_t pc) {
    if constexpr (Size >= 4)
      if (middle_path<Write, Size>(t, address, pc)) [[likely]]
        return true;
    return slow_path<Write, Size>(t, address, pc, true);
  }
  template <bool Write>
  static bool unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
    return Write ? write_unaligned(t, address, size, pc) : read_unaligned(t, address, size, pc);
  }
  template <bool Write>
  static bool is_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc) {
    return Write ? write_volatile(t, address, size, pc) : read_volatile(t, address, size, pc);
  }
  template <bool Write>
  static bool range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    return Write ? write_range(t, address, size, pc) : read_range(t, address, size, pc);
  }
  static bool may_be_noncoherent(const thread_state& t, std::uintptr_t address, std::size_t size) {
    return check::may_be_noncoherent(t, address, size);
  }
  static void noncoherent(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc) {
    check::read_noncoherent(t, address, size, pc);
  }
  // A read of a constant, which is done then.
  static bool reads_constant(thread_state& t, std::uintptr_t address, std::size_t size) {
    return may_be_constant(*t.block, address) && check::reads_constant(t, address, size);
  }
  static bool can_batch(const thread_state& t, std::uintptr_t address) {
    const block_state& b = *t.block;
    return address - b.device.base < b.device.size || address - b.shared.base < b.quick_shared;
  }
  static bool is_told_of(const thread_state& t, std::uintptr_t address) {
    const block_state& b = *t.block;
    return address - b.device.base < b.device.size || address - b.all_shared.base < b.all_shared.size;
  }
  static bool atomic(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op op, order o, scope s,
                     std::uintptr_t pc, bool is_sum) {
    return check::atomic(t, address, size, op, o, s, pc, is_sum);
  }
  [[gnu::always_inline]] static bool put_off_update(thread_state& t, std::uintptr_t address, std::uint32_t size,
                                                    scope s, std::uintptr_t pc) {
    deferred_shared* const d = t.block->deferred;
    return d != nullptr && d->take_update(t.rank, address, {pc, s, size});
  }
  static bool put_in_log(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, std::uintptr_t pc) {
    return addition_by_only_worker(t, address, size, s, pc);
  }
  static void compared_and_swapped(thread_state& t, std::uintptr_t address, std::uint32_t size) {
    check::compared_and_swapped(t, address, size);
  }
  static void fence(thread_state& t, order o, scope s) { check::fence(t, o, s); }
};

}  // namespace simt::check
