// SPDX-License-Identifier: Apache-2.0
// The host gives a kernel its own name of a __device__ array: the kernel gets the address of the shadow on the host.
// options: --check all
// code: 3
// says: host-memory
// says: shadow_in_a_kernel.cu:13
#include <cstdio>

__device__ int table[32];

__global__ void fill(int* t) {
  // What comes is no memory of the device.
  t[threadIdx.x] = 1;
}

int main() {
  fill<<<1, 32>>>(table);
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("the kernel died\n");
}
