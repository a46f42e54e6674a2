// SPDX-License-Identifier: Apache-2.0
// A fix names a place that all threads come to: outside of branches and loops that not all of them take alike; in a branch
// of one warp, a barrier of the warp. Its clean twin, with the fixes applied, is barriers_as_advised.cu.
// options: --check races --json -
// code: 3
// says: between line 23 and line 24, outside of the branch at line 22, which not all threads take
// says: put __syncwarp\(\) between line 31 and line 32"
// says: put __syncwarp\(0x0000ffff\) between line 40 and line 41"
// says: between line 47 and line 48, and make two loops of the one at line 46
// says: in front of line 54: it belongs to the next call of block_sum"
// says: between line 72 and line 73, and another at the end of the loop's body, line 75"
// says: at the end of the loop's body, line 86: no thread may begin its next turn
// says: between line 93 and line 94; threads that leave at line 92 must come to it, too
#include <cuda_runtime.h>

__global__ void guarded(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  // The barrier would be met by threads below n alone.
  if (t < n) {
    s[t] = a[t];
    a[t] = s[n - 1 - t];
  }
}

__global__ void one_warp(int* a) {
  __shared__ int s[64];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = a[threadIdx.x];
    a[threadIdx.x] = s[31 - threadIdx.x];
  }
}

__global__ void half_warp(int* a) {
  __shared__ int s[64];
  int lane = threadIdx.x;
  if (lane < 16) {
    s[lane] = a[lane];
    a[lane] = s[15 - lane];
  }
}
__global__ void own_turns(int* a, int n) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[i] = a[i];
    a[i] = s[n - 1 - i];
  }
}

__device__ int block_sum(int v, int* s) {
  int t = threadIdx.x;
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  return s[0];
}
__global__ void two_calls(int* a) {
  __shared__ int s[64];
  int x = block_sum(a[threadIdx.x], s);
  int y = block_sum(2 * a[threadIdx.x], s);
  if (threadIdx.x == 0) a[0] = x + y;
}

__global__ void eliminate(float* m, int n) {
  for (int p = 0; p < n; ++p)
    for (int r = p + 1; r < n; ++r) {
      float f = m[r * n + p] / m[p * n + p];
      for (int c = threadIdx.x; c < n; c += blockDim.x)
        m[r * n + c] -= f * m[p * n + c];
    }
}

__global__ void eliminate_rows(float* m, int n) {
  int t = threadIdx.x;
  for (int p = 0; p < n; ++p) {
    for (int r = p + 1 + t; r < n; r += blockDim.x) {
      float f = m[r * n + p] / m[p * n + p];
      for (int c = p; c < n; ++c)
        m[r * n + c] -= f * m[p * n + c];
    }
  }
}

__global__ void leaves(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = a[t];
  a[t] = s[n - 1 - t];
}

int main() {
  int h[256], *a;
  float f[64 * 64], *m;
  for (int i = 0; i < 256; ++i) h[i] = i;
  for (int i = 0; i < 64 * 64; ++i) f[i] = i % 7 + (i % 65 == 0 ? 20 : 0);
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&m, sizeof(f));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(m, f, sizeof(f), cudaMemcpyHostToDevice);
  guarded<<<1, 256>>>(a, 200);
  one_warp<<<1, 64>>>(a);
  half_warp<<<1, 64>>>(a);
  own_turns<<<1, 128>>>(a, 200);
  two_calls<<<1, 64>>>(a);
  eliminate<<<1, 8>>>(m, 16);
  eliminate_rows<<<1, 64>>>(m, 64);
  leaves<<<1, 256>>>(a, 200);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(m);
}
