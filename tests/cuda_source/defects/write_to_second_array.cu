// SPDX-License-Identifier: Apache-2.0
// What blocks of one launch do to each other, and the fix for each: a second array, an atomic maximum, a lock that is given
// back by an atomic operation. Its clean twins are in barriers_as_advised.cu.
// options: --check races --json -
// code: 3
// says: race-global
// says: write to a second array at line 20, and swap the two pointers between launches
// says: write to a second array at line 29, launch the kernel once for each turn of the loop at line 25, and swap
// says: write to a second array at line 50, and swap the two pointers between launches
// says: atomicMax\(best, a\[i\]\)"
// says: write it at line 43 by an atomic operation, too: atomicExch\(&lock, 0\), with __threadfence
#include <cuda_runtime.h>

__device__ int lock = 0;

__global__ void smooth(float* u, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    float v = (u[i - 1] + u[i + 1]) / 2;
    u[i] = v;
  }
}
__global__ void heat(float* u, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int s = 0; s < steps; ++s) {
    float v = u[i];
    if (i > 0 && i < n - 1) v = (u[i - 1] + u[i + 1]) / 2;
    __syncthreads();
    u[i] = v;
    __syncthreads();
  }
}
__global__ void largest(const int* a, int* best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > *best) *best = a[i];
}

__global__ void locked(int* a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    a[0] += 1;
    lock = 0;
  }
}

// Two names of one array in one statement: nothing fits between its read and its write.
__global__ void smooth_into(const float* from, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) to[i] = (from[i - 1] + from[i + 1]) / 2;
}

int main() {
  int h[256], *a, *best;
  float f[256], *u;
  for (int i = 0; i < 256; ++i) f[i] = h[i] = i * 37 % 256;
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&best, sizeof(int));
  cudaMalloc(&u, sizeof(f));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemcpy(u, f, sizeof(f), cudaMemcpyHostToDevice);
  cudaMemset(best, 0, sizeof(int));
  smooth<<<4, 64>>>(u, 256);
  heat<<<4, 64>>>(u, 256, 3);
  smooth_into<<<4, 64>>>(u, u, 256);
  largest<<<4, 64>>>(a, best, 256);
  locked<<<2, 32>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(best);
  cudaFree(u);
}
