// SPDX-License-Identifier: Apache-2.0
// Registers of inline PTX: reading one as another type, writing one, and the special ones. Part of ptx.hpp.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <simt/bfloat16.hpp>
#include <simt/half.hpp>

#include "cluster_functions.hpp"
#include "warp_functions.hpp"

namespace simt_cuda::ptx {

using f16 = simt::half;
using bf16 = simt::bfloat16;
template <class T>
inline constexpr bool kFloat = std::is_floating_point_v<T> || std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
// Two halves in a register of 32 bits, or two floats in one of 64; x is the lower one.
template <class H>
struct packed {
  H x, y;
};
using f16x2 = packed<f16>;
using bf16x2 = packed<bf16>;
using f32x2 = packed<float>;
template <class T>
inline constexpr bool kPacked = std::is_same_v<T, f16x2> || std::is_same_v<T, bf16x2> || std::is_same_v<T, f32x2>;
template <class T>
using half_of = decltype(T::x);
template <std::size_t Bytes>
using bits_of_size = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

// A register read as another type: bits where the sizes agree, else an integer made wider or narrower.
template <class T, class V>
inline T as(V v) {
  if constexpr (std::is_same_v<T, V>) {
    return v;
  } else if constexpr (std::is_pointer_v<V>) {
    return as<T>(reinterpret_cast<std::uintptr_t>(v));
  } else if constexpr (sizeof(T) == sizeof(V)) {
    return __builtin_bit_cast(T, v);
  } else if constexpr (std::is_integral_v<V> && kPacked<T>) {
    return __builtin_bit_cast(T, static_cast<bits_of_size<sizeof(T)>>(v));  // a literal, or a wide register
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
// Both are literals where this is called, and compilers answer strstr of two literals; a search of our own would be run
// by each thread.
[[gnu::always_inline]] inline bool has(const char* mods, const char* word) {
  return __builtin_strstr(mods, word) != nullptr;
}

// ---- special registers ----
#define SIMT_PTX_REGISTER(name, expression) \
  [[gnu::always_inline]] inline auto simt_ptx_sreg_##name() { return expression; }
SIMT_PTX_REGISTER(laneid, static_cast<std::uint32_t>(self().lane()))
SIMT_PTX_REGISTER(warpid, static_cast<std::uint32_t>(self().rank() / 32))
SIMT_PTX_REGISTER(nwarpid, std::uint32_t{64})
SIMT_PTX_REGISTER(smid, static_cast<std::uint32_t>(self().block_index() % 132))
SIMT_PTX_REGISTER(nsmid, std::uint32_t{132})
SIMT_PTX_REGISTER(dynamic_smem_size, static_cast<std::uint32_t>(self().dynamic_shared_bytes()))
SIMT_PTX_REGISTER(clock_hi, static_cast<std::uint32_t>(static_cast<std::uint64_t>(clock64()) >> 32))
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
#define SIMT_PTX_PLACE(name, call)        \
  SIMT_PTX_REGISTER(name##_x, (call()).x) \
  SIMT_PTX_REGISTER(name##_y, (call()).y) \
  SIMT_PTX_REGISTER(name##_z, (call()).z)
SIMT_PTX_PLACE(tid, thread_idx)
SIMT_PTX_PLACE(ntid, block_dim)
SIMT_PTX_PLACE(ctaid, block_idx)
SIMT_PTX_PLACE(nctaid, grid_dim)
SIMT_PTX_PLACE(cluster_ctaid, __clusterRelativeBlockIdx)
SIMT_PTX_PLACE(cluster_nctaid, cluster_dim)
SIMT_PTX_REGISTER(cluster_ctarank, static_cast<std::uint32_t>(__clusterRelativeBlockRank()))
SIMT_PTX_REGISTER(cluster_nctarank, static_cast<std::uint32_t>(cluster_dim().x* cluster_dim().y* cluster_dim().z))
#undef SIMT_PTX_PLACE
#undef SIMT_PTX_REGISTER

}  // namespace simt_cuda::ptx
