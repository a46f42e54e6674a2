// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a block that sort.
#pragma once

#include "block.hpp"
#include "../hide_names.hpp"

namespace cub {

// By digits of four bits: each thread counts the digits of its items, thread 0 makes places of the counts, all move.
template <class Key, int X, int N, class Value = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort {
  static constexpr int kThreads = X * Y * Z, kBits = 4, kDigits = 1 << kBits, kItems = kThreads * N;
  static constexpr bool kKeysOnly = std::is_same_v<Value, NullType>;

 public:
  struct TempStorage {
    union {
      detail::slots<unsigned short, kDigits * kThreads> counts;
      detail::slots<Key, kItems> keys;
      detail::slots<Value, kKeysOnly ? 1 : kItems> values;
    };
  };
  SIMT_CUB_COLLECTIVE(BlockRadixSort)

#define SIMT_CUB_BLOCK_SORT(name, descending, striped)                                                          \
  void name(Key(&keys)[N], int begin_bit = 0, int end_bit = static_cast<int>(sizeof(Key)) * 8) {                \
    Value none[N];                                                                                              \
    sort(keys, none, begin_bit, end_bit, descending, striped);                                                  \
  }                                                                                                             \
  template <class V>                                                                                            \
  requires std::is_same_v<V, Value>                                                                             \
  void name(Key(&keys)[N], V(&values)[N], int begin_bit = 0, int end_bit = static_cast<int>(sizeof(Key)) * 8) { \
    sort(keys, values, begin_bit, end_bit, descending, striped);                                                \
  }
  SIMT_CUB_BLOCK_SORT(Sort, false, false)
  SIMT_CUB_BLOCK_SORT(SortDescending, true, false)
  SIMT_CUB_BLOCK_SORT(SortBlockedToStriped, false, true)
  SIMT_CUB_BLOCK_SORT(SortDescendingBlockedToStriped, true, true)
#undef SIMT_CUB_BLOCK_SORT

 private:
  void sort(Key (&keys)[N], Value (&values)[N], int begin_bit, int end_bit, bool descending, bool striped) {
    for (int bit = begin_bit; bit < end_bit; bit += kBits) {
      const bool last = bit + kBits >= end_bit;
      const int width = last ? end_bit - bit : kBits;
      for (int d = 0; d < kDigits; ++d) temp_.counts[d * kThreads + rank_] = 0;
      for (int i = 0; i < N; ++i) ++temp_.counts[place_of(keys[i], bit, width, descending)];
      __syncthreads();
      if (rank_ == 0) {
        unsigned sum = 0;
        for (int i = 0; i < kDigits * kThreads; ++i) {
          const unsigned here = temp_.counts[i];
          temp_.counts[i] = static_cast<unsigned short>(sum);
          sum += here;
        }
      }
      __syncthreads();
      int to[N];
      for (int i = 0; i < N; ++i) to[i] = temp_.counts[place_of(keys[i], bit, width, descending)]++;
      __syncthreads();
      move(temp_.keys, keys, to, last && striped);
      if constexpr (!kKeysOnly) {
        __syncthreads();
        move(temp_.values, values, to, last && striped);
      }
      if (!last) __syncthreads();
    }
  }
  int place_of(const Key& k, int bit, int width, bool descending) const {
    return static_cast<int>(detail::digit_of(k, bit, width, descending)) * kThreads + rank_;
  }
  template <class Slots, class T>
  void move(Slots& slots, T (&items)[N], const int (&to)[N], bool striped) {
    for (int i = 0; i < N; ++i) slots[to[i]] = items[i];
    __syncthreads();
    for (int i = 0; i < N; ++i) items[i] = slots[striped ? i * kThreads + rank_ : rank_ * N + i];
  }
  TempStorage& temp_;
  int rank_;
};

// Stable, by any order: runs of the threads are merged pairwise; an item's place in the merged run is its place in its
// own and the number of those of the other that come before it.
template <class Key, int X, int N, class Value = NullType, int Y = 1, int Z = 1>
class BlockMergeSort {
  static constexpr int kThreads = X * Y * Z, kItems = kThreads * N;
  static constexpr bool kKeysOnly = std::is_same_v<Value, NullType>;

 public:
  struct TempStorage {
    union {
      detail::slots<Key, kItems> keys;
      detail::slots<Value, kKeysOnly ? 1 : kItems> values;
    };
  };
  SIMT_CUB_COLLECTIVE(BlockMergeSort)
  template <class Less>
  void Sort(Key (&keys)[N], Less less) {
    Value none[N];
    sort(keys, none, less);
  }
  template <class Less>
  void Sort(Key (&keys)[N], Value (&values)[N], Less less) {
    sort(keys, values, less);
  }
  // Items from `valid` on count as `past_the_end`, which no key comes behind.
  template <class Less>
  void Sort(Key (&keys)[N], Less less, int valid, Key past_the_end) {
    fill(keys, valid, past_the_end);
    Sort(keys, less);
  }
  template <class Less>
  void Sort(Key (&keys)[N], Value (&values)[N], Less less, int valid, Key past_the_end) {
    fill(keys, valid, past_the_end);
    sort(keys, values, less);
  }
  template <class... A>
  void StableSort(A&&... arguments) {
    Sort(std::forward<A>(arguments)...);
  }

 private:
  void fill(Key (&keys)[N], int valid, const Key& past_the_end) {
    for (int i = 0; i < N; ++i)
      if (rank_ * N + i >= valid) keys[i] = past_the_end;
  }
  template <class Less>
  void sort(Key (&keys)[N], Value (&values)[N], Less less) {
    for (int i = 1; i < N; ++i)
      for (int j = i; j > 0 && less(keys[j], keys[j - 1]); --j) {
        const Key k = keys[j];
        keys[j] = keys[j - 1];
        keys[j - 1] = k;
        const Value v = values[j];
        values[j] = values[j - 1];
        values[j - 1] = v;
      }
    for (int width = N; width < kItems; width *= 2) {
      for (int i = 0; i < N; ++i) temp_.keys[rank_ * N + i] = keys[i];
      __syncthreads();
      const int first = rank_ * N / (2 * width) * (2 * width), middle = first + width < kItems ? first + width : kItems,
                last = first + 2 * width < kItems ? first + 2 * width : kItems;
      int to[N];
      for (int i = 0; i < N; ++i) {
        const int mine = rank_ * N + i;
        const bool left = mine < middle;
        int low = left ? middle : first, high = left ? last : middle;
        const int other = low;
        while (low < high) {
          const int at = low + (high - low) / 2;
          if (left ? less(temp_.keys[at], keys[i]) : !less(keys[i], temp_.keys[at]))
            low = at + 1;
          else
            high = at;
        }
        to[i] = first + (mine - (left ? first : middle)) + (low - other);
      }
      __syncthreads();
      for (int i = 0; i < N; ++i) temp_.keys[to[i]] = keys[i];
      __syncthreads();
      for (int i = 0; i < N; ++i) keys[i] = temp_.keys[rank_ * N + i];
      if constexpr (!kKeysOnly) {
        __syncthreads();
        for (int i = 0; i < N; ++i) temp_.values[to[i]] = values[i];
        __syncthreads();
        for (int i = 0; i < N; ++i) values[i] = temp_.values[rank_ * N + i];
      }
      if (width * 2 < kItems) __syncthreads();
    }
  }
  TempStorage& temp_;
  int rank_;
};

}  // namespace cub

#include "../restore_names.hpp"
