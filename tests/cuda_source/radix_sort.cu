// SPDX-License-Identifier: Apache-2.0
// LSD radix sort, one bit a pass: block scans, scan of block sums, scatter.
#include <cstdio>
#include <cstdint>
#include <algorithm>
#include <vector>
#include <random>
#define BLOCK 256
#define gpuErrchk(ans) do { gpuAssert((ans), __FILE__, __LINE__); } while (0)
void gpuAssert(cudaError_t code, const char *file, int line) {
  if (code != cudaSuccess) { fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line); exit(code); }
}
__device__ unsigned block_exclusive_scan(unsigned v, unsigned *total) {
  __shared__ unsigned warp_sums[BLOCK / 32];
  const unsigned lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  unsigned x = v;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    unsigned y = __shfl_up_sync(0xffffffff, x, d);
    if (lane >= d) x += y;
  }
  if (lane == 31) warp_sums[wid] = x;
  __syncthreads();
  if (wid == 0) {
    unsigned s = lane < BLOCK / 32 ? warp_sums[lane] : 0;
    for (int d = 1; d < BLOCK / 32; d <<= 1) {
      unsigned y = __shfl_up_sync(0xffffffff, s, d);
      if (lane >= d) s += y;
    }
    if (lane < BLOCK / 32) warp_sums[lane] = s;
  }
  __syncthreads();
  unsigned base = wid ? warp_sums[wid - 1] : 0;
  *total = warp_sums[BLOCK / 32 - 1];
  __syncthreads();
  return base + x - v;
}
__global__ void count_zeros(const uint32_t *in, unsigned *block_zeros, int n, int bit) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  unsigned zero = i < n && !((in[i] >> bit) & 1);
  int c = __syncthreads_count(zero);
  if (threadIdx.x == 0) block_zeros[blockIdx.x] = c;
}
__global__ void scan_blocks(unsigned *block_zeros, unsigned *total, int blocks) {
  unsigned sum;
  unsigned v = threadIdx.x < blocks ? block_zeros[threadIdx.x] : 0;
  unsigned e = block_exclusive_scan(v, &sum);
  if (threadIdx.x < blocks) block_zeros[threadIdx.x] = e;
  if (threadIdx.x == 0) *total = sum;
}
__global__ void scatter(const uint32_t *in, uint32_t *out, const unsigned *block_zeros, const unsigned *total, int n, int bit) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  uint32_t v = i < n ? in[i] : 0xffffffff;
  unsigned zero = i < n && !((v >> bit) & 1);
  unsigned sum;
  unsigned before = block_exclusive_scan(zero, &sum);
  unsigned zeros_before = block_zeros[blockIdx.x] + before;
  if (i < n) out[zero ? zeros_before : *total + i - zeros_before] = v;
}
int main() {
  const int n = 5000, blocks = (n + BLOCK - 1) / BLOCK;
  std::mt19937 gen(42);
  std::vector<uint32_t> h(n), want;
  for (auto &x : h) x = gen() & 0xffff;
  want = h;
  std::sort(want.begin(), want.end());
  uint32_t *a, *b;
  unsigned *zeros, *total;
  gpuErrchk(cudaMalloc(&a, n * sizeof(*a)));
  gpuErrchk(cudaMalloc(&b, n * sizeof(*b)));
  gpuErrchk(cudaMalloc(&zeros, blocks * sizeof(unsigned)));
  gpuErrchk(cudaMalloc(&total, sizeof(unsigned)));
  gpuErrchk(cudaMemcpy(a, h.data(), n * sizeof(*a), cudaMemcpyHostToDevice));
  for (int bit = 0; bit < 16; ++bit) {
    count_zeros<<<blocks, BLOCK>>>(a, zeros, n, bit);
    scan_blocks<<<1, BLOCK>>>(zeros, total, blocks);
    scatter<<<blocks, BLOCK>>>(a, b, zeros, total, n, bit);
    std::swap(a, b);
  }
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaMemcpy(h.data(), a, n * sizeof(*a), cudaMemcpyDeviceToHost));
  printf("%s\n", h == want ? "sorted" : "not sorted");
  gpuErrchk(cudaFree(a)); gpuErrchk(cudaFree(b)); gpuErrchk(cudaFree(zeros)); gpuErrchk(cudaFree(total));
}
