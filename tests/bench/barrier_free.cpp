// SPDX-License-Identifier: Apache-2.0
// Kernels that never wait, against the loop that one would write with oneTBB by hand.
#include <benchmark/benchmark.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/blocked_range2d.h>
#include <oneapi/tbb/parallel_for.h>

#include <cmath>
#include <random>

#include <simt/simt.hpp>

namespace {

using index = std::int64_t;

SIMT_DEVICE void saxpy(simt::thread t, float a, simt::view<const float> x, simt::view<float> y) {
  const index i = t.grid<1>();
  if (i < y.size()) y[i] = a * x[i] + y[i];
}
SIMT_DEVICE void mult(index i, simt::view<const float> x, simt::view<const float> y, simt::view<float> z) {
  z[i] = x[i] * y[i];
}
SIMT_DEVICE void mult_loop(simt::thread t, simt::view<const float> x, simt::view<const float> y, simt::view<float> z) {
  for (auto i : t.grid_stride(z.size())) z[i] = x[i] * y[i];
}
SIMT_DEVICE void matmul(simt::thread t, simt::view<const float, 2> a, simt::view<const float, 2> b,
                        simt::view<float, 2> c) {
  const auto [column, row] = t.grid<2>();
  if (row >= c.extent(0) || column >= c.extent(1)) return;
  float sum = 0;
  for (index k = 0; k < a.extent(1); ++k) sum += a(row, k) * b(k, column);
  c(row, column) = sum;
}
SIMT_DEVICE void histogram(simt::thread t, simt::view<const float> x, float low, float high, simt::view<int> bins) {
  const float width = (high - low) / static_cast<float>(bins.size());
  for (auto i : t.grid_stride(x.size())) {
    const auto bin = static_cast<index>(std::floor((x[i] - low) / width));
    if (bin >= 0 && bin < bins.size()) t.atomic_add(bins[bin], 1);
  }
}

// Time of all threads of the process as CPU time beside the wall clock.
#define SIMT_BENCH(name) BENCHMARK(name)->MeasureProcessCPUTime()->UseRealTime()

struct saxpy_data {
  static constexpr index n = 16 << 20;
  simt::buffer<float> x = simt::to_device(std::vector<float>(n, 1), "x");
  simt::buffer<float> y = simt::to_device(std::vector<float>(n, 0), "y");
};
void saxpy_16M_simt(benchmark::State& state) {
  saxpy_data d;
  for (auto _ : state) simt::launch<saxpy>({.grid = d.n / 256, .block = 256}, 2.f, d.x, d.y);
}
void saxpy_16M_onetbb(benchmark::State& state) {
  saxpy_data d;
  const float a = 2, *x = d.x.data();
  float* y = d.y.data();
  for (auto _ : state)
    tbb::parallel_for(tbb::blocked_range<index>(0, d.n), [=](const tbb::blocked_range<index>& r) {
      for (index i = r.begin(); i < r.end(); ++i) y[i] = a * x[i] + y[i];
    });
}
SIMT_BENCH(saxpy_16M_simt)->Name("saxpy_16M/simt");
SIMT_BENCH(saxpy_16M_onetbb)->Name("saxpy_16M/onetbb");

struct mult_data {
  static constexpr index n = 1'000'000;
  simt::buffer<float> x = simt::to_device(std::vector<float>(n, 2), "x");
  simt::buffer<float> y = simt::to_device(std::vector<float>(n, 3), "y");
  simt::buffer<float> z = simt::to_device(std::vector<float>(n, 0), "z");
};
void mult_simt(benchmark::State& state, simt::launch_config geometry) {
  mult_data d;
  for (auto _ : state) simt::launch_each<mult>(geometry, d.n, d.x, d.y, d.z);
}
void mult_loop_simt(benchmark::State& state, simt::launch_config geometry) {
  mult_data d;
  for (auto _ : state) simt::launch<mult_loop>(geometry, d.x, d.y, d.z);
}
void mult_onetbb(benchmark::State& state) {
  mult_data d;
  const float *x = d.x.data(), *y = d.y.data();
  float* z = d.z.data();
  for (auto _ : state)
    tbb::parallel_for(tbb::blocked_range<index>(0, d.n), [=](const tbb::blocked_range<index>& r) {
      for (index i = r.begin(); i < r.end(); ++i) z[i] = x[i] * y[i];
    });
}
#define SIMT_BENCH_MULT(geometry, ...)                                \
  BENCHMARK_CAPTURE(mult_simt, geometry, __VA_ARGS__)                 \
      ->Name("mult_1M_grid_" #geometry "/simt")                       \
      ->MeasureProcessCPUTime()                                       \
      ->UseRealTime();                                                \
  SIMT_BENCH(mult_onetbb)->Name("mult_1M_grid_" #geometry "/onetbb"); \
  BENCHMARK_CAPTURE(mult_loop_simt, geometry, __VA_ARGS__)            \
      ->Name("mult_1M_loop_in_kernel_" #geometry "/simt")             \
      ->MeasureProcessCPUTime()                                       \
      ->UseRealTime();                                                \
  SIMT_BENCH(mult_onetbb)->Name("mult_1M_loop_in_kernel_" #geometry "/onetbb")
SIMT_BENCH_MULT(1024x1024, {.grid = 1024, .block = 1024});
SIMT_BENCH_MULT(32x256, {.grid = 32, .block = 256});

struct matmul_data {
  static constexpr index n = 512;
  simt::buffer<float> a{{n, n}, "a"}, b{{n, n}, "b"}, c{{n, n}, "c"};
  matmul_data() {
    a.copy_from(std::vector<float>(n * n, 2));
    b.copy_from(std::vector<float>(n * n, 3));
  }
};
void matmul_512_simt(benchmark::State& state) {
  matmul_data d;
  for (auto _ : state) simt::launch<matmul>({.grid = {d.n / 16, d.n / 16}, .block = {16, 16}}, d.a, d.b, d.c);
}
// The same product, one sum after the other, over tiles of 16 x 16: what a kernel's author would write as a loop.
void matmul_512_onetbb(benchmark::State& state) {
  matmul_data d;
  const float *a = d.a.data(), *b = d.b.data();
  float* c = d.c.data();
  const index n = d.n;
  for (auto _ : state)
    tbb::parallel_for(tbb::blocked_range2d<index>(0, n, 16, 0, n, 16), [=](const tbb::blocked_range2d<index>& r) {
      for (index row = r.rows().begin(); row < r.rows().end(); ++row)
        for (index column = r.cols().begin(); column < r.cols().end(); ++column) {
          float sum = 0;
          for (index k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
          c[row * n + column] = sum;
        }
    });
}
SIMT_BENCH(matmul_512_simt)->Name("matmul_naive_512/simt");
SIMT_BENCH(matmul_512_onetbb)->Name("matmul_naive_512/onetbb");

struct histogram_data {
  static constexpr index n = 1'000'000, bins = 150;
  simt::buffer<float> x{n, "x"};
  simt::buffer<int> counts{bins, "bins"};
  histogram_data() {
    std::mt19937_64 engine(42);
    std::normal_distribution<float> normal;
    std::vector<float> values(n);
    for (float& v : values) v = normal(engine);
    x.copy_from(values);
    counts.fill_bytes(0);
  }
};
void histogram_simt(benchmark::State& state) {
  histogram_data d;
  for (auto _ : state) simt::launch<histogram>({.grid = 64, .block = 64}, d.x, -4.f, 4.f, d.counts);
}
void histogram_onetbb(benchmark::State& state) {
  histogram_data d;
  const float *x = d.x.data(), low = -4, high = 4;
  int* counts = d.counts.data();
  const index bins = d.bins;
  for (auto _ : state)
    tbb::parallel_for(tbb::blocked_range<index>(0, d.n), [=](const tbb::blocked_range<index>& r) {
      const float width = (high - low) / static_cast<float>(bins);
      for (index i = r.begin(); i < r.end(); ++i) {
        const auto bin = static_cast<index>(std::floor((x[i] - low) / width));
        if (bin >= 0 && bin < bins) __atomic_fetch_add(&counts[bin], 1, __ATOMIC_RELAXED);
      }
    });
}
SIMT_BENCH(histogram_simt)->Name("histogram_1M/simt");
SIMT_BENCH(histogram_onetbb)->Name("histogram_1M/onetbb");

}  // namespace
