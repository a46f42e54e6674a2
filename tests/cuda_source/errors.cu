// SPDX-License-Identifier: Apache-2.0
// The error model: names and texts, errors that are forgotten when asked for, launch limits, properties, attributes.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

__global__ void nothing() {}
__global__ void with_shared(int* p) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  if (threadIdx.x == 0) *p = buffer[0];
}

int main() {
  cudaDeviceProp p;
  int count = 0, current = -1, value = 0;
  cudaGetDeviceCount(&count);
  cudaSetDevice(0);
  cudaGetDevice(&current);
  cudaGetDeviceProperties(&p, 0);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
  printf("devices %s, current %d, name %s, warp %d, threads %d %d, compute %d.%d\n", count > 0 ? "yes" : "no", current, strlen(p.name) > 0 ? "set" : "empty",
         p.warpSize, p.maxThreadsPerBlock, value, p.major, p.minor);
  nothing<<<1, 2000>>>();
  cudaError_t e = cudaPeekAtLastError();
  printf("%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
  e = cudaGetLastError();
  printf("%s, then %s\n", cudaGetErrorName(e), cudaGetErrorName(cudaGetLastError()));
  nothing<<<0, 32>>>();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaSetDevice(99)));
  cudaGetLastError();
  void* much = nullptr;
  printf("%s\n", cudaGetErrorName(cudaMalloc(&much, (size_t)1 << 50)));
  cudaGetLastError();
  int host = 0, *d;
  cudaMalloc(&d, sizeof(int));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(d, &host, sizeof(int), (cudaMemcpyKind)7)));
  cudaGetLastError();
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, with_shared);
  cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  with_shared<<<1, 64, 64 * 1024>>>(d);
  printf("large shared memory: %s, threads %d\n", cudaGetErrorName(cudaDeviceSynchronize()), a.maxThreadsPerBlock);
  int blocks = 0, min_grid = 0, best = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&min_grid, &best, nothing, 0, 0);
  printf("occupancy: %d blocks of 256, best block %d\n", blocks, best);
  int can = 1;
  cudaDeviceCanAccessPeer(&can, 0, 0);
  printf("peer %d\n", can);
  size_t free_bytes = 0, total = 0;
  cudaMemGetInfo(&free_bytes, &total);
  printf("memory %s\n", free_bytes > 0 && free_bytes <= total ? "plausible" : "wrong");
  cudaFree(d);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
