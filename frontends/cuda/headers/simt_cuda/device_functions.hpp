// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, atomics, loads and clocks of device code.
#pragma once

#include <cstdio>

#include "memory.hpp"

inline constexpr int warpSize = 32;

// ---- barriers and fences ----
SIMT_CUDA_WAIT inline void __syncthreads() { simt_cuda::self().sync(); }
SIMT_CUDA_WAIT inline int __syncthreads_count(int p) { return simt_cuda::self().sync_count(p != 0); }
SIMT_CUDA_WAIT inline int __syncthreads_and(int p) { return simt_cuda::self().sync_and(p != 0); }
SIMT_CUDA_WAIT inline int __syncthreads_or(int p) { return simt_cuda::self().sync_or(p != 0); }
[[gnu::always_inline]] inline void __threadfence() { simt_cuda::self().threadfence(); }
[[gnu::always_inline]] inline void __threadfence_block() { simt_cuda::self().threadfence_block(); }
[[gnu::always_inline]] inline void __threadfence_system() { simt_cuda::self().threadfence_system(); }
[[gnu::always_inline]] inline void __threadfence_cluster() {
  simt_cuda::self().fence(simt::memory_order::seq_cst, simt::scope::cluster);
}
[[gnu::always_inline]] inline void __nanosleep(unsigned ns) { simt_cuda::self().nanosleep(ns); }
// Programmatic dependent launches: here a kernel begins when those before it in its stream have ended.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
// Inlined, for the place of the call is what a report names.
[[noreturn]] SIMT_INLINE inline void __trap() { simt_cuda::self().trap(); }
SIMT_INLINE inline void __brkpt() { simt_cuda::self().trap(); }
inline void __prof_trigger(int) {}  // a counter of NVIDIA's profilers
inline unsigned int __pm0() { return 0; }
inline unsigned int __pm1() { return 0; }
inline unsigned int __pm2() { return 0; }
inline unsigned int __pm3() { return 0; }

// ---- atomics: relaxed, at device scope, or that of the suffix ----
#define SIMT_CUDA_RMW_AT(name, suffix, method, T, where)                                     \
  [[gnu::always_inline]] inline T name##suffix(T* p, T v) {                                  \
    return simt_cuda::self().method(*p, v, simt::memory_order::relaxed, simt::scope::where); \
  }
#define SIMT_CUDA_RMW(name, method, T)             \
  SIMT_CUDA_RMW_AT(name, , method, T, device)      \
  SIMT_CUDA_RMW_AT(name, _block, method, T, block) \
  SIMT_CUDA_RMW_AT(name, _system, method, T, system)
#define SIMT_CUDA_RMW_INTEGER(name, method) \
  SIMT_CUDA_RMW(name, method, int)          \
  SIMT_CUDA_RMW(name, method, unsigned int) \
  SIMT_CUDA_RMW(name, method, unsigned long long)
SIMT_CUDA_RMW_INTEGER(atomicAdd, atomic_add)
SIMT_CUDA_RMW(atomicAdd, atomic_add, float)
SIMT_CUDA_RMW(atomicAdd, atomic_add, double)
SIMT_CUDA_RMW(atomicSub, atomic_sub, int)
SIMT_CUDA_RMW(atomicSub, atomic_sub, unsigned int)
SIMT_CUDA_RMW_INTEGER(atomicExch, atomic_exch)
SIMT_CUDA_RMW(atomicExch, atomic_exch, float)
SIMT_CUDA_RMW_INTEGER(atomicMin, atomic_min)
SIMT_CUDA_RMW(atomicMin, atomic_min, long long)
SIMT_CUDA_RMW_INTEGER(atomicMax, atomic_max)
SIMT_CUDA_RMW(atomicMax, atomic_max, long long)
SIMT_CUDA_RMW_INTEGER(atomicAnd, atomic_and)
SIMT_CUDA_RMW(atomicAnd, atomic_and, long long)
SIMT_CUDA_RMW_INTEGER(atomicOr, atomic_or)
SIMT_CUDA_RMW(atomicOr, atomic_or, long long)
SIMT_CUDA_RMW_INTEGER(atomicXor, atomic_xor)
SIMT_CUDA_RMW(atomicXor, atomic_xor, long long)
SIMT_CUDA_RMW(atomicInc, atomic_inc, unsigned int)
SIMT_CUDA_RMW(atomicDec, atomic_dec, unsigned int)
// Vectors: each part is atomic, the whole is not (CUDA, "Atomic Functions").
#define SIMT_CUDA_ADD_VECTOR(name)                                                         \
  inline float2 name(float2* p, float2 v) { return {name(&p->x, v.x), name(&p->y, v.y)}; } \
  inline float4 name(float4* p, float4 v) {                                                \
    return {name(&p->x, v.x), name(&p->y, v.y), name(&p->z, v.z), name(&p->w, v.w)};       \
  }
SIMT_CUDA_ADD_VECTOR(atomicAdd)
SIMT_CUDA_ADD_VECTOR(atomicAdd_block)
SIMT_CUDA_ADD_VECTOR(atomicAdd_system)
#undef SIMT_CUDA_ADD_VECTOR
#undef SIMT_CUDA_RMW_INTEGER
#undef SIMT_CUDA_RMW
#undef SIMT_CUDA_RMW_AT

