// SPDX-License-Identifier: Apache-2.0
// What the rewriter makes of inline PTX (rewrite/ptx.cpp): one function an instruction, named simt_ptx_ and its first
// word; T: the instruction's type; mods: its other words with dots around (".rn.ftz."). PTX ISA 8, "Instruction Set".
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <simt/bfloat16.hpp>
#include <simt/half.hpp>

#include "async_copies.hpp"
#include "warp_functions.hpp"

namespace simt_cuda::ptx {

using f16 = simt::half;
using bf16 = simt::bfloat16;
template <class T>
inline constexpr bool kFloat = std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <std::size_t Bytes>
using bits_of_size = std::conditional_t<Bytes == 1, std::uint8_t, std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

// A register read as another type: bits where the sizes agree, else an integer made wider or narrower.
template <class T, class V>
inline T as(V v) {
  if constexpr (std::is_same_v<T, V>) {
    return v;
  } else if constexpr (std::is_pointer_v<V>) {
    return as<T>(reinterpret_cast<std::uintptr_t>(v));
  } else if constexpr (sizeof(T) == sizeof(V)) {
    return __builtin_bit_cast(T, v);
  } else if constexpr (std::is_integral_v<V> && kFloat<T>) {
    return static_cast<T>(static_cast<float>(v));  // a literal
  } else if constexpr (std::is_integral_v<V>) {
    return static_cast<T>(v);
  } else {
    return as<T>(__builtin_bit_cast(bits_of_size<sizeof(V)>, v));
  }
}
struct sink {};
template <class V>
inline void assign(sink&&, V) {}
template <class D, class V>
inline void assign(D& target, V v) {
  if constexpr (std::is_pointer_v<D>)
    target = reinterpret_cast<D>(as<std::uintptr_t>(v));
  else
    target = as<D>(v);
}
inline constexpr bool has(const char* mods, std::string_view word) { return std::string_view(mods).find(word) != std::string_view::npos; }

// ---- addresses ----
inline std::uintptr_t shared_base() { return reinterpret_cast<std::uintptr_t>(self().context().shared); }
template <class V>
inline std::uint64_t to_shared(V generic) {
  return as<std::uint64_t>(generic) - shared_base();
}
template <class V>
inline std::uint64_t from_shared(V window) {
  return as<std::uint64_t>(window) + shared_base();
}
template <class V, class O>
inline char* address(V base, O offset, bool shared) {
  return reinterpret_cast<char*>(as<std::uint64_t>(base) + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset)) + (shared ? shared_base() : 0));
}
inline constexpr simt::scope scope_of(const char* mods) {
  return has(mods, ".cta.") ? simt::scope::block : has(mods, ".sys.") ? simt::scope::system : has(mods, ".cluster.") ? simt::scope::cluster : simt::scope::device;
}
inline constexpr simt::memory_order order_of(const char* mods) {
  return has(mods, ".acq_rel.")   ? simt::memory_order::acq_rel
         : has(mods, ".acquire.") ? simt::memory_order::acquire
         : has(mods, ".release.") ? simt::memory_order::release
                                  : simt::memory_order::relaxed;
}
template <class T, int N>
struct alignas(sizeof(T) * N) group {
  T v[N];
};
template <class T, class... Out>
[[gnu::always_inline]] inline void load(const char* mods, char* at, Out&&... out) {
  if constexpr (sizeof...(Out) == 1) {
    if constexpr (sizeof(T) >= 4)
      if (has(mods, ".acquire.") || has(mods, ".relaxed.")) {
        (assign(out, self().atomic_load(*reinterpret_cast<T*>(at), order_of(mods), scope_of(mods))), ...);
        return;
      }
    if (has(mods, ".volatile.") || has(mods, ".cv."))
      (assign(out, T(*reinterpret_cast<volatile bits_of_size<sizeof(T)>*>(at))), ...);
    else
      (assign(out, *reinterpret_cast<const T*>(at)), ...);
  } else {
    const auto all = *reinterpret_cast<const group<T, sizeof...(Out)>*>(at);
    int i = 0;
    (assign(out, all.v[i++]), ...);
  }
}
template <class T, class... In>
[[gnu::always_inline]] inline void store(const char* mods, char* at, In... in) {
  if constexpr (sizeof...(In) == 1) {
    if constexpr (sizeof(T) >= 4)
      if (has(mods, ".release.") || has(mods, ".relaxed.")) {
        (self().atomic_store(*reinterpret_cast<T*>(at), as<T>(in), order_of(mods), scope_of(mods)), ...);
        return;
      }
    if (has(mods, ".volatile."))
      ((*reinterpret_cast<volatile bits_of_size<sizeof(T)>*>(at) = as<bits_of_size<sizeof(T)>>(as<T>(in))), ...);
    else
      ((*reinterpret_cast<T*>(at) = as<T>(in)), ...);
  } else {
    *reinterpret_cast<group<T, sizeof...(In)>*>(at) = group<T, sizeof...(In)>{{as<T>(in)...}};
  }
}
// atom and red.
template <class T, class V, class... W>
[[gnu::always_inline]] inline T update(const char* mods, char* at, V a, W... b) {
  T& x = *reinterpret_cast<T*>(at);
  const auto o = order_of(mods);
  const auto s = scope_of(mods);
  const simt::thread t = self();
  if constexpr (sizeof...(W) == 1) {
    return t.atomic_cas(x, as<T>(a), as<T>(b)..., o, s);
  } else {
    const T v = as<T>(a);
    if (has(mods, ".add.")) return t.atomic_add(x, v, o, s);
    if (has(mods, ".exch.")) return t.atomic_exch(x, v, o, s);
    if constexpr (std::is_integral_v<T>) {
      if (has(mods, ".min.")) return t.atomic_min(x, v, o, s);
      if (has(mods, ".max.")) return t.atomic_max(x, v, o, s);
      if (has(mods, ".and.")) return t.atomic_and(x, v, o, s);
      if (has(mods, ".or.")) return t.atomic_or(x, v, o, s);
      if (has(mods, ".xor.")) return t.atomic_xor(x, v, o, s);
      if constexpr (std::is_same_v<T, std::uint32_t>) {
        if (has(mods, ".inc.")) return t.atomic_inc(x, v, o, s);
        if (has(mods, ".dec.")) return t.atomic_dec(x, v, o, s);
      }
    }
    __builtin_trap();  // no such operation in PTX either
  }
}
template <class N, class M>
[[gnu::always_inline]] inline void copy_async(char* to, const char* from, N bytes, M source_bytes) {
  const auto n = static_cast<std::size_t>(bytes), m = static_cast<std::size_t>(source_bytes);
  expect_aligned(to, from, n, n, false);
  copy_later(to, from, m < n ? m : n);
  for (std::size_t i = m; i < n; ++i) to[i] = 0;
}

