// SPDX-License-Identifier: Apache-2.0
#include <backends/sim/checked_atomic.hpp>

#include <bit>
#include <cmath>
#include <optional>

#include <backends/sim/access_cursor.hpp>
#include <sim/exec/observer.hpp>
#include <simt/bfloat16.hpp>
#include <simt/half.hpp>

namespace simt::sim {

namespace {

check::order to_check(memory_order o) { return static_cast<check::order>(o); }
check::scope to_check(simt::scope s) { return static_cast<check::scope>(s); }
static_assert(static_cast<int>(memory_order::seq_cst) == static_cast<int>(check::order::seq_cst));
static_assert(static_cast<int>(simt::scope::system) == static_cast<int>(check::scope::system));

constexpr std::uint32_t size_of(atomic_type t) {
  switch (t) {
    case atomic_type::s8:
    case atomic_type::u8: return 1;
    case atomic_type::s16:
    case atomic_type::u16:
    case atomic_type::f16:
    case atomic_type::bf16: return 2;
    case atomic_type::s32:
    case atomic_type::u32:
    case atomic_type::f32: return 4;
    default: return 8;
  }
}

template <class T>
T apply(T old, atomic_action action, T v) {
  switch (action) {
    case atomic_action::add:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(v));
      else return old + v;
    case atomic_action::sub:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) - static_cast<std::make_unsigned_t<T>>(v));
      else return old - v;
    case atomic_action::min: return v < old ? v : old;
    case atomic_action::max: return old < v ? v : old;
    case atomic_action::inc: return old >= v ? T{0} : static_cast<T>(old + 1);
    case atomic_action::dec: return old == 0 || old > v ? v : static_cast<T>(old - 1);
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (action) {
      case atomic_action::and_: return old & v;
      case atomic_action::or_: return old | v;
      case atomic_action::xor_: return old ^ v;
      case atomic_action::nand: return static_cast<T>(~(old & v));
      default: break;
    }
  }
  return v;  // exch, store
}

