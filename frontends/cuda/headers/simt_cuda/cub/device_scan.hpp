// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions whose results depend on what comes before: scans, also by keys, and differences.
#pragma once

#include "device.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
// The type that an initial value, maybe a future one, stands for.
template <class T>
struct number_behind {
  using type = T;
};
template <class T, class I>
struct number_behind<FutureValue<T, I>> {
  using type = T;
};
template <class T>
using number_of = typename number_behind<T>::type;
}  // namespace detail

struct DeviceScan {
  template <class I, class O, class Op, class T, class N>
  static cudaError_t scan(void* temp, std::size_t& bytes, I in, O out, Op op, bool inclusive, bool has_init, T init,
                          N n, cudaStream_t s) {
    return detail::run(temp, bytes, 1, "cub::DeviceScan()", s,
                       [=, x = detail::raw(in), to = detail::raw(out)]() mutable {
                         using number = detail::number_of<T>;
                         number sum = init;
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i) {
                           number mine = static_cast<number>(x[i]);
                           if (!inclusive) to[i] = sum;
                           sum = i == 0 && !has_init ? mine : static_cast<number>(op(sum, mine));
                           if (inclusive) to[i] = sum;
                         }
                       });
  }
  template <class I, class O, class N>
  requires std::is_integral_v<N>
  static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, I in, O out, N n, cudaStream_t s = nullptr,
                                  bool = false) {
    return scan(temp, bytes, in, out, cub::Sum(), false, true, detail::value_of<I>(0), n, s);
  }
  template <class I, class O, class N>
  requires std::is_integral_v<N>
  static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, I in, O out, N n, cudaStream_t s = nullptr,
                                  bool = false) {
    return scan(temp, bytes, in, out, cub::Sum(), true, false, detail::value_of<I>(0), n, s);
  }
  // In place.
  template <class I, class N>
  requires std::is_integral_v<N>
  static cudaError_t ExclusiveSum(void* temp, std::size_t& bytes, I both, N n, cudaStream_t s = nullptr) {
    return ExclusiveSum(temp, bytes, both, both, n, s);
  }
  template <class I, class N>
  requires std::is_integral_v<N>
  static cudaError_t InclusiveSum(void* temp, std::size_t& bytes, I both, N n, cudaStream_t s = nullptr) {
    return InclusiveSum(temp, bytes, both, both, n, s);
  }
  template <class I, class Op, class T, class N>
  requires std::is_integral_v<N>
  static cudaError_t ExclusiveScan(void* temp, std::size_t& bytes, I both, Op op, T init, N n,
                                   cudaStream_t s = nullptr) {
    return ExclusiveScan(temp, bytes, both, both, op, init, n, s);
  }
  template <class I, class Op, class N>
  requires std::is_integral_v<N>
  static cudaError_t InclusiveScan(void* temp, std::size_t& bytes, I both, Op op, N n, cudaStream_t s = nullptr) {
    return InclusiveScan(temp, bytes, both, both, op, n, s);
  }
  template <class I, class O, class Op, class T, class N>
  requires std::is_integral_v<N>
  static cudaError_t ExclusiveScan(void* temp, std::size_t& bytes, I in, O out, Op op, T init, N n,
                                   cudaStream_t s = nullptr, bool = false) {
    return scan(temp, bytes, in, out, op, false, true, init, n, s);
  }
  template <class I, class O, class Op, class N>
  requires std::is_integral_v<N>
  static cudaError_t InclusiveScan(void* temp, std::size_t& bytes, I in, O out, Op op, N n, cudaStream_t s = nullptr,
                                   bool = false) {
    return scan(temp, bytes, in, out, op, true, false, detail::value_of<I>(), n, s);
  }
  template <class I, class O, class Op, class T, class N>
  static cudaError_t InclusiveScanInit(void* temp, std::size_t& bytes, I in, O out, Op op, T init, N n,
                                       cudaStream_t s = nullptr) {
    return scan(temp, bytes, in, out, op, true, true, init, n, s);
  }
  // Each run of equal keys by itself.
  template <class K, class I, class O, class Op, class T, class N, class Equal>
  static cudaError_t by_key(void* temp, std::size_t& bytes, K keys, I in, O out, Op op, bool inclusive, T init, N n,
                            Equal same, cudaStream_t s) {
    return detail::run(temp, bytes, 1, "cub::DeviceScan()", s,
                       [=, k = detail::raw(keys), x = detail::raw(in), to = detail::raw(out)]() mutable {
                         T sum = init;
                         for (detail::size i = 0; i < static_cast<detail::size>(n); ++i) {
                           const bool first = i == 0 || !same(k[i - 1], k[i]);
                           const T mine = static_cast<T>(x[i]);
                           if (first) sum = init;
                           if (!inclusive) to[i] = sum;
                           sum = inclusive && first ? mine : static_cast<T>(op(sum, mine));
                           if (inclusive) to[i] = sum;
                         }
                       });
  }
  template <class K, class I, class O, class N, class Equal = cub::Equality>
  static cudaError_t ExclusiveSumByKey(void* temp, std::size_t& bytes, K keys, I in, O out, N n, Equal same = {},
                                       cudaStream_t s = nullptr) {
    return by_key(temp, bytes, keys, in, out, cub::Sum(), false, detail::value_of<I>(0), n, same, s);
  }
  template <class K, class I, class O, class N, class Equal = cub::Equality>
  static cudaError_t InclusiveSumByKey(void* temp, std::size_t& bytes, K keys, I in, O out, N n, Equal same = {},
                                       cudaStream_t s = nullptr) {
    return by_key(temp, bytes, keys, in, out, cub::Sum(), true, detail::value_of<I>(0), n, same, s);
  }
  template <class K, class I, class O, class Op, class T, class N, class Equal = cub::Equality>
  static cudaError_t ExclusiveScanByKey(void* temp, std::size_t& bytes, K keys, I in, O out, Op op, T init, N n,
                                        Equal same = {}, cudaStream_t s = nullptr) {
    return by_key(temp, bytes, keys, in, out, op, false, init, n, same, s);
  }
  template <class K, class I, class O, class Op, class N, class Equal = cub::Equality>
  static cudaError_t InclusiveScanByKey(void* temp, std::size_t& bytes, K keys, I in, O out, Op op, N n,
                                        Equal same = {}, cudaStream_t s = nullptr) {
    return by_key(temp, bytes, keys, in, out, op, true, detail::value_of<I>(), n, same, s);
  }
};