#define SIMT_CUDA_CAS_AT(suffix, T, where)                                                                       \
  [[gnu::always_inline]] inline T atomicCAS##suffix(T* p, T expected, T desired) {                               \
    return simt_cuda::self().atomic_cas(*p, expected, desired, simt::memory_order::relaxed, simt::scope::where); \
  }
#define SIMT_CUDA_CAS(T)             \
  SIMT_CUDA_CAS_AT(, T, device)      \
  SIMT_CUDA_CAS_AT(_block, T, block) \
  SIMT_CUDA_CAS_AT(_system, T, system)
SIMT_CUDA_CAS(int)
SIMT_CUDA_CAS(unsigned int)
SIMT_CUDA_CAS(unsigned long long)
SIMT_CUDA_CAS(unsigned short)
#undef SIMT_CUDA_CAS
#undef SIMT_CUDA_CAS_AT
// Of any type of 16 bytes (CUDA 12.8, compute capability 9.0).
namespace simt_cuda {
template <class T>
concept wide_value = sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable_v<T>;
}
#define SIMT_CUDA_WIDE(suffix, where)                                                               \
  template <simt_cuda::wide_value T>                                                                \
  [[gnu::always_inline]] inline T atomicCAS##suffix(T* p, T expected, T desired) {                  \
    return simt_cuda::self().atomic_cas(*p, expected, desired, simt::memory_order::relaxed, where); \
  }                                                                                                 \
  template <simt_cuda::wide_value T>                                                                \
  [[gnu::always_inline]] inline T atomicExch##suffix(T* p, T v) {                                   \
    return simt_cuda::self().atomic_exch(*p, v, simt::memory_order::relaxed, where);                \
  }
SIMT_CUDA_WIDE(, simt::scope::device)
SIMT_CUDA_WIDE(_block, simt::scope::block)
SIMT_CUDA_WIDE(_system, simt::scope::system)
#undef SIMT_CUDA_WIDE

#if defined(SIMT_VARIANT_CHECK)
namespace simt::sim {
void whole_access(const void* p, std::size_t alignment, bool write, const char* type);  // reports misalignment
}
#endif

// ---- loads and stores with cache hints: ordinary ones here ----
namespace simt_cuda {
// *p is about to be read through the cache that no write of the same launch is sure to have reached.
template <class T>
[[gnu::always_inline]] inline void noncoherent([[maybe_unused]] const T* p,
                                               [[maybe_unused]] std::size_t bytes = sizeof(T)) {
#if defined(SIMT_VARIANT_CHECK)
  simt::sim::checked_noncoherent_read(p, bytes);
#endif
}
// The address of a vector type: instrumentation sees the members of a copy through a template, each in its place.
template <class T>
[[gnu::always_inline]] inline T& whole(T& x, [[maybe_unused]] bool write, [[maybe_unused]] const char* type) {
#if defined(SIMT_VARIANT_CHECK)
  if constexpr (std::is_class_v<T>)
    if (reinterpret_cast<std::uintptr_t>(&x) % alignof(T) != 0) simt::sim::whole_access(&x, alignof(T), write, type);
#endif
  return x;
}
}  // namespace simt_cuda
template <class T>
[[gnu::always_inline]] inline T __ldg(const T* p) {
  simt_cuda::noncoherent(p);
  return simt_cuda::whole(*p, false, "the value that __ldg loads");
}
#define SIMT_CUDA_LOAD(name)                                              \
  template <class T>                                                      \
  [[gnu::always_inline]] inline T name(const T* p) {                      \
    return simt_cuda::whole(*p, false, "the value that " #name " loads"); \
  }
SIMT_CUDA_LOAD(__ldca)
SIMT_CUDA_LOAD(__ldcg)
SIMT_CUDA_LOAD(__ldcs)
SIMT_CUDA_LOAD(__ldlu)
#undef SIMT_CUDA_LOAD
template <class T>
[[gnu::always_inline]] inline T __ldcv(const T* p) {
  if constexpr (std::is_class_v<T>)
    return simt_cuda::whole(*p, false, "the value that __ldcv loads");
  else
    return *const_cast<const volatile T*>(p);
}
#define SIMT_CUDA_STORE(name)                                                \
  template <class T>                                                         \
  [[gnu::always_inline]] inline void name(T* p, std::type_identity_t<T> v) { \
    simt_cuda::whole(*p, true, "the value that " #name " stores") = v;       \
  }
SIMT_CUDA_STORE(__stwb)
SIMT_CUDA_STORE(__stcg)
SIMT_CUDA_STORE(__stcs)
SIMT_CUDA_STORE(__stwt)
#undef SIMT_CUDA_STORE

// ---- clocks and places ----
long long int clock64();  // steps of the simulated device's clock
namespace simt_cuda {
unsigned long long global_timer_ns();
// What clock() of a device function is: the C library's counts time of the host.
inline long device_clock() { return static_cast<long>(clock64()); }
}  // namespace simt_cuda
