// SPDX-License-Identifier: Apache-2.0
// Elements that threads take by their ranks, a sum over the block, and then shuffles that every other warp makes: the turns
// of the first loop are outside, its threads inside, and the way to the last shuffles is one of warps.
#include <cstdio>

constexpr int kAcross = 32, kDown = 8, kThreads = kAcross * kDown, kTile = 100, kBlocks = 4;

__device__ int sum_of_warp(int v) {
  for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  return v;
}

__device__ int sum_of_block(int v, int rank) {
  __shared__ int of_warps[kThreads / 32];
  v = sum_of_warp(v);
  if (rank % 32 == 0) of_warps[rank / 32] = v;
  __syncthreads();
  int all = 0;
  for (const int part : of_warps) all += part;
  __syncthreads();
  return all;
}

__global__ void mixed(const int* in, int* out, int count) {
  __shared__ int tile[kTile];
  const int rank = threadIdx.x + kAcross * threadIdx.y;
  for (int i = rank; i < kTile; i += kThreads) {
    const int at = blockIdx.x * kTile + i;
    tile[i] = at < count ? in[at] : 0;
  }
  __syncthreads();
  int v = tile[rank * 7 % kTile];
  const int all = sum_of_block(v, rank);
  int most = v;
  for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(0xffffffffu, most, step));
  if ((rank >> 5) & 1)
    v = sum_of_warp(v);
  else
    v += __shfl_up_sync(0xffffffffu, v, 3);
  out[blockIdx.x * kThreads + rank] = v - all + most;
}

int main() {
  constexpr int kIn = kBlocks * kTile - 30, kOut = kBlocks * kThreads;
  static int values[kOut];
  for (int i = 0; i < kIn; ++i) values[i] = i * 37 % 101;
  int *in, *out;
  cudaMalloc(&in, kIn * sizeof(int));
  cudaMalloc(&out, kOut * sizeof(int));
  cudaMemcpy(in, values, kIn * sizeof(int), cudaMemcpyHostToDevice);
  mixed<<<kBlocks, dim3(kAcross, kDown)>>>(in, out, kIn);
  cudaMemcpy(values, out, kOut * sizeof(int), cudaMemcpyDeviceToHost);
  unsigned sum = 0;
  for (const int v : values) sum = sum * 31 + static_cast<unsigned>(v);
  std::printf("%u, first %d\n", sum, values[0]);
  cudaFree(in);
  cudaFree(out);
}
