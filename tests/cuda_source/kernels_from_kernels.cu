// SPDX-License-Identifier: Apache-2.0
// Dynamic parallelism: kernels that launch kernels, with results read by the host when all have ended.
#include <cstdio>

__global__ void child(int* sums, int parent, int depth) {
  atomicAdd(&sums[depth], parent + (int)threadIdx.x);
  if (depth < 3 && threadIdx.x == 0) child<<<1, 2>>>(sums, parent + 1, depth + 1);
}

__global__ void parent(int* sums) {
  if (threadIdx.x == 0) {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    child<<<1, 4, 0, s>>>(sums, blockIdx.x, 0);
    cudaStreamDestroy(s);
  }
}

// Sorts what is below and what is above a pivot by kernels of their own.
__global__ void quicksort(int* data, int left, int right, int depth) {
  if (depth > 12 || right - left < 8) {
    for (int i = left; i <= right; ++i)
      for (int j = i; j > left && data[j] < data[j - 1]; --j) {
        int t = data[j];
        data[j] = data[j - 1];
        data[j - 1] = t;
      }
    return;
  }
  int pivot = data[(left + right) / 2], i = left, j = right;
  while (i <= j) {
    while (data[i] < pivot) i++;
    while (data[j] > pivot) j--;
    if (i <= j) {
      int t = data[i];
      data[i++] = data[j];
      data[j--] = t;
    }
  }
  if (left < j) quicksort<<<1, 1>>>(data, left, j, depth + 1);
  if (i < right) quicksort<<<1, 1>>>(data, i, right, depth + 1);
}

int main() {
  int *sums, *data;
  cudaMallocManaged(&sums, 4 * sizeof(int));
  cudaMallocManaged(&data, 500 * sizeof(int));
  for (int i = 0; i < 4; ++i) sums[i] = 0;
  for (int i = 0; i < 500; ++i) data[i] = (i * 7919) % 503;
  parent<<<3, 32>>>(sums);
  quicksort<<<1, 1>>>(data, 0, 499, 0);
  cudaDeviceSynchronize();
  bool sorted = true;
  for (int i = 1; i < 500; ++i) sorted = sorted && data[i - 1] <= data[i];
  std::printf("sums %d %d %d %d, sorted %d\n", sums[0], sums[1], sums[2], sums[3], sorted);
  cudaFree(sums);
  cudaFree(data);
  return 0;
}
