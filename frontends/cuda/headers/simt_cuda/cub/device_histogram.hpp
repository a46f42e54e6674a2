// SPDX-License-Identifier: Apache-2.0
// CUB's histograms of the whole device: of one channel or several, of rows with a stride, of bins of one width or by
// edges.
#pragma once

#include <array>

#include "device.hpp"
#include "../hide_names.hpp"

namespace cub {

namespace detail {
// The first `Active` elements of what programs give for their channels: an array or a pointer.
template <int Active, class T, class From>
std::array<T, Active> of_channels(const From& from) {
  std::array<T, Active> all{};
  for (int c = 0; c < Active; ++c) all[static_cast<std::size_t>(c)] = from[c];
  return all;
}

// bin_of(channel, sample): the sample's bin, or less than 0.
template <int Channels, int Active, class I, class H, class N, class BinOf>
cudaError_t histograms(void* temp, std::size_t& bytes, I in, std::array<H*, Active> out, std::array<int, Active> levels,
                       N row_pixels, N rows, std::size_t stride_bytes, cudaStream_t s, BinOf bin_of) {
  return run(temp, bytes, 1, "cub::DeviceHistogram()", s, [=, x = raw(in)]() {
    for (std::size_t c = 0; c < Active; ++c)
      for (int b = 0; b + 1 < levels[c]; ++b) out[c][b] = 0;
    const size stride = static_cast<size>(stride_bytes / sizeof(value_of<I>));
    for (size row = 0; row < static_cast<size>(rows); ++row)
      for (size pixel = 0; pixel < static_cast<size>(row_pixels); ++pixel)
        for (std::size_t c = 0; c < Active; ++c) {
          const int b = bin_of(c, value_of<I>(x[row * stride + pixel * Channels + static_cast<size>(c)]));
          if (b >= 0) ++out[c][b];
        }
  });
}

template <int Active, class L>
auto even_bins(std::array<int, Active> levels, std::array<L, Active> lower, std::array<L, Active> upper) {
  return [=](std::size_t c, const auto& sample) {
    const auto v = static_cast<L>(sample);
    const int bins = levels[c] - 1;
    if (v < lower[c] || !(v < upper[c])) return -1;
    int b = 0;
    if constexpr (std::is_integral_v<L>)
      b = static_cast<int>((static_cast<std::uint64_t>(v - lower[c]) * static_cast<std::uint64_t>(bins)) /
                           static_cast<std::uint64_t>(upper[c] - lower[c]));
    else
      b = static_cast<int>((v - lower[c]) * (static_cast<L>(bins) / (upper[c] - lower[c])));
    return b < bins ? b : bins - 1;
  };
}
template <int Active, class L>
auto bins_by_edges(std::array<int, Active> levels, std::array<const L*, Active> edges) {
  return [=](std::size_t c, const auto& sample) {
    for (int b = 0; b + 1 < levels[c]; ++b)
      if (!(sample < edges[c][b]) && sample < edges[c][b + 1]) return b;
    return -1;
  };
}
}  // namespace detail

struct DeviceHistogram {
  template <int Channels, int Active, class I, class H, class Levels, class L, class N>
  requires std::is_integral_v<N>
  static cudaError_t MultiHistogramEven(void* temp, std::size_t& bytes, I in, H histograms, Levels levels, L lower,
                                        L upper, N row_pixels, N rows, std::size_t stride, cudaStream_t s = nullptr) {
    using counter = std::remove_cvref_t<decltype(*histograms[0])>;
    using level = std::remove_cvref_t<decltype(lower[0])>;
    const auto sizes = detail::of_channels<Active, int>(levels);
    return detail::histograms<Channels, Active>(
        temp, bytes, in, detail::of_channels<Active, counter*>(histograms), sizes, row_pixels, rows, stride, s,
        detail::even_bins<Active>(sizes, detail::of_channels<Active, level>(lower),
                                  detail::of_channels<Active, level>(upper)));
  }
  template <int Channels, int Active, class I, class H, class Levels, class L, class N>
  requires std::is_integral_v<N>
  static cudaError_t MultiHistogramEven(void* temp, std::size_t& bytes, I in, H histograms, Levels levels, L lower,
                                        L upper, N pixels, cudaStream_t s = nullptr) {
    return MultiHistogramEven<Channels, Active>(temp, bytes, in, histograms, levels, lower, upper, pixels, N(1), 0, s);
  }
  template <class I, class H, class L, class N>
  static cudaError_t HistogramEven(void* temp, std::size_t& bytes, I in, H* histogram, int levels, L lower, L upper,
                                   N row_samples, N rows, std::size_t stride, cudaStream_t s = nullptr) {
    return MultiHistogramEven<1, 1>(temp, bytes, in, &histogram, &levels, &lower, &upper, row_samples, rows, stride, s);
  }
  template <class I, class H, class L, class N>
  static cudaError_t HistogramEven(void* temp, std::size_t& bytes, I in, H* histogram, int levels, L lower, L upper,
                                   N n, cudaStream_t s = nullptr, bool = false) {
    return HistogramEven(temp, bytes, in, histogram, levels, lower, upper, n, N(1), 0, s);
  }

  template <int Channels, int Active, class I, class H, class Levels, class L, class N>
  requires std::is_integral_v<N>
  static cudaError_t MultiHistogramRange(void* temp, std::size_t& bytes, I in, H histograms, Levels levels, L edges,
                                         N row_pixels, N rows, std::size_t stride, cudaStream_t s = nullptr) {
    using counter = std::remove_cvref_t<decltype(*histograms[0])>;
    using level = std::remove_cvref_t<decltype(*edges[0])>;
    const auto sizes = detail::of_channels<Active, int>(levels);
    return detail::histograms<Channels, Active>(
        temp, bytes, in, detail::of_channels<Active, counter*>(histograms), sizes, row_pixels, rows, stride, s,
        detail::bins_by_edges<Active>(sizes, detail::of_channels<Active, const level*>(edges)));
  }
  template <int Channels, int Active, class I, class H, class Levels, class L, class N>
  requires std::is_integral_v<N>
  static cudaError_t MultiHistogramRange(void* temp, std::size_t& bytes, I in, H histograms, Levels levels, L edges,
                                         N pixels, cudaStream_t s = nullptr) {
    return MultiHistogramRange<Channels, Active>(temp, bytes, in, histograms, levels, edges, pixels, N(1), 0, s);
  }
  template <class I, class H, class L, class N>
  static cudaError_t HistogramRange(void* temp, std::size_t& bytes, I in, H* histogram, int levels, const L* edges,
                                    N row_samples, N rows, std::size_t stride, cudaStream_t s = nullptr) {
    return MultiHistogramRange<1, 1>(temp, bytes, in, &histogram, &levels, &edges, row_samples, rows, stride, s);
  }
  template <class I, class H, class L, class N>
  static cudaError_t HistogramRange(void* temp, std::size_t& bytes, I in, H* histogram, int levels, const L* edges, N n,
                                    cudaStream_t s = nullptr, bool = false) {
    return HistogramRange(temp, bytes, in, histogram, levels, edges, n, N(1), 0, s);
  }
};

}  // namespace cub

#include "../restore_names.hpp"
