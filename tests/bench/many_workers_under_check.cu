// SPDX-License-Identifier: Apache-2.0
// Kernels of sizes at which many workers have something to do, for how much faster checked runs are with more of them:
// an image, counts in shared memory, a step of LU, rows that threads sort, members of structures, indices that data
// hold. Milliseconds of wall time a launch, the shortest of four after one that is not counted. For ratios of one run
// to another:
//   simrun --workers 1 --check races tests/bench/many_workers_under_check.cu
//   simrun --workers 16 --check races tests/bench/many_workers_under_check.cu
#include <chrono>
#include <cstdio>
#include <vector>

#include "checked_kernels.hpp"
#include "launch_times.hpp"

// One step of LU decomposition without pivots: what is left of the matrix.
__global__ void lu_rest(float* a, int n, int k) {
  const int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
__global__ void scatter(const float* in, float* out, const int* order, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = in[i];
}

template <class F>
void measure_wall(const char* name, F launch) {
  double best = 1e30;
  for (int i = 0; i < 5; ++i) {
    const auto from = std::chrono::steady_clock::now();
    launch();
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - from;
    if (i > 0) best = std::min(best, took.count());
  }
  std::printf("%-18s %10.3f ms\n", name, best);
}

int main() {
  constexpr int side = 2048, n = side * side, bytes = 1 << 24, rows = 1 << 18, length = 16;
  std::vector<float> image(n);
  std::vector<int> order(n), unsorted(rows * length);
  std::vector<unsigned char> letters(bytes);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i % 17);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>((i * 40503 + 7) % n);
  for (std::size_t i = 0; i < unsorted.size(); ++i) unsorted[i] = static_cast<int>(i * 2654435761u % 1000);
  for (std::size_t i = 0; i < letters.size(); ++i) letters[i] = static_cast<unsigned char>(i * 2654435761u % 251);
  float *d_image = device(image), *d_out = device(image), *d_weights = device(std::vector<float>(25, 0.04f)),
        *d_matrix = device(std::vector<float>(n, 0.5f));
  int *d_order = device(order), *d_rows = device(unsorted);
  unsigned char* const d_letters = device(letters);
  unsigned* const d_counts = device(std::vector<unsigned>(256));
  float4* const d_points = device(std::vector<float4>(n / 4));

  const dim3 tile(16, 16), tiles(side / 16, side / 16);
  measure_wall("blur", [&] { blur<<<tiles, tile>>>(d_image, d_weights, d_out, side, side); });
  measure_wall("shared histogram", [&] { histogram<<<512, 256>>>(d_letters, d_counts, bytes); });
  measure_wall("lu, first step", [&] { lu_rest<<<tiles, tile>>>(d_matrix, side, 0); });
  measure_wall("sort of rows", [&] { sort_rows<<<rows / 128, 128>>>(d_rows, rows, length); });
  measure_wall("members", [&] { members<<<n / 2 / 128, 128>>>(d_points, n / 4); });
  measure_wall("scatter", [&] { scatter<<<n / 256, 256>>>(d_image, d_out, d_order, n); });
  std::printf("sums %g %g\n", sum(d_out, n, [](float x) { return x; }),
              sum(d_counts, 256, [](unsigned x) { return x; }));
}
