// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a block: reduce, scan, load, store, exchange, histogram.
//
// Each writes its items to the storage, waits, and one thread or all read them. A thread reads, last of all, what
// others write first of all when the storage is used again: a program that forgets the barrier between two uses has a
// race here as it has one on a GPU.
#pragma once

#include "direct_items.hpp"
#include "../hide_names.hpp"
// Of two uses of one storage a report names both lines: a collective is part of the function that calls it.
#if defined(SIMT_VARIANT_CHECK) && defined(__clang__)
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)
#endif

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace detail {
// Storage of a collective that is given none.
template <class Storage>
Storage& private_storage() {
  struct name_of {
    static constexpr const char* name() { return "the storage of a CUB collective"; }
    static constexpr unsigned align() { return alignof(Storage); }
  };
  return simt_cuda::shared_variable<name_of, Storage>();
}
}  // namespace detail
#define SIMT_CUB_COLLECTIVE(name)                                                  \
  name() : temp_(detail::private_storage<TempStorage>()), rank_(detail::rank()) {} \
  explicit name(TempStorage& temp) : temp_(temp), rank_(detail::rank()) {}

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    detail::slots<T, kThreads> in;
  };
  SIMT_CUB_COLLECTIVE(BlockReduce)
  template <class Op>
  T Reduce(T v, Op op, int valid) {
    temp_.in[rank_] = v;
    __syncthreads();
    if (rank_ == 0)
      for (int i = 1; i < valid && i < kThreads; ++i) v = static_cast<T>(op(v, temp_.in[i]));
    return v;
  }
  template <class Op>
  T Reduce(T v, Op op) {
    return Reduce(v, op, kThreads);
  }
  template <int N, class Op>
  T Reduce(T (&items)[N], Op op) {
    return Reduce(ThreadReduce(items, op), op, kThreads);
  }
  T Sum(T v) { return Reduce(v, cub::Sum()); }
  T Sum(T v, int valid) { return Reduce(v, cub::Sum(), valid); }
  template <int N>
  T Sum(T (&items)[N]) {
    return Reduce(items, cub::Sum());
  }

 private:
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    detail::slots<T, kThreads + 1> all;  // the last: the block's sum
  };
  SIMT_CUB_COLLECTIVE(BlockScan)

  // Calls make(prefix, has_prefix) where each thread is; total gets the sum of all. before(sum): what comes before the
  // block, asked by thread 0; has_before: there is something.
  template <class Op, class Before>
  T prefix_of(T mine, Op op, bool has_before, Before before, T& total) {
    temp_.all[rank_] = mine;
    __syncthreads();
    if (rank_ == 0) {
      T sum = temp_.all[0];
      for (int i = 1; i < kThreads; ++i) {
        T here = temp_.all[i];
        const T before_it = sum;
        sum = static_cast<T>(op(sum, here));
        temp_.all[i] = before_it;  // for now the sum of all before thread i, at i
      }
      temp_.all[kThreads] = sum;
      const T first = before(sum);
      T carried = temp_.all[kThreads - 1];
      for (int i = kThreads - 1; i > 0; --i) {  // and then at i + 1
        T moved = carried;
        if (i > 1) carried = temp_.all[i - 1];
        temp_.all[(i + 1) % kThreads] = has_before ? static_cast<T>(op(first, moved)) : moved;
      }
      if (has_before) temp_.all[1 % kThreads] = first;
    }
    __syncthreads();
    total = temp_.all[kThreads];
    return rank_ > 0 || has_before ? static_cast<T>(temp_.all[(rank_ + 1) % kThreads]) : mine;
  }

  template <class Op, int N, class Before>
  void scan(T (&in)[N], T (&out)[N], Op op, bool inclusive, bool has_before, Before before, T& total) {
    T sum = prefix_of(ThreadReduce(in, op), op, has_before, before, total);
    bool has = rank_ > 0 || has_before;
    for (int i = 0; i < N; ++i) {
      const T mine = in[i];
      if (!inclusive && has) out[i] = sum;
      sum = has ? static_cast<T>(op(sum, mine)) : mine;
      has = true;
      if (inclusive) out[i] = sum;
    }
  }
  template <class Op, class Before>
  void scan(T in, T& out, Op op, bool inclusive, bool has_before, Before before, T& total) {
    T one[1] = {in}, result[1] = {in};
    scan(one, result, op, inclusive, has_before, before, total);
    out = result[0];
  }

