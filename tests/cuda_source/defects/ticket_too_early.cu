// SPDX-License-Identifier: Apache-2.0
// A block takes its ticket before its result is stored; the program's own check of the sum tells, in some orders only.
// options: --check races --explore bound=1
// code: 3
// says: nondeterministic-output
// says: the program ends with exit code 1, and in its first run with 0
// says: order: thread 0 of block 0 stops after line 10
#include <cuda_runtime.h>
__global__ void kernel(int* parts, int* tickets, int* sum) {
  const int before = atomicAdd(tickets, 1);
  atomicExch(&parts[blockIdx.x], 21);
  if (before == 1) *sum = atomicAdd(&parts[0], 0) + atomicAdd(&parts[1], 0);
}
int main() {
  int* all;
  cudaMalloc(&all, 4 * sizeof *all);
  cudaMemset(all, 0, 4 * sizeof *all);
  kernel<<<2, 1>>>(all, all + 2, all + 3);
  int sum = 0;
  cudaMemcpy(&sum, all + 3, sizeof sum, cudaMemcpyDeviceToHost);
  cudaFree(all);
  return sum == 42 ? 0 : 1;
}
