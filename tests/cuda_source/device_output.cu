// SPDX-License-Identifier: Apache-2.0
// printf and clock in kernels, device-side allocation, dynamic shared memory split in two arrays, 3D grids.
#include <cassert>
#include <cstdio>
#include <cstdlib>
// One block at a time: the order of lines from several is nobody's promise.
__global__ void hello(int turn) {
  if (blockIdx.y * gridDim.x + blockIdx.x == turn && threadIdx.x == 2) printf("[%d, %d]:\t\tValue is:%d\n", blockIdx.y * gridDim.x + blockIdx.x, threadIdx.x, 10);
}
__global__ void mallocTest(int *ok) {
  size_t size = 123;
  char *ptr = (char *)malloc(size);
  memset(ptr, 0, size);
  for (int i = 0; i < 10; i++) ptr[i] = i;
  int s = 0;
  for (int i = 0; i < 20; i++) s += ptr[i];
  ok[threadIdx.x] = s;
  free(ptr);
}
__global__ void blockMalloc(int *out) {
  __shared__ int *data;
  if (threadIdx.x == 0) {
    size_t size = blockDim.x * 64;
    data = (int *)malloc(size);
  }
  __syncthreads();
  if (data == NULL) return;
  int *ptr = data;
  for (int i = 0; i < 16; ++i) ptr[i * blockDim.x + threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = ptr[15 * blockDim.x + (threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  if (threadIdx.x == 0) free(data);
}
#define NUM_BLOCKS 4
__device__ int *dataptr[NUM_BLOCKS];
__global__ void allocmem() {
  if (threadIdx.x == 0) dataptr[blockIdx.x] = (int *)malloc(blockDim.x * sizeof(int));
  __syncthreads();
  if (dataptr[blockIdx.x] == NULL) return;
  dataptr[blockIdx.x][threadIdx.x] = 0;
}
__global__ void usemem() {
  int *ptr = dataptr[blockIdx.x];
  if (ptr != NULL) ptr[threadIdx.x] += threadIdx.x;
}
__global__ void freemem(int *sum) {
  int *ptr = dataptr[blockIdx.x];
  if (ptr != NULL) atomicAdd(sum, ptr[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) free(ptr);
}
__global__ void two_arrays(const float *in, float *out, int na, int nb) {
  extern __shared__ unsigned char raw[];
  float *a = reinterpret_cast<float *>(raw);
  int *b = reinterpret_cast<int *>(&a[na]);
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  if (t < na) a[t] = in[t];
  if (t < nb) b[t] = nb - 1 - t;
  __syncthreads();
  assert(na == nb);
  if (t < na) out[t] = a[b[t]];
}
int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  dim3 dimGrid(2, 2), dimBlock(2, 2, 2);
  for (int turn = 0; turn < 4; ++turn) hello<<<dimGrid, 4>>>(turn);
  cudaDeviceSynchronize();
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 * 1024 * 1024);
  mallocTest<<<1, 5>>>(d);
  cudaMemcpy(h, d, 5 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[4]);
  blockMalloc<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[31]);
  cudaMemset(d, 0, sizeof(int));
  allocmem<<<NUM_BLOCKS, 10>>>();
  usemem<<<NUM_BLOCKS, 10>>>();
  usemem<<<NUM_BLOCKS, 10>>>();
  freemem<<<NUM_BLOCKS, 10>>>(d);
  cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  float fi[8] = {0, 1, 2, 3, 4, 5, 6, 7}, fo[8], *df, *dg;
  cudaMalloc(&df, sizeof fi);
  cudaMalloc(&dg, sizeof fi);
  cudaMemcpy(df, fi, sizeof fi, cudaMemcpyHostToDevice);
  two_arrays<<<1, dimBlock, 8 * (sizeof(float) + sizeof(int))>>>(df, dg, 8, 8);
  cudaMemcpy(fo, dg, sizeof fo, cudaMemcpyDeviceToHost);
  printf("%g %g\n", fo[0], fo[7]);
  cudaFree(d); cudaFree(df); cudaFree(dg);
}
