// SPDX-License-Identifier: Apache-2.0
// Reductions and scans of whole blocks, under the names that those of lanes have.
//
// Every thread of the block must call them together, as with sync(). The values of the warps meet in a static shared
// array of 32 elements for each type of value; two barriers a call, so calls may follow each other at once.
#pragma once

#include <simt/lane_collectives.hpp>

namespace simt::cg {

namespace detail {
inline constexpr unsigned kWarp = 32;

// The lanes of the caller's warp that the block has.
SIMT_DEVICE coalesced_group warp_of(const thread_block& b) {
  const unsigned first = b.thread_rank() / kWarp * kWarp, left = b.num_threads() - first;
  return {b.self(), left >= kWarp ? 0xffffffffu : (1u << left) - 1};
}
// f with the caller's warp: whole warps as tiles, which know their size when they are compiled.
template <class F>
SIMT_DEVICE auto with_warp(const thread_block& b, F f) {
  const unsigned first = b.thread_rank() / kWarp * kWarp;
  if (b.num_threads() - first >= kWarp) return f(tiled_partition<kWarp>(b));
  return f(warp_of(b));
}
// Of the warps below `end`, in their order; `end` is at least 1.
template <class T, class Op>
SIMT_DEVICE T join_parts(const T (&parts)[kWarp], unsigned end, Op op) {
  T sum = parts[0];
  for (unsigned w = 1; w < end; ++w) sum = op(sum, parts[w]);
  return sum;
}
}  // namespace detail

// In the order of the ranks; every thread gets the result. `op` is associative.
template <class T, class Op>
SIMT_DEVICE T reduce(const thread_block& b, const T& v, Op op) {
  auto& parts = b.self().template shared<"cg reduce", T[detail::kWarp]>();
  const T mine = detail::with_warp(b, [&](const auto& warp) { return reduce(warp, v, op); });
  if (b.thread_rank() % detail::kWarp == 0) parts[b.thread_rank() / detail::kWarp] = mine;
  b.sync();
  const T all = detail::join_parts(parts, (b.num_threads() + detail::kWarp - 1) / detail::kWarp, op);
  b.sync();
  return all;
}

namespace detail {
// What the warps below the caller's hold together; undefined in warp 0. `sum`: the caller's warp up to the caller.
template <class T, class Op>
SIMT_DEVICE T warps_below(const thread_block& b, const T& sum, Op op) {
  auto& parts = b.self().template shared<"cg scan", T[kWarp]>();
  const unsigned rank = b.thread_rank();
  if (rank % kWarp == kWarp - 1) parts[rank / kWarp] = sum;
  b.sync();
  const T below = rank < kWarp ? sum : join_parts(parts, rank / kWarp, op);
  b.sync();
  return below;
}
}  // namespace detail

// Of the ranks up to and including one's own.
template <class T, class Op = plus<T>>
SIMT_DEVICE T inclusive_scan(const thread_block& b, const T& v, Op op = {}) {
  const T sum = detail::with_warp(b, [&](const auto& warp) { return inclusive_scan(warp, v, op); });
  const T below = detail::warps_below(b, sum, op);
  return b.thread_rank() < detail::kWarp ? sum : op(below, sum);
}

// Of the ranks below one's own; rank 0 gets T{}.
template <class T, class Op = plus<T>>
SIMT_DEVICE T exclusive_scan(const thread_block& b, const T& v, Op op = {}) {
  const T sum = detail::with_warp(b, [&](const auto& warp) { return inclusive_scan(warp, v, op); });
  const T before = detail::with_warp(b, [&](const auto& warp) { return warp.shfl_up(sum, 1); });
  const T below = detail::warps_below(b, sum, op);
  const unsigned rank = b.thread_rank();
  if (rank == 0) return T{};
  if (rank % detail::kWarp == 0) return below;
  return rank < detail::kWarp ? before : op(below, before);
}

// One thread runs f, and every thread of the block gets the result.
template <class F, class... A>
SIMT_DEVICE auto invoke_one_broadcast(const thread_block& b, F&& f, A&&... arguments) {
  using result_type = decltype(std::forward<F>(f)(std::forward<A>(arguments)...));
  auto& result = b.self().template shared<"cg invoke", result_type[1]>();
  if (b.thread_rank() == 0) result[0] = std::forward<F>(f)(std::forward<A>(arguments)...);
  b.sync();
  const result_type mine = result[0];
  b.sync();
  return mine;
}

}  // namespace simt::cg
