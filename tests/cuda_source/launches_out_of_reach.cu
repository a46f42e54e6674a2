// SPDX-License-Identifier: Apache-2.0
// Instances of a kernel with barriers that are chosen by a constant: the compiler takes the others' launches out.
#include <cstdio>

template <int Size>
__global__ void reverse(int* x) {
  __shared__ int s[Size];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[Size - 1 - threadIdx.x];
}
template <int Size>
__global__ void rotate(int* x) {
  const int mine = __shfl_sync(0xffffffffu, x[threadIdx.x], threadIdx.x + 1);
  __syncthreads();
  x[threadIdx.x] = mine * Size;
}

int main() {
  const int size = 64;
  int* x;
  cudaMallocManaged(&x, 128 * sizeof(int));
  for (int i = 0; i < 128; ++i) x[i] = i;
  switch (size) {
    case 32: reverse<32><<<1, 32>>>(x); break;
    case 64: reverse<64><<<1, 64>>>(x); break;
    case 128: reverse<128><<<1, 128>>>(x); break;
  }
  if (size > 64) rotate<2><<<1, 32>>>(x);
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", x[0], x[63], x[64]);
  cudaFree(x);
}
