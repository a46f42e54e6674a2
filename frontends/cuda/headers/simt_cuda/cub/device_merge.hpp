// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions that merge: sorts by any order, and two sorted ranges made one.
#pragma once

#include "device.hpp"
#include "../hide_names.hpp"

namespace cub {

struct DeviceMergeSort {
  template <class K, class N, class Less>
  static cudaError_t SortKeys(void* temp, std::size_t& bytes, K keys, N n, Less less, cudaStream_t s = nullptr,
                              bool = false) {
    using Key = detail::value_of<K>;
    return detail::run(temp, bytes, static_cast<std::size_t>(n) * sizeof(Key), "cub::DeviceMergeSort()", s,
                       [=, k = detail::raw(keys)]() mutable {
                         thrust::detail::merge_sort(k, thrust::detail::no_storage(), static_cast<Key*>(temp),
                                                    thrust::detail::no_storage(), static_cast<detail::size>(n), less);
                       });
  }
  template <class K, class V, class N, class Less>
  static cudaError_t SortPairs(void* temp, std::size_t& bytes, K keys, V values, N n, Less less,
                               cudaStream_t s = nullptr, bool = false) {
    using Key = detail::value_of<K>;
    using Value = detail::value_of<V>;
    const std::size_t key_bytes = (static_cast<std::size_t>(n) * sizeof(Key) + 255) / 256 * 256;
    return detail::run(temp, bytes, key_bytes + static_cast<std::size_t>(n) * sizeof(Value), "cub::DeviceMergeSort()",
                       s, [=, k = detail::raw(keys), v = detail::raw(values)]() mutable {
                         thrust::detail::merge_sort(k, v, static_cast<Key*>(temp),
                                                    reinterpret_cast<Value*>(static_cast<char*>(temp) + key_bytes),
                                                    static_cast<detail::size>(n), less);
                       });
  }
  // The sorted elements go elsewhere.
  template <class K, class O, class N, class Less>
  static cudaError_t SortKeysCopy(void* temp, std::size_t& bytes, K keys, O out, N n, Less less,
                                  cudaStream_t s = nullptr) {
    using Key = detail::value_of<K>;
    return detail::run(temp, bytes, static_cast<std::size_t>(n) * sizeof(Key), "cub::DeviceMergeSort()", s,
                       [=, from = detail::raw(keys), k = detail::raw(out)]() mutable {
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i) k[i] = from[i];
                         thrust::detail::merge_sort(k, thrust::detail::no_storage(), static_cast<Key*>(temp),
                                                    thrust::detail::no_storage(), static_cast<detail::size>(n), less);
                       });
  }
  template <class K, class V, class KO, class VO, class N, class Less>
  static cudaError_t SortPairsCopy(void* temp, std::size_t& bytes, K keys, V values, KO keys_out, VO values_out, N n,
                                   Less less, cudaStream_t s = nullptr) {
    using Key = detail::value_of<K>;
    using Value = detail::value_of<V>;
    const std::size_t key_bytes = (static_cast<std::size_t>(n) * sizeof(Key) + 255) / 256 * 256;
    return detail::run(temp, bytes, key_bytes + static_cast<std::size_t>(n) * sizeof(Value), "cub::DeviceMergeSort()",
                       s,
                       [=, from = detail::raw(keys), v_from = detail::raw(values), k = detail::raw(keys_out),
                        v = detail::raw(values_out)]() mutable {
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i) {
                           k[i] = from[i];
                           v[i] = v_from[i];
                         }
                         thrust::detail::merge_sort(k, v, static_cast<Key*>(temp),
                                                    reinterpret_cast<Value*>(static_cast<char*>(temp) + key_bytes),
                                                    static_cast<detail::size>(n), less);
                       });
  }
  template <class... A>
  static cudaError_t StableSortKeysCopy(void* temp, std::size_t& bytes, A... rest) {
    return SortKeysCopy(temp, bytes, rest...);
  }
  template <class... A>
  static cudaError_t StableSortKeys(void* temp, std::size_t& bytes, A... rest) {
    return SortKeys(temp, bytes, rest...);
  }
  template <class... A>
  static cudaError_t StableSortPairs(void* temp, std::size_t& bytes, A... rest) {
    return SortPairs(temp, bytes, rest...);
  }
};

struct DeviceMerge {
  template <class I, class J, class O, class N, class M, class Less = thrust::less<>>
  static cudaError_t MergeKeys(void* temp, std::size_t& bytes, I first, N n, J second, M m, O out, Less less = {},
                               cudaStream_t s = nullptr) {
    return merge(temp, bytes, first, n, second, m, less, s, thrust::detail::copier(first, out),
                 thrust::detail::copier(second, out));
  }
  template <class I, class V, class J, class W, class O, class U, class N, class M, class Less = thrust::less<>>
  static cudaError_t MergePairs(void* temp, std::size_t& bytes, I first, V values, N n, J second, W second_values, M m,
                                O out, U values_out, Less less = {}, cudaStream_t s = nullptr) {
    return merge(temp, bytes, first, n, second, m, less, s, thrust::detail::copier(first, out, values, values_out),
                 thrust::detail::copier(second, out, second_values, values_out));
  }

 private:
  template <class I, class J, class N, class M, class Less, class First, class Second>
  static cudaError_t merge(void* temp, std::size_t& bytes, I first, N n, J second, M m, Less less, cudaStream_t s,
                           First take_first, Second take_second) {
    return detail::run(temp, bytes, 1, "cub::DeviceMerge()", s,
                       [=, x = detail::raw(first), y = detail::raw(second)]() mutable {
                         thrust::detail::merge_in_order(x, static_cast<detail::size>(n), y,
                                                        static_cast<detail::size>(m), less, take_first, take_second);
                       });
  }
};

}  // namespace cub

#include "../restore_names.hpp"
