// SPDX-License-Identifier: Apache-2.0
// Kernels of which one benchmark measures how much longer they take under check, and another what many workers gain.
#pragma once

// Weighted means of 5 x 5 neighbours, the nearest one within the image where there is none.
__global__ void blur(const float* in, const float* weights, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum +=
          weights[(dy + 2) * 5 + dx + 2] * in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  out[y * width + x] = sum;
}
// Each thread sorts a row of its own.
__global__ void sort_rows(int* rows, int n, int length) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  int* const row = rows + t * length;
  for (int i = 1; i < length; ++i) {
    const int moved = row[i];
    int to = i;
    for (; to > 0 && row[to - 1] > moved; --to) row[to] = row[to - 1];
    row[to] = moved;
  }
}
// Counts in shared memory, by atomic operations.
__global__ void histogram(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
// Two threads for each structure, one for each of two members.
__global__ void members(float4* points, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, point = i / 2;
  if (point >= n) return;
  if (i % 2 == 0)
    points[point].x += 2;
  else
    points[point].y += 1;
}
