// SPDX-License-Identifier: Apache-2.0
// C as C has it, beside a kernel in another source: CUDA's API, and what C++ would not take.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "in_c.h"

#define CHECK(call)                                                     \
  do {                                                                  \
    cudaError_t status = (call);                                        \
    if (status != cudaSuccess) {                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                               \
    }                                                                   \
  } while (0)

typedef struct node {
  int class;
  struct node* this;
  union {
    float real;
    int whole;
  } value;
} node;

static int calls;
int shared_with_kernels = 7;

static node* new_node(int class, node* this) {
  node* new = malloc(sizeof *new);
  if (new == NULL) return NULL;
  *new = (node){.class = class, .this = this};
  new->value.whole = 3 * class;
  ++calls;
  return new;
}

static void* worker(void* argument) {
  node* n = argument;
  n->value.whole += 1;
  return n;
}

static float sum_of(const float* restrict values, int count) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum;
}

int times_seven(int x) { return x * shared_with_kernels; }

int main(void) {
  enum { kCount = 64 };
  node *list = NULL, *next;
  for (int i = 0; i < 3; i++) list = new_node(i, list);
  node* first = worker(list);
  void* untyped = first->this;
  next = untyped;
  printf("%d %d %d %d\n", calls, first->class, first->value.whole, next->class);

  float* host = malloc(kCount * sizeof(float));
  float* copy;
  if (!(copy = calloc(kCount, sizeof(float)))) return 1;
  host = realloc(host, 2 * kCount * sizeof *host);
  for (int i = 0; i < kCount; i++) host[i] = i;

  float* device;
  CHECK(cudaMalloc((void**)&device, kCount * sizeof(float)));
  CHECK(cudaMemcpy(device, host, kCount * sizeof(float), cudaMemcpyHostToDevice));
  scale(device, kCount, 2.0f);
  CHECK(cudaMemcpy(copy, device, kCount * sizeof(float), cudaMemcpyDeviceToHost));
  int n = kCount;
  float window[n];
  memcpy(window, copy, sizeof window);
  printf("%g %g\n", sum_of(copy, n), window[5]);

  cublasHandle_t blas;
  float norm = 0;
  bool good = cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS;
  good = good && cublasSasum(blas, n, device, 1, &norm) == CUBLAS_STATUS_SUCCESS;
  cublasDestroy(blas);
  printf("%d %g\n", good, norm);

  struct cudaDeviceProp properties;
  enum cudaMemcpyKind kind = cudaMemcpyDefault;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  printf("%d %d %d\n", properties.warpSize, kind, (int)(sizeof(dim3) / sizeof(unsigned)));

  CHECK(cudaFree(device));
  free(host);
  free(copy);
  while (list) {
    node* rest = list->this;
    free(list);
    list = rest;
  }
  return 0;
}
