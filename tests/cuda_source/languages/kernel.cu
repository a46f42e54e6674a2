// SPDX-License-Identifier: Apache-2.0
// The part of a program that has CUDA's language; main.cpp and sum.c are the host's.
__global__ void squares(int *d, int n) {
  int i = threadIdx.x;
  if (i < n) d[i] = i * i;
}
void launch(int *d, int n) { squares<<<1, 32>>>(d, n); }
