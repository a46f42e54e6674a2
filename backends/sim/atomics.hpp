// SPDX-License-Identifier: Apache-2.0
// Atomic operations on the simulator, for 8- to 64-bit integers, float, double, half and bfloat16.
//
// sim: the compiler's builtins, and a step of the spin budget, because a kernel that spins never comes back to a
// cooperative scheduler by itself. check: one call out of line that performs the operation and announces it.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <sim/exec/atomic_action.hpp>
#include <sim/exec/executors/fiber_calls.hpp>
#include <simt/dim3.hpp>
#include <simt/small_float.hpp>

namespace simt::sim {

enum class atomic_type : std::uint8_t { u8, u16, s8, s16, s32, u32, s64, u64, f16, bf16, f32, f64 };

template <class T>
constexpr atomic_type atomic_type_of() {
  if constexpr (std::is_same_v<T, float>)
    return atomic_type::f32;
  else if constexpr (std::is_same_v<T, double>)
    return atomic_type::f64;
  else if constexpr (detail::small_float_type<T>)
    return T(1).bits() == 0x3c00 ? atomic_type::f16 : atomic_type::bf16;  // 15 and 127 are what exponents are moved by
  else if constexpr (sizeof(T) == 1)
    return std::is_signed_v<T> ? atomic_type::s8 : atomic_type::u8;
  else if constexpr (sizeof(T) == 2)
    return std::is_signed_v<T> ? atomic_type::s16 : atomic_type::u16;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? atomic_type::s32 : atomic_type::u32;
  else
    return std::is_signed_v<T> ? atomic_type::s64 : atomic_type::u64;
}

#if defined(SIMT_VARIANT_CHECK)
// Performs the operation on `size` bytes at p, tells the detector, and lets other threads run as the schedule asks.
// a: operand or desired value; b: expected value of cas. Gives the old value, zero-extended.
std::uint64_t checked_atomic(void* p, atomic_type type, atomic_action action, std::uint64_t a, std::uint64_t b,
                             memory_order o, simt::scope s);
#endif

constexpr int builtin_order(memory_order o) {
  switch (o) {
    case memory_order::relaxed:
      return __ATOMIC_RELAXED;
    case memory_order::acquire:
      return __ATOMIC_ACQUIRE;
    case memory_order::release:
      return __ATOMIC_RELEASE;
    case memory_order::acq_rel:
      return __ATOMIC_ACQ_REL;
    case memory_order::seq_cst:
      break;
  }
  return __ATOMIC_SEQ_CST;
}

template <class T>
struct atomics {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> || detail::small_float_type<T>,
                "atomics work on integers, float, double, half, bfloat16, enumerations and pointers");
  static_assert(sizeof(T) <= 8);
  using bits = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                                     std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

#define SIMT_ATOMIC_HEAD block_context &b, std::int32_t rank, std::int64_t block
#if defined(SIMT_VARIANT_CHECK)
  static std::uint64_t to_bits(T v) { return std::bit_cast<bits>(v); }
  static T from_bits(std::uint64_t v) { return std::bit_cast<T>(static_cast<bits>(v)); }
  static T call(T& x, atomic_action action, T a, T expected, memory_order o, simt::scope s) {
    return from_bits(checked_atomic(const_cast<std::remove_cv_t<T>*>(&x), atomic_type_of<T>(), action, to_bits(a),
                                    to_bits(expected), o, s));
  }
#define SIMT_ATOMIC_RMW(name, action)                                                                \
  [[gnu::always_inline]] static T name(SIMT_ATOMIC_HEAD, T& x, T v, memory_order o, simt::scope s) { \
    (void)b, (void)rank, (void)block;                                                                \
    return call(x, atomic_action::action, v, T{}, o, s);                                             \
  }
  SIMT_ATOMIC_RMW(add, add)
  SIMT_ATOMIC_RMW(sub, sub)
  SIMT_ATOMIC_RMW(min, min)
  SIMT_ATOMIC_RMW(max, max)
  SIMT_ATOMIC_RMW(and_, and_)
  SIMT_ATOMIC_RMW(or_, or_)
  SIMT_ATOMIC_RMW(xor_, xor_)
  SIMT_ATOMIC_RMW(exch, exch)
  SIMT_ATOMIC_RMW(inc, inc)
  SIMT_ATOMIC_RMW(dec, dec)
  SIMT_ATOMIC_RMW(store, store)
#undef SIMT_ATOMIC_RMW
  [[gnu::always_inline]] static T cas(SIMT_ATOMIC_HEAD, T& x, T expected, T desired, memory_order o, simt::scope s) {
    (void)b, (void)rank, (void)block;
    return call(x, atomic_action::cas, desired, expected, o, s);
  }
  [[gnu::always_inline]] static T load(SIMT_ATOMIC_HEAD, T& x, memory_order o, simt::scope s) {
    (void)b, (void)rank, (void)block;
    return call(x, atomic_action::load, T{}, T{}, o, s);
  }
#else
  // One step of the spin budget for an operation that did something, or for one that found `old` and may have read
  // only.
  [[gnu::always_inline]] static void spend_on(SIMT_ATOMIC_HEAD, atomic_action action, bits old, bits v,
                                              bool wrote = true) {
    spend(b, spin_cost(action, wrote, old, v, sizeof(bits)), rank, block);
  }
  // Replaces the value by change(old) in one step.
  template <class F>
  [[gnu::always_inline]] static T update(SIMT_ATOMIC_HEAD, T& x, F change) {
    auto* word = reinterpret_cast<bits*>(&x);
    bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, std::bit_cast<bits>(static_cast<T>(change(std::bit_cast<T>(old)))),
                                        true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    spend(b, kSpinCostRmw, rank, block);
    return std::bit_cast<T>(old);
  }
  [[gnu::always_inline]] static T add(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    if constexpr (std::is_integral_v<T>) {
      const T old = __atomic_fetch_add(&x, v, __ATOMIC_SEQ_CST);
      spend_on(b, rank, block, atomic_action::add, static_cast<bits>(old), static_cast<bits>(v));
      return old;
    } else {
      return update(b, rank, block, x, [v](T old) { return old + v; });
    }
  }
  [[gnu::always_inline]] static T sub(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    if constexpr (std::is_integral_v<T>) {
      const T old = __atomic_fetch_sub(&x, v, __ATOMIC_SEQ_CST);
      spend_on(b, rank, block, atomic_action::sub, static_cast<bits>(old), static_cast<bits>(v));
      return old;
    } else {
      return update(b, rank, block, x, [v](T old) { return old - v; });
    }
  }
  [[gnu::always_inline]] static T min(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    return update(b, rank, block, x, [v](T old) { return v < old ? v : old; });
  }
  [[gnu::always_inline]] static T max(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    return update(b, rank, block, x, [v](T old) { return old < v ? v : old; });
  }
#define SIMT_ATOMIC_BITS(name, builtin)                                                          \
  [[gnu::always_inline]] static T name(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) { \
    static_assert(std::is_integral_v<T>, "bitwise atomics work on integers");                    \
    const T old = builtin(&x, v, __ATOMIC_SEQ_CST);                                              \
    spend_on(b, rank, block, atomic_action::name, static_cast<bits>(old), static_cast<bits>(v)); \
    return old;                                                                                  \
  }
  SIMT_ATOMIC_BITS(and_, __atomic_fetch_and)
  SIMT_ATOMIC_BITS(or_, __atomic_fetch_or)
  SIMT_ATOMIC_BITS(xor_, __atomic_fetch_xor)
#undef SIMT_ATOMIC_BITS
  [[gnu::always_inline]] static T inc(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    return update(b, rank, block, x, [v](T old) { return old >= v ? T{0} : static_cast<T>(old + 1); });
  }
  [[gnu::always_inline]] static T dec(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    return update(b, rank, block, x, [v](T old) { return old == 0 || old > v ? v : static_cast<T>(old - 1); });
  }
  // An exchange and a failed compare-and-swap may be turns of a spin lock.
  [[gnu::always_inline]] static T exch(SIMT_ATOMIC_HEAD, T& x, T v, memory_order, simt::scope) {
    const bits old = __atomic_exchange_n(reinterpret_cast<bits*>(&x), std::bit_cast<bits>(v), __ATOMIC_SEQ_CST);
    spend_on(b, rank, block, atomic_action::exch, old, std::bit_cast<bits>(v));
    return std::bit_cast<T>(old);
  }
  [[gnu::always_inline]] static T cas(SIMT_ATOMIC_HEAD, T& x, T expected, T desired, memory_order, simt::scope) {
    bits seen = std::bit_cast<bits>(expected);
    const bool done = __atomic_compare_exchange_n(reinterpret_cast<bits*>(&x), &seen, std::bit_cast<bits>(desired),
                                                  false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    spend_on(b, rank, block, atomic_action::cas, seen, std::bit_cast<bits>(desired), done);
    return std::bit_cast<T>(seen);
  }
  [[gnu::always_inline]] static T load(SIMT_ATOMIC_HEAD, T& x, memory_order o, simt::scope) {
    const bits v = o == memory_order::relaxed ? __atomic_load_n(reinterpret_cast<bits*>(&x), __ATOMIC_RELAXED)
                                              : __atomic_load_n(reinterpret_cast<bits*>(&x), __ATOMIC_SEQ_CST);
    spend(b, kSpinCostLoad, rank, block);
    return std::bit_cast<T>(v);
  }
  [[gnu::always_inline]] static void store(SIMT_ATOMIC_HEAD, T& x, T v, memory_order o, simt::scope) {
    if (o == memory_order::relaxed || o == memory_order::release)
      __atomic_store_n(reinterpret_cast<bits*>(&x), std::bit_cast<bits>(v), __ATOMIC_RELEASE);
    else
      __atomic_store_n(reinterpret_cast<bits*>(&x), std::bit_cast<bits>(v), __ATOMIC_SEQ_CST);
    spend(b, kSpinCostRmw, rank, block);
  }
#endif
#undef SIMT_ATOMIC_HEAD
};

}  // namespace simt::sim
