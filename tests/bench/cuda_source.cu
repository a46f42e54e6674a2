// SPDX-License-Identifier: Apache-2.0
// The benchmark's kernels as CUDA source, to hold against the API's in simt_bench:
//   simrun tests/bench/cuda_source.cu --workers 1
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>
__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void reduce(const float* x, float* s) {
  __shared__ float p[256];
  int t = threadIdx.x;
  p[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (t < h) p[t] += p[t + h];
    __syncthreads();
  }
  if (t == 0) s[blockIdx.x] = p[0];
}
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[row * n + k] * b[k * n + col];
    c[row * n + col] = s;
  }
}
__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float at[16][16], bt[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0;
  for (int m = 0; m < n / 16; m++) {
    at[ty][tx] = a[row * n + m * 16 + tx];
    bt[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += at[ty][k] * bt[k][tx];
    __syncthreads();
  }
  c[row * n + col] = s;
}
__global__ void hist(const int* x, int n, unsigned* bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[x[i] & 255], 1u);
}
// Median and best of seven runs after one that warms up.
template <class F>
void time_it(const char* name, F f) {
  std::vector<double> t;
  for (int i = 0; i < 8; i++) {
    auto begin = std::chrono::steady_clock::now();
    f();
    cudaDeviceSynchronize();
    if (i > 0) t.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(t.begin(), t.end());
  printf("%-12s %8.2f ms (best %.2f)\n", name, t[3], t[0]);
}
int main() {
  int n = 1 << 24;
  float *x, *y, *s;
  cudaMalloc(&x, n * 4);
  cudaMalloc(&y, n * 4);
  cudaMalloc(&s, n);
  cudaMemset(x, 0, n * 4);
  cudaMemset(y, 0, n * 4);
  time_it("saxpy16M", [&] { saxpy<<<n / 256, 256>>>(n, 2, x, y); });
  time_it("reduce16M", [&] { reduce<<<n / 256, 256>>>(x, s); });
  time_it("matmul512", [&] { matmul<<<dim3(32, 32), dim3(16, 16)>>>(x, y, s, 512); });
  time_it("tiled512", [&] { tiled<<<dim3(32, 32), dim3(16, 16)>>>(x, y, s, 512); });
  time_it("hist1M", [&] { hist<<<64, 256>>>((int*)x, 1 << 20, (unsigned*)y); });
}
