// SPDX-License-Identifier: Apache-2.0
// Kernels behind pointers to void: kept in variables, tables and structures, launched, asked for attributes, and made
// functions of the driver API.
#include <cuda.h>

#include <cstdio>
#include <vector>

template <class T>
__global__ void add(T* p, T v) {
  p[threadIdx.x] += v;
}
namespace inner {
__global__ void set(int* p, int v) { p[threadIdx.x] = v + static_cast<int>(threadIdx.x); }
}  // namespace inner
__global__ void with_shared(int* p, int v) {
  extern __shared__ int room[];
  room[threadIdx.x] = v;
  __syncthreads();
  p[threadIdx.x] += room[31 - threadIdx.x];
}

struct task {
  const void* kernel;
  dim3 grid, block;
};

void launch(const void* kernel, void** arguments) {
  const cudaError_t e = cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr);
  if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorName(e));
}

int last(const int* p) {
  int h[32];
  cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
  return h[31];
}

int main() {
  int *p = nullptr, v = 5;
  cudaMalloc(&p, 32 * sizeof(int));
  void* arguments[] = {&p, &v};
  const void* first = (const void*)inner::set;
  launch(first, arguments);
  std::printf("set: %d\n", last(p));
  void* second = reinterpret_cast<void*>(&add<int>);
  launch(second, arguments);
  const void* const table[] = {(void*)inner::set, (void*)(add<int>), reinterpret_cast<const void*>(add<int>)};
  for (const void* k : table) launch(k, arguments);
  std::printf("table: %d\n", last(p));
  const std::vector<task> tasks = {{(void*)add<int>, 1, 32}, {(void*)with_shared, 1, 32}};
  for (const task& t : tasks) cudaLaunchKernel(t.kernel, t.grid, t.block, arguments, 128, nullptr);
  std::printf("tasks: %d\n", last(p));
  cudaLaunchCooperativeKernel(second, 1, 32, arguments, 0, nullptr);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  cudaLaunchKernelExC(&config, second, arguments);
  std::printf("cooperative, by configuration: %d\n", last(p));

  cudaFuncAttributes attributes;
  std::printf("%s\n", cudaGetErrorName(cudaFuncGetAttributes(&attributes, first)));
  std::printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(
                          tasks[1].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000)));
  cudaLaunchKernel(tasks[1].kernel, 1, 32, arguments, 100000, nullptr);
  std::printf("%s: %d\n", cudaGetErrorName(cudaGetLastError()), last(p));
  std::size_t offset = 0, bytes = 0;
  cudaFuncGetParamInfo(first, 1, &offset, &bytes);
  std::printf("second parameter: %zu bytes at %zu\n", bytes, offset);

  cudaFunction_t function, again;
  std::printf("%s\n", cudaGetErrorName(cudaGetFuncBySymbol(&function, (void*)inner::set)));
  cudaGetFuncBySymbol(&again, (const void*)inner::set);
  v = 100;
  std::printf("%d, %s\n", static_cast<int>(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr)),
              function == again ? "the same" : "another");
  std::printf("by the driver: %d\n", last(p));
  cudaKernel_t kernel;
  cudaGetKernel(&kernel, (const void*)add<int>);
  cudaLaunchKernel(kernel, 1, 32, arguments, 0, nullptr);
  std::printf("as a kernel of a library: %d\n", last(p));
  std::printf("no kernel: %s\n", cudaGetErrorName(cudaLaunchKernel((const void*)&v, 1, 32, arguments, 0, nullptr)));
  cudaFree(p);
}
