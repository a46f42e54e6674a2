// SPDX-License-Identifier: Apache-2.0
// atomic_ref<T, scope>: libcu++'s cuda::atomic_ref with the thread that uses it, on simt::thread's atomics, so that
// this one text serves every variant (CUDA C++ Core Libraries, "cuda::atomic_ref"; PTX ISA, "Memory Consistency
// Model").
//
//   simt::atomic_ref<int, simt::scope::block> ready(t, flag);
//   ready.store(1, simt::memory_order::release);
//
// Device only. T: integers of 1 to 8 bytes, float, double, enumerations, pointers. The default order is seq_cst, as in
// the standard library.
#pragma once

#include <type_traits>

#include <simt/kernel.hpp>

namespace simt {

template <class T, scope Scope = scope::system>
class atomic_ref {
 public:
  using value_type = T;
  SIMT_HD atomic_ref(const thread& t, T& x) : t_(&t), x_(&x) {}

  SIMT_DEVICE T load(memory_order o = memory_order::seq_cst) const { return t_->atomic_load(*x_, o, Scope); }
  SIMT_DEVICE void store(T v, memory_order o = memory_order::seq_cst) const { t_->atomic_store(*x_, v, o, Scope); }
  SIMT_DEVICE T exchange(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_exch(*x_, v, o, Scope);
  }
  // True if the value was `expected` and is now `desired`; else `expected` becomes what it was.
  SIMT_DEVICE bool compare_exchange_strong(T& expected, T desired, memory_order o = memory_order::seq_cst) const {
    const T seen = t_->atomic_cas(*x_, expected, desired, o, Scope);
    const bool done = same_bits(seen, expected);
    if (!done) expected = seen;
    return done;
  }
  SIMT_DEVICE bool compare_exchange_weak(T& expected, T desired, memory_order o = memory_order::seq_cst) const {
    return compare_exchange_strong(expected, desired, o);
  }

  SIMT_DEVICE T fetch_add(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_add(*x_, v, o, Scope);
  }
  SIMT_DEVICE T fetch_sub(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_sub(*x_, v, o, Scope);
  }
  SIMT_DEVICE T fetch_min(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_min(*x_, v, o, Scope);
  }
  SIMT_DEVICE T fetch_max(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_max(*x_, v, o, Scope);
  }
  SIMT_DEVICE T fetch_and(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_and(*x_, v, o, Scope);
  }
  SIMT_DEVICE T fetch_or(T v, memory_order o = memory_order::seq_cst) const { return t_->atomic_or(*x_, v, o, Scope); }
  SIMT_DEVICE T fetch_xor(T v, memory_order o = memory_order::seq_cst) const {
    return t_->atomic_xor(*x_, v, o, Scope);
  }

  // Waits until the value is no longer `old`. Waiters look again by themselves: notify_one and notify_all have nothing
  // to do, and are here so that code for libcu++ reads the same.
  SIMT_DEVICE void wait(T old, memory_order o = memory_order::seq_cst) const {
    while (same_bits(load(o), old)) t_->yield();
  }
  SIMT_DEVICE void notify_one() const {}
  SIMT_DEVICE void notify_all() const {}

 private:
  SIMT_DEVICE static bool same_bits(const T& a, const T& b) {
    if constexpr (std::is_floating_point_v<T>) {
      using bits = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
      bits x, y;
      __builtin_memcpy(&x, &a, sizeof a);
      __builtin_memcpy(&y, &b, sizeof b);
      return x == y;
    } else {
      return a == b;
    }
  }
  const thread* t_;
  T* x_;
};

}  // namespace simt
