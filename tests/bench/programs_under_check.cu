// SPDX-License-Identifier: Apache-2.0
// Kernels of public programs that checking has made slow: speckle removal (with index arrays, and with tiles),
// conjugate gradients in one cooperative launch, a ray tracer, alignment by tiles, differences of neighbours,
// exchanges within warps, and a product whose tiles are copied ahead. Milliseconds of processor time a launch (with one
// worker, that is what it takes on a machine that nobody else uses), the median of five after one that is not counted,
// and sums of the results:
//   simrun --workers 1 tests/bench/programs_under_check.cu
//   simrun --workers 1 --check races tests/bench/programs_under_check.cu
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <vector>

#include "launch_times.hpp"

namespace cg = cooperative_groups;

// Speckle removal: the neighbours of a row and a column stand in arrays.
__global__ void srad_listed(float lambda, int rows, int columns, const int* north, const int* south, const int* east,
                            const int* west, float* dn, float* ds, float* de, float* dw, float q0, float* c,
                            const float* image) {
  const int ei = blockIdx.x * blockDim.x + threadIdx.x;
  int row = (ei + 1) % rows - 1, col = (ei + 1) / rows;
  if ((ei + 1) % rows == 0) row = rows - 1, col = col - 1;
  if (ei >= rows * columns) return;
  const float mine = image[ei];
  const float n = image[north[row] + rows * col] - mine, s = image[south[row] + rows * col] - mine;
  const float w = image[row + rows * west[col]] - mine, e = image[row + rows * east[col]] - mine;
  const float g2 = (n * n + s * s + w * w + e * e) / (mine * mine), l = (n + s + w + e) / mine;
  const float num = 0.5f * g2 - 0.0625f * l * l, den = 1 + 0.25f * l;
  float q = num / (den * den);
  q = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
  dn[ei] = n, ds[ei] = s, dw[ei] = w, de[ei] = e;
  c[ei] = q < 0 ? 0 : q > 1 ? 1 : q;
}
__global__ void srad_listed_update(float lambda, int rows, int columns, const int* south, const int* east,
                                   const float* dn, const float* ds, const float* de, const float* dw, const float* c,
                                   float* image) {
  const int ei = blockIdx.x * blockDim.x + threadIdx.x;
  int row = (ei + 1) % rows - 1, col = (ei + 1) / rows;
  if ((ei + 1) % rows == 0) row = rows - 1, col = col - 1;
  if (ei >= rows * columns) return;
  const float cs = c[south[row] + rows * col], ce = c[row + rows * east[col]];
  image[ei] += 0.25f * lambda * (c[ei] * dn[ei] + cs * ds[ei] + c[ei] * dw[ei] + ce * de[ei]);
}

// The same by tiles of 16 x 16 in shared memory.
constexpr int kTile = 16;
__global__ void srad_tiles(float* de, float* dw, float* dn, float* ds, const float* image, float* c, int columns,
                           int rows, float q0) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = columns * kTile * by + kTile * bx + columns * ty + tx;
  int index_n = columns * kTile * by + kTile * bx + tx - columns,
      index_s = columns * kTile * by + kTile * bx + columns * kTile + tx;
  int index_w = columns * kTile * by + kTile * bx + columns * ty - 1,
      index_e = columns * kTile * by + kTile * bx + columns * ty + kTile;
  __shared__ float temp[kTile][kTile], north[kTile][kTile], south[kTile][kTile], east[kTile][kTile], west[kTile][kTile];
  if (by == 0) index_n = kTile * bx + tx;
  if (by == gridDim.y - 1) index_s = columns * kTile * (gridDim.y - 1) + kTile * bx + columns * (kTile - 1) + tx;
  if (bx == 0) index_w = columns * kTile * by + columns * ty;
  if (bx == gridDim.x - 1) index_e = columns * kTile * by + kTile * (gridDim.x - 1) + columns * ty + kTile - 1;
  north[ty][tx] = image[index_n];
  south[ty][tx] = image[index_s];
  west[ty][tx] = image[index_w];
  east[ty][tx] = image[index_e];
  __syncthreads();
  temp[ty][tx] = image[index];
  __syncthreads();
  const float mine = temp[ty][tx];
  const float n = (ty == 0 ? north[ty][tx] : temp[ty - 1][tx]) - mine;
  const float s = (ty == kTile - 1 ? south[ty][tx] : temp[ty + 1][tx]) - mine;
  const float w = (tx == 0 ? west[ty][tx] : temp[ty][tx - 1]) - mine;
  const float e = (tx == kTile - 1 ? east[ty][tx] : temp[ty][tx + 1]) - mine;
  const float g2 = (n * n + s * s + w * w + e * e) / (mine * mine), l = (n + s + w + e) / mine;
  const float num = 0.5f * g2 - 0.0625f * l * l, den = 1 + 0.25f * l;
  float q = num / (den * den);
  q = 1.0f / (1.0f + (q - q0) / (q0 * (1 + q0)));
  dn[index] = n, ds[index] = s, dw[index] = w, de[index] = e;
  c[index] = q < 0 ? 0 : q > 1 ? 1 : q;
}

