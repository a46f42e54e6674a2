// SPDX-License-Identifier: Apache-2.0
// What the members of a group do together: synchronise, reduce, scan, copy, let one member act. Reductions and scans
// here are those of lanes of one warp (tiles, coalesced groups).
#pragma once

#include <cstddef>
#include <utility>

#include <simt/group_types.hpp>

namespace simt::cg {

template <class Group>
SIMT_DEVICE void sync(const Group& g) {
  g.sync();
}

template <class T>
struct plus {
  SIMT_HD T operator()(const T& a, const T& b) const { return static_cast<T>(a + b); }
};
template <class T>
struct less {
  SIMT_HD T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  SIMT_HD T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  SIMT_HD T operator()(const T& a, const T& b) const { return static_cast<T>(a & b); }
};
template <class T>
struct bit_or {
  SIMT_HD T operator()(const T& a, const T& b) const { return static_cast<T>(a | b); }
};
template <class T>
struct bit_xor {
  SIMT_HD T operator()(const T& a, const T& b) const { return static_cast<T>(a ^ b); }
};

// Combines the members' values in the order of their ranks; every member gets the result. `op` is associative. For
// tiles and coalesced groups.
template <class Group, class T, class Op>
SIMT_DEVICE T reduce(const Group& g, const T& v, Op op) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 4) {
    if constexpr (std::is_same_v<Op, plus<T>>) return g.self().reduce_add(g.mask(), v);
    if constexpr (std::is_same_v<Op, less<T>>) return g.self().reduce_min(g.mask(), v);
    if constexpr (std::is_same_v<Op, greater<T>>) return g.self().reduce_max(g.mask(), v);
    if constexpr (std::is_same_v<Op, bit_and<T>>) return g.self().reduce_and(g.mask(), v);
    if constexpr (std::is_same_v<Op, bit_or<T>>) return g.self().reduce_or(g.mask(), v);
    if constexpr (std::is_same_v<Op, bit_xor<T>>) return g.self().reduce_xor(g.mask(), v);
  }
  T sum = v;
  const unsigned rank = g.thread_rank(), n = g.num_threads();
  for (unsigned step = 1; step < n; step *= 2) {
    const T other = g.shfl_down(sum, step);
    if (rank + step < n) sum = op(sum, other);
  }
  return g.shfl(sum, 0);
}

// Of the ranks up to and including one's own.
template <class Group, class T, class Op = plus<T>>
SIMT_DEVICE T inclusive_scan(const Group& g, const T& v, Op op = {}) {
  T sum = v;
  const unsigned rank = g.thread_rank(), n = g.num_threads();
  for (unsigned step = 1; step < n; step *= 2) {
    const T other = g.shfl_up(sum, step);
    if (rank >= step) sum = op(other, sum);
  }
  return sum;
}
// Of the ranks below one's own; rank 0 gets T{}.
template <class Group, class T, class Op = plus<T>>
SIMT_DEVICE T exclusive_scan(const Group& g, const T& v, Op op = {}) {
  const T before = g.shfl_up(inclusive_scan(g, v, op), 1);
  return g.thread_rank() == 0 ? T{} : before;
}

// Copies `bytes` from global to shared memory, spread over the members; a group of copies for each call. wait_prior<N>
// waits for all but the last N calls and then for the members; wait for all.
template <class Group>
SIMT_DEVICE void memcpy_async(const Group& g, void* to, const void* from, std::size_t bytes) {
  const auto misalignment = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  const std::size_t piece = misalignment % 16 == 0 ? 16 : misalignment % 8 == 0 ? 8 : 4;
  const auto step = static_cast<std::size_t>(g.num_threads()) * piece;
  for (std::size_t at = static_cast<std::size_t>(g.thread_rank()) * piece; at < bytes; at += step)
    g.self().memcpy_async(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                          bytes - at < piece ? bytes - at : piece);
  g.self().commit_async();
}
template <unsigned Keep, class Group>
SIMT_DEVICE void wait_prior(const Group& g) {
  g.self().template wait_async<Keep>();
  g.sync();
}
template <class Group>
SIMT_DEVICE void wait(const Group& g) {
  wait_prior<0>(g);
}

// One member runs f; the others go on without waiting.
template <class Group, class F, class... A>
SIMT_DEVICE void invoke_one(const Group& g, F&& f, A&&... arguments) {
  if (g.thread_rank() == 0) std::forward<F>(f)(std::forward<A>(arguments)...);
}
// The same, and every member gets the result. For tiles and coalesced groups.
template <class Group, class F, class... A>
SIMT_DEVICE auto invoke_one_broadcast(const Group& g, F&& f, A&&... arguments) {
  decltype(std::forward<F>(f)(std::forward<A>(arguments)...)) result{};
  if (g.thread_rank() == 0) result = std::forward<F>(f)(std::forward<A>(arguments)...);
  return g.shfl(result, 0);
}

}  // namespace simt::cg
