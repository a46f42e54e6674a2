// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide sorts by digits of eight bits.
#pragma once

#include "device_scan.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
constexpr int kRadixBits = 8;

// One pass, stable. `values` may be null.
template <class Key, class Value>
void radix_pass(const Key* k, Key* k_to, const Value* v, Value* v_to, size n, int bit, int width, bool descending) {
  size places[1 << kRadixBits] = {};
  for (size i = 0; i < n; ++i) ++places[digit_of(k[i], bit, width, descending)];
  size sum = 0;
  for (size& p : places) {
    const size here = p;
    p = sum;
    sum += here;
  }
  for (size i = 0; i < n; ++i) {
    const Key key = k[i];
    const size at = places[digit_of(key, bit, width, descending)]++;
    k_to[at] = key;
    if constexpr (!std::is_same_v<Value, NullType>) v_to[at] = v[i];
  }
}

// From the input through two pairs of arrays in turn; the result is in k_out.
template <class Key, class Value>
void radix_sort(const Key* k, Key* k_out, Key* k_room, const Value* v, Value* v_out, Value* v_room, size n,
                int begin_bit, int end_bit, bool descending) {
  const int passes = (end_bit - begin_bit + kRadixBits - 1) / kRadixBits;
  if (passes <= 0) {
    for (size i = 0; i < n; ++i) {
      k_out[i] = k[i];
      if constexpr (!std::is_same_v<Value, NullType>) v_out[i] = v[i];
    }
    return;
  }
  for (int p = 0; p < passes; ++p) {
    const int bit = begin_bit + p * kRadixBits, width = end_bit - bit < kRadixBits ? end_bit - bit : kRadixBits;
    const bool to_out = (passes - p) % 2 == 1;
    Key* const kt = to_out ? k_out : k_room;
    Value* const vt = to_out ? v_out : v_room;
    radix_pass(k, kt, v, vt, n, bit, width, descending);
    k = kt;
    v = vt;
  }
}

template <class Key, class Value, class N, class Begin, class End>
cudaError_t sort_pairs(void* temp, std::size_t& bytes, const Key* k, Key* k_out, const Value* v, Value* v_out, N n,
                       std::int64_t segments, Begin first, End last, int begin_bit, int end_bit, bool descending,
                       cudaStream_t s) {
  const auto aligned = [](std::size_t b) { return (b + 255) / 256 * 256; };
  const std::size_t key_bytes = aligned(static_cast<std::size_t>(n) * sizeof(Key));
  const std::size_t value_bytes =
      std::is_same_v<Value, NullType> ? 0 : aligned(static_cast<std::size_t>(n) * sizeof(Value));
  Key* const k_room = static_cast<Key*>(temp);
  Value* const v_room = reinterpret_cast<Value*>(static_cast<char*>(temp) + (temp == nullptr ? 0 : key_bytes));
  return run(temp, bytes, key_bytes + value_bytes, "cub::DeviceRadixSort()", s, [=]() {
    for (size g = 0; g < segments; ++g) {
      const size at = static_cast<size>(first[g]), end = static_cast<size>(last[g]);
      radix_sort(k + at, k_out + at, k_room + at, v == nullptr ? v : v + at, v == nullptr ? v_out : v_out + at,
                 v_room + at, end - at, begin_bit, end_bit, descending);
    }
  });
}

// One segment that is everything.
struct whole_of {
  size n;
  size operator[](int) const { return n; }
};
}  // namespace detail

#define SIMT_CUB_DEVICE_SORT(suffix, descending)                                                                       \
  template <class Key, class N>                                                                                        \
  static cudaError_t SortKeys##suffix(void* temp, std::size_t& bytes, const Key* in, Key* out, N n, int begin_bit = 0, \
                                      int end_bit = static_cast<int>(sizeof(Key)) * 8, cudaStream_t s = nullptr,       \
                                      bool = false) {                                                                  \
    return detail::sort_pairs<Key, NullType>(temp, bytes, in, out, nullptr, nullptr, n, 1, detail::whole_of{0},        \
                                             detail::whole_of{static_cast<detail::size>(n)}, begin_bit, end_bit,       \
                                             descending, s);                                                           \
  }                                                                                                                    \
  template <class Key, class Value, class N>                                                                           \
  static cudaError_t SortPairs##suffix(                                                                                \
      void* temp, std::size_t& bytes, const Key* in, Key* out, const Value* v, Value* v_out, N n, int begin_bit = 0,   \
      int end_bit = static_cast<int>(sizeof(Key)) * 8, cudaStream_t s = nullptr, bool = false) {                       \
    return detail::sort_pairs(temp, bytes, in, out, v, v_out, n, 1, detail::whole_of{0},                               \
                              detail::whole_of{static_cast<detail::size>(n)}, begin_bit, end_bit, descending, s);      \
  }                                                                                                                    \
  template <class Key, class N>                                                                                        \
  static cudaError_t SortKeys##suffix(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, N n, int begin_bit = 0, \
                                      int end_bit = static_cast<int>(sizeof(Key)) * 8, cudaStream_t s = nullptr,       \
                                      bool = false) {                                                                  \
    const cudaError_t e = SortKeys##suffix(temp, bytes, static_cast<const Key*>(keys.Current()), keys.Alternate(), n,  \
                                           begin_bit, end_bit, s);                                                     \
    if (temp != nullptr) keys.selector ^= 1;                                                                           \
    return e;                                                                                                          \
  }                                                                                                                    \
  template <class Key, class Value, class N>                                                                           \
  static cudaError_t SortPairs##suffix(                                                                                \
      void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, N n, int begin_bit = 0,    \
      int end_bit = static_cast<int>(sizeof(Key)) * 8, cudaStream_t s = nullptr, bool = false) {                       \
    const cudaError_t e =                                                                                              \
        SortPairs##suffix(temp, bytes, static_cast<const Key*>(keys.Current()), keys.Alternate(),                      \
                          static_cast<const Value*>(values.Current()), values.Alternate(), n, begin_bit, end_bit, s);  \
    if (temp != nullptr) {                                                                                             \
      keys.selector ^= 1;                                                                                              \
      values.selector ^= 1;                                                                                            \
    }                                                                                                                  \
    return e;                                                                                                          \
  }