// Conjugate gradients: rows of a sparse matrix, dot products over the grid, barriers of the grid.
__device__ void product_of_rows(const int* offsets, const int* columns, const float* values, const float* x, float* y,
                                int n, const cg::grid_group& grid) {
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
    float sum = 0;
    for (int k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}
__device__ void dot(const float* a, const float* b, double* result, int n, const cg::thread_block& block,
                    const cg::grid_group& grid) {
  extern __shared__ double partial[];
  double sum = 0;
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) sum += static_cast<double>(a[i] * b[i]);
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  for (int d = 16; d > 0; d /= 2) sum += warp.shfl_down(sum, d);
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  cg::sync(block);
  if (warp.meta_group_rank() == 0) {
    sum = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0;
    for (int d = 16; d > 0; d /= 2) sum += warp.shfl_down(sum, d);
    if (warp.thread_rank() == 0) atomicAdd(result, sum);
  }
}
__global__ void conjugate_gradients(const int* offsets, const int* columns, const float* values, float* x, float* ax,
                                    float* p, float* r, double* result, int n, int steps) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  product_of_rows(offsets, columns, values, x, ax, n, grid);
  cg::sync(grid);
  for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) r[i] -= ax[i];
  cg::sync(grid);
  dot(r, r, result, n, block, grid);
  cg::sync(grid);
  float r1 = static_cast<float>(*result), r0 = 0;
  for (int k = 1; k <= steps; ++k) {
    if (k > 1) {
      const float b = r1 / r0;
      for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + b * p[i];
    } else {
      for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i];
    }
    cg::sync(grid);
    product_of_rows(offsets, columns, values, p, ax, n, grid);
    if (threadIdx.x == 0 && blockIdx.x == 0) *result = 0;
    cg::sync(grid);
    dot(p, ax, result, n, block, grid);
    cg::sync(grid);
    const float a = r1 / static_cast<float>(*result);
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) x[i] += a * p[i];
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) r[i] -= a * ax[i];
    r0 = r1;
    cg::sync(grid);
    if (threadIdx.x == 0 && blockIdx.x == 0) *result = 0;
    cg::sync(grid);
    dot(r, r, result, n, block, grid);
    cg::sync(grid);
    r1 = static_cast<float>(*result);
  }
}

// A ray tracer: spheres in memory, one bounce, a pixel of four bytes.
struct sphere {
  float x, y, z, radius, red, green, blue, mirror;
};
__device__ int nearest(const sphere* spheres, int count, float3 from, float3 to, float* distance) {
  int found = -1;
  *distance = 1e20f;
  for (int i = 0; i < count; ++i) {
    const sphere& s = spheres[i];
    const float ox = from.x - s.x, oy = from.y - s.y, oz = from.z - s.z;
    const float b = ox * to.x + oy * to.y + oz * to.z, c = ox * ox + oy * oy + oz * oz - s.radius * s.radius;
    const float d = b * b - c;
    if (d > 0) {
      const float t = -b - sqrtf(d);
      if (t > 1e-3f && t < *distance) *distance = t, found = i;
    }
  }
  return found;
}
__global__ void trace(const sphere* spheres, int count, uchar4* pixels, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float3 from = make_float3(0, 0, -5),
         to = make_float3((x - width / 2) / (float)width, (y - height / 2) / (float)height, 1);
  const float scale = rsqrtf(to.x * to.x + to.y * to.y + to.z * to.z);
  to.x *= scale, to.y *= scale, to.z *= scale;
  float red = 0, green = 0, blue = 0, weight = 1;
  for (int bounce = 0; bounce < 3; ++bounce) {
    float t;
    const int hit = nearest(spheres, count, from, to, &t);
    if (hit < 0) {
      red += weight * 0.1f, green += weight * 0.1f, blue += weight * 0.3f;
      break;
    }
    const sphere s = spheres[hit];
    from = make_float3(from.x + t * to.x, from.y + t * to.y, from.z + t * to.z);
    const float3 normal = make_float3((from.x - s.x) / s.radius, (from.y - s.y) / s.radius, (from.z - s.z) / s.radius);
    const float light = fmaxf(0.f, normal.y * 0.8f - normal.z * 0.6f),
                along = normal.x * to.x + normal.y * to.y + normal.z * to.z;
    red += weight * s.red * light, green += weight * s.green * light, blue += weight * s.blue * light;
    weight *= s.mirror;
    to = make_float3(to.x - 2 * along * normal.x, to.y - 2 * along * normal.y, to.z - 2 * along * normal.z);
  }
  pixels[y * width + x] = make_uchar4((unsigned char)fminf(255.f, red * 255), (unsigned char)fminf(255.f, green * 255),
                                      (unsigned char)fminf(255.f, blue * 255), 255);
}

