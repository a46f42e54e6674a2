// SPDX-License-Identifier: Apache-2.0
// Warp operations of simt::thread on the simulator (CUDA Programming Guide, "Warp Vote / Match / Reduce / Shuffle
// Functions"; PTX ISA, shfl.sync, vote.sync, match.sync, redux.sync, bar.warp.sync, activemask).
//
// Mixed into simt::thread, which gives rank(), block_index() and context().
#pragma once

#include <cstring>
#include <type_traits>

#include <sim/exec/warp.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <simt/dim3.hpp>

namespace simt {

// All 32 lanes of a warp.
inline constexpr std::uint32_t kFullMask = 0xffffffffu;

namespace sim {

template <class T>
constexpr lane_type lane_type_of() {
  if constexpr (std::is_same_v<T, float>)
    return lane_type::f32;
  else if constexpr (std::is_same_v<T, double>)
    return lane_type::f64;
  else if constexpr (sizeof(T) == 8)
    return std::is_signed_v<T> ? lane_type::s64 : lane_type::u64;
  else
    return std::is_signed_v<T> ? lane_type::s32 : lane_type::u32;
}

template <class Self>
class warp_operations {
 public:
  // Waits for the lanes of `mask`, which must name this one; orders their memory accesses.
  [[gnu::always_inline]] void sync_warp(std::uint32_t mask = kFullMask) const {
    meet(mask, warp_op::sync, lane_type::u32, 0, 0);
  }

  // The value of v of lane `source` of this lane's group of `width` (a power of two) lanes; of the lane `delta` below
  // or above; of the lane whose number differs in the bits `lane_mask`. A source outside the group gives one's own
  // value; one that takes no part an undefined value (0 here).
  template <class T>
  [[gnu::always_inline]] T shuffle(std::uint32_t mask, T v, int source, int width = 32) const {
    const std::uint32_t segment = static_cast<std::uint32_t>(32 - width) & 31, lane = lane_number();
    return exchange(mask, warp_op::shuffle, v, (lane & segment) | (static_cast<std::uint32_t>(source) & ~segment & 31));
  }
  template <class T>
  [[gnu::always_inline]] T shuffle_up(std::uint32_t mask, T v, unsigned delta, int width = 32) const {
    const std::uint32_t segment = static_cast<std::uint32_t>(32 - width) & 31, lane = lane_number();
    const std::uint32_t source = lane - (delta & 31);
    return exchange(mask, warp_op::shuffle_up, v,
                    static_cast<std::int32_t>(source) >= static_cast<std::int32_t>(lane & segment) ? source : lane);
  }
  template <class T>
  [[gnu::always_inline]] T shuffle_down(std::uint32_t mask, T v, unsigned delta, int width = 32) const {
    const std::uint32_t segment = static_cast<std::uint32_t>(32 - width) & 31, lane = lane_number();
    const std::uint32_t source = lane + (delta & 31);
    return exchange(mask, warp_op::shuffle_down, v, source <= ((lane & segment) | (~segment & 31)) ? source : lane);
  }
  template <class T>
  [[gnu::always_inline]] T shuffle_xor(std::uint32_t mask, T v, int lane_mask, int width = 32) const {
    const std::uint32_t segment = static_cast<std::uint32_t>(32 - width) & 31, lane = lane_number();
    const std::uint32_t source = lane ^ (static_cast<std::uint32_t>(lane_mask) & 31);
    return exchange(mask, warp_op::shuffle_xor, v, source <= ((lane & segment) | (~segment & 31)) ? source : lane);
  }

  // Whether p holds for any / for all lanes of `mask`; for which.
  [[gnu::always_inline]] bool any(std::uint32_t mask, bool p) const {
    return meet(mask, warp_op::any, lane_type::u32, p, 0) != 0;
  }
  [[gnu::always_inline]] bool all(std::uint32_t mask, bool p) const {
    return meet(mask, warp_op::all, lane_type::u32, p, 0) != 0;
  }
  [[gnu::always_inline]] std::uint32_t ballot(std::uint32_t mask, bool p) const {
    return static_cast<std::uint32_t>(meet(mask, warp_op::ballot, lane_type::u32, p, 0));
  }
  // Lanes of `mask` with the same bits in v; all lanes of `mask` if all have the same, else 0.
  template <class T>
  [[gnu::always_inline]] std::uint32_t match_any(std::uint32_t mask, T v) const {
    return static_cast<std::uint32_t>(meet(mask, warp_op::match_any, lane_type_of<T>(), to_bits(v), 0));
  }
  template <class T>
  [[gnu::always_inline]] std::uint32_t match_all(std::uint32_t mask, T v, bool* same = nullptr) const {
    const auto lanes = static_cast<std::uint32_t>(meet(mask, warp_op::match_all, lane_type_of<T>(), to_bits(v), 0));
    if (same != nullptr) *same = lanes != 0;
    return lanes;
  }

