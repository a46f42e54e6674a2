// SPDX-License-Identifier: Apache-2.0
// A race, and then work without an end: in a kernel, with "many" in one whose blocks meet everywhere, or with "host" in
// main.
#include <cstdio>
#include <string_view>

__global__ void race(int* x) { x[0] = threadIdx.x; }

__global__ void endless(int* x) {
  for (unsigned i = 1; i != 0; i += 2) x[1 + threadIdx.x] += i;
}

__global__ void many(int* x) {
  for (unsigned i = 1; i != 0; i += 2) x[(i * 37 + blockIdx.x * 5 + threadIdx.x) % 16384] += i;
}

int main(int count, char** arguments) {
  const std::string_view where = count > 1 ? arguments[1] : "";
  int* x = nullptr;
  cudaMalloc(&x, 65536);
  cudaMemset(x, 0, 65536);
  race<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  std::puts("race done");
  std::fflush(stdout);
  volatile bool forever = true;
  while (where == "host" && forever) {
  }
  if (where == "many")
    many<<<64, 64>>>(x);
  else
    endless<<<1, 64>>>(x);
  std::printf("end: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
