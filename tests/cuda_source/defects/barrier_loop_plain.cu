// SPDX-License-Identifier: Apache-2.0
// options: --timeout 1
// code: 4
// says: error\[hang\]: kernel go_round did not end within the time limit
// says: barrier_loop_plain.cu:1[34] in go_round
// A plain run goes round over a barrier for ever: the report has the loop's line, though most of the time is spent in
// the change from one thread to the next.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void go_round(int* p, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = n;
  for (;;) {
    __syncthreads();
  }
  p[threadIdx.x] = s[0];
}
int main() {
  int* p;
  cudaMalloc(&p, 64 * sizeof(int));
  go_round<<<1, 64>>>(p, 1);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
