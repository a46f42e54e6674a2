// SPDX-License-Identifier: Apache-2.0
// Atomic operations on a GPU, for 8- to 64-bit integers, float, double, half, bfloat16, enumerations and pointers.
//
// Relaxed operations are CUDA's own (atomicAdd and friends), which the compiler turns into shared-memory atomics and
// reductions without a result where it can; libcu++'s forms are opaque to it. Stronger orders put fences of the same
// scope around them, which synchronise as the fused forms do (PTX ISA, "Memory Consistency Model", synchronizes-with:
// a release pattern is a fence before a relaxed write, an acquire pattern a fence after a relaxed read).
// Cluster scope has no relaxed form of its own in CUDA C++; device scope includes it.
#pragma once

#include <cstdint>
#include <type_traits>

#include <simt/dim3.hpp>
#include <simt/small_float.hpp>

namespace simt::gpu {

// Orders this thread's memory operations before and after it, for the threads of the scope.
__device__ inline void fence(memory_order o, scope s) {
  if (o == memory_order::relaxed || s == scope::thread) return;
  if (o == memory_order::seq_cst) {
    switch (s) {
      case scope::block:
        asm volatile("fence.sc.cta;" ::: "memory");
        break;
#if __CUDA_ARCH__ >= 900
      case scope::cluster:
        asm volatile("fence.sc.cluster;" ::: "memory");
        break;
#endif
      case scope::system:
        asm volatile("fence.sc.sys;" ::: "memory");
        break;
      default:
        asm volatile("fence.sc.gpu;" ::: "memory");
        break;
    }
    return;
  }
  switch (s) {
    case scope::block:
      asm volatile("fence.acq_rel.cta;" ::: "memory");
      break;
#if __CUDA_ARCH__ >= 900
    case scope::cluster:
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
      break;
#endif
    case scope::system:
      asm volatile("fence.acq_rel.sys;" ::: "memory");
      break;
    default:
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
      break;
  }
}

// Which fences an order asks for around a relaxed read-modify-write.
__device__ inline void fence_before(memory_order o, scope s) {
  if (o == memory_order::release || o == memory_order::acq_rel) fence(memory_order::acq_rel, s);
  if (o == memory_order::seq_cst) fence(memory_order::seq_cst, s);
}
__device__ inline void fence_after(memory_order o, scope s) {
  if (o == memory_order::acquire || o == memory_order::acq_rel || o == memory_order::seq_cst)
    fence(memory_order::acq_rel, s);
}

template <class T>
struct atomics {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> || detail::small_float_type<T>,
                "atomics work on integers, float, double, half, bfloat16, enumerations and pointers");
  static_assert(sizeof(T) <= 8);
  static constexpr bool kFloating = std::is_floating_point_v<T>;
  static constexpr bool kSigned = std::is_signed_v<T> && !kFloating;
  // CUDA overloads its atomics on int, unsigned and (unsigned) long long; std::int64_t is long.
  using bits = std::conditional_t<
      sizeof(T) == 8, unsigned long long,
      std::conditional_t<sizeof(T) == 4, unsigned, std::conditional_t<sizeof(T) == 2, unsigned short, unsigned char>>>;
  using number =
      std::conditional_t<kFloating, T,
                         std::conditional_t<sizeof(T) == 8, std::conditional_t<kSigned, long long, unsigned long long>,
                                            std::conditional_t<kSigned, int, unsigned>>>;

  __device__ static bits to_bits(T v) {
    bits b;
    __builtin_memcpy(&b, &v, sizeof v);
    return b;
  }
  __device__ static T from_bits(bits b) {
    T v;
    __builtin_memcpy(&v, &b, sizeof v);
    return v;
  }
  __device__ static bits* word(T& x) { return reinterpret_cast<bits*>(const_cast<std::remove_cv_t<T>*>(&x)); }

