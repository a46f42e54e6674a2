// SPDX-License-Identifier: Apache-2.0
// More shared memory is asked for than a block can have; the launch, which needs little, goes well all the same.
// options: --detect-races
// code: 3
// says: error.unchecked-error.: cudaFuncSetAttribute failed, and nobody looked at its result
// says: ignored_attribute.cu:16 in main
// says: 1 error; judged races in 1 launch
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int* a) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  a[threadIdx.x] = s[threadIdx.x];
}
int main() {
  cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20);
  int *a, host[64] = {};
  if (cudaMalloc(&a, sizeof host) != cudaSuccess) return 1;
  fill<<<1, 64, 256>>>(a);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[63]);
  cudaFree(a);
}
