// SPDX-License-Identifier: Apache-2.0
// Kernels as tutorials write them, in CUDA source: milliseconds a launch, median (fastest - slowest) of five after one
// that is not counted. For ratios of one run to another:
//   simrun tests/bench/cuda_kernels.cu;  simrun --check races tests/bench/cuda_kernels.cu
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void threshold(const int* in, int* out, int n, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > limit ? 255 : 0;
}
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
constexpr int kTile = 16;
__global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float s[kTile][kTile], t[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, col = blockIdx.x * kTile + x;
  float sum = 0;
  for (int m = 0; m < n; m += kTile) {
    s[y][x] = a[row * n + m + x];
    t[y][x] = b[(m + y) * n + col];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += s[y][k] * t[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
__global__ void reduce(const float* x, float* out) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w /= 2) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
__global__ void move(float4* place, const float4* speed, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = place[i];
  const float4 v = speed[i];
  p.x += v.x * dt, p.y += v.y * dt, p.z += v.z * dt;
  place[i] = p;
}
__global__ void blur(const unsigned char* in, unsigned char* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0, count = 0;
  for (int v = max(y - 1, 0); v <= min(y + 1, h - 1); ++v)
    for (int u = max(x - 1, 0); u <= min(x + 1, w - 1); ++u) sum += in[v * w + u], ++count;
  out[y * w + x] = static_cast<unsigned char>(sum / count);
}

template <class Launch>
void measure(const char* name, Launch launch) {
  std::vector<float> ms;
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int i = 0; i < 6; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float t = 0;
    cudaEventElapsedTime(&t, begin, end);
    if (i > 0) ms.push_back(t);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(ms.begin(), ms.end());
  std::printf("%-14s %9.2f (%.2f - %.2f)\n", name, ms[2], ms.front(), ms.back());
}

int main() {
  constexpr int n = 256, elements = 1 << 20, side = 512;
  constexpr std::size_t bytes = elements * sizeof(float);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  unsigned* bins;
  cudaMalloc(&bins, 256 * sizeof(unsigned));
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  cudaMemset(c, 0, bytes);
  cudaMemset(bins, 0, 256 * sizeof(unsigned));
  const dim3 tile(kTile, kTile), tiles(n / kTile, n / kTile), pixels(side / kTile, side / kTile);
  measure("threshold", [&] {
    threshold<<<elements / 256, 256>>>(reinterpret_cast<int*>(a), reinterpret_cast<int*>(c), elements, 7);
  });
  measure("matmul", [&] { matmul<<<tiles, tile>>>(a, b, c, n); });
  measure("matmul_tiled", [&] { matmul_tiled<<<tiles, tile>>>(a, b, c, n); });
  measure("reduce", [&] { reduce<<<elements / 256, 256, 256 * sizeof(float)>>>(a, c); });
  measure("histogram", [&] { histogram<<<64, 256>>>(reinterpret_cast<unsigned char*>(a), bins, elements); });
  measure("move", [&] {
    move<<<elements / 4 / 256, 256>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), 0.1f, elements / 4);
  });
  measure("blur", [&] {
    blur<<<pixels, tile>>>(reinterpret_cast<unsigned char*>(b), reinterpret_cast<unsigned char*>(c), side, side);
  });
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(bins);
}
