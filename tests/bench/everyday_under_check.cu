// SPDX-License-Identifier: Apache-2.0
// Kernels of everyday kinds: images whose neighbours are kept within the edges, a neighbour that data choose, a stencil
// in three dimensions, a warp a row that leaves as a whole, lanes that change different members of a structure. For
// ratios of one run to another:
//   simrun --workers 1 tests/bench/everyday_under_check.cu
//   simrun --workers 1 --check races tests/bench/everyday_under_check.cu
#include <cstdio>
#include <vector>

#include "checked_kernels.hpp"
#include "launch_times.hpp"

// Sobel's edges, by conditions at the image's.
__global__ void edges(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = x > 0 ? x - 1 : 0, right = x < width - 1 ? x + 1 : x;
  const int up = (y > 0 ? y - 1 : 0) * width, down = (y < height - 1 ? y + 1 : y) * width, here = y * width;
  const int across =
      in[up + right] + 2 * in[here + right] + in[down + right] - in[up + left] - 2 * in[here + left] - in[down + left];
  const int along =
      in[down + left] + 2 * in[down + x] + in[down + right] - in[up + left] - 2 * in[up + x] - in[up + right];
  out[here + x] = static_cast<unsigned char>(min(abs(across) + abs(along), 255));
}

// A step against the wind.
__global__ void upwind(const float* u, const float* wind, float* next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  const float slope = wind[i] > 0 ? u[i] - u[i - 1] : u[i + 1] - u[i];
  next[i] = u[i] - 0.1f * wind[i] * slope;
}

__global__ void laplace(const float* in, float* out, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= side - 1 || y >= side - 1 || z >= side - 1) return;
  const int at = (z * side + y) * side + x;
  out[at] = in[at - 1] + in[at + 1] + in[at - side] + in[at + side] + in[at - side * side] + in[at + side * side] -
            6 * in[at];
}

__global__ void sum_rows(const float* matrix, float* sums, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += matrix[row * columns + i];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane == 0) sums[row] = sum;
}

double sum(const float* p, std::size_t n) {
  return sum(p, n, [](float x) { return x; });
}

int main() {
  constexpr int width = 512, height = 512, pixels = width * height, side = 64, rows = 2000, columns = 203,
                points = 1 << 16;
  std::vector<float> image(pixels), wind(pixels);
  std::vector<unsigned char> bytes(pixels);
  for (int i = 0; i < pixels; ++i)
    image[i] = static_cast<float>(i % 17), wind[i] = static_cast<float>(i * 7 % 5 - 2),
    bytes[i] = static_cast<unsigned char>(i * i % 251);
  float *d_image = device(image), *d_wind = device(wind), *d_out = device(image),
        *d_sums = device(std::vector<float>(rows)), *d_weights = device(std::vector<float>(25, 0.04f)),
        *d_matrix = device(std::vector<float>(rows * columns, 1.0f));
  unsigned char *d_bytes = device(bytes), *d_edges = device(bytes);
  float4* const d_points = device(std::vector<float4>(points));

  const dim3 tile(16, 16), tiles(width / 16, height / 16);
  measure("blur", [&] { blur<<<tiles, tile>>>(d_image, d_weights, d_out, width, height); });
  measure("edges", [&] { edges<<<tiles, tile>>>(d_bytes, d_edges, width, height); });
  measure("upwind", [&] { upwind<<<pixels / 256, 256>>>(d_image, d_wind, d_out, pixels); });
  measure("laplace 4x4x4",
          [&] { laplace<<<dim3(side / 4, side / 4, side / 4), dim3(4, 4, 4)>>>(d_image, d_out, side); });
  measure("laplace 32x4x4",
          [&] { laplace<<<dim3(side / 32, side / 4, side / 4), dim3(32, 4, 4)>>>(d_image, d_out, side); });
  measure("sum of rows", [&] { sum_rows<<<(rows + 3) / 4, 128>>>(d_matrix, d_sums, rows, columns); });
  measure("members", [&] { members<<<2 * points / 128, 128>>>(d_points, points); });
  std::printf("sums %g %g %g\n", sum(d_out, pixels), sum(d_sums, rows), sum(&d_points->x, points));
}
