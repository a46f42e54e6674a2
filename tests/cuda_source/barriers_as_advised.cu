// SPDX-License-Identifier: Apache-2.0
// The kernels of defects/barriers_under_guards.cu, and of other defects there, with the fixes applied that reports name.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void guarded(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  if (t < n) {
    s[t] = a[t];
  }
  __syncthreads();
  if (t < n) {
    a[t] = s[n - 1 - t];
  }
}

__global__ void one_warp(int* a) {
  __shared__ int s[64];
  if (threadIdx.x < 32) {
    s[threadIdx.x] = a[threadIdx.x];
    __syncwarp();
    a[threadIdx.x] = s[31 - threadIdx.x];
  }
}

__global__ void half_warp(int* a) {
  __shared__ int s[64];
  int lane = threadIdx.x;
  if (lane < 16) {
    s[lane] = a[lane];
    __syncwarp(0x0000ffff);
    a[lane] = s[15 - lane];
  }
}

__global__ void own_turns(int* a, int n) {
  __shared__ int s[256];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = 3;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = s[n - 1 - i];
}

__device__ int block_sum(int v, int* s) {
  int t = threadIdx.x;
  __syncthreads();
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
  int x = block_sum(1, s);
  int y = block_sum(2, s);
  if (threadIdx.x == 0) a[0] = x + y;
}

__global__ void eliminate(float* m, int n) {
  for (int p = 0; p < n; ++p)
    for (int r = p + 1; r < n; ++r) {
      float f = m[r * n + p] / m[p * n + p];
      __syncthreads();
      for (int c = threadIdx.x; c < n; c += blockDim.x)
        m[r * n + c] -= f * m[p * n + c];
      __syncthreads();
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
    __syncthreads();
  }
}

__global__ void does_not_leave(int* a, int n) {
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t < n) s[t] = a[t];
  __syncthreads();
  if (t < n) a[t] = s[n - 1 - t];
}

__global__ void smooth(const float* u, float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) w[i] = (u[i - 1] + u[i + 1]) / 2;
}

__device__ int lock = 0;
__global__ void locked(int* a) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    a[0] += 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
}

__global__ void largest(const int* a, int* best) {
  atomicMax(best, a[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
  int h[256], *a, *b;
  static float f[64 * 64];
  float *m, *w;
  for (int i = 0; i < 256; ++i) h[i] = i;
  for (int i = 0; i < 64 * 64; ++i) f[i] = i % 7 + (i % 65 == 0 ? 20 : 0);
  cudaMalloc(&a, sizeof(h));
  cudaMalloc(&b, sizeof(int));
  cudaMalloc(&m, sizeof(f));
  cudaMalloc(&w, sizeof(f));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof(int));
  cudaMemcpy(m, f, sizeof(f), cudaMemcpyHostToDevice);
  cudaMemcpy(w, f, sizeof(f), cudaMemcpyHostToDevice);
  guarded<<<1, 256>>>(a, 200);
  one_warp<<<1, 64>>>(a);
  half_warp<<<1, 64>>>(a);
  does_not_leave<<<1, 256>>>(a, 200);
  largest<<<4, 64>>>(a, b);
  cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d\n", h[0], h[100], h[199], h[200], h[255]);
  two_calls<<<1, 64>>>(a);
  locked<<<4, 32>>>(a);
  cudaMemcpy(h, a, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaMemcpy(h, b, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  own_turns<<<1, 128>>>(a, 200);
  cudaMemcpy(h, a, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  for (int step = 0; step < 4; ++step) {
    smooth<<<4, 64>>>(m, w, 256);
    float* other = m;
    m = w;
    w = other;
  }
  eliminate<<<1, 8>>>(m, 16);
  eliminate_rows<<<1, 64>>>(w, 64);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(a);
  cudaFree(b);
  cudaFree(m);
  cudaFree(w);
}
