// SPDX-License-Identifier: Apache-2.0
// Four host threads, each with its own stream and memory: what one does to memory must not disturb another's launches.
#include <cstdio>
#include <cuda_runtime.h>
#include <thread>
#include <vector>
__global__ void scale(const float *in, float *out, int n, float f) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] * f + tile[0];
}
int work(int id) {
  int bad = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int round = 0; round < 30; ++round) {
    int n = 1000 + 37 * round + id;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = i + id;
    float *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, n * 4);
    cudaMemcpyAsync(a, h.data(), n * 4, cudaMemcpyHostToDevice, s);
    scale<<<(n + 127) / 128, 128, 0, s>>>(a, b, n, 2.f);
    std::vector<float> r(n);
    cudaMemcpyAsync(r.data(), b, n * 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    for (int i = 0; i < n; ++i) bad += r[i] != h[i] * 2 + h[i / 128 * 128];
    cudaFree(a);
    cudaFree(b);
  }
  cudaStreamDestroy(s);
  return bad;
}
int main() {
  std::vector<std::thread> t;
  int bad[4] = {};
  for (int i = 0; i < 4; ++i) t.emplace_back([&, i] { bad[i] = work(i); });
  for (auto &x : t) x.join();
  printf("%d %d %d %d %s\n", bad[0], bad[1], bad[2], bad[3], cudaGetErrorString(cudaGetLastError()));
}
