// SPDX-License-Identifier: Apache-2.0
// Memory that kernels allocate: malloc and free, new and delete, a list that outlives the kernel that made it.
#include <cuda_runtime.h>

#include <cstdio>

struct Item {
  int value;
  Item* next;
  __device__ Item(int v, Item* n) : value(v), next(n) {}
};
__device__ Item* lists[8];

__global__ void build(int n) {
  Item* head = nullptr;
  for (int i = 0; i < n; i++) head = new Item(i * (threadIdx.x + 1), head);
  lists[threadIdx.x] = head;
}
__global__ void consume(int* sums) {
  int* copy = (int*)malloc(16 * sizeof(int));
  int n = 0;
  for (Item* p = lists[threadIdx.x]; p != nullptr;) {
    Item* next = p->next;
    copy[n++] = p->value;
    delete p;
    p = next;
  }
  int sum = 0;
  for (int i = 0; i < n; i++) sum += copy[i];
  free(copy);
  float* buffer = new float[4];
  for (int i = 0; i < 4; i++) buffer[i] = 0.25f;
  sums[threadIdx.x] = sum + (int)(buffer[0] + buffer[1] + buffer[2] + buffer[3]);
  delete[] buffer;
  int* raw = static_cast<int*>(::operator new(2 * sizeof(int)));
  int* placed = ::new (raw) int(sums[threadIdx.x]);
  sums[threadIdx.x] = *placed;
  ::operator delete(raw);
}

int main() {
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
  int h[8], *d;
  cudaMalloc(&d, sizeof h);
  build<<<1, 8>>>(10);
  consume<<<1, 8>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++) printf("%d ", h[i]);
  printf("\n");
  cudaFree(d);
  return 0;
}
