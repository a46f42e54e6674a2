// SPDX-License-Identifier: Apache-2.0
// A loop's condition reads what the next turn writes, so some leave early and the others wait for ever. The race is the
// cause and stands first; the barrier and the deadlock under it. With one barrier more, all leave together.
// options: --check all
// code: 4
// says: error.race-global.: write and read of again.0. are not ordered
// says: fix: put grid.sync\(\) at the beginning of the loop's body, in front of line 17
// says: 2 more findings with the same cause, mended with it:
// says: - error.barrier-divergence. .*grid_sync_condition.cu:18
// says: : 3 errors of 1[ \n]+cause,[ \n]+the kernel did not finish
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;
__global__ void rounds(int* again) {
  int turn = 0;
  do {
    if (blockIdx.x == 0 && threadIdx.x == 0) *again = turn < 2;
    cg::this_grid().sync();
  } while (*again && ++turn);
}
__global__ void apart(int* again) {
  for (int turn = 0, more = 1; more; ++turn) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *again = turn < 2;
    cg::this_grid().sync();
    more = *again;
    cg::this_grid().sync();
  }
}
int main() {
  int* again;
  cudaMalloc(&again, sizeof(int));
  void* arguments[] = {&again};
  cudaLaunchCooperativeKernel((void*)apart, 4, 32, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaLaunchCooperativeKernel((void*)rounds, 4, 32, arguments, 0, nullptr);
  cudaDeviceSynchronize();
  cudaFree(again);
}