#define SIMT_CUB_SCANS(kind, inclusive)                                                                   \
  template <class In, class Out>                                                                          \
  void kind##Sum(In&& in, Out&& out) {                                                                    \
    T total;                                                                                              \
    scan(                                                                                                 \
        in, out, cub::Sum(), inclusive, true, [](T) { return T(0); }, total);                             \
  }                                                                                                       \
  template <class In, class Out, class Last>                                                              \
  void kind##Sum(In&& in, Out&& out, Last&& last) {                                                       \
    if constexpr (std::is_invocable_v<Last&, T>) {                                                        \
      T total;                                                                                            \
      scan(                                                                                               \
          in, out, cub::Sum(), inclusive, true, [&](T sum) { return static_cast<T>(last(sum)); }, total); \
    } else {                                                                                              \
      scan(                                                                                               \
          in, out, cub::Sum(), inclusive, true, [](T) { return T(0); }, last);                            \
    }                                                                                                     \
  }                                                                                                       \
  template <class In, class Out, class Op>                                                                \
  requires std::is_invocable_v<Op&, T, T>                                                                 \
  void kind##Scan(In&& in, Out&& out, Op op) {                                                            \
    T total;                                                                                              \
    scan(                                                                                                 \
        in, out, op, inclusive, false, [](T sum) { return sum; }, total);                                 \
  }                                                                                                       \
  template <class In, class Out, class Op, class Last>                                                    \
  requires std::is_invocable_v<Op&, T, T>                                                                 \
  void kind##Scan(In&& in, Out&& out, Op op, Last&& last) {                                               \
    if constexpr (std::is_invocable_v<Last&, T>) {                                                        \
      T total;                                                                                            \
      scan(                                                                                               \
          in, out, op, inclusive, true, [&](T sum) { return static_cast<T>(last(sum)); }, total);         \
    } else {                                                                                              \
      scan(                                                                                               \
          in, out, op, inclusive, false, [](T sum) { return sum; }, last);                                \
    }                                                                                                     \
  }                                                                                                       \
  template <class In, class Out, class Op>                                                                \
  requires std::is_invocable_v<Op&, T, T>                                                                 \
  void kind##Scan(In&& in, Out&& out, T init, Op op) {                                                    \
    T total;                                                                                              \
    scan(                                                                                                 \
        in, out, op, inclusive, true, [=](T) { return init; }, total);                                    \
  }                                                                                                       \
  template <class In, class Out, class Op>                                                                \
  requires std::is_invocable_v<Op&, T, T>                                                                 \
  void kind##Scan(In&& in, Out&& out, T init, Op op, T& total) {                                          \
    scan(                                                                                                 \
        in, out, op, inclusive, true, [=](T) { return init; }, total);                                    \
  }
  SIMT_CUB_SCANS(Inclusive, true)
  SIMT_CUB_SCANS(Exclusive, false)
#undef SIMT_CUB_SCANS

 private:
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, int N, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    detail::slots<T, kThreads * N> all;
  };
  SIMT_CUB_COLLECTIVE(BlockExchange)
  template <class From, class To, class Out>
  void exchange(const T (&in)[N], Out (&out)[N], From from, To to) {
    for (int i = 0; i < N; ++i)
      if (const int at = from(i); at >= 0) temp_.all[at] = in[i];
    __syncthreads();
    for (int i = 0; i < N; ++i) out[i] = temp_.all[to(i)];
  }
  int blocked(int i) const { return rank_ * N + i; }
  int striped(int i) const { return i * kThreads + rank_; }
  int warp_striped(int i) const { return rank_ / 32 * 32 * N + i * 32 + rank_ % 32; }
#define SIMT_CUB_EXCHANGE(name, from, to)                                             \
  template <class Out>                                                                \
  void name(const T(&in)[N], Out(&out)[N]) {                                          \
    exchange(                                                                         \
        in, out, [this](int i) { return from(i); }, [this](int i) { return to(i); }); \
  }                                                                                   \
  void name(T(&items)[N]) { name(items, items); }
  SIMT_CUB_EXCHANGE(StripedToBlocked, striped, blocked)
  SIMT_CUB_EXCHANGE(BlockedToStriped, blocked, striped)
  SIMT_CUB_EXCHANGE(WarpStripedToBlocked, warp_striped, blocked)
  SIMT_CUB_EXCHANGE(BlockedToWarpStriped, blocked, warp_striped)
