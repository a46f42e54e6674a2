// SPDX-License-Identifier: Apache-2.0
// Reads through the read-only cache: __ldg, ld.global.nc and texture fetches, of what earlier launches and the host wrote.
// What the same launch has written is read by ordinary loads.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
constexpr int kThreads = 64;
__device__ int through_ptx(const int* p) {
  int v;
  asm volatile("ld.global.nc.s32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}
__global__ void own(const int* x, int* y, int* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __ldg(&x[i]) + 1;
  z[i] = y[i];
}
__global__ void behind_barrier(const int* x, int* y, int* z) {
  const int i = threadIdx.x;
  y[i] = __ldg(x + i) * 2;
  __syncthreads();
  z[i] = y[kThreads - 1 - i];
}
__global__ void by_ptx(const int* x, int* y, int* z) {
  const int i = threadIdx.x;
  y[i] = through_ptx(x + i);
  __syncthreads();
  z[i] = *(y + kThreads - 1 - i);
}
__global__ void by_texture(cudaTextureObject_t t, int* x, int* z) {
  const int i = threadIdx.x;
  z[i] = tex1Dfetch<int>(t, kThreads - 1 - i);
  __syncthreads();
  x[i] = i;  // what has been read may be written
}
__global__ void of_counters(const int* x, int* y, int* z) {
  atomicAdd(&y[__ldg(&x[threadIdx.x]) & 3], 1);
  __syncthreads();
  z[threadIdx.x] = y[threadIdx.x & 3];
}
__global__ void behind_grid(const int* x, int* y, int* z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  y[i] = __ldg(&x[i]) - 1;
  cg::this_grid().sync();
  z[i] = y[n - 1 - i];
}
__global__ void in_place(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = __ldg(&x[i]) + 1;  // each thread reads its element, then writes it
}
__global__ void vectors(const float4* x, float4* y) {
  const float4 v = __ldg(&x[threadIdx.x]);
  y[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}
int main() {
  constexpr int n = 2 * kThreads;
  int host[n], *x, *y, *z;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMalloc(&z, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof host);
  cudaMemset(z, 0, sizeof host);
  const auto show = [&](const char* name) {
    cudaMemcpy(host, z, sizeof host, cudaMemcpyDeviceToHost);
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += long(i + 1) * host[i];
    std::printf("%s %ld\n", name, sum);
  };
  own<<<2, kThreads>>>(x, y, z);
  show("own");
  behind_barrier<<<1, kThreads>>>(y, x, z);  // y is the launch's before
  show("behind_barrier");
  by_ptx<<<1, kThreads>>>(x, y, z);
  show("by_ptx");
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = x;
  r.res.linear.desc = cudaCreateChannelDesc<int>();
  r.res.linear.sizeInBytes = sizeof host;
  cudaTextureDesc d = {};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  by_texture<<<1, kThreads>>>(t, x, z);
  show("by_texture");
  cudaDestroyTextureObject(t);
  of_counters<<<1, kThreads>>>(x, y, z);
  show("of_counters");
  void* arguments[] = {&x, &y, &z};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(behind_grid), 2, kThreads, arguments, 0, nullptr);
  show("behind_grid");
  in_place<<<2, kThreads>>>(z);
  show("in_place");
  vectors<<<1, 16>>>(reinterpret_cast<const float4*>(z), reinterpret_cast<float4*>(y));
  cudaMemcpy(z, y, 256, cudaMemcpyDeviceToDevice);
  show("vectors");
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
