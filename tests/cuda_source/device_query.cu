// SPDX-License-Identifier: Apache-2.0
// Queries: properties, attributes, occupancy, function attributes, memory info; only what is the same everywhere is printed.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
__global__ void MyKernel(int *d, int *a, int *b) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  d[idx] = a[idx] * b[idx];
}
__global__ void square(int *array, int arrayCount) {
  extern __shared__ int dynamicSmem[];
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  while (idx < arrayCount) {
    array[idx] *= array[idx];
    idx += blockDim.x * gridDim.x;
  }
}
static double reportPotentialOccupancy(void *kernel, int blockSize, size_t dynamicSMem) {
  int device, numBlocks;
  cudaDeviceProp prop;
  cudaGetDevice(&device);
  cudaGetDeviceProperties(&prop, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, kernel, blockSize, dynamicSMem);
  int activeWarps = numBlocks * blockSize / prop.warpSize;
  int maxWarps = prop.maxThreadsPerMultiProcessor / prop.warpSize;
  return (double)activeWarps / maxWarps;
}
int main(int argc, char *argv[]) {
  int count = 0;
  cudaError_t error_id = cudaGetDeviceCount(&count);
  if (error_id != cudaSuccess) {
    printf("cudaGetDeviceCount returned %d\n-> %s\n", static_cast<int>(error_id), cudaGetErrorString(error_id));
    exit(EXIT_FAILURE);
  }
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  std::cout << "devices " << (count > 0 ? "some" : "none") << ", warp " << p.warpSize << ", threads a block " << p.maxThreadsPerBlock
            << ", compute " << p.major << "." << p.minor << ", shared " << p.sharedMemPerBlock << std::endl;
  printf("Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
  int numBlocks, blockSize = 32;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocks, MyKernel, blockSize, 0);
  std::cout << "Occupancy: " << (double)(numBlocks * blockSize / p.warpSize) / (p.maxThreadsPerMultiProcessor / p.warpSize) * 100 << "%" << std::endl;
  printf("potential %.2f\n", reportPotentialOccupancy((void *)square, 256, 0));
  int minGridSize;
  cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, square, 0, 10000);
  cudaFuncAttributes attr;
  cudaFuncGetAttributes(&attr, square);
  int driver = 0, runtime = 0, value = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
  size_t free_b, total_b;
  cudaMemGetInfo(&free_b, &total_b);
  std::cout << (driver >= runtime) << (attr.maxThreadsPerBlock == value) << (free_b <= total_b) << (blockSize % 32 == 0) << "\n";
  std::string words = argc > 1 ? argv[1] : "no arguments";
  std::cout << words << "\n";
  auto start = std::chrono::high_resolution_clock::now();
  std::vector<int> host(1000);
  std::generate(host.begin(), host.end(), [n = 0]() mutable { return n++; });
  int *dev = nullptr;
  cudaMalloc(&dev, host.size() * sizeof(int));
  cudaMemcpy(dev, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  square<<<2, 128, 64>>>(dev, (int)host.size());
  cudaMemcpy(host.data(), dev, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(dev);
  std::chrono::duration<double, std::milli> took = std::chrono::high_resolution_clock::now() - start;
  std::cout << host[999] << (took.count() >= 0 ? " fine" : " odd") << std::endl;
}
