// SPDX-License-Identifier: Apache-2.0
// cuda_occupancy.h: the occupancy calculator on the numbers of a device of compute capability 9.0.
#include <cuda_occupancy.h>
#include <cuda_runtime.h>
#include <cstdio>

int main() {
  cudaOccDeviceProp p;
  p.computeMajor = 9;
  p.computeMinor = 0;
  p.maxThreadsPerBlock = 1024;
  p.maxThreadsPerMultiprocessor = 2048;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.sharedMemPerBlock = 49152;
  p.sharedMemPerMultiprocessor = 233472;
  p.numSms = 132;
  p.sharedMemPerBlockOptin = 232448;
  p.reservedSharedMemPerBlock = 1024;
  cudaOccDeviceState state;
  for (int registers : {16, 40, 96, 255}) {
    cudaOccFuncAttributes a;
    a.maxThreadsPerBlock = 1024;
    a.numRegs = registers;
    a.sharedSizeBytes = 512;
    a.partitionedGCConfig = PARTITIONED_GC_OFF;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    a.maxDynamicSharedSizeBytes = 200000;
    a.numBlockBarriers = 1;
    printf("%d registers:", registers);
    for (size_t shared : {0, 20000, 48000})
      for (int size : {32, 96, 200, 256, 1024}) {
        cudaOccResult r;
        const cudaOccError e = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &state, size, shared);
        printf(" %d", e == CUDA_OCC_SUCCESS ? r.activeBlocksPerMultiprocessor : -1);
      }
    int grid = 0, block = 0;
    cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &p, &a, &state, nullptr, 20000);
    printf(", best %d of %d\n", grid, block);
  }
}
