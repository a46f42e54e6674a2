// SPDX-License-Identifier: Apache-2.0
// "The first warp" and "one warp each" in the words of programs, mostly with ints: all of these kernels run as
// loops (tests/compile/cuda_loops.py).
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
#define FULL_MASK 0xffffffffu

__device__ int sum_of_warp(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL_MASK, v, d);
  return v;
}
__device__ bool in_first_warp() {
  const int t = threadIdx.x;
  return t / 32 == 0;
}
__device__ int warp_number() { return threadIdx.x >> 5; }

__global__ void quotient(const int *in, int *out) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  int v = in[blockIdx.x * blockDim.x + t];
  s[t] = v;
  __syncthreads();
  if (t / 32 == 0) {
    v = sum_of_warp(v);
    s[t] += v;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t] + v;
}
__global__ void in_rounds(const int *in, int *out, int rounds) {
  __shared__ int s[256];
  const int t = threadIdx.x, lane = t % warpSize, warp = t / warpSize;
  int v = in[blockIdx.x * blockDim.x + t];
  for (int k = 0; k < rounds; ++k) {
    s[t] = v;
    __syncthreads();
    if (t / 32 == 0) s[t] += sum_of_warp(v);
    if (warp == k && lane < 16) s[t] += k;
    if (warp != k % 2) v += __shfl_xor_sync(FULL_MASK, v, 1);
    __syncthreads();
    v += s[blockDim.x - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = v;
}
__global__ void by_functions(const int *in, int *out) {
  const int t = threadIdx.x;
  int v = in[blockIdx.x * blockDim.x + t];
  if (in_first_warp()) v = sum_of_warp(v);
  if (warp_number() == 1) v = __shfl_up_sync(FULL_MASK, v, 3);
  if (threadIdx.x / 32 >= 2) v += __shfl_xor_sync(FULL_MASK, v, 7);
  out[blockIdx.x * blockDim.x + t] = v;
}
__global__ void in_rows(const int *in, int *out) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  int v = in[blockIdx.x * blockDim.x * blockDim.y + t];
  if (t / 32 == 0) v = sum_of_warp(v);
  if (t < 32) v += __shfl_xor_sync(FULL_MASK, v, 5);
  if (threadIdx.y == 1) v += __shfl_xor_sync(FULL_MASK, v, 9);
  out[blockIdx.x * blockDim.x * blockDim.y + t] = v;
}
__global__ void by_groups(const int *in, int *out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x;
  int v = in[blockIdx.x * blockDim.x + t];
  if (tile.meta_group_rank() == 0) v += tile.shfl_down(v, 4);
  if (t / static_cast<int>(tile.size()) == 1) v += tile.shfl_xor(v, 2);
  __syncthreads();
  if (tile.meta_group_rank() == tile.meta_group_size() - 1) v += tile.shfl(v, 6);
  out[blockIdx.x * blockDim.x + t] = v;
}
// Warps go through rows, by their number in the grid.
__global__ void warps_of_grid(const int *in, int *out, int rows) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = tid / 32, warps = gridDim.x * blockDim.x / 32, lane = tid % 32;
  for (int row = first; row < rows; row += warps) {
    const int sum = sum_of_warp(in[row * 32 + lane]);
    if (lane == 0) out[row] = sum;
  }
}

int main() {
  const int n = 1 << 12;
  std::vector<int> host(n), back(n);
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 101;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, n * sizeof(int));
  const auto show = [&](const char *what) {
    cudaMemcpy(back.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) sum = sum * 31u + static_cast<unsigned>(back[i]);
    printf("%s %u, first %d\n", what, sum, back[0]);
    cudaMemset(out, 0, n * sizeof(int));
  };
  quotient<<<n / 256, 256>>>(in, out);
  show("quotient");
  quotient<<<n / 256, 80>>>(in, out);
  show("quotient, short warps");
  in_rounds<<<n / 256, 256>>>(in, out, 5);
  show("in_rounds");
  by_functions<<<n / 128, 128>>>(in, out);
  show("by_functions");
  in_rows<<<n / 256, dim3(32, 8)>>>(in, out);
  show("in_rows");
  by_groups<<<n / 128, 128>>>(in, out);
  show("by_groups");
  warps_of_grid<<<4, 128>>>(in, out, n / 32 - 3);
  show("warps_of_grid");
  cudaFree(in);
  cudaFree(out);
}
