// SPDX-License-Identifier: Apache-2.0
// CUDA's 16-bit floats, by the arithmetic of our own (<simt/small_float_bits.hpp>).
#pragma once

#include <concepts>

#include <simt/small_float.hpp>
#include <simt/small_float_bits.hpp>

namespace simt_cuda {
// The type that atomic operations know CUDA's types by.
template <class Arithmetic>
struct atomic_small_float : simt::detail::small_float<atomic_small_float<Arithmetic>, Arithmetic> {
  using simt::detail::small_float<atomic_small_float, Arithmetic>::small_float;
};
}  // namespace simt_cuda

// One scalar type, its pair, and the functions whose names differ only in the type. Arithmetic is done in float and
// rounded once, as the hardware does for single operations. arithmetic: simt::detail's, on bits.
#define SIMT_CUDA_SMALL_FLOAT(S, V, arithmetic)                                                            \
  struct S##_raw {                                                                                         \
    unsigned short x;                                                                                      \
  };                                                                                                       \
  struct V##_raw {                                                                                         \
    unsigned short x, y;                                                                                   \
  };                                                                                                       \
  struct alignas(2) S {                                                                                    \
    unsigned short raw;                                                                                    \
    S() = default;                                                                                         \
    S(S##_raw bits) : raw(bits.x) {}                                                                       \
    S(float f) : raw(arithmetic::from(f)) {}                                                               \
    S(double f) : raw(arithmetic::from(f)) {}                                                              \
    template <std::integral I>                                                                             \
    S(I f) : raw(arithmetic::from(f)) {}                                                                   \
    operator float() const { return arithmetic::value(raw); }                                              \
    operator S##_raw() const { return {raw}; }                                                             \
    S& operator+=(S b) { return *this = S(float(*this) + float(b)); }                                      \
    S& operator-=(S b) { return *this = S(float(*this) - float(b)); }                                      \
    S& operator*=(S b) { return *this = S(float(*this) * float(b)); }                                      \
    S& operator/=(S b) { return *this = S(float(*this) / float(b)); }                                      \
  };                                                                                                       \
  inline S operator+(S a, S b) { return S(float(a) + float(b)); }                                          \
  inline S operator-(S a, S b) { return S(float(a) - float(b)); }                                          \
  inline S operator*(S a, S b) { return S(float(a) * float(b)); }                                          \
  inline S operator/(S a, S b) { return S(float(a) / float(b)); }                                          \
  inline S operator-(S a) { return S(-float(a)); }                                                         \
  inline S operator+(S a) { return a; }                                                                    \
  inline S& operator++(S& a) { return a += S(1.0f); }                                                      \
  inline S& operator--(S& a) { return a -= S(1.0f); }                                                      \
  inline S operator++(S& a, int) {                                                                         \
    const S before = a;                                                                                    \
    ++a;                                                                                                   \
    return before;                                                                                         \
  }                                                                                                        \
  inline S operator--(S& a, int) {                                                                         \
    const S before = a;                                                                                    \
    --a;                                                                                                   \
    return before;                                                                                         \
  }                                                                                                        \
  inline bool operator==(S a, S b) { return float(a) == float(b); }                                        \
  inline bool operator!=(S a, S b) { return float(a) != float(b); }                                        \
  inline bool operator<(S a, S b) { return float(a) < float(b); }                                          \
  inline bool operator>(S a, S b) { return float(a) > float(b); }                                          \
  inline bool operator<=(S a, S b) { return float(a) <= float(b); }                                        \
  inline bool operator>=(S a, S b) { return float(a) >= float(b); }                                        \
  struct alignas(4) V {                                                                                    \
    S x, y;                                                                                                \
    V() = default;                                                                                         \
    V(S a, S b) : x(a), y(b) {}                                                                            \
    V(V##_raw bits) : x(S##_raw{bits.x}), y(S##_raw{bits.y}) {}                                            \
    operator V##_raw() const { return {x.raw, y.raw}; }                                                    \
  };                                                                                                       \
  inline V operator+(V a, V b) { return {a.x + b.x, a.y + b.y}; }                                          \
  inline V operator-(V a, V b) { return {a.x - b.x, a.y - b.y}; }                                          \
  inline V operator*(V a, V b) { return {a.x * b.x, a.y * b.y}; }                                          \
  inline V operator/(V a, V b) { return {a.x / b.x, a.y / b.y}; }                                          \
  inline S __hadd(S a, S b) { return a + b; }                                                              \
  inline S __hsub(S a, S b) { return a - b; }                                                              \
  inline S __hmul(S a, S b) { return a * b; }                                                              \
  inline S __hdiv(S a, S b) { return a / b; }                                                              \
  inline S __hneg(S a) { return -a; }                                                                      \
  inline S __habs(S a) { return S(__builtin_fabsf(float(a))); }                                            \
  inline S __hfma(S a, S b, S c) {                                                                         \
    a.raw = arithmetic::multiply_add(a.raw, b.raw, c.raw);                                                 \
    return a;                                                                                              \
  }                                                                                                        \
  inline S __hmax(S a, S b) { return S(__builtin_fmaxf(float(a), float(b))); }                             \
  inline S __hmin(S a, S b) { return S(__builtin_fminf(float(a), float(b))); }                             \
  inline bool __heq(S a, S b) { return a == b; }                                                           \
  inline bool __hne(S a, S b) { return a != b; }                                                           \
  inline bool __hlt(S a, S b) { return a < b; }                                                            \
  inline bool __hle(S a, S b) { return a <= b; }                                                           \
  inline bool __hgt(S a, S b) { return a > b; }                                                            \
  inline bool __hge(S a, S b) { return a >= b; }                                                           \
  inline bool __hisnan(S a) { return float(a) != float(a); }                                               \
  inline S hsqrt(S a) { return S(__builtin_sqrtf(float(a))); }                                             \
  inline S hrsqrt(S a) { return S(1.0f / __builtin_sqrtf(float(a))); }                                     \
  inline S hrcp(S a) { return S(1.0f / float(a)); }                                                        \
  inline S hexp(S a) { return S(__builtin_expf(float(a))); }                                               \
  inline S hlog(S a) { return S(__builtin_logf(float(a))); }                                               \
  inline S hsin(S a) { return S(__builtin_sinf(float(a))); }                                               \
  inline S hcos(S a) { return S(__builtin_cosf(float(a))); }                                               \
  inline S hfloor(S a) { return S(__builtin_floorf(float(a))); }                                           \
  inline S hceil(S a) { return S(__builtin_ceilf(float(a))); }                                             \
  inline V __hadd2(V a, V b) { return a + b; }                                                             \
  inline V __hsub2(V a, V b) { return a - b; }                                                             \
  inline V __hmul2(V a, V b) { return a * b; }                                                             \
  inline V __h2div(V a, V b) { return a / b; }                                                             \
  inline V __hneg2(V a) { return {-a.x, -a.y}; }                                                           \
  inline V __hfma2(V a, V b, V c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }               \
  inline V __hmax2(V a, V b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }                              \
  inline V __hmin2(V a, V b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }                              \
  namespace simt_cuda {                                                                                    \
  template <simt::scope Scope>                                                                             \
  [[gnu::always_inline]] inline S small_atomic_add(S* p, S v) {                                            \
    using own = atomic_small_float<arithmetic>;                                                            \
    constexpr auto relaxed = simt::memory_order::relaxed;                                                  \
    S was;                                                                                                 \
    was.raw = self().atomic_add(*reinterpret_cast<own*>(p), own::from_bits(v.raw), relaxed, Scope).bits(); \
    return was;                                                                                            \
  }                                                                                                        \
  }                                                                                                        \
  [[gnu::always_inline]] inline S atomicAdd(S* p, S v) {                                                   \
    return simt_cuda::small_atomic_add<simt::scope::device>(p, v);                                         \
  }                                                                                                        \
  [[gnu::always_inline]] inline V atomicAdd(V* p, V v) { return {atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)}; }