struct DeviceRadixSort {
  SIMT_CUB_DEVICE_SORT(, false)
  SIMT_CUB_DEVICE_SORT(Descending, true)
};
#undef SIMT_CUB_DEVICE_SORT

// The segments of one order: with bits (radix), or without them (segmented sorts, which may be told to be stable: all
// are). A double buffer's result is in the other half, as with whole sorts.
#define SIMT_CUB_SEGMENTED_SORT(keys_name, pairs_name, descending, bits, begin_bit, end_bit)                           \
  template <class Key, class N, class Begin, class End>                                                                \
  static cudaError_t keys_name(void* temp, std::size_t& bytes, const Key* in, Key* out, N n, std::int64_t segments,    \
                               Begin first, End last bits, cudaStream_t s = nullptr) {                                 \
    return detail::sort_pairs<Key, NullType>(temp, bytes, in, out, nullptr, nullptr, n, segments, detail::raw(first),  \
                                             detail::raw(last), begin_bit, end_bit, descending, s);                    \
  }                                                                                                                    \
  template <class Key, class Value, class N, class Begin, class End>                                                   \
  static cudaError_t pairs_name(void* temp, std::size_t& bytes, const Key* in, Key* out, const Value* v, Value* v_out, \
                                N n, std::int64_t segments, Begin first, End last bits, cudaStream_t s = nullptr) {    \
    return detail::sort_pairs(temp, bytes, in, out, v, v_out, n, segments, detail::raw(first), detail::raw(last),      \
                              begin_bit, end_bit, descending, s);                                                      \
  }                                                                                                                    \
  template <class Key, class N, class Begin, class End>                                                                \
  static cudaError_t keys_name(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, N n, std::int64_t segments,    \
                               Begin first, End last bits, cudaStream_t s = nullptr) {                                 \
    const cudaError_t e = detail::sort_pairs<Key, NullType>(temp, bytes, keys.Current(), keys.Alternate(), nullptr,    \
                                                            nullptr, n, segments, detail::raw(first),                  \
                                                            detail::raw(last), begin_bit, end_bit, descending, s);     \
    if (temp != nullptr) keys.selector ^= 1;                                                                           \
    return e;                                                                                                          \
  }                                                                                                                    \
  template <class Key, class Value, class N, class Begin, class End>                                                   \
  static cudaError_t pairs_name(void* temp, std::size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,  \
                                N n, std::int64_t segments, Begin first, End last bits, cudaStream_t s = nullptr) {    \
    const cudaError_t e = detail::sort_pairs<Key, Value>(                                                              \
        temp, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n, segments,              \
        detail::raw(first), detail::raw(last), begin_bit, end_bit, descending, s);                                     \
    if (temp != nullptr) {                                                                                             \
      keys.selector ^= 1;                                                                                              \
      values.selector ^= 1;                                                                                            \
    }                                                                                                                  \
    return e;                                                                                                          \
  }
#define SIMT_CUB_ALL_BITS static_cast<int>(sizeof(Key)) * 8
#define SIMT_CUB_BITS , int begin_bit = 0, int end_bit = SIMT_CUB_ALL_BITS
struct DeviceSegmentedRadixSort {
  SIMT_CUB_SEGMENTED_SORT(SortKeys, SortPairs, false, SIMT_CUB_BITS, begin_bit, end_bit)
  SIMT_CUB_SEGMENTED_SORT(SortKeysDescending, SortPairsDescending, true, SIMT_CUB_BITS, begin_bit, end_bit)
};
struct DeviceSegmentedSort {
  SIMT_CUB_SEGMENTED_SORT(SortKeys, SortPairs, false, , 0, SIMT_CUB_ALL_BITS)
  SIMT_CUB_SEGMENTED_SORT(SortKeysDescending, SortPairsDescending, true, , 0, SIMT_CUB_ALL_BITS)
  SIMT_CUB_SEGMENTED_SORT(StableSortKeys, StableSortPairs, false, , 0, SIMT_CUB_ALL_BITS)
  SIMT_CUB_SEGMENTED_SORT(StableSortKeysDescending, StableSortPairsDescending, true, , 0, SIMT_CUB_ALL_BITS)
};
#undef SIMT_CUB_BITS
#undef SIMT_CUB_ALL_BITS
#undef SIMT_CUB_SEGMENTED_SORT

}  // namespace cub

#include "../restore_names.hpp"
