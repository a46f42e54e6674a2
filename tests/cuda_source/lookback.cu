// SPDX-License-Identifier: Apache-2.0
// Single-pass scan with decoupled look-back: status and value in one 64-bit word, tickets for the order of blocks.
#include <cstdio>
#include <vector>
#define THREADS 128
enum Status : unsigned { INVALID = 0, AGGREGATE = 1, PREFIX = 2 };
__device__ unsigned int ticket;
__device__ __forceinline__ unsigned long long pack(unsigned status, unsigned v) { return ((unsigned long long)status << 32) | v; }
__global__ void scan_lookback(const unsigned *in, unsigned *out, volatile unsigned long long *tiles, int n) {
  __shared__ unsigned tile_id, exclusive;
  __shared__ unsigned buf[THREADS];
  if (threadIdx.x == 0) tile_id = atomicAdd(&ticket, 1u);
  __syncthreads();
  const unsigned tile = tile_id;
  const int i = tile * THREADS + threadIdx.x;
  buf[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < THREADS; d *= 2) {
    unsigned add = threadIdx.x >= d ? buf[threadIdx.x - d] : 0;
    __syncthreads();
    buf[threadIdx.x] += add;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    unsigned aggregate = buf[THREADS - 1];
    if (tile == 0) {
      tiles[0] = pack(PREFIX, aggregate);
      exclusive = 0;
    } else {
      tiles[tile] = pack(AGGREGATE, aggregate);
      unsigned sum = 0;
      for (int prev = tile - 1; prev >= 0;) {
        unsigned long long w = tiles[prev];
        unsigned status = (unsigned)(w >> 32);
        if (status == INVALID) continue;
        sum += (unsigned)w;
        if (status == PREFIX) break;
        --prev;
      }
      tiles[tile] = pack(PREFIX, sum + aggregate);
      exclusive = sum;
    }
  }
  __syncthreads();
  if (i < n) out[i] = exclusive + buf[threadIdx.x];
}
int main() {
  const int n = 5000, tiles = (n + THREADS - 1) / THREADS;
  std::vector<unsigned> h(n), got(n);
  for (int i = 0; i < n; i++) h[i] = i % 11;
  unsigned *in, *out;
  unsigned long long *state;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMalloc(&state, tiles * 8);
  cudaMemset(state, 0, tiles * 8);
  unsigned zero = 0;
  cudaMemcpyToSymbol(ticket, &zero, sizeof zero);
  cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice);
  scan_lookback<<<tiles, THREADS>>>(in, out, state, n);
  cudaError_t e = cudaMemcpy(got.data(), out, n * 4, cudaMemcpyDeviceToHost);
  unsigned run = 0;
  int wrong = 0;
  for (int i = 0; i < n; i++) run += h[i], wrong += got[i] != run;
  printf("%s, wrong %d, total %u\n", cudaGetErrorName(e), wrong, run);
  cudaFree(in); cudaFree(out); cudaFree(state);
}
