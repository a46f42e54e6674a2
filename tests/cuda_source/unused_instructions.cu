// SPDX-License-Identifier: Apache-2.0
// Headers for many GPUs have instructions that a program never uses: nothing is said of them.
#include <cstdio>

template <class T>
__device__ void of_template(T x) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(x));
}
__device__ inline void of_inline_function() { asm volatile("wgmma.fence.sync.aligned;"); }
struct of_class {
  __device__ static void before(int x) { asm volatile("tcgen05.wait::ld.sync.aligned; // %0" ::"r"(x)); }
  __device__ int in_branch(int x) const {
    if (sizeof(x) == 8) before(x);
    return x + 1;
  }
};

__global__ void k(int* out) {
  of_class c;
  out[0] = c.in_branch(out[0]);
}

int main() {
  int *device, host = 41;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  cudaFree(device);
}
