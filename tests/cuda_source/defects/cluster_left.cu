// SPDX-License-Identifier: Apache-2.0
// A block of a cluster reads another one's shared memory, and nothing keeps that one in the kernel: cluster.cu has the
// sync at the end.
// options: --check all
// code: 3
// says: read of 4 bytes at s\[0\] in the shared memory of a block that has left
// says: and nothing keeps block \([0-9],0,0\) in the kernel
// says: put cluster.sync\(\) behind the last access to another block's shared memory
// says: cluster_left.cu:19
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) ring(int* out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(s, (cluster.block_rank() + 1) % 2);
  out[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];
#ifdef CLEAN
  cluster.sync();
#endif
}

int main() {
  int* out;
  cudaMalloc(&out, 256 * sizeof(int));
  ring<<<4, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
