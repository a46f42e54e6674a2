// SPDX-License-Identifier: Apache-2.0
// Prefix sums: Hillis-Steele (double buffered), Blelloch work-efficient with padding, and a whole-array scan of blocks.
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#define NUM_BANKS 32
#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define CUDA_CHECK(x)                                                        \
  if (cudaError_t e = (x); e != cudaSuccess) {                               \
    printf("CUDA error %s at line %d\n", cudaGetErrorName(e), __LINE__);     \
    exit(1);                                                                 \
  }

__global__ void hillis_steele(int *g_odata, const int *g_idata, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x;
  int pout = 0, pin = 1;
  temp[thid] = (thid > 0) ? g_idata[thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset)
      temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else
      temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[thid] = temp[pout * n + thid];
}

__global__ void prescan(int *g_odata, const int *g_idata, int *sums, int n) {
  extern __shared__ int temp[];
  int thid = threadIdx.x;
  int base = blockIdx.x * n;
  int offset = 1;
  int ai = thid;
  int bi = thid + (n / 2);
  int bankOffsetA = CONFLICT_FREE_OFFSET(ai);
  int bankOffsetB = CONFLICT_FREE_OFFSET(bi);
  temp[ai + bankOffsetA] = g_idata[base + ai];
  temp[bi + bankOffsetB] = g_idata[base + bi];
  for (int d = n >> 1; d > 0; d >>= 1) {  // build sum in place up the tree
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      ai += CONFLICT_FREE_OFFSET(ai);
      bi += CONFLICT_FREE_OFFSET(bi);
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) {
    int last = n - 1 + CONFLICT_FREE_OFFSET(n - 1);
    if (sums) sums[blockIdx.x] = temp[last];
    temp[last] = 0;
  }
  for (int d = 1; d < n; d *= 2) {  // traverse down tree & build scan
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      ai += CONFLICT_FREE_OFFSET(ai);
      bi += CONFLICT_FREE_OFFSET(bi);
      int t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[base + ai] = temp[ai + bankOffsetA];
  g_odata[base + bi] = temp[bi + bankOffsetB];
}

__global__ void uniform_add(int *data, const int *increments, int n) {
  __shared__ int inc;
  if (threadIdx.x == 0) inc = increments[blockIdx.x];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[blockIdx.x * n + i] += inc;
}

int main() {
  const int n = 256, blocks = 32, total = n * blocks;
  std::vector<int> in(total), out(total), want(total);
  for (int i = 0; i < total; i++) in[i] = (i * 7919) % 13;
  for (int i = 1; i < total; i++) want[i] = want[i - 1] + in[i - 1];
  int *d_in, *d_out, *d_sums, *d_scanned;
  CUDA_CHECK(cudaMalloc(&d_in, total * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, total * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_scanned, blocks * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_in, in.data(), total * sizeof(int), cudaMemcpyHostToDevice));
  hillis_steele<<<1, n, 2 * n * sizeof(int)>>>(d_out, d_in, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += out[i] != want[i];
  printf("hillis-steele wrong: %d\n", wrong);
  size_t shared = (n + CONFLICT_FREE_OFFSET(n)) * sizeof(int);
  prescan<<<blocks, n / 2, shared>>>(d_out, d_in, d_sums, n);
  prescan<<<1, blocks / 2, (blocks + 1) * sizeof(int)>>>(d_scanned, d_sums, nullptr, blocks);
  uniform_add<<<blocks, n / 2>>>(d_out, d_scanned, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(out.data(), d_out, total * sizeof(int), cudaMemcpyDeviceToHost));
  wrong = 0;
  for (int i = 0; i < total; i++) wrong += out[i] != want[i];
  printf("blelloch wrong: %d, last %d\n", wrong, out[total - 1]);
  for (int *p : {d_in, d_out, d_sums, d_scanned}) CUDA_CHECK(cudaFree(p));
}