#undef SIMT_CUB_EXCHANGE
  template <class Out, class Rank>
  void ScatterToBlocked(const T (&in)[N], Out (&out)[N], Rank (&ranks)[N]) {
    exchange(
        in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [this](int i) { return blocked(i); });
  }
  template <class Rank>
  void ScatterToBlocked(T (&items)[N], Rank (&ranks)[N]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Out, class Rank>
  void ScatterToStriped(const T (&in)[N], Out (&out)[N], Rank (&ranks)[N]) {
    exchange(
        in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [this](int i) { return striped(i); });
  }
  template <class Rank>
  void ScatterToStriped(T (&items)[N], Rank (&ranks)[N]) {
    ScatterToStriped(items, items, ranks);
  }
  // Items whose rank is below 0 go nowhere; those that are not valid.
  template <class Out, class Rank>
  void ScatterToStripedGuarded(const T (&in)[N], Out (&out)[N], Rank (&ranks)[N]) {
    ScatterToStriped(in, out, ranks);
  }
  template <class Rank>
  void ScatterToStripedGuarded(T (&items)[N], Rank (&ranks)[N]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class Out, class Rank, class Valid>
  void ScatterToStripedFlagged(const T (&in)[N], Out (&out)[N], Rank (&ranks)[N], Valid (&valid)[N]) {
    exchange(
        in, out, [&](int i) { return valid[i] ? static_cast<int>(ranks[i]) : -1; },
        [this](int i) { return striped(i); });
  }
  template <class Rank, class Valid>
  void ScatterToStripedFlagged(T (&items)[N], Rank (&ranks)[N], Valid (&valid)[N]) {
    ScatterToStripedFlagged(items, items, ranks, valid);
  }

 private:
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
  static constexpr int kThreads = X * Y * Z;
  static constexpr bool kTransposes = A == BLOCK_LOAD_TRANSPOSE;
  using exchange = BlockExchange<T, X, N, false, Y, Z>;
  struct no_storage {
    char unused;
  };

 public:
  using TempStorage = std::conditional_t<kTransposes, typename exchange::TempStorage, no_storage>;
  SIMT_CUB_COLLECTIVE(BlockLoad)
  template <class I, class... More>
  void Load(I from, T (&items)[N], More... more) {
    if constexpr (A == BLOCK_LOAD_STRIPED || kTransposes)
      LoadDirectStriped<kThreads>(rank_, from, items, more...);
    else
      LoadDirectBlocked(rank_, from, items, more...);
    if constexpr (kTransposes) exchange(temp_).StripedToBlocked(items);
  }

 private:
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
  static constexpr int kThreads = X * Y * Z;
  static constexpr bool kTransposes = A == BLOCK_STORE_TRANSPOSE;
  using exchange = BlockExchange<T, X, N, false, Y, Z>;
  struct no_storage {
    char unused;
  };

 public:
  using TempStorage = std::conditional_t<kTransposes, typename exchange::TempStorage, no_storage>;
  SIMT_CUB_COLLECTIVE(BlockStore)
  template <class O, class... More>
  void Store(O to, T (&items)[N], More... valid) {
    if constexpr (kTransposes) exchange(temp_).BlockedToStriped(items);
    if constexpr (A == BLOCK_STORE_STRIPED || kTransposes)
      StoreDirectStriped<kThreads>(rank_, to, items, valid...);
    else
      StoreDirectBlocked(rank_, to, items, valid...);
  }

 private:
  TempStorage& temp_;
  int rank_;
};

template <class T, int X, int N, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int = 0>
class BlockHistogram {
  static constexpr int kThreads = X * Y * Z;

 public:
  struct TempStorage {
    char unused;
  };
  SIMT_CUB_COLLECTIVE(BlockHistogram)
  template <class Counter>
  void InitHistogram(Counter* histogram) {
    for (int i = rank_; i < Bins; i += kThreads) histogram[i] = 0;
  }
  template <class Counter>
  void Composite(T (&items)[N], Counter* histogram) {
    for (int i = 0; i < N; ++i) atomicAdd(&histogram[items[i]], static_cast<Counter>(1));
  }
  template <class Counter>
  void Histogram(T (&items)[N], Counter* histogram) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }

 private:
  TempStorage& temp_;
  int rank_;
};

}  // namespace cub

#if defined(SIMT_VARIANT_CHECK) && defined(__clang__)
#pragma clang attribute pop
#endif
#include "../restore_names.hpp"
