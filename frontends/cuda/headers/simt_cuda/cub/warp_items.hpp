// SPDX-License-Identifier: Apache-2.0
// CUB's collectives of a warp, or of a part of it, for several items a thread: loads, stores, exchanges, sorting.
#pragma once

#include "block.hpp"
#include "warp.hpp"
#include "../hide_names.hpp"

namespace cub {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

// A transposing load gives the items of a direct one.
template <class T, int N, WarpLoadAlgorithm A = WARP_LOAD_DIRECT, int Threads = 32>
class WarpLoad {
 public:
  struct TempStorage {
    char unused;
  };
  explicit WarpLoad(TempStorage&) {}
  WarpLoad() = default;
  template <class I, class... More>
  void Load(I from, T (&items)[N], More... more) {
    if constexpr (A == WARP_LOAD_STRIPED)
      LoadDirectStriped<Threads>(l_.rank(), from, items, more...);
    else
      LoadDirectBlocked(l_.rank(), from, items, more...);
  }

 private:
  detail::lanes<Threads> l_;
};
template <class T, int N, WarpStoreAlgorithm A = WARP_STORE_DIRECT, int Threads = 32>
class WarpStore {
 public:
  struct TempStorage {
    char unused;
  };
  explicit WarpStore(TempStorage&) {}
  WarpStore() = default;
  template <class O, class... More>
  void Store(O to, T (&items)[N], More... valid) {
    if constexpr (A == WARP_STORE_STRIPED)
      StoreDirectStriped<Threads>(l_.rank(), to, items, valid...);
    else
      StoreDirectBlocked(l_.rank(), to, items, valid...);
  }

 private:
  detail::lanes<Threads> l_;
};

template <class T, int N, int Threads = 32, WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
 public:
  struct TempStorage {
    detail::slots<T, Threads * N> all;
  };
  explicit WarpExchange(TempStorage& temp) : temp_(temp) {}
  template <class Out>
  void BlockedToStriped(const T (&in)[N], Out (&out)[N]) {
    exchange(
        in, out, [this](int i) { return blocked(i); }, [this](int i) { return striped(i); });
  }
  template <class Out>
  void StripedToBlocked(const T (&in)[N], Out (&out)[N]) {
    exchange(
        in, out, [this](int i) { return striped(i); }, [this](int i) { return blocked(i); });
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

 private:
  int blocked(int i) const { return l_.rank() * N + i; }
  int striped(int i) const { return i * Threads + l_.rank(); }
  template <class Out, class From, class To>
  void exchange(const T (&in)[N], Out (&out)[N], From from, To to) {
    for (int i = 0; i < N; ++i) temp_.all[from(i)] = in[i];
    __syncwarp(l_.mask());
    for (int i = 0; i < N; ++i) out[i] = temp_.all[to(i)];
  }
  TempStorage& temp_;
  detail::lanes<Threads> l_;
};

// Stable: an item's place is the number of those that come before it.
template <class Key, int N, int Threads = 32, class Value = NullType>
class WarpMergeSort {
  static constexpr bool kKeysOnly = std::is_same_v<Value, NullType>;
  static constexpr int kItems = Threads * N;

 public:
  struct TempStorage {
    union {
      detail::slots<Key, kItems> keys;
      detail::slots<Value, kKeysOnly ? 1 : kItems> values;
    };
  };
  explicit WarpMergeSort(TempStorage& temp) : temp_(temp) {}
  template <class Less>
  void Sort(Key (&keys)[N], Less less) {
    Value none[N];
    sort(keys, none, less, kItems);
  }
  template <class Less>
  void Sort(Key (&keys)[N], Less less, int valid, Key past_the_end) {
    Value none[N];
    fill(keys, valid, past_the_end);
    sort(keys, none, less, valid);
  }
  template <class Less>
  void Sort(Key (&keys)[N], Value (&values)[N], Less less) {
    sort(keys, values, less, kItems);
  }
  template <class Less>
  void Sort(Key (&keys)[N], Value (&values)[N], Less less, int valid, Key past_the_end) {
    fill(keys, valid, past_the_end);
    sort(keys, values, less, valid);
  }
  template <class... A>
  void StableSort(A&&... arguments) {
    Sort(std::forward<A>(arguments)...);
  }

 private:
  void fill(Key (&keys)[N], int valid, const Key& past_the_end) {
    for (int i = 0; i < N; ++i)
      if (l_.rank() * N + i >= valid) keys[i] = past_the_end;
  }
  // Items from `valid` on stay where they are.
  template <class Less>
  void sort(Key (&keys)[N], Value (&values)[N], Less less, int valid) {
    int to[N];
    for (int i = 0; i < N; ++i) temp_.keys[l_.rank() * N + i] = keys[i];
    __syncwarp(l_.mask());
    for (int i = 0; i < N; ++i) {
      const int mine = l_.rank() * N + i;
      to[i] = mine < valid ? 0 : mine;
      for (int other = 0; other < valid && mine < valid; ++other)
        if (other < mine ? !less(keys[i], temp_.keys[other]) : other > mine && less(temp_.keys[other], keys[i]))
          ++to[i];
    }
    __syncwarp(l_.mask());
    for (int i = 0; i < N; ++i) temp_.keys[to[i]] = keys[i];
    __syncwarp(l_.mask());
    for (int i = 0; i < N; ++i) keys[i] = temp_.keys[l_.rank() * N + i];
    if constexpr (!kKeysOnly) {
      __syncwarp(l_.mask());
      for (int i = 0; i < N; ++i) temp_.values[to[i]] = values[i];
      __syncwarp(l_.mask());
      for (int i = 0; i < N; ++i) values[i] = temp_.values[l_.rank() * N + i];
    }
  }
  TempStorage& temp_;
  detail::lanes<Threads> l_;
};

}  // namespace cub

#include "../restore_names.hpp"
