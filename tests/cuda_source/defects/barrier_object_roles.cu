// SPDX-License-Identifier: Apache-2.0
// Two warps meet at a cuda::barrier before the second buffer is written, and at none behind it.
// options: --check all
// code: 3
// says: let both branches of line 16 meet behind line 19 and in front of line 22, at a barrier
// says: own beside full: arrive\(\) behind the one
#include <cuda/barrier>
#include <cstdio>

__global__ void roles(int* out) {
  __shared__ int s[32], r[32];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) init(&full, 64);
  __syncthreads();
  if (threadIdx.x < 32) {
    s[threadIdx.x] = threadIdx.x;
    full.arrive_and_wait();
    r[threadIdx.x] = s[threadIdx.x] + 1;
  } else {
    full.arrive_and_wait();
    out[threadIdx.x - 32] = s[63 - threadIdx.x] + r[63 - threadIdx.x];
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  roles<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
