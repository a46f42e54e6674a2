// SPDX-License-Identifier: Apache-2.0
// Warp operations of simt::thread on a GPU; contracts in backends/sim/warp.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

namespace simt {

// All 32 lanes of a warp.
inline constexpr std::uint32_t kFullMask = 0xffffffffu;

namespace gpu {

class warp_operations {
 public:
  __device__ void sync_warp(std::uint32_t mask = kFullMask) const { __syncwarp(mask); }

  template <class T>
  __device__ T shuffle(std::uint32_t mask, T v, int source, int width = 32) const {
    return from_bits<T>(__shfl_sync(mask, to_bits(v), source, width));
  }
  template <class T>
  __device__ T shuffle_up(std::uint32_t mask, T v, unsigned delta, int width = 32) const {
    return from_bits<T>(__shfl_up_sync(mask, to_bits(v), delta, width));
  }
  template <class T>
  __device__ T shuffle_down(std::uint32_t mask, T v, unsigned delta, int width = 32) const {
    return from_bits<T>(__shfl_down_sync(mask, to_bits(v), delta, width));
  }
  template <class T>
  __device__ T shuffle_xor(std::uint32_t mask, T v, int lane_mask, int width = 32) const {
    return from_bits<T>(__shfl_xor_sync(mask, to_bits(v), lane_mask, width));
  }

  __device__ bool any(std::uint32_t mask, bool p) const { return __any_sync(mask, p) != 0; }
  __device__ bool all(std::uint32_t mask, bool p) const { return __all_sync(mask, p) != 0; }
  __device__ std::uint32_t ballot(std::uint32_t mask, bool p) const { return __ballot_sync(mask, p); }
  template <class T>
  __device__ std::uint32_t match_any(std::uint32_t mask, T v) const {
    return __match_any_sync(mask, to_bits(v));
  }
  template <class T>
  __device__ std::uint32_t match_all(std::uint32_t mask, T v, bool* same = nullptr) const {
    int all_same = 0;
    const std::uint32_t lanes = __match_all_sync(mask, to_bits(v), &all_same);
    if (same != nullptr) *same = all_same != 0;
    return lanes;
  }

  // 32-bit integers have an instruction (redux.sync); the rest goes lane by lane, so that a float sum has the order
  // that the simulator gives it.
#define SIMT_WARP_REDUCE(name, instruction, expression)                                \
  template <class T>                                                                   \
  __device__ T name(std::uint32_t mask, T v) const {                                   \
    if constexpr (std::is_integral_v<T> && sizeof(T) == 4)                             \
      return static_cast<T>(instruction(mask, v));                                     \
    else                                                                               \
      return over_lanes(mask, v, [](T a, T b) { return static_cast<T>(expression); }); \
  }
  SIMT_WARP_REDUCE(reduce_add, __reduce_add_sync, a + b)
  SIMT_WARP_REDUCE(reduce_min, __reduce_min_sync, b < a ? b : a)
  SIMT_WARP_REDUCE(reduce_max, __reduce_max_sync, a < b ? b : a)
#undef SIMT_WARP_REDUCE
#define SIMT_WARP_REDUCE(name, instruction, operation)                                    \
  template <class T>                                                                      \
  __device__ T name(std::uint32_t mask, T v) const {                                      \
    static_assert(std::is_integral_v<T>, #name " works on integers");                     \
    if constexpr (sizeof(T) == 4)                                                         \
      return static_cast<T>(instruction(mask, static_cast<unsigned>(v)));                 \
    else                                                                                  \
      return over_lanes(mask, v, [](T a, T b) { return static_cast<T>(a operation b); }); \
  }
  SIMT_WARP_REDUCE(reduce_and, __reduce_and_sync, &)
  SIMT_WARP_REDUCE(reduce_or, __reduce_or_sync, |)
  SIMT_WARP_REDUCE(reduce_xor, __reduce_xor_sync, ^)
#undef SIMT_WARP_REDUCE

  __device__ std::uint32_t activemask() const { return __activemask(); }

  __device__ std::uint32_t lanemask_eq() const { return 1u << lane_number(); }
  __device__ std::uint32_t lanemask_lt() const { return lanemask_eq() - 1; }
  __device__ std::uint32_t lanemask_le() const { return lanemask_lt() | lanemask_eq(); }
  __device__ std::uint32_t lanemask_ge() const { return ~lanemask_lt(); }
  __device__ std::uint32_t lanemask_gt() const { return ~lanemask_le(); }

 private:
  __device__ static unsigned lane_number() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
  template <class T, class F>
  __device__ static T over_lanes(std::uint32_t mask, T v, F combine) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "warp reductions work on 4- and 8-byte numbers");
    std::uint32_t rest = mask;
    T result = from_bits<T>(__shfl_sync(mask, to_bits(v), __ffs(static_cast<int>(rest)) - 1));
    while ((rest &= rest - 1) != 0)
      result = combine(result, from_bits<T>(__shfl_sync(mask, to_bits(v), __ffs(static_cast<int>(rest)) - 1)));
    return result;
  }

  template <class T>
  using word = std::conditional_t<(sizeof(T) > 4), unsigned long long, unsigned>;
  template <class T>
  __device__ static word<T> to_bits(const T& v) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "warps exchange values of up to 8 bytes");
    word<T> bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
  }
  template <class T>
  __device__ static T from_bits(word<T> bits) {
    T v;
    __builtin_memcpy(static_cast<void*>(&v), &bits, sizeof v);
    return v;
  }
};

}  // namespace gpu
}  // namespace simt
