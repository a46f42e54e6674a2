// SPDX-License-Identifier: Apache-2.0
// Host code checks a kernel's squares against its own product, which overflows an int and wraps.
#include <cstdio>

constexpr int kCount = 100000;

__global__ void square(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

static int first_difference(const int* x, int n) {
  for (int i = 0; i < n; i += 1)
    if (x[i] != i * i) return i;
  return -1;
}

int main() {
  int *h = new int[kCount], *d;
  for (int i = 0; i < kCount; ++i) h[i] = i;
  cudaMalloc(&d, kCount * sizeof(int));
  cudaMemcpy(d, h, kCount * sizeof(int), cudaMemcpyHostToDevice);
  square<<<(kCount + 255) / 256, 256>>>(d, kCount);
  cudaMemcpy(h, d, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  printf("first difference: %d\n", first_difference(h, kCount));
  cudaFree(d);
  delete[] h;
}