  __device__ static T load(T& x, memory_order o, scope s) {
    if (o == memory_order::seq_cst) fence(memory_order::seq_cst, s);
    const bool relaxed = o == memory_order::relaxed || o == memory_order::release;
    switch (s) {
      case scope::thread:
        return from_bits(*const_cast<volatile bits*>(word(x)));
      case scope::block:
        return from_bits(load_at<__NV_THREAD_SCOPE_BLOCK>(word(x), relaxed));
      case scope::cluster:
        return from_bits(load_at<__NV_THREAD_SCOPE_CLUSTER>(word(x), relaxed));
      case scope::system:
        return from_bits(load_at<__NV_THREAD_SCOPE_SYSTEM>(word(x), relaxed));
      default:
        return from_bits(load_at<__NV_THREAD_SCOPE_DEVICE>(word(x), relaxed));
    }
  }
  __device__ static void store(T& x, T v, memory_order o, scope s) {
    if (o == memory_order::seq_cst) fence(memory_order::seq_cst, s);
    const bool relaxed = o == memory_order::relaxed || o == memory_order::acquire || o == memory_order::seq_cst;
    switch (s) {
      case scope::thread:
        *const_cast<volatile bits*>(word(x)) = to_bits(v);
        break;
      case scope::block:
        store_at<__NV_THREAD_SCOPE_BLOCK>(word(x), to_bits(v), relaxed);
        break;
      case scope::cluster:
        store_at<__NV_THREAD_SCOPE_CLUSTER>(word(x), to_bits(v), relaxed);
        break;
      case scope::system:
        store_at<__NV_THREAD_SCOPE_SYSTEM>(word(x), to_bits(v), relaxed);
        break;
      default:
        store_at<__NV_THREAD_SCOPE_DEVICE>(word(x), to_bits(v), relaxed);
        break;
    }
  }

  // Stores `desired` if the value is `expected`; the old value either way.
  __device__ static T cas(T& x, T expected, T desired, memory_order o, scope s) {
    fence_before(o, s);
    const T old = from_bits(cas_bits(word(x), to_bits(expected), to_bits(desired), s));
    fence_after(o, s);
    return old;
  }

  __device__ static T exch(T& x, T v, memory_order o, scope s) {
    if constexpr (sizeof(T) >= 4) {
      fence_before(o, s);
      bits old;
      if (s == scope::block)
        old = atomicExch_block(word(x), to_bits(v));
      else if (s == scope::system)
        old = atomicExch_system(word(x), to_bits(v));
      else
        old = atomicExch(word(x), to_bits(v));
      fence_after(o, s);
      return from_bits(old);
    } else {
      return update(x, o, s, [v](T) { return v; });
    }
  }

#define SIMT_GPU_NATIVE(function, type, value)                             \
  do {                                                                     \
    fence_before(o, s);                                                    \
    auto* const at = reinterpret_cast<type*>(word(x));                     \
    const type operand = static_cast<type>(value);                         \
    const type old = s == scope::block    ? function##_block(at, operand)  \
                     : s == scope::system ? function##_system(at, operand) \
                                          : function(at, operand);         \
    fence_after(o, s);                                                     \
    return static_cast<T>(old);                                            \
  } while (false)

  __device__ static T add(T& x, T v, memory_order o, scope s) {
    if constexpr (kFloating)
      SIMT_GPU_NATIVE(atomicAdd, T, v);
    else if constexpr (sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicAdd, sum_type, v);
    else if constexpr (detail::small_float_type<T>)
      return add_small_float(x, v, o, s);
    else
      return update(x, o, s, [v](T old) { return static_cast<T>(old + v); });
  }
  __device__ static T sub(T& x, T v, memory_order o, scope s) {
    if constexpr (kFloating)
      return add(x, -v, o, s);
    else if constexpr (sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicAdd, sum_type, sum_type{0} - static_cast<sum_type>(v));
    else
      return update(x, o, s, [v](T old) { return static_cast<T>(old - v); });
  }
  __device__ static T add_small_float(T& x, T v, memory_order o, scope s) {
    if (s == scope::system) return update(x, o, s, [v](T old) { return old + v; });  // CUDA has device scope only
    fence_before(o, s);
    const bits old = T::small_float_arithmetic::atomic_add(word(x), to_bits(v));
    fence_after(o, s);
    return from_bits(old);
  }
  // Floats: the operand replaces the value only if the comparison holds, so a NaN on either side leaves it.
  __device__ static T min(T& x, T v, memory_order o, scope s) {
    if constexpr (!kFloating && sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicMin, number, v);
    else
      return update(x, o, s, [v](T old) { return v < old ? v : old; });
  }
  __device__ static T max(T& x, T v, memory_order o, scope s) {
    if constexpr (!kFloating && sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicMax, number, v);
    else
      return update(x, o, s, [v](T old) { return old < v ? v : old; });
  }
  __device__ static T and_(T& x, T v, memory_order o, scope s) {
    static_assert(std::is_integral_v<T>, "bitwise atomics work on integers");
    if constexpr (sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicAnd, bits, v);
    else
      return update(x, o, s, [v](T old) { return static_cast<T>(old & v); });
  }
  __device__ static T or_(T& x, T v, memory_order o, scope s) {
    static_assert(std::is_integral_v<T>, "bitwise atomics work on integers");
    if constexpr (sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicOr, bits, v);
    else
      return update(x, o, s, [v](T old) { return static_cast<T>(old | v); });
  }
  __device__ static T xor_(T& x, T v, memory_order o, scope s) {
    static_assert(std::is_integral_v<T>, "bitwise atomics work on integers");
    if constexpr (sizeof(T) >= 4)
      SIMT_GPU_NATIVE(atomicXor, bits, v);
    else
      return update(x, o, s, [v](T old) { return static_cast<T>(old ^ v); });
  }
  __device__ static T inc(T& x, T v, memory_order o, scope s) {
    if constexpr (std::is_same_v<T, unsigned>)
      SIMT_GPU_NATIVE(atomicInc, unsigned, v);
    else
      return update(x, o, s, [v](T old) { return old >= v ? T{0} : static_cast<T>(old + 1); });
  }
  __device__ static T dec(T& x, T v, memory_order o, scope s) {
    if constexpr (std::is_same_v<T, unsigned>)
      SIMT_GPU_NATIVE(atomicDec, unsigned, v);
    else
      return update(x, o, s, [v](T old) { return old == 0 || old > v ? v : static_cast<T>(old - 1); });
  }
#undef SIMT_GPU_NATIVE

