// SPDX-License-Identifier: Apache-2.0
// Comparisons and selections of inline PTX. Part of ptx.hpp.
#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "ptx_arithmetic.hpp"

namespace simt_cuda::ptx {

// Whether a stands to b as a comparison of setp and set says (PTX ISA, "Comparison operators"). A comparison of
// floating point without a u at its end is false where one of both is NaN (ne, too), with one it is true there.
template <class T, class A, class B>
inline bool compares(const char* mods, A x, B y) {
  const auto a = computed(as<T>(x)), b = computed(as<T>(y));
  const bool ordered = a == a && b == b;
  if (has(mods, ".nan.")) return !ordered;
  if (has(mods, ".num.")) return ordered;
  if (!ordered)
    return has(mods, ".equ.") || has(mods, ".neu.") || has(mods, ".ltu.") || has(mods, ".leu.") || has(mods, ".gtu.") ||
           has(mods, ".geu.");
  if (has(mods, ".eq.") || has(mods, ".equ.")) return a == b;
  if (has(mods, ".ne.") || has(mods, ".neu.")) return a != b;
  if (has(mods, ".lt.") || has(mods, ".lo.") || has(mods, ".ltu.")) return a < b;
  if (has(mods, ".le.") || has(mods, ".ls.") || has(mods, ".leu.")) return a <= b;
  if (has(mods, ".gt.") || has(mods, ".hi.") || has(mods, ".gtu.")) return a > b;
  return a >= b;
}
inline bool combined(const char* mods, bool t, bool c) {
  return has(mods, ".and.") ? t && c : has(mods, ".or.") ? t || c : t != c;
}
// The two results of setp p|q: whether it is so and whether it is not; of packed halves, what holds for each half.
template <class T, class A, class B>
inline std::pair<bool, bool> both_results(const char* mods, A x, B y) {
  if constexpr (kPacked<T>) {
    const T a = as<T>(x), b = as<T>(y);
    return {compares<half_of<T>>(mods, a.x, b.x), compares<half_of<T>>(mods, a.y, b.y)};
  } else {
    const bool t = compares<T>(mods, x, y);
    return {t, !t};
  }
}
template <class T, class A, class B>
inline std::pair<bool, bool> both_results(const char* mods, A x, B y, bool c) {
  const auto [p, q] = both_results<T>(mods, x, y);
  return {combined(mods, p, c), combined(mods, q, c)};
}
template <class T, class A, class B, class... C>
inline bool simt_ptx_setp(const char* mods, A x, B y, C... c) {
  return both_results<T>(mods, x, y, c...).first;
}
// All bits or none for an integer D, 1 or 0 for another.
template <class D>
inline D set_to(bool is) {
  if constexpr (std::is_integral_v<D>)
    return is ? static_cast<D>(-1) : D(0);
  else
    return is ? D(1.0f) : D(0.0f);
}
template <class D, class T, class A, class B, class... C>
inline D simt_ptx_set(const char* mods, A x, B y, C... c) {
  const auto [p, q] = both_results<T>(mods, x, y, c...);
  if constexpr (kPacked<D>)
    return D{set_to<half_of<D>>(p), set_to<half_of<D>>(q)};
  else
    return set_to<D>(p);
}
template <class T, class A, class B>
inline T simt_ptx_selp(const char*, A a, B b, bool p) {
  return p ? as<T>(a) : as<T>(b);
}
template <class T, class S, class A, class B, class C>
inline T simt_ptx_slct(const char*, A a, B b, C c) {
  return as<S>(c) >= S(0) ? as<T>(a) : as<T>(b);
}
template <class T, class A>
inline bool simt_ptx_testp(const char* mods, A x) {
  const T v = as<T>(x);
  return has(mods, ".finite.")      ? std::isfinite(v)
         : has(mods, ".infinite.")  ? std::isinf(v)
         : has(mods, ".number.")    ? !std::isnan(v)
         : has(mods, ".normal.")    ? std::isnormal(v)
         : has(mods, ".subnormal.") ? std::fpclassify(v) == FP_SUBNORMAL
                                    : std::isnan(v);
}

}  // namespace simt_cuda::ptx
