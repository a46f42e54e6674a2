// SPDX-License-Identifier: Apache-2.0
// A thread publishes the address of its own variable, and all read through it: that address is another thread's.
// options: --check all --explain-execution
// code: 3
// says: error\[host-memory\]: a kernel reads (a variable of another thread|memory of the host)
// says: another_threads_local.cu:15 in share
// says: ran as fibers: (the address of a thread's own variable|the kernels were compiled by g)
#include <cuda_runtime.h>

__global__ void share(int* out) {
  __shared__ const int* shared;
  int mine = threadIdx.x + 10;
  if (threadIdx.x == 0) shared = &mine;
  __syncthreads();
  out[threadIdx.x] = *shared;
  __syncthreads();
  out[threadIdx.x] += mine;
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  share<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
