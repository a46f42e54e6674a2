// SPDX-License-Identifier: Apache-2.0
// Products of matrices whose threads keep their sums in registers: a column of eight, squares of eight by eight, and
// these with loads of four numbers. Threads of one row of the block take their places by quotients and remainders.
//   simrun --workers 1 tests/bench/products_under_check.cu
//   simrun --workers 1 --check races tests/bench/products_under_check.cu
#include <cstdio>
#include <vector>

#include "launch_times.hpp"

constexpr int kDeep = 8, kOwn = 8;  // a tile is kDeep deep

// Tiles of 64 x 64, eight sums below each other.
__global__ void columns_of_eight(const float* a, const float* b, float* out, int side) {
  __shared__ float left[64 * kDeep], right[kDeep * 64];
  const int i = threadIdx.x, x = i % 64, rows = i / 64 * kOwn, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  float sums[kOwn] = {};
  for (int from = 0; from < side; from += kDeep) {
    left[i] = a[(row0 + i / kDeep) * side + from + i % kDeep];
    right[i] = b[(from + i / 64) * side + column0 + x];
    __syncthreads();
    for (int k = 0; k < kDeep; ++k) {
      const float factor = right[k * 64 + x];
      for (int r = 0; r < kOwn; ++r) sums[r] += left[(rows + r) * kDeep + k] * factor;
    }
    __syncthreads();
  }
  for (int r = 0; r < kOwn; ++r) out[(row0 + rows + r) * side + column0 + x] += sums[r];
}

// Tiles of 128 x 128 and 256 threads. Fours: 16 bytes at once, the left tile turned.
template <bool Fours>
__global__ void squares_of_eight(const float* a, const float* b, float* out, int side) {
  __shared__ float left[128 * kDeep], right[kDeep * 128];
  const int i = threadIdx.x, across = i % 16 * kOwn, down = i / 16 * kOwn, row0 = blockIdx.y * 128,
            column0 = blockIdx.x * 128;
  float sums[kOwn * kOwn] = {}, above[kOwn], beside[kOwn];
  for (int from = 0; from < side; from += kDeep) {
    if (Fours) {
      const float4 four = *reinterpret_cast<const float4*>(&a[(row0 + i / 2) * side + from + i % 2 * 4]);
      left[(i % 2 * 4 + 0) * 128 + i / 2] = four.x;
      left[(i % 2 * 4 + 1) * 128 + i / 2] = four.y;
      left[(i % 2 * 4 + 2) * 128 + i / 2] = four.z;
      left[(i % 2 * 4 + 3) * 128 + i / 2] = four.w;
      *reinterpret_cast<float4*>(&right[i / 32 * 128 + i % 32 * 4]) =
          *reinterpret_cast<const float4*>(&b[(from + i / 32) * side + column0 + i % 32 * 4]);
    } else {
      for (int r = i / kDeep; r < 128; r += 256 / kDeep)
        left[r * kDeep + i % kDeep] = a[(row0 + r) * side + from + i % kDeep];
      for (int k = i / 128; k < kDeep; k += 2) right[k * 128 + i % 128] = b[(from + k) * side + column0 + i % 128];
    }
    __syncthreads();
    for (int k = 0; k < kDeep; ++k) {
      for (int r = 0; r < kOwn; ++r) beside[r] = Fours ? left[k * 128 + down + r] : left[(down + r) * kDeep + k];
      for (int c = 0; c < kOwn; ++c) above[c] = right[k * 128 + across + c];
      for (int r = 0; r < kOwn; ++r)
        for (int c = 0; c < kOwn; ++c) sums[r * kOwn + c] += beside[r] * above[c];
    }
    __syncthreads();
  }
  for (int r = 0; r < kOwn; ++r)
    for (int c = 0; c < kOwn; c += 4) {
      float* const to = &out[(row0 + down + r) * side + column0 + across + c];
      if (Fours) {
        float4 four = *reinterpret_cast<float4*>(to);
        four.x += sums[r * kOwn + c], four.y += sums[r * kOwn + c + 1];
        four.z += sums[r * kOwn + c + 2], four.w += sums[r * kOwn + c + 3];
        *reinterpret_cast<float4*>(to) = four;
      } else {
        for (int d = 0; d < 4; ++d) to[d] += sums[r * kOwn + c + d];
      }
    }
}

int main() {
  constexpr int side = 512;
  std::vector<float> a(side * side), b(side * side);
  for (int i = 0; i < side * side; ++i) a[i] = static_cast<float>(i % 3), b[i] = static_cast<float>(i % 5);
  float *d_a = device(a), *d_b = device(b), *d_out = device(std::vector<float>(side * side));
  measure("columns of eight", [&] { columns_of_eight<<<dim3(side / 64, side / 64), 512>>>(d_a, d_b, d_out, side); });
  measure("squares of eight",
          [&] { squares_of_eight<false><<<dim3(side / 128, side / 128), 256>>>(d_a, d_b, d_out, side); });
  measure("squares, float4",
          [&] { squares_of_eight<true><<<dim3(side / 128, side / 128), 256>>>(d_a, d_b, d_out, side); });
  std::printf("sum %g\n", sum(d_out, side * side, [](float x) { return x; }));
}
