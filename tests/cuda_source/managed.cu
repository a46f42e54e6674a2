// SPDX-License-Identifier: Apache-2.0
// Unified memory: a linked structure and an array that host and device both touch, prefetched and advised.
#include <cuda_runtime.h>

#include <cstdio>
#include <new>

class Managed {
 public:
  void* operator new(size_t bytes) {
    void* p = nullptr;
    cudaMallocManaged(&p, bytes);
    cudaDeviceSynchronize();
    return p;
  }
  void operator delete(void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};

struct Node : public Managed {
  int value;
  Node* next;
};

__global__ void walk(Node* head, int* sum) {
  int s = 0;
  for (Node* n = head; n != nullptr; n = n->next) {
    n->value *= 2;
    s += n->value;
  }
  *sum = s;
}
__global__ void init(int n, float* x, float* y) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    x[i] = 1.0f;
    y[i] = 2.0f;
  }
}
__global__ void add(int n, float* x, float* y) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = x[i] + y[i];
}

int main() {
  const int n = 1 << 16;
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  init<<<16, 256>>>(n, x, y);
  add<<<(n + 255) / 256, 256>>>(n, x, y);
  cudaDeviceSynchronize();
  float worst = 0;
  for (int i = 0; i < n; i++) worst = fmaxf(worst, fabsf(y[i] - 3.0f));
  printf("largest error %.1f\n", worst);
  cudaFree(x);
  cudaFree(y);

  Node* head = nullptr;
  for (int i = 0; i < 5; i++) {
    Node* n = new Node;
    n->value = i + 1;
    n->next = head;
    head = n;
  }
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  walk<<<1, 1>>>(head, sum);
  cudaDeviceSynchronize();
  printf("sum %d, first %d\n", *sum, head->value);
  cudaPointerAttributes attributes;
  cudaPointerGetAttributes(&attributes, sum);
  printf("managed pointer: %s\n", attributes.type == cudaMemoryTypeManaged ? "yes" : "no");
  while (head != nullptr) {
    Node* next = head->next;
    delete head;
    head = next;
  }
  cudaFree(sum);
  return 0;
}
