// SPDX-License-Identifier: Apache-2.0
// __nv_atomic_*: the compiler's own atomics of CUDA 12.8 and later, with an order and a scope (Programming Guide,
// "Atomic Functions").
#pragma once

#include "device_functions.hpp"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

namespace simt_cuda {
constexpr simt::memory_order nv_order(int o) {
  return o == __NV_ATOMIC_RELAXED                               ? simt::memory_order::relaxed
         : o == __NV_ATOMIC_CONSUME || o == __NV_ATOMIC_ACQUIRE ? simt::memory_order::acquire
         : o == __NV_ATOMIC_RELEASE                             ? simt::memory_order::release
         : o == __NV_ATOMIC_ACQ_REL                             ? simt::memory_order::acq_rel
                                                                : simt::memory_order::seq_cst;
}
constexpr simt::scope nv_scope(int s) {
  return s == __NV_THREAD_SCOPE_THREAD    ? simt::scope::thread
         : s == __NV_THREAD_SCOPE_BLOCK   ? simt::scope::block
         : s == __NV_THREAD_SCOPE_CLUSTER ? simt::scope::cluster
         : s == __NV_THREAD_SCOPE_DEVICE  ? simt::scope::device
                                          : simt::scope::system;
}
// A compare-and-swap has one order here: the stronger of the two.
constexpr int nv_stronger(int success, int failure) {
  if (failure == __NV_ATOMIC_SEQ_CST) return failure;
  if (failure == __NV_ATOMIC_RELAXED) return success;
  if (success == __NV_ATOMIC_RELAXED) return __NV_ATOMIC_ACQUIRE;
  return success == __NV_ATOMIC_RELEASE ? __NV_ATOMIC_ACQ_REL : success;
}
}  // namespace simt_cuda

template <class T>
[[gnu::always_inline]] inline T __nv_atomic_load_n(T* p, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return simt_cuda::self().atomic_load(*p, simt_cuda::nv_order(order), simt_cuda::nv_scope(scope));
}
template <class T>
[[gnu::always_inline]] inline void __nv_atomic_load(T* p, T* to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *to = __nv_atomic_load_n(p, order, scope);
}
template <class T>
[[gnu::always_inline]] inline void __nv_atomic_store_n(T* p, std::type_identity_t<T> v, int order,
                                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  simt_cuda::self().atomic_store(*p, v, simt_cuda::nv_order(order), simt_cuda::nv_scope(scope));
}
template <class T>
[[gnu::always_inline]] inline void __nv_atomic_store(T* p, T* v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(p, *v, order, scope);
}
template <class T>
[[gnu::always_inline]] inline T __nv_atomic_exchange_n(T* p, std::type_identity_t<T> v, int order,
                                                       int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return simt_cuda::self().atomic_exch(*p, v, simt_cuda::nv_order(order), simt_cuda::nv_scope(scope));
}
template <class T>
[[gnu::always_inline]] inline void __nv_atomic_exchange(T* p, T* v, T* old, int order,
                                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = __nv_atomic_exchange_n(p, *v, order, scope);
}
template <class T>
[[gnu::always_inline]] inline bool __nv_atomic_compare_exchange_n(T* p, T* expected, std::type_identity_t<T> desired,
                                                                  bool, int success, int failure,
                                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const T want = *expected;
  *expected = simt_cuda::self().atomic_cas(
      *p, want, desired, simt_cuda::nv_order(simt_cuda::nv_stronger(success, failure)), simt_cuda::nv_scope(scope));
  return __builtin_memcmp(expected, &want, sizeof(T)) == 0;
}
template <class T>
[[gnu::always_inline]] inline bool __nv_atomic_compare_exchange(T* p, T* expected, T* desired, bool weak, int success,
                                                                int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(p, expected, *desired, weak, success, failure, scope);
}
#define SIMT_NV_FETCH(name)                                                                                \
  template <class T>                                                                                       \
  [[gnu::always_inline]] inline T __nv_atomic_fetch_##name(T* p, std::type_identity_t<T> v, int order,     \
                                                           int scope = __NV_THREAD_SCOPE_SYSTEM) {         \
    return simt_cuda::self().atomic_##name(*p, v, simt_cuda::nv_order(order), simt_cuda::nv_scope(scope)); \
  }                                                                                                        \
  template <class T>                                                                                       \
  [[gnu::always_inline]] inline void __nv_atomic_##name(T* p, std::type_identity_t<T> v, int order,        \
                                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {            \
    (void)__nv_atomic_fetch_##name(p, v, order, scope);                                                    \
  }
SIMT_NV_FETCH(add)
SIMT_NV_FETCH(sub)
SIMT_NV_FETCH(and)
SIMT_NV_FETCH(or)
SIMT_NV_FETCH(xor)
SIMT_NV_FETCH(min)
SIMT_NV_FETCH(max)
#undef SIMT_NV_FETCH
[[gnu::always_inline]] inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  simt_cuda::self().fence(simt_cuda::nv_order(order), simt_cuda::nv_scope(scope));
}
