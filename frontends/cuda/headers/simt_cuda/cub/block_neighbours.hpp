// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a block that compare neighbouring items or move them to the neighbour.
#pragma once

#include "block.hpp"
#include "../hide_names.hpp"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    detail::slots<T, kThreads> first, last;
  };
  SIMT_CUB_COLLECTIVE(BlockDiscontinuity)
  template <int N, class Flag, class Op>
  void FlagHeads(Flag (&heads)[N], T (&items)[N], Op op) {
    flag_heads(heads, items, op, nullptr);
  }
  template <int N, class Flag, class Op>
  void FlagHeads(Flag (&heads)[N], T (&items)[N], Op op, T before_block) {
    flag_heads(heads, items, op, &before_block);
  }
  template <int N, class Flag, class Op>
  void FlagTails(Flag (&tails)[N], T (&items)[N], Op op) {
    flag_tails(tails, items, op, nullptr);
  }
  template <int N, class Flag, class Op>
  void FlagTails(Flag (&tails)[N], T (&items)[N], Op op, T behind_block) {
    flag_tails(tails, items, op, &behind_block);
  }
  template <int N, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&items)[N], Op op) {
    flag_heads(heads, items, op, nullptr);
    flag_tails(tails, items, op, nullptr);
  }
  template <int N, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T behind_block, T (&items)[N], Op op) {
    flag_heads(heads, items, op, nullptr);
    flag_tails(tails, items, op, &behind_block);
  }
  template <int N, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[N], T before_block, Flag (&tails)[N], T (&items)[N], Op op) {
    flag_heads(heads, items, op, &before_block);
    flag_tails(tails, items, op, nullptr);
  }
  template <int N, class Flag, class Op>
  void FlagHeadsAndTails(Flag (&heads)[N], T before_block, Flag (&tails)[N], T behind_block, T (&items)[N], Op op) {
    flag_heads(heads, items, op, &before_block);
    flag_tails(tails, items, op, &behind_block);
  }

 private:
  template <int N, class Flag, class Op>
  void flag_heads(Flag (&heads)[N], T (&items)[N], Op& op, const T* before_block) {
    temp_.last[rank_] = items[N - 1];
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      if (i > 0)
        heads[i] = static_cast<Flag>(op(items[i - 1], items[i]));
      else if (rank_ > 0)
        heads[i] = static_cast<Flag>(op(static_cast<const T&>(temp_.last[rank_ - 1]), items[i]));
      else
        heads[i] = static_cast<Flag>(before_block == nullptr || op(*before_block, items[i]));
    }
  }
  template <int N, class Flag, class Op>
  void flag_tails(Flag (&tails)[N], T (&items)[N], Op& op, const T* behind_block) {
    temp_.first[rank_] = items[0];
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      if (i + 1 < N)
        tails[i] = static_cast<Flag>(op(items[i], items[i + 1]));
      else if (rank_ + 1 < kThreads)
        tails[i] = static_cast<Flag>(op(items[i], static_cast<const T&>(temp_.first[rank_ + 1])));
      else
        tails[i] = static_cast<Flag>(behind_block == nullptr || op(items[i], *behind_block));
    }
  }
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockAdjacentDifference {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    detail::slots<T, kThreads> edge;
  };
  SIMT_CUB_COLLECTIVE(BlockAdjacentDifference)
  // Each with the item of the neighbouring tile, and for tiles of which only `valid` items count; the item that has no
  // neighbour, and those that do not count, stay.
  template <int N, class Out, class Op>
  void SubtractLeft(T (&items)[N], Out (&out)[N], Op op) {
    left(items, out, op, kThreads * N, nullptr);
  }
  template <int N, class Out, class Op>
  void SubtractLeft(T (&items)[N], Out (&out)[N], Op op, T before_tile) {
    left(items, out, op, kThreads * N, &before_tile);
  }
  template <int N, class Out, class Op>
  void SubtractLeftPartialTile(T (&items)[N], Out (&out)[N], Op op, int valid) {
    left(items, out, op, valid, nullptr);
  }
  template <int N, class Out, class Op>
  void SubtractLeftPartialTile(T (&items)[N], Out (&out)[N], Op op, int valid, T before_tile) {
    left(items, out, op, valid, &before_tile);
  }
  template <int N, class Out, class Op>
  void SubtractRight(T (&items)[N], Out (&out)[N], Op op) {
    right(items, out, op, kThreads * N, nullptr);
  }
  template <int N, class Out, class Op>
  void SubtractRight(T (&items)[N], Out (&out)[N], Op op, T behind_tile) {
    right(items, out, op, kThreads * N, &behind_tile);
  }
  template <int N, class Out, class Op>
  void SubtractRightPartialTile(T (&items)[N], Out (&out)[N], Op op, int valid) {
    right(items, out, op, valid, nullptr);
  }

 private:
  // CUB gives operators variables, so theirs may take references.
  template <int N, class Out, class Op>
  void left(T (&items)[N], Out (&out)[N], Op& op, int valid, T* before_tile) {
    temp_.edge[rank_] = items[N - 1];
    __syncthreads();
    for (int i = N - 1; i >= 0; --i) {
      const int at = rank_ * N + i;
      if (at >= valid || (at == 0 && before_tile == nullptr))
        out[i] = static_cast<Out>(items[i]);
      else
        out[i] = static_cast<Out>(op(items[i], i > 0 ? items[i - 1] : at > 0 ? temp_.edge[rank_ - 1] : *before_tile));
    }
  }
  template <int N, class Out, class Op>
  void right(T (&items)[N], Out (&out)[N], Op& op, int valid, T* behind_tile) {
    temp_.edge[rank_] = items[0];
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      const int at = rank_ * N + i;
      if (at >= valid || (at + 1 == valid && behind_tile == nullptr))
        out[i] = static_cast<Out>(items[i]);
      else
        out[i] = static_cast<Out>(op(items[i], i + 1 < N               ? items[i + 1]
                                               : at + 1 < kThreads * N ? temp_.edge[rank_ + 1]
                                                                       : *behind_tile));
    }
  }
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockShuffle {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    detail::slots<T, kThreads> all;
  };
  SIMT_CUB_COLLECTIVE(BlockShuffle)
  void Offset(T in, T& out, int distance = 1) {
    temp_.all[rank_] = in;
    __syncthreads();
    const int from = rank_ + distance;
    if (from >= 0 && from < kThreads) out = temp_.all[from];
  }
  void Rotate(T in, T& out, unsigned distance = 1) {
    temp_.all[rank_] = in;
    __syncthreads();
    out = temp_.all[static_cast<int>((static_cast<unsigned>(rank_) + distance) % kThreads)];
  }
  template <int N>
  void Up(T (&in)[N], T (&out)[N]) {
    temp_.all[rank_] = in[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; --i) out[i] = in[i - 1];
    if (rank_ > 0) out[0] = temp_.all[rank_ - 1];
  }
  template <int N>
  void Down(T (&in)[N], T (&out)[N]) {
    temp_.all[rank_] = in[0];
    __syncthreads();
    for (int i = 0; i + 1 < N; ++i) out[i] = in[i + 1];
    if (rank_ + 1 < kThreads) out[N - 1] = temp_.all[rank_ + 1];
  }
  // With the item that leaves the block: its last, or its first.
  template <int N>
  void Up(T (&in)[N], T (&out)[N], T& block_suffix) {
    Up(in, out);
    block_suffix = temp_.all[kThreads - 1];
  }
  template <int N>
  void Down(T (&in)[N], T (&out)[N], T& block_prefix) {
    Down(in, out);
    block_prefix = temp_.all[0];
  }

 private:
  TempStorage& temp_;
  int rank_;
};

}  // namespace cub

#include "../restore_names.hpp"