// ---- special registers ----
#define SIMT_PTX_REGISTER(name, expression) \
  [[gnu::always_inline]] inline auto simt_ptx_sreg_##name() { return expression; }
SIMT_PTX_REGISTER(laneid, static_cast<std::uint32_t>(self().lane()))
SIMT_PTX_REGISTER(warpid, static_cast<std::uint32_t>(self().rank() / 32))
SIMT_PTX_REGISTER(nwarpid, std::uint32_t{64})
SIMT_PTX_REGISTER(smid, static_cast<std::uint32_t>(self().block_index() % 132))
SIMT_PTX_REGISTER(nsmid, std::uint32_t{132})
SIMT_PTX_REGISTER(clock, static_cast<std::uint32_t>(clock64()))
SIMT_PTX_REGISTER(clock64, static_cast<std::uint64_t>(clock64()))
SIMT_PTX_REGISTER(globaltimer, static_cast<std::uint64_t>(global_timer_ns()))
SIMT_PTX_REGISTER(globaltimer_lo, static_cast<std::uint32_t>(global_timer_ns()))
SIMT_PTX_REGISTER(globaltimer_hi, static_cast<std::uint32_t>(global_timer_ns() >> 32))
SIMT_PTX_REGISTER(lanemask_eq, std::uint32_t{1} << self().lane())
SIMT_PTX_REGISTER(lanemask_lt, (std::uint32_t{1} << self().lane()) - 1)
SIMT_PTX_REGISTER(lanemask_le, (std::uint32_t{2} << self().lane()) - 1)
SIMT_PTX_REGISTER(lanemask_gt, ~((std::uint32_t{2} << self().lane()) - 1))
SIMT_PTX_REGISTER(lanemask_ge, ~((std::uint32_t{1} << self().lane()) - 1))
#define SIMT_PTX_PLACE(name, call)            \
  SIMT_PTX_REGISTER(name##_x, (call()).x) \
  SIMT_PTX_REGISTER(name##_y, (call()).y) \
  SIMT_PTX_REGISTER(name##_z, (call()).z)
SIMT_PTX_PLACE(tid, thread_idx)
SIMT_PTX_PLACE(ntid, block_dim)
SIMT_PTX_PLACE(ctaid, block_idx)
SIMT_PTX_PLACE(nctaid, grid_dim)
#undef SIMT_PTX_PLACE
#undef SIMT_PTX_REGISTER

// ---- arithmetic ----
template <class T>
inline auto computed(T v) {  // the type that C++ computes in
  if constexpr (std::is_same_v<T, f16> || std::is_same_v<T, bf16>)
    return static_cast<float>(v);
  else
    return v;
}
template <class T>
inline constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
template <class T>
using wide = std::conditional_t<std::is_signed_v<T>, std::conditional_t<sizeof(T) == 2, std::int32_t, std::conditional_t<sizeof(T) == 4, std::int64_t, __int128>>,
                                std::conditional_t<sizeof(T) == 2, std::uint32_t, std::conditional_t<sizeof(T) == 4, std::uint64_t, unsigned __int128>>>;
#define SIMT_PTX_BINARY(name, expression)                                         \
  template <class T, class A, class B>                                            \
  inline T simt_ptx_##name([[maybe_unused]] const char* mods, A x, B y) {         \
    [[maybe_unused]] const auto a = computed(as<T>(x)), b = computed(as<T>(y));    \
    return T(expression);                                                         \
  }
#define SIMT_PTX_UNARY(name, expression)                                  \
  template <class T, class A>                                             \
  inline T simt_ptx_##name([[maybe_unused]] const char* mods, A x) {      \
    [[maybe_unused]] const auto a = computed(as<T>(x));                   \
    return T(expression);                                                 \
  }
template <class T>
inline T saturated(const char* mods, T v) {
  if constexpr (kFloat<T>)
    if (has(mods, ".sat.")) return v > T(0) ? (v < T(1) ? v : T(1)) : T(0);
  return v;
}
template <class A, class B>
inline auto wrapping_add(A a, B b) {
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) + static_cast<std::make_unsigned_t<A>>(b));
  else
    return a + b;
}
template <class A, class B>
inline auto wrapping_sub(A a, B b) {
  if constexpr (std::is_integral_v<A>)
    return static_cast<A>(static_cast<std::make_unsigned_t<A>>(a) - static_cast<std::make_unsigned_t<A>>(b));
  else
    return a - b;
}
SIMT_PTX_BINARY(add, saturated(mods, wrapping_add(a, b)))
SIMT_PTX_BINARY(sub, saturated(mods, wrapping_sub(a, b)))
SIMT_PTX_BINARY(div, a / b)
SIMT_PTX_BINARY(rem, a % b)
SIMT_PTX_BINARY(min, ::min(a, b))
SIMT_PTX_BINARY(max, ::max(a, b))
SIMT_PTX_BINARY(and, a & b)
SIMT_PTX_BINARY(or, a | b)
SIMT_PTX_BINARY(xor, a ^ b)
SIMT_PTX_BINARY(copysign, std::copysign(b, a))
SIMT_PTX_UNARY(mov, a)
SIMT_PTX_UNARY(abs, a < 0 ? -a : a)
SIMT_PTX_UNARY(neg, -a)
template <class T, class A>
inline T simt_ptx_not(const char*, A x) {
  if constexpr (std::is_same_v<T, bool>)
    return !x;
  else
    return T(~as<T>(x));
}
SIMT_PTX_UNARY(rcp, 1 / a)
SIMT_PTX_UNARY(sqrt, std::sqrt(a))
SIMT_PTX_UNARY(rsqrt, 1 / std::sqrt(a))
SIMT_PTX_UNARY(ex2, std::exp2(a))
SIMT_PTX_UNARY(lg2, std::log2(a))
SIMT_PTX_UNARY(sin, std::sin(a))
SIMT_PTX_UNARY(cos, std::cos(a))
SIMT_PTX_UNARY(tanh, std::tanh(a))
SIMT_PTX_UNARY(brev, kBits<T> == 32 ? __brev(static_cast<unsigned>(a)) : __brevll(a))
#undef SIMT_PTX_UNARY
#undef SIMT_PTX_BINARY
template <class T, class A>
inline std::uint32_t simt_ptx_popc(const char*, A x) {
  return static_cast<std::uint32_t>(std::popcount(as<std::make_unsigned_t<T>>(x)));
}
template <class T, class A>
inline std::uint32_t simt_ptx_clz(const char*, A x) {
  return static_cast<std::uint32_t>(std::countl_zero(as<std::make_unsigned_t<T>>(x)));
}
template <class T, class A>
inline std::uint32_t simt_ptx_bfind(const char* mods, A x) {
  auto v = as<std::make_unsigned_t<T>>(x);
  if (std::is_signed_v<T> && static_cast<T>(v) < 0) v = static_cast<decltype(v)>(~v);
  const int at = kBits<T> - 1 - std::countl_zero(v);
  return at < 0 ? ~0u : static_cast<std::uint32_t>(has(mods, ".shiftamt.") ? kBits<T> - 1 - at : at);
}
template <class T, class A, class B>
inline T simt_ptx_shl(const char*, A a, B b) {
  const auto n = static_cast<std::uint32_t>(b);
  return n >= static_cast<std::uint32_t>(kBits<T>) ? T(0) : T(as<std::make_unsigned_t<T>>(a) << n);
}
template <class T, class A, class B>
inline T simt_ptx_shr(const char*, A a, B b) {
  const auto n = static_cast<std::uint32_t>(b);
  const T v = as<T>(a);
  return n >= static_cast<std::uint32_t>(kBits<T>) ? T(v < 0 ? -1 : 0) : T(v >> n);
}
template <class T, class A, class B, class C>
inline T simt_ptx_shf(const char* mods, A lo, B hi, C n) {
  const auto l = as<std::uint32_t>(lo), h = as<std::uint32_t>(hi), s = static_cast<std::uint32_t>(n);
  if (has(mods, ".clamp.")) return T(has(mods, ".l.") ? __funnelshift_lc(l, h, s) : __funnelshift_rc(l, h, s));
  return T(has(mods, ".l.") ? __funnelshift_l(l, h, s) : __funnelshift_r(l, h, s));
}
// mul.wide and mad.wide give twice the width; .hi its upper half.
template <class T, class A, class B>
inline auto simt_ptx_mul(const char* mods, A x, B y) {
  if constexpr (std::is_integral_v<T>) {
    const wide<T> product = static_cast<wide<T>>(as<T>(x)) * static_cast<wide<T>>(as<T>(y));
    struct result {
      wide<T> all;
      bool is_wide, is_high;
    };
    return result{product, has(mods, ".wide."), has(mods, ".hi.")};
  } else {
    return T(saturated(mods, computed(as<T>(x)) * computed(as<T>(y))));
  }
}
template <class D, class R>
  requires requires(R r) { r.is_wide; }
