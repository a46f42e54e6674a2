// SPDX-License-Identifier: Apache-2.0
// Atomic operations on memory, for integers, float, double and types that compute like them.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <sim/exec/atomic_action.hpp>

namespace simt::sim {

// The value that the operation stores where it finds `old`.
template <class T>
T apply_atomic(T old, atomic_action action, T v) {
  switch (action) {
    case atomic_action::add:
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(v));
      else
        return old + v;
    case atomic_action::sub:
      if constexpr (std::is_integral_v<T>)
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) - static_cast<std::make_unsigned_t<T>>(v));
      else
        return old - v;
    case atomic_action::min:
      return v < old ? v : old;
    case atomic_action::max:
      return old < v ? v : old;
    case atomic_action::inc:
      return old >= v ? T{0} : static_cast<T>(old + 1);
    case atomic_action::dec:
      return old == 0 || old > v ? v : static_cast<T>(old - 1);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (action) {
      case atomic_action::and_:
        return old & v;
      case atomic_action::or_:
        return old | v;
      case atomic_action::xor_:
        return old ^ v;
      case atomic_action::nand:
        return static_cast<T>(~(old & v));
      default:
        break;
    }
  }
  return v;  // exch, store
}

// Performs the operation at p, whose type is T and as wide as Bits. a: operand or desired value, b: expected value of
// cas; gives the old value, zero-extended, and whether memory was written. alone: it is none of load, store and cas,
// and nobody else can come to p meanwhile, so it need not be one step.
template <class T, class Bits>
std::uint64_t perform_atomic(void* p, atomic_action action, std::uint64_t a, std::uint64_t b, bool& wrote,
                             bool alone = false) {
  auto* word = static_cast<Bits*>(p);
  if (alone) {
    const Bits found = __atomic_load_n(word, __ATOMIC_RELAXED);
    const T left = apply_atomic<T>(std::bit_cast<T>(found), action, std::bit_cast<T>(static_cast<Bits>(a)));
    __atomic_store_n(word, std::bit_cast<Bits>(left), __ATOMIC_RELAXED);
    wrote = true;
    return found;
  }
  Bits old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  wrote = action != atomic_action::load;
  if (action == atomic_action::load) return old;
  if (action == atomic_action::cas) {
    Bits seen = static_cast<Bits>(b);
    wrote = __atomic_compare_exchange_n(word, &seen, static_cast<Bits>(a), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return seen;
  }
  const T v = std::bit_cast<T>(static_cast<Bits>(a));
  if constexpr (std::is_integral_v<T>)  // where many workers add at once, a loop would go round often
    if (action == atomic_action::add) return __atomic_fetch_add(word, static_cast<Bits>(a), __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(word, &old,
                                      std::bit_cast<Bits>(apply_atomic<T>(std::bit_cast<T>(old), action, v)), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  return old;
}

}  // namespace simt::sim
