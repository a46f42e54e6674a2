// SPDX-License-Identifier: Apache-2.0
// Histogram of normal samples: atomics (hist), and the same with a plain increment that loses counts (hist-racy).
#include <cmath>
#include <random>
#include <simt/program.hpp>

namespace {

SIMT_HOST_DEVICE std::int64_t bin_of(float x, float low, float width) {
  return static_cast<std::int64_t>(std::floor((x - low) / width));
}

SIMT_DEVICE void histogram(simt::thread t, simt::view<const float> x, float low, float high, simt::view<int> bins) {
  const float width = (high - low) / static_cast<float>(bins.size());
  for (auto i : t.grid_stride(x)) {
    const std::int64_t bin = bin_of(x[i], low, width);
    if (bin >= 0 && bin < bins.size()) t.atomic_add(bins[bin], 1);
  }
}

SIMT_DEVICE void histogram_racy(simt::thread t, simt::view<const float> x, float low, float high,
                                simt::view<int> bins) {
  const float width = (high - low) / static_cast<float>(bins.size());
  for (auto i : t.grid_stride(x)) {
    const std::int64_t bin = bin_of(x[i], low, width);
    if (bin >= 0 && bin < bins.size()) bins[bin] += 1;
  }
}

std::vector<float> normal_samples(std::int64_t n) {
  std::mt19937_64 engine(42);
  std::normal_distribution<float> normal;
  std::vector<float> x(n);
  for (float& v : x) v = normal(engine);
  return x;
}

template <auto Kernel>
void run_histogram(simt::run& r) {
  constexpr float kLow = -4, kHigh = 4;
  const std::vector<float> samples = normal_samples(r.size("samples"));
  const auto bins = r.size("bins");
  auto x = r.input("x", samples);
  auto counts = r.output("bins", std::vector<int>(bins));
  r.launch([&] { simt::launch<Kernel>(r.stream(), r.geometry<1>({.grid = 64, .block = 64}), x, kLow, kHigh, counts); });

  std::vector<int> wanted(bins);
  const float width = (kHigh - kLow) / static_cast<float>(bins);
  for (const float v : samples) {
    const std::int64_t bin = bin_of(v, kLow, width);
    if (bin >= 0 && bin < bins) ++wanted[bin];
  }
  r.expect(counts, wanted);
  const std::vector<int> result = r.result(counts);
  simt::plot_data bars{simt::plot_data::form::bars, "samples per bin", {result.begin(), result.end()}, 0, kLow, kHigh};
  r.plot(std::move(bars));
}

const simt::program hist{
    {.name = "hist",
     .summary = "histogram of normal samples with atomic counts",
     .group = "seed",
     .options = {{"samples", "normal samples", 1'000'000, 1}, {"bins", "bins over [-4, 4)", 150, 1}},
     .geometry = "grid 64, block 64; grid-stride",
     .plots = true},
    run_histogram<histogram>};

const simt::program hist_racy{
    {.name = "hist-racy",
     .summary = "the histogram with a plain increment: loses counts",
     .group = "seed",
     .options = {{"samples", "normal samples", 1'000'000, 1}, {"bins", "bins over [-4, 4)", 150, 1}},
     .geometry = "grid 64, block 64; grid-stride",
     .findings = {{"race-global", "bins"}},
     .result_may_vary = true,
     .plots = true},
    run_histogram<histogram_racy>};

}  // namespace