// Alignment by tiles: blocks of a diagonal, and diagonals within a block.
__global__ void needle_tiles(const int* reference, int* matrix, int columns, int penalty, int i) {
  const int bx = blockIdx.x, tx = threadIdx.x, b_x = bx, b_y = i - 1 - bx;
  const int index = columns * kTile * b_y + kTile * b_x + tx + columns + 1,
            index_n = columns * kTile * b_y + kTile * b_x + tx + 1;
  const int index_w = columns * kTile * b_y + kTile * b_x + columns, index_nw = columns * kTile * b_y + kTile * b_x;
  __shared__ int temp[kTile + 1][kTile + 1], ref[kTile][kTile];
  if (tx == 0) temp[tx][0] = matrix[index_nw];
  for (int ty = 0; ty < kTile; ++ty) ref[ty][tx] = reference[index + columns * ty];
  __syncthreads();
  temp[tx + 1][0] = matrix[index_w + columns * tx];
  __syncthreads();
  temp[0][tx + 1] = matrix[index_n];
  __syncthreads();
  for (int m = 0; m < kTile; ++m) {
    if (tx <= m) {
      const int x = tx + 1, y = m - tx + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int m = kTile - 2; m >= 0; --m) {
    if (tx <= m) {
      const int x = tx + kTile - m, y = kTile - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + ref[y - 1][x - 1], max(temp[y][x - 1], temp[y - 1][x]) - penalty);
    }
    __syncthreads();
  }
  for (int ty = 0; ty < kTile; ++ty) matrix[index + ty * columns] = temp[ty + 1][tx + 1];
}

// Differences of neighbours by shared memory.
__global__ void differences(const int* in, int* out, int n) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i >= n) return;
  if (threadIdx.x > 0)
    out[i] = tile[threadIdx.x] - tile[threadIdx.x - 1];
  else
    out[i] = i > 0 ? tile[0] - in[i - 1] : tile[0];
}

// Exchanges within warps, and one store of a thread.
__global__ void exchanges(float* out, int turns) {
  float v = threadIdx.x;
  for (int t = 0; t < turns; ++t) v = v * 0.5f + __shfl_xor_sync(0xffffffffu, v, 1 << t % 5);
  if (v == 12345.f) out[blockIdx.x] = v;
}

template <class T>
double sum(const T* p, std::size_t n) {
  return sum(p, n, [](const T& x) { return static_cast<float>(x); });
}

