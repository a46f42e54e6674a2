// SPDX-License-Identifier: Apache-2.0
// Pinned memory that cudaFree is to free, and device memory that cudaFreeHost is: both fail. And an event that is asked
// for without looking at the answer orders nothing; of a surface, x counts in bytes.
// options: --check all --json -
// code: 3
// says: cudaFree failed, and nobody looked at its result
// says: this is pinned memory, which cudaFreeHost frees
// says: not freed: cudaErrorInvalidValue
// says: read and write of values.1. are not ordered: the host and thread
// says: surf2Dwrite counts x in bytes: pass the column times the size of an element
#include <cuda_runtime.h>
#include <cstdio>
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void paint(cudaSurfaceObject_t s) { surf2Dwrite(1, s, threadIdx.x, blockIdx.x); }
int main() {
  int *pinned, *device, *values;
  cudaMallocHost(&pinned, 128), cudaMalloc(&device, 128), cudaMallocManaged(&values, 128);
  cudaFree(pinned);
  std::printf("not freed: %s\n", cudaGetErrorName(cudaFreeHost(device)));
  cudaFreeHost(pinned), cudaFree(device);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<1, 32>>>(values);
  cudaEventRecord(filled);
  cudaEventQuery(filled);
  std::printf("%d\n", values[1]);
  while (cudaEventQuery(filled) == cudaErrorNotReady) {
  }
  std::printf("%d\n", values[2]);
  cudaArray_t picture;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaMallocArray(&picture, &format, 32, 4, cudaArraySurfaceLoadStore);
  cudaResourceDesc what{};
  what.resType = cudaResourceTypeArray, what.res.array.array = picture;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &what);
  paint<<<4, 32>>>(surface);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(surface), cudaFreeArray(picture), cudaFree(values), cudaEventDestroy(filled);
}
