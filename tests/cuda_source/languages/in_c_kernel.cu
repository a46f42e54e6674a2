// SPDX-License-Identifier: Apache-2.0
// The part of a program in C that has CUDA's language.
#include <cstdio>

extern "C" {
#include "in_c.h"
}
extern "C" int shared_with_kernels;

__global__ void scale_all(float* values, int count, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

void scale(float* values, int count, float factor) {
  scale_all<<<(count + 31) / 32, 32>>>(values, count, factor);
  printf("%d %d\n", times_seven(6), shared_with_kernels);
}
