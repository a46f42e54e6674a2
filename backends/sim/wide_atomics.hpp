// SPDX-License-Identifier: Apache-2.0
// Atomic loads, stores, exchanges and compare-and-swaps of 16 bytes at a multiple of 16, as atomics.hpp has them for
// less.
#pragma once

#include <bit>

#include <backends/sim/atomics.hpp>
#include <sim/exec/wide_swap.hpp>

namespace simt::sim {

#if defined(SIMT_VARIANT_CHECK)
// As checked_atomic: a is the operand or the desired value, b the expected one. Gives the old value.
wide_bits checked_wide_atomic(void* p, atomic_action action, wide_bits a, wide_bits b, memory_order o, simt::scope s);
#endif

template <class T>
requires(sizeof(T) == 16 && std::is_trivially_copyable_v<T>) struct atomics<T> {
#if defined(SIMT_VARIANT_CHECK)
  [[gnu::always_inline]] static T perform(block_context& b, std::int32_t rank, std::int64_t block, atomic_action action,
                                          T& x, wide_bits v, wide_bits expected, memory_order o, simt::scope s) {
    (void)b, (void)rank, (void)block;
    return std::bit_cast<T>(checked_wide_atomic(const_cast<std::remove_cv_t<T>*>(&x), action, v, expected, o, s));
  }
#else
  [[gnu::always_inline]] static T perform(block_context& b, std::int32_t rank, std::int64_t block, atomic_action action,
                                          T& x, wide_bits v, wide_bits expected, memory_order, simt::scope) {
    void* const p = const_cast<std::remove_cv_t<T>*>(&x);
    const bool any = action == atomic_action::exch || action == atomic_action::store;
    wide_bits seen = expected;
    const bool done = wide_swap_or_any(p, any, seen, v);
    const bool reads = action == atomic_action::load || !done || seen == v;
    spend(b, reads ? kSpinCostLoad : kSpinCostRmw, rank, block);
    return std::bit_cast<T>(seen);
  }
#endif
#define SIMT_ATOMIC_HEAD block_context &b, std::int32_t rank, std::int64_t block, T &x
  [[gnu::always_inline]] static T exch(SIMT_ATOMIC_HEAD, T v, memory_order o, simt::scope s) {
    return perform(b, rank, block, atomic_action::exch, x, std::bit_cast<wide_bits>(v), {}, o, s);
  }
  [[gnu::always_inline]] static T cas(SIMT_ATOMIC_HEAD, T expected, T desired, memory_order o, simt::scope s) {
    return perform(b, rank, block, atomic_action::cas, x, std::bit_cast<wide_bits>(desired),
                   std::bit_cast<wide_bits>(expected), o, s);
  }
  [[gnu::always_inline]] static T load(SIMT_ATOMIC_HEAD, memory_order o, simt::scope s) {
    return perform(b, rank, block, atomic_action::load, x, {}, {}, o, s);
  }
  [[gnu::always_inline]] static void store(SIMT_ATOMIC_HEAD, T v, memory_order o, simt::scope s) {
    (void)perform(b, rank, block, atomic_action::store, x, std::bit_cast<wide_bits>(v), {}, o, s);
  }
#undef SIMT_ATOMIC_HEAD
};

}  // namespace simt::sim
