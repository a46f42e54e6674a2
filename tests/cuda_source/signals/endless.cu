// SPDX-License-Identifier: Apache-2.0
// A race, and then work without an end: in a kernel, or with the argument "host" in main.
#include <cstdio>
#include <cstring>

__global__ void race(int* x) { x[0] = threadIdx.x; }

__global__ void endless(int* x) {
  for (unsigned i = 1; i != 0; i += 2) x[1 + threadIdx.x] += i;
}

int main(int, char** arguments) {
  int* x = nullptr;
  cudaMalloc(&x, 1000);
  cudaMemset(x, 0, 1000);
  race<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  std::puts("race done");
  std::fflush(stdout);
  volatile bool forever = true;
  while (arguments[1] != nullptr && std::strcmp(arguments[1], "host") == 0 && forever) {
  }
  endless<<<1, 64>>>(x);
  std::printf("end: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