// A product of square matrices in two stages: while one pair of tiles is used, the next is copied.
__global__ void staged_product(const float* a, const float* b, float* out, int side) {
  __shared__ float left[2][kTile][kTile], right[2][kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  const auto fetch = [&](int stage, int tile) {
    __pipeline_memcpy_async(&left[stage][y][x], &a[row * side + tile * kTile + x], sizeof(float));
    __pipeline_memcpy_async(&right[stage][y][x], &b[(tile * kTile + y) * side + column], sizeof(float));
    __pipeline_commit();
  };
  float sum = 0;
  fetch(0, 0);
  for (int tile = 0; tile < side / kTile; ++tile) {
    if (tile + 1 < side / kTile) {
      fetch((tile + 1) & 1, tile + 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[tile & 1][y][k] * right[tile & 1][k][x];
    __syncthreads();
  }
  out[row * side + column] = sum;
}

int main() {
  constexpr int rows = 256, columns = 512, pixels = rows * columns;
  std::vector<float> image(pixels);
  std::vector<int> north(rows), south(rows), west(columns), east(columns);
  for (int i = 0; i < pixels; ++i) image[i] = 1 + static_cast<float>(i * 7 % 13) / 16;
  for (int i = 0; i < rows; ++i) north[i] = max(i - 1, 0), south[i] = min(i + 1, rows - 1);
  for (int i = 0; i < columns; ++i) west[i] = max(i - 1, 0), east[i] = min(i + 1, columns - 1);
  float *d_image = device(image), *d_c = device(image), *dn = device(image), *ds = device(image), *de = device(image),
        *dw = device(image);
  int *d_north = device(north), *d_south = device(south), *d_west = device(west), *d_east = device(east);
  measure("srad, lists", [&] {
    srad_listed<<<pixels / 512, 512>>>(0.5f, rows, columns, d_north, d_south, d_east, d_west, dn, ds, de, dw, 0.05f,
                                       d_c, d_image);
    srad_listed_update<<<pixels / 512, 512>>>(0.5f, rows, columns, d_south, d_east, dn, ds, de, dw, d_c, d_image);
  });
  measure("srad, tiles", [&] {
    srad_tiles<<<dim3(columns / kTile, rows / kTile), dim3(kTile, kTile)>>>(de, dw, dn, ds, d_image, d_c, columns, rows,
                                                                            0.05f);
  });

  constexpr int unknowns = 1 << 17;
  std::vector<int> offsets(1), at;
  std::vector<float> values;
  for (int i = 0; i < unknowns; ++i) {
    for (int j = max(i - 1, 0); j <= min(i + 1, unknowns - 1); ++j)
      at.push_back(j), values.push_back(i == j ? 4.f : 1.f);
    offsets.push_back(static_cast<int>(at.size()));
  }
  int *d_offsets = device(offsets), *d_at = device(at), unknowns_value = unknowns, steps = 5;
  float *d_values = device(values), *x = device(std::vector<float>(unknowns)),
        *ax = device(std::vector<float>(unknowns)), *p = device(std::vector<float>(unknowns)),
        *r = device(std::vector<float>(unknowns, 1.f));
  double* result = device(std::vector<double>(1));
  void* arguments[] = {&d_offsets, &d_at, &d_values, &x, &ax, &p, &r, &result, &unknowns_value, &steps};
  measure("gradients", [&] {
    cudaMemset(result, 0, sizeof(double));
    cudaLaunchCooperativeKernel((void*)conjugate_gradients, dim3(528), dim3(256), arguments, 8 * sizeof(double),
                                nullptr);
  });

  constexpr int width = 320, height = 240;
  std::vector<sphere> spheres;
  for (int i = 0; i < 20; ++i)
    spheres.push_back({static_cast<float>(i * 7 % 11) - 5, static_cast<float>(i * 5 % 7) - 3, static_cast<float>(i % 4),
                       0.8f, 0.5f, 0.1f * (i % 9), 1, 0.4f});
  sphere* d_spheres = device(spheres);
  uchar4* d_pixels = device(std::vector<uchar4>(width * height));
  measure("ray tracer",
          [&] { trace<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(d_spheres, 20, d_pixels, width, height); });

  constexpr int side = 64 * kTile + 1;
  int *d_reference = device(std::vector<int>(side * side, 3)), *d_matrix = device(std::vector<int>(side * side));
  measure("needle, tiles", [&] {
    for (int i = 1; i <= 64; ++i) needle_tiles<<<i, kTile>>>(d_reference, d_matrix, side, 10, i);
  });

  constexpr int n = 1 << 20;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<int>(i * 2654435761u >> 8);
  int *d_numbers = device(numbers), *d_differences = device(numbers);
  measure("differences", [&] { differences<<<n / 256, 256>>>(d_numbers, d_differences, n); });

  float* out = device(std::vector<float>(1024));
  measure("exchanges", [&] { exchanges<<<1024, 256>>>(out, 64); });
  constexpr int square = 512;
  float *d_factor = device(std::vector<float>(square * square, 0.5f)),
        *d_product = device(std::vector<float>(square * square));
  measure("staged product", [&] {
    staged_product<<<dim3(square / kTile, square / kTile), dim3(kTile, kTile)>>>(d_factor, d_factor, d_product, square);
  });
  std::printf("sums %g %g %g %g %g %g\n", sum(d_image, pixels), sum(d_c, pixels), sum(x, unknowns),
              sum(d_matrix, side * side), sum(d_differences, n), sum(d_product, square * square));
}
