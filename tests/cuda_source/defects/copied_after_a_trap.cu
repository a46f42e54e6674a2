// SPDX-License-Identifier: Apache-2.0
// A kernel that died has not written its result. The copy that the program makes of it all the same does not run, as
// with CUDA: it changes nothing, and that nobody wrote what it reads is no news.
// options: --check all
// code: 4
// says: the host still has 3
// says: copied_after_a_trap.cu:15 in half_way
// says: copied_after_a_trap.cu: 1 error, the kernel did not finish
#include <cuda_runtime.h>

#include <cstdio>
__global__ void half_way(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  if (in[i] > 5)
    __trap();
  __syncthreads();
  if (i < n) out[i] = in[i] + 1;
}
int main() {
  int host[64], *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  half_way<<<1, 64>>>(in, out, 64);
  const cudaError_t e = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s: the host still has %d\n", cudaGetErrorString(e), host[3]);
  cudaFree(in);
  cudaFree(out);
}
