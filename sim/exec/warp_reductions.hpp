// SPDX-License-Identifier: Apache-2.0
// Reductions of the values that lanes of a warp bring, each of them in lane order, so that floats give the same sum in
// every run.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include <sim/exec/warp.hpp>

namespace simt::sim {

template <class T>
T value_of(std::uint64_t bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
template <class T>
std::uint64_t bits_of(T v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}

// Calls f(lane) for each set bit.
template <class F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

template <class T, class G>
void with_reduction_of(warp_op op, const G& g) {
  switch (op) {
    case warp_op::reduce_add:
      return g(T{}, [](T sum, T v) { return static_cast<T>(sum + v); });
    case warp_op::reduce_min:
      return g(T{}, [](T sum, T v) { return v < sum ? v : sum; });
    default:
      return g(T{}, [](T sum, T v) { return sum < v ? v : sum; });
  }
}
// Calls g with a value of the type that `op` is made in, and with what makes one value of two.
template <class G>
void with_reduction(warp_op op, lane_type type, const G& g) {
  using word = std::uint64_t;
  if (op == warp_op::reduce_and) return g(word{}, [](word sum, word v) { return sum & v; });
  if (op == warp_op::reduce_or) return g(word{}, [](word sum, word v) { return sum | v; });
  if (op == warp_op::reduce_xor) return g(word{}, [](word sum, word v) { return sum ^ v; });
  // unsigned: a sum wraps around, as reduce_add of int does on the device
  if (op == warp_op::reduce_add && type == lane_type::s32) type = lane_type::u32;
  if (op == warp_op::reduce_add && type == lane_type::s64) type = lane_type::u64;
  switch (type) {
    case lane_type::u32:
      return with_reduction_of<std::uint32_t>(op, g);
    case lane_type::s32:
      return with_reduction_of<std::int32_t>(op, g);
    case lane_type::u64:
      return with_reduction_of<std::uint64_t>(op, g);
    case lane_type::s64:
      return with_reduction_of<std::int64_t>(op, g);
    case lane_type::f32:
      return with_reduction_of<float>(op, g);
    case lane_type::f64:
      return with_reduction_of<double>(op, g);
  }
}

// Of all of `lanes`.
inline std::uint64_t reduce(const std::uint64_t* in, std::uint32_t lanes, warp_op op, lane_type type) {
  std::uint64_t all = 0;
  with_reduction(op, type, [&](auto sample, const auto& f) {
    using value = decltype(sample);
    value sum = value_of<value>(in[std::countr_zero(lanes)]);
    for_lanes(lanes & (lanes - 1), [&](int l) { sum = f(sum, value_of<value>(in[l])); });
    all = bits_of(sum);
  });
  return all;
}

// One walk over the lanes, each of which adds to what the first lane of its meeting has: so each sum is in lane order.
template <class T, class F>
void reduce_meetings(std::uint32_t live, const std::uint32_t* masks, const std::uint64_t* in, std::uint64_t* out,
                     const F& f) {
  T sums[kLanes];
  for_lanes(live, [&](int l) {
    const int leader = std::countr_zero(masks[l] & live);
    const T v = value_of<T>(in[l]);
    sums[leader] = leader == l ? v : f(sums[leader], v);
  });
  for_lanes(live, [&](int l) { out[l] = bits_of(sums[std::countr_zero(masks[l] & live)]); });
}

}  // namespace simt::sim