template <class T, class Bits>
std::uint64_t perform(void* p, atomic_action action, std::uint64_t a, std::uint64_t b, bool& wrote) {
  auto* word = static_cast<Bits*>(p);
  Bits old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  wrote = action != atomic_action::load;
  if (action == atomic_action::load) return old;
  if (action == atomic_action::cas) {
    Bits seen = static_cast<Bits>(b);
    wrote = __atomic_compare_exchange_n(word, &seen, static_cast<Bits>(a), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return seen;
  }
  const T v = std::bit_cast<T>(static_cast<Bits>(a));
  while (!__atomic_compare_exchange_n(word, &old, std::bit_cast<Bits>(apply<T>(std::bit_cast<T>(old), action, v)), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return old;
}

std::uint64_t perform(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b, bool& wrote) {
  switch (type) {
    case atomic_type::u8: return perform<std::uint8_t, std::uint8_t>(p, action, a, b, wrote);
    case atomic_type::u16: return perform<std::uint16_t, std::uint16_t>(p, action, a, b, wrote);
    case atomic_type::s8: return perform<std::int8_t, std::uint8_t>(p, action, a, b, wrote);
    case atomic_type::s16: return perform<std::int16_t, std::uint16_t>(p, action, a, b, wrote);
    case atomic_type::s32: return perform<std::int32_t, std::uint32_t>(p, action, a, b, wrote);
    case atomic_type::u32: return perform<std::uint32_t, std::uint32_t>(p, action, a, b, wrote);
    case atomic_type::s64: return perform<std::int64_t, std::uint64_t>(p, action, a, b, wrote);
    case atomic_type::u64: return perform<std::uint64_t, std::uint64_t>(p, action, a, b, wrote);
    case atomic_type::f16: return perform<half, std::uint16_t>(p, action, a, b, wrote);
    case atomic_type::bf16: return perform<bfloat16, std::uint16_t>(p, action, a, b, wrote);
    case atomic_type::f32: return perform<float, std::uint32_t>(p, action, a, b, wrote);
    case atomic_type::f64: return perform<double, std::uint64_t>(p, action, a, b, wrote);
  }
  return 0;
}

check::atomic_op done(atomic_action action, bool wrote) {
  if (!wrote) return check::atomic_op::load;
  return action == atomic_action::store ? check::atomic_op::store : check::atomic_op::rmw;
}

// A failed compare-and-swap reads: its release part does not happen (C++ [atomics.types.operations]).
memory_order reading(memory_order o) {
  if (o == memory_order::acq_rel) return memory_order::acquire;
  return o == memory_order::release ? memory_order::relaxed : o;
}
memory_order effective(memory_order o, memory_order failure, atomic_action action, bool wrote) {
  return action == atomic_action::cas && !wrote ? reading(failure) : o;
}

}  // namespace

void spend_checked(std::int32_t cost) {
  settle_rows();
  fiber& f = *cursor.self;
  block_context& b = *f.block;
  if ((b.spin_budget -= cost) >= 0) return;
  f.wait_pc = cursor.pc;  // where a hang is
  yield_thread(b, f.rank, b.index);
  restore_cursor(f);
}

// A multiple of a load: a yield changes no memory (sim/exec/block.hpp).
void checked_yield() {
  cursor.pc = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  spend_checked(kSpinBudget + kSpinCostLoad);
}
void checked_clock_read() { spend_checked(kSpinCostRmw); }

std::uint64_t atomic_at(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b, memory_order o,
                        memory_order failure, simt::scope s, std::uintptr_t pc) {
  bool wrote = false;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  check::thread_state* const t = cursor.state();
  const std::uint32_t bytes = size_of(type);
  if (t == nullptr && on_device_thread()) {
    const std::uint64_t old = perform(p, type, action, a, b, wrote);
    cursor.pc = pc;
    spend_checked(spin_cost(action, wrote, old, a, bytes));
    return old;
  }
  if (t == nullptr) {
    const bool watched = host_is_watched(address);
    if (!watched && action != atomic_action::load && action != atomic_action::cas) {
      host_unwatched(check::atomic_op::store, to_check(o));  // before others can see it
    }
    std::optional<host_turn> turn;  // no launch begins between the operation and its announcement
    if (watched) turn.emplace(std::try_to_lock);
    const std::uint64_t old = perform(p, type, action, a, b, wrote);
    host_atomic(address, bytes, done(action, wrote), action == atomic_action::cas, to_check(effective(o, failure, action, wrote)), pc);
    return old;
  }
  if (cursor.is_local(address)) return perform(p, type, action, a, b, wrote);
  settle_rows();
  ++cursor.steps;
  cursor.pc = pc;
  if (cursor.every_access_switches) schedule_point();
  std::uint64_t old;
  bool ours;
  {
    check::atomic_section section(*t, address);
    old = perform(p, type, action, a, b, wrote);
    ours = check::atomic(*t, address, bytes, done(action, wrote), to_check(effective(o, failure, action, wrote)), to_check(s), pc);
    if (ours && action == atomic_action::cas) check::compared_and_swapped(*t, address, bytes);
  }
  if (!ours) foreign_access(address, bytes, *t, wrote, pc);
  spend_checked(spin_cost(action, wrote, old, a, bytes));
  return old;
}

std::uint64_t checked_atomic(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b,
                             memory_order o, simt::scope s) {
  return atomic_at(p, type, action, a, b, o, o, s, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void checked_fence(memory_order o, simt::scope s) {
  if (cursor.state() != nullptr) {
    settle_rows();
    check::fence(*cursor.state(), to_check(o), to_check(s));
    spend_checked(kSpinCostLoad);
  } else if (!on_device_thread()) {
    host_fence(to_check(o));
  }
}

}  // namespace simt::sim