inline void assign(D& target, R r) {
  using W = decltype(r.all);
  constexpr int half = kBits<W> / 2;
  target = r.is_wide ? static_cast<D>(r.all) : r.is_high ? static_cast<D>(r.all >> half) : static_cast<D>(static_cast<bits_of_size<sizeof(W) / 2>>(r.all));
}
template <class T, class A, class B, class C>
inline auto simt_ptx_mad(const char* mods, A x, B y, C z) {
  if constexpr (std::is_integral_v<T>) {
    auto r = simt_ptx_mul<T>(mods, x, y);
    using W = decltype(r.all);
    if (r.is_wide)
      r.all = static_cast<W>(r.all + static_cast<W>(z));
    else  // the sum wraps at T's width
      r.all = static_cast<W>(static_cast<std::make_unsigned_t<T>>(static_cast<std::make_unsigned_t<T>>(r.is_high ? r.all >> kBits<T> : r.all) + as<std::make_unsigned_t<T>>(z)));
    r.is_high = false;
    return r;
  } else {
    return T(saturated(mods, std::fma(computed(as<T>(x)), computed(as<T>(y)), computed(as<T>(z)))));
  }
}
template <class T, class A, class B, class C>
inline T simt_ptx_fma(const char* mods, A x, B y, C z) {
  return T(saturated(mods, std::fma(computed(as<T>(x)), computed(as<T>(y)), computed(as<T>(z)))));
}
template <class T, class A, class B, class C>
inline T simt_ptx_sad(const char*, A x, B y, C z) {
  const T a = as<T>(x), b = as<T>(y);
  return T((a < b ? b - a : a - b) + as<T>(z));
}
template <class T, class A, class B, class C>
inline T simt_ptx_bfe(const char*, A x, B from, C count) {
  const int first = static_cast<int>(from) & 255, n = static_cast<int>(count) & 255;
  const T v = as<T>(x);
  if (n == 0) return 0;
  const int last = std::min(first + n - 1, kBits<T> - 1);
  const T sign = std::is_signed_v<T> ? T((v >> last) & 1 ? -1 : 0) : T(0);
  if (first >= kBits<T>) return sign;
  const int width = last - first + 1;
  using U = std::make_unsigned_t<T>;
  const U mask = width >= kBits<T> ? U(~U(0)) : U((U(1) << width) - 1);
  return T((static_cast<U>(v) >> first & mask) | (static_cast<U>(sign) & static_cast<U>(~mask)));
}
template <class T, class A, class B, class C, class D>
inline T simt_ptx_bfi(const char*, A x, B into, C from, D count) {
  using U = std::make_unsigned_t<T>;
  const int first = static_cast<int>(from) & 255, n = std::min(static_cast<int>(count) & 255, kBits<T> - std::min(first, kBits<T>));
  if (n <= 0) return as<T>(into);
  const U mask = static_cast<U>((n >= kBits<T> ? U(~U(0)) : U((U(1) << n) - 1)) << first);
  return T((static_cast<U>(as<U>(x) << first) & mask) | (as<U>(into) & static_cast<U>(~mask)));
}
template <class T, class A, class B, class C>
inline std::uint32_t simt_ptx_prmt(const char*, A a, B b, C selector) {
  return __byte_perm(as<std::uint32_t>(a), as<std::uint32_t>(b), static_cast<std::uint32_t>(selector));
}
template <class T, class A, class B, class C, class D>
inline std::uint32_t simt_ptx_lop3(const char*, A x, B y, C z, D table) {
  const auto a = as<std::uint32_t>(x), b = as<std::uint32_t>(y), c = as<std::uint32_t>(z), t = static_cast<std::uint32_t>(table);
  std::uint32_t r = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    if (t >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return r;
}
template <class T, class U, class A, class B, class C>
inline std::int32_t simt_ptx_dp4a(const char*, A a, B b, C c) {
  if constexpr (std::is_signed_v<T>) return __dp4a(as<int>(a), as<int>(b), as<int>(c));
  return static_cast<std::int32_t>(__dp4a(as<unsigned>(a), as<unsigned>(b), as<unsigned>(c)));
}
// To the first type from the second; float to integer rounds as it says, to nearest without.
template <class T, class F, class A>
inline T simt_ptx_cvt(const char* mods, A x) {
  const auto v = computed(as<F>(x));
  if constexpr (kFloat<F> && std::is_integral_v<T>) {
    using W = std::conditional_t<sizeof(T) >= 4, T, int>;
    const W r = has(mods, ".rzi.") ? simt::convert_rz<W>(v) : has(mods, ".rmi.") ? simt::convert_rd<W>(v) : has(mods, ".rpi.") ? simt::convert_ru<W>(v) : simt::convert_rn<W>(v);
    return static_cast<T>(r);
  } else if constexpr (kFloat<F> && kFloat<T>) {
    const auto r = has(mods, ".rni.") ? std::nearbyint(v) : has(mods, ".rzi.") ? std::trunc(v) : has(mods, ".rmi.") ? std::floor(v) : has(mods, ".rpi.") ? std::ceil(v) : v;
    return T(saturated(mods, r));
  } else if constexpr (std::is_integral_v<T> && std::is_integral_v<F>) {
    if (has(mods, ".sat.")) return static_cast<T>(v < static_cast<F>(0) && !std::is_signed_v<T> ? F(0) : v > std::numeric_limits<T>::max() ? F(std::numeric_limits<T>::max()) : v);
    return static_cast<T>(v);
  } else {
    return T(v);
  }
}
template <class T, class A, class B>
inline bool simt_ptx_setp(const char* mods, A x, B y) {
  const auto a = computed(as<T>(x)), b = computed(as<T>(y));
  if (has(mods, ".eq.")) return a == b;
  if (has(mods, ".ne.")) return a != b;
  if (has(mods, ".lt.") || has(mods, ".lo.")) return a < b;
  if (has(mods, ".le.") || has(mods, ".ls.")) return a <= b;
  if (has(mods, ".gt.") || has(mods, ".hi.")) return a > b;
  return a >= b;
}
template <class T, class A, class B>
inline T simt_ptx_selp(const char*, A a, B b, bool p) {
  return p ? as<T>(a) : as<T>(b);
}
// add.cc, addc, sub.cc, subc, mad.lo.cc, madc.lo and .hi with the carry of the statement.
template <class T, class A, class B, class... C>
inline T with_carry(bool& carry, const char* opcode, A x, B y, C... z) {
  using U = std::make_unsigned_t<T>;
  using W = std::conditional_t<sizeof(T) == 4, std::uint64_t, unsigned __int128>;
  const std::string_view name(opcode);
  const bool takes = name.starts_with("addc") || name.starts_with("subc") || name.starts_with("madc");
  const W in = takes && carry ? 1 : 0;
  W a = as<U>(x), b = as<U>(y);
  if constexpr (sizeof...(C) == 1) {
    const W product = a * b;
    a = has(opcode, ".hi.") ? product >> kBits<T> : static_cast<U>(product);
    b = (as<U>(z), ...);
  }
  const W sum = name.starts_with("sub") ? a - b - in : a + b + in;
  if (has(opcode, ".cc.")) carry = (sum >> kBits<T> & 1) != 0;
  return static_cast<T>(static_cast<U>(sum));
}
inline void simt_ptx_addc() {}  // names that rewrite/ptx.cpp asks for; with_carry does the work
inline void simt_ptx_subc() {}
inline void simt_ptx_madc() {}
template <class T, class V, class... Out>
inline void unpack(V from, Out&... out) {
  using P = bits_of_size<sizeof(T) / sizeof...(Out)>;
  auto rest = as<std::uint64_t>(as<bits_of_size<sizeof(T)>>(from));
  ((assign(out, static_cast<P>(rest)), rest >>= kBits<P> % 64), ...);
}
template <class T, class D, class... In>
inline void pack(D& to, In... in) {
  using P = bits_of_size<sizeof(T) / sizeof...(In)>;
  std::uint64_t all = 0;
  int shift = 0;
  ((all |= static_cast<std::uint64_t>(as<P>(in)) << shift, shift += kBits<P>), ...);
  assign(to, static_cast<bits_of_size<sizeof(T)>>(all));
}

// ---- warps and control ----
template <class V, class S, class C, class M>
[[gnu::always_inline]] inline std::uint32_t shuffle(char mode, V value, S source, C c, M mask, bool& in_range) {
  const auto v = as<std::uint32_t>(value), b = static_cast<std::uint32_t>(source), clamp = static_cast<std::uint32_t>(c);
  const auto members = static_cast<unsigned>(mask);
  const int width = 32 - static_cast<int>(clamp >> 8 & 31);
  const int lane = static_cast<int>(self().lane()), in_segment = lane & (width - 1);
  in_range = mode == 'u' ? in_segment >= static_cast<int>(b) : mode == 'd' ? in_segment + static_cast<int>(b) < width : true;
  if (mode == 'u') return __shfl_up_sync(members, v, b, width);
  if (mode == 'd') return __shfl_down_sync(members, v, b, width);
  if (mode == 'b') return __shfl_xor_sync(members, v, static_cast<int>(b), width);
  return __shfl_sync(members, v, static_cast<int>(b), width);
}
template <class T>
[[gnu::always_inline]] inline std::uint32_t simt_ptx_activemask(const char*) {
  return __activemask();
}
template <class T>
[[noreturn]] inline void simt_ptx_trap(const char*) {
  __trap();
}
template <class T>
inline void simt_ptx_brkpt(const char*) {
  __brkpt();
}
template <class T, class N>
inline void simt_ptx_nanosleep(const char*, N ns) {
  __nanosleep(static_cast<unsigned>(ns));
}
template <class T>
inline void simt_ptx_prefetch(const char*, const char*) {}

}  // namespace simt_cuda::ptx

// ---- address spaces: shared addresses are offsets into the block's shared memory ----
inline std::size_t __cvta_generic_to_shared(const void* p) { return simt_cuda::ptx::to_shared(p); }
inline void* __cvta_shared_to_generic(std::size_t window) { return reinterpret_cast<void*>(simt_cuda::ptx::from_shared(window)); }
inline std::size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<std::size_t>(p); }
inline unsigned int __isShared(const void* p) { return simt_cuda::ptx::to_shared(p) < (std::size_t{256} << 10); }
inline void* __cvta_global_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
