// SPDX-License-Identifier: Apache-2.0
// Warp intrinsics: shuffles of every kind and width, votes, matches, reductions, and a histogram that elects leaders.
#include <cuda_runtime.h>

#include <cstdio>

#define FULL 0xffffffffu

__global__ void shuffles(int* out, double* wide) {
  int lane = threadIdx.x % warpSize;
  out[lane] = __shfl_sync(FULL, lane * 10, 5);
  out[32 + lane] = __shfl_up_sync(FULL, lane, 3);
  out[64 + lane] = __shfl_down_sync(FULL, lane, 4, 8);
  out[96 + lane] = __shfl_xor_sync(FULL, lane, 1, 16);
  wide[lane] = __shfl_sync(FULL, lane + 0.25, (lane + 1) % 32);
}

__global__ void votes(unsigned int* out) {
  unsigned int lane = threadIdx.x;
  unsigned int even = __ballot_sync(FULL, lane % 2 == 0);
  int any = __any_sync(FULL, lane == 77), all = __all_sync(FULL, lane < 64);
  unsigned int peers = __match_any_sync(FULL, lane / 4);
  int same = 0;
  unsigned int together = __match_all_sync(FULL, lane / 32, &same);
  unsigned int sum = __reduce_add_sync(FULL, lane), most = __reduce_max_sync(FULL, lane ^ 21u);
  if (lane == 9) {
    out[0] = even;
    out[1] = any * 2 + all;
    out[2] = peers;
    out[3] = together;
    out[4] = same;
    out[5] = sum;
    out[6] = most;
    out[7] = __popc(even) + __ffs(peers) * 100 + __clz(peers) * 10000;
  }
}

// Lanes that hit the same bin elect a leader, who adds for all of them.
__global__ void histogram(const unsigned char* data, int n, int* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int active = __ballot_sync(FULL, i < n);
  if (i >= n) return;
  unsigned int peers = __match_any_sync(active, (int)data[i]);
  int leader = __ffs(peers) - 1;
  if ((threadIdx.x & 31) == leader) atomicAdd(&bins[data[i]], __popc(peers));
}

__global__ void block_scan(int* x) {
  __shared__ int sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, v = x[threadIdx.x];
  for (int d = 1; d < 32; d <<= 1) {
    int t = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += t;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int d = 1; d < 32; d <<= 1) {
      int t = __shfl_up_sync(FULL, s, d);
      if (lane >= d) s += t;
    }
    sums[lane] = s;
  }
  __syncthreads();
  x[threadIdx.x] = v + (warp > 0 ? sums[warp - 1] : 0);
}

int main() {
  int h[128], *d;
  double hw[32], *dw;
  cudaMalloc(&d, 1024 * sizeof(int));
  cudaMalloc(&dw, sizeof hw);
  shuffles<<<1, 32>>>(d, dw);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(hw, dw, sizeof hw, cudaMemcpyDeviceToHost);
  printf("shfl %d %d, up %d %d, down %d %d, xor %d %d, wide %.2f %.2f\n", h[0], h[31], h[33], h[40], h[64], h[70], h[96], h[111], hw[0], hw[31]);
  unsigned int hu[8];
  votes<<<1, 32>>>((unsigned int*)d);
  cudaMemcpy(hu, d, sizeof hu, cudaMemcpyDeviceToHost);
  printf("votes %08x %u %08x %08x %u %u %u %u\n", hu[0], hu[1], hu[2], hu[3], hu[4], hu[5], hu[6], hu[7]);

  const int n = 3000;
  unsigned char bytes[n], *d_bytes;
  for (int i = 0; i < n; i++) bytes[i] = (unsigned char)(i * i % 7);
  cudaMalloc(&d_bytes, n);
  cudaMemcpy(d_bytes, bytes, n, cudaMemcpyHostToDevice);
  cudaMemset(d, 0, 7 * sizeof(int));
  histogram<<<(n + 127) / 128, 128>>>(d_bytes, n, d);
  cudaMemcpy(h, d, 7 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("bins %d %d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);

  int x[256];
  for (int i = 0; i < 256; i++) x[i] = i % 5;
  cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice);
  block_scan<<<1, 256>>>(d);
  cudaMemcpy(x, d, sizeof x, cudaMemcpyDeviceToHost);
  printf("scan %d %d %d\n", x[0], x[100], x[255]);
  cudaFree(d), cudaFree(dw), cudaFree(d_bytes);
  return 0;
}
