// SPDX-License-Identifier: Apache-2.0
// CUB's device-wide functions that do something for each element: a thread for each.
#pragma once

#include "device.hpp"
#include "../hide_names.hpp"

namespace cub {

struct DeviceFor {
  template <class N, class F>
  static cudaError_t Bulk(N n, F f, cudaStream_t s = nullptr) {
    if (n == 0) return cudaSuccess;
    thrust::detail::start("cub::DeviceFor()", s, static_cast<unsigned>((n + 255) / 256), 256,
                          [=](std::size_t i) mutable {
                            if (i < static_cast<std::size_t>(n)) f(static_cast<N>(i));
                          });
    return cudaPeekAtLastError();
  }
  template <class I, class F>
  static cudaError_t ForEach(I first, I last, F f, cudaStream_t s = nullptr) {
    return Bulk(
        static_cast<detail::size>(last - first), [=, x = detail::raw(first)](detail::size i) mutable { f(x[i]); }, s);
  }
  template <class I, class N, class F>
  static cudaError_t ForEachN(I first, N n, F f, cudaStream_t s = nullptr) {
    return ForEach(first, first + n, f, s);
  }
  // The function gets a copy of the element.
  template <class I, class F>
  static cudaError_t ForEachCopy(I first, I last, F f, cudaStream_t s = nullptr) {
    return Bulk(
        static_cast<detail::size>(last - first),
        [=, x = detail::raw(first)](detail::size i) mutable { f(detail::value_of<I>(x[i])); }, s);
  }
  template <class I, class N, class F>
  static cudaError_t ForEachCopyN(I first, N n, F f, cudaStream_t s = nullptr) {
    return ForEachCopy(first, first + n, f, s);
  }
  // Each with and without temporary storage, of which it wants a byte.
#define SIMT_CUB_WITH_STORAGE(name)                                         \
  template <class... A>                                                     \
  static cudaError_t name(void* temp, std::size_t& bytes, A... arguments) { \
    if (temp != nullptr) return name(arguments...);                         \
    bytes = 1;                                                              \
    return cudaSuccess;                                                     \
  }
  SIMT_CUB_WITH_STORAGE(Bulk)
  SIMT_CUB_WITH_STORAGE(ForEach)
  SIMT_CUB_WITH_STORAGE(ForEachN)
  SIMT_CUB_WITH_STORAGE(ForEachCopy)
  SIMT_CUB_WITH_STORAGE(ForEachCopyN)
};

struct DeviceTransform {
  template <class... I, class O, class N, class F>
  static cudaError_t Transform(std::tuple<I...> in, O out, N n, F f, cudaStream_t s = nullptr) {
    return DeviceFor::Bulk(
        static_cast<detail::size>(n),
        [=, all = std::apply([](const auto&... x) { return std::make_tuple(detail::raw(x)...); }, in),
         to = detail::raw(out)](detail::size i) mutable {
          to[i] = std::apply([&](const auto&... x) { return f(x[i]...); }, all);
        },
        s);
  }
  template <class I, class O, class N, class F>
  static cudaError_t Transform(I in, O out, N n, F f, cudaStream_t s = nullptr) {
    return Transform(std::make_tuple(in), out, n, f, s);
  }
  template <class I, class O, class N, class F>
  static cudaError_t TransformStableArgumentAddresses(I in, O out, N n, F f, cudaStream_t s = nullptr) {
    // The function may ask for the address of what it gets, so it gets the elements themselves: Transform does that.
    return Transform(in, out, n, f, s);
  }
  SIMT_CUB_WITH_STORAGE(Transform)
  SIMT_CUB_WITH_STORAGE(TransformStableArgumentAddresses)
};
#undef SIMT_CUB_WITH_STORAGE

namespace detail {
// Many copies at once; copy(to[i], from[i], k) does a step of the i-th.
template <class From, class To, class Sizes, class Copy>
cudaError_t copy_many(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, std::int64_t n, cudaStream_t s,
                      Copy copy) {
  if (temp == nullptr) {
    bytes = 1;
    return cudaSuccess;
  }
  return DeviceFor::Bulk(
      static_cast<size>(n),
      [=, a = raw(from), b = raw(to), l = raw(sizes)](size i) mutable {
        for (size k = 0; k < static_cast<size>(l[i]); ++k) copy(b[i], a[i], k);
      },
      s);
}
}  // namespace detail

// Of bytes.
struct DeviceMemcpy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, std::int64_t n,
                             cudaStream_t s = nullptr) {
    return detail::copy_many(temp, bytes, from, to, sizes, n, s, [](auto b, auto a, detail::size k) {
      static_cast<char*>(b)[k] = static_cast<const char*>(a)[k];
    });
  }
};
// Of elements.
struct DeviceCopy {
  template <class From, class To, class Sizes>
  static cudaError_t Batched(void* temp, std::size_t& bytes, From from, To to, Sizes sizes, std::int64_t n,
                             cudaStream_t s = nullptr) {
    return detail::copy_many(temp, bytes, from, to, sizes, n, s, [](auto b, auto a, detail::size k) { b[k] = a[k]; });
  }
};

}  // namespace cub

#include "../restore_names.hpp"