// Each element and its neighbour; the one at the end has none and stays.
struct DeviceAdjacentDifference {
  template <class I, class O, class N, class Op>
  static cudaError_t differences(void* temp, std::size_t& bytes, I in, O out, N n, Op op, bool left, cudaStream_t s) {
    return detail::run(temp, bytes, 1, "cub::DeviceAdjacentDifference()", s,
                       [=, x = detail::raw(in), to = detail::raw(out)]() mutable {
                         const auto count = static_cast<detail::size>(n);
                         detail::value_of<I> before{};
                         for (detail::size k = 0; k < count; ++k) {
                           const detail::size i = left ? k : count - 1 - k;
                           const detail::value_of<I> mine = x[i];
                           to[i] = k == 0 ? mine : static_cast<detail::value_of<I>>(op(mine, before));
                           before = mine;
                         }
                       });
  }
#define SIMT_CUB_DIFFERENCES(name, left)                                                                             \
  template <class I, class O, class N, class Op = cub::Difference>                                                   \
  static cudaError_t name##Copy(void* temp, std::size_t& bytes, I in, O out, N n, Op op = {}, cudaStream_t s = {}) { \
    return differences(temp, bytes, in, out, n, op, left, s);                                                        \
  }                                                                                                                  \
  template <class I, class N, class Op = cub::Difference>                                                            \
  static cudaError_t name(void* temp, std::size_t& bytes, I both, N n, Op op = {}, cudaStream_t s = {}) {            \
    return differences(temp, bytes, both, both, n, op, left, s);                                                     \
  }
  SIMT_CUB_DIFFERENCES(SubtractLeft, true)
  SIMT_CUB_DIFFERENCES(SubtractRight, false)
#undef SIMT_CUB_DIFFERENCES
};

}  // namespace cub

#include "../restore_names.hpp"