  // Over the lanes of `mask`: 4- and 8-byte integers, float and double (sum in the order of the lanes).
  template <class T>
  [[gnu::always_inline]] T reduce_add(std::uint32_t mask, T v) const {
    return reduce(mask, warp_op::reduce_add, v);
  }
  template <class T>
  [[gnu::always_inline]] T reduce_min(std::uint32_t mask, T v) const {
    return reduce(mask, warp_op::reduce_min, v);
  }
  template <class T>
  [[gnu::always_inline]] T reduce_max(std::uint32_t mask, T v) const {
    return reduce(mask, warp_op::reduce_max, v);
  }
  template <class T>
  [[gnu::always_inline]] T reduce_and(std::uint32_t mask, T v) const {
    static_assert(std::is_integral_v<T>, "reduce_and works on integers");
    return reduce(mask, warp_op::reduce_and, v);
  }
  template <class T>
  [[gnu::always_inline]] T reduce_or(std::uint32_t mask, T v) const {
    static_assert(std::is_integral_v<T>, "reduce_or works on integers");
    return reduce(mask, warp_op::reduce_or, v);
  }
  template <class T>
  [[gnu::always_inline]] T reduce_xor(std::uint32_t mask, T v) const {
    static_assert(std::is_integral_v<T>, "reduce_xor works on integers");
    return reduce(mask, warp_op::reduce_xor, v);
  }

  // Lanes that are at this place together: those that get here before the warp has nothing else left to run. Never says
  // anything about who will come (use ballot with a mask that is known for that).
  [[gnu::always_inline]] std::uint32_t activemask(const char* file = __builtin_FILE(),
                                                  int line = __builtin_LINE()) const {
#if defined(SIMT_VARIANT_CHECK)
    return checked_active_lanes(self().context(), file, line);
#else
    return active_lanes(self().context(), self().rank(), self().block_index(), file, line);
#endif
  }

  // Lanes equal to, below, up to, above, from this one (PTX: %lanemask_*).
  std::uint32_t lanemask_eq() const { return 1u << lane_number(); }
  std::uint32_t lanemask_lt() const { return lanemask_eq() - 1; }
  std::uint32_t lanemask_le() const { return lanemask_lt() | lanemask_eq(); }
  std::uint32_t lanemask_ge() const { return ~lanemask_lt(); }
  std::uint32_t lanemask_gt() const { return ~lanemask_le(); }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
  std::uint32_t lane_number() const { return static_cast<std::uint32_t>(self().rank()) % 32; }

  [[gnu::always_inline]] std::uint64_t meet(std::uint32_t mask, warp_op op, lane_type type, std::uint64_t value,
                                            std::uint32_t param) const {
#if defined(SIMT_VARIANT_CHECK)
    return checked_warp_meet(self().context(), mask, op, type, value, param);
#else
    return warp_meet(self().context(), self().rank(), self().block_index(), mask, op, type, value, param);
#endif
  }
  template <class T>
  [[gnu::always_inline]] T exchange(std::uint32_t mask, warp_op op, T v, std::uint32_t source) const {
    return from_bits<T>(meet(mask, op, lane_type::u32, to_bits(v), source));
  }
  template <class T>
  [[gnu::always_inline]] T reduce(std::uint32_t mask, warp_op op, T v) const {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "warp reductions work on 4- and 8-byte numbers");
    return from_bits<T>(meet(mask, op, lane_type_of<T>(), to_bits(v), 0));
  }
  template <class T>
  [[gnu::always_inline]] static std::uint64_t to_bits(const T& v) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8, "warps exchange values of up to 8 bytes");
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &v, sizeof v);
    return bits;
  }
  template <class T>
  [[gnu::always_inline]] static T from_bits(std::uint64_t bits) {
    T v;
    __builtin_memcpy(static_cast<void*>(&v), &bits, sizeof v);
    return v;
  }
};

}  // namespace sim
}  // namespace simt