  // Replaces the value by change(old) in one step.
  template <class F>
  __device__ static T update(T& x, memory_order o, scope s, F change) {
    fence_before(o, s);
    bits old = to_bits(load(x, memory_order::relaxed, s));
    while (true) {
      const bits seen = cas_bits(word(x), old, to_bits(static_cast<T>(change(from_bits(old)))), s);
      if (seen == old) break;
      old = seen;
    }
    fence_after(o, s);
    return from_bits(old);
  }

 private:
  // atomicAdd knows int, unsigned and unsigned long long; in two's complement the sum is the same.
  using sum_type = std::conditional_t<sizeof(T) == 8, unsigned long long, std::conditional_t<kSigned, int, unsigned>>;

  template <int Scope>
  __device__ static bits load_at(bits* p, bool relaxed) {
    return relaxed ? __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED, Scope)
                   : __nv_atomic_load_n(p, __NV_ATOMIC_ACQUIRE, Scope);
  }
  template <int Scope>
  __device__ static void store_at(bits* p, bits v, bool relaxed) {
    if (relaxed)
      __nv_atomic_store_n(p, v, __NV_ATOMIC_RELAXED, Scope);
    else
      __nv_atomic_store_n(p, v, __NV_ATOMIC_RELEASE, Scope);
  }
  __device__ static bits cas_bits(bits* p, bits expected, bits desired, scope s) {
    if constexpr (sizeof(T) == 1) {  // within the aligned word around the byte
      const auto address = reinterpret_cast<std::uintptr_t>(p);
      auto* const whole = reinterpret_cast<unsigned*>(address & ~std::uintptr_t{3});
      const unsigned shift = 8 * static_cast<unsigned>(address & 3);
      unsigned seen = *const_cast<volatile unsigned*>(whole);
      while (true) {
        const bits mine = static_cast<bits>(seen >> shift);
        if (mine != expected) return mine;
        const unsigned wanted = (seen & ~(0xffu << shift)) | (static_cast<unsigned>(desired) << shift);
        const unsigned before = atomics<unsigned>::cas(*whole, seen, wanted, memory_order::relaxed, s);
        if (before == seen) return expected;
        seen = before;
      }
    } else if constexpr (sizeof(T) == 2) {
      if (s != scope::system) return atomicCAS(p, expected, desired);  // narrower scopes have no 16-bit form
      bits old;
      asm volatile("atom.relaxed.sys.cas.b16 %0, [%1], %2, %3;"
                   : "=h"(old)
                   : "l"(p), "h"(expected), "h"(desired)
                   : "memory");
      return old;
    } else {
      if (s == scope::block) return atomicCAS_block(p, expected, desired);
      if (s == scope::system) return atomicCAS_system(p, expected, desired);
      return atomicCAS(p, expected, desired);
    }
  }
};

}  // namespace simt::gpu
