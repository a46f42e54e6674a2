// SPDX-License-Identifier: Apache-2.0
// The kernels of defects/barriers_beyond_one_block.cu with the fixes applied that reports name.
#include <cstdio>

#include <cuda_runtime.h>

__device__ __noinline__ void put(int* s, int v) {
  s[threadIdx.x] = v;
}
__device__ __noinline__ int neighbour(const int* s) {
  return s[(threadIdx.x + 1) % blockDim.x];
}
__global__ void by_calls(int* a) {
  __shared__ int s[64];
  put(s, a[threadIdx.x]);
  __syncthreads();
  a[threadIdx.x] = neighbour(s);
}

__device__ int mirrored(int* s, int v, bool works) {
  if (works) s[threadIdx.x] = v;
  __syncthreads();
  return works ? s[63 - threadIdx.x] : 0;
}
__global__ void guarded_call(int* a, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = 0;
  __syncthreads();
  const bool works = threadIdx.x < n;
  int v = mirrored(s, a[threadIdx.x], works);
  if (works) a[threadIdx.x] = v;
}

__global__ void roles(int* a) {
  __shared__ int s[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) s[lane] = a[lane + 32];
  __syncthreads();
  if (threadIdx.x >= 32) a[lane] = s[31 - lane];
}

__global__ void relax(int* d) {
  __shared__ int changed;
  int t = threadIdx.x;
  d[t] = t == 0 ? 0 : 1000;
  __syncthreads();
  do {
    __syncthreads();
    if (t == 0) changed = 0;
    __syncthreads();
    int v = t > 0 ? d[t - 1] + 1 : 0;
    __syncthreads();
    if (v < d[t]) d[t] = v, changed = 1;
    __syncthreads();
  } while (changed);
}

__global__ void tree(int* a) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) a[0] = s[0];
}

__global__ void on_one_line(int* a) { __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; __syncthreads(); a[t] = s[63 - t]; }

__device__ void add_lane(int* s, int t, int d) {
  int v = s[t + d];
  __syncwarp(0x0000ffff);
  s[t] += v;
  __syncwarp(0x0000ffff);
}
__global__ void last_lanes(int* a) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  if (t < 16) {
    add_lane(s, t, 16);
    add_lane(s, t, 8);
    add_lane(s, t, 4);
  }
  if (t == 0) a[0] = s[0];
}

int main() {
  int h[64], *a;
  for (int i = 0; i < 64; ++i) h[i] = i;
  cudaMalloc(&a, sizeof(h));
  cudaMemcpy(a, h, sizeof(h), cudaMemcpyHostToDevice);
  const auto show = [&](const char* name) {
    cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%s %d %d %d %d\n", name, h[0], h[1], h[31], h[63]);
  };
  by_calls<<<1, 64>>>(a);
  show("by_calls");
  guarded_call<<<1, 64>>>(a, 60);
  show("guarded_call");
  roles<<<1, 64>>>(a);
  show("roles");
  tree<<<1, 64>>>(a);
  show("tree");
  on_one_line<<<1, 64>>>(a);
  show("on_one_line");
  last_lanes<<<1, 32>>>(a);
  show("last_lanes");
  relax<<<1, 64>>>(a);
  show("relax");
  cudaFree(a);
}
