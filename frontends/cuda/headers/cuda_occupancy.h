// SPDX-License-Identifier: Apache-2.0
// The occupancy calculator on its own: how many blocks of a kernel a multiprocessor holds, from numbers alone. By the
// limits of the CUDA C++ Programming Guide, Compute Capabilities: warps, blocks, registers (given out by warps, 256 at
// a time, from a quarter of the registers each) and shared memory (128 bytes at a time).
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cstddef>

#include <cuda_runtime.h>

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;
typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;
typedef enum cudaOccFuncShmemConfig_enum { FUNC_SHMEM_LIMIT_DEFAULT, FUNC_SHMEM_LIMIT_OPTIN } cudaOccFuncShmemConfig;
typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10
} cudaOccLimitingFactor;

struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  std::size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  std::size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;

  cudaOccDeviceProp() = default;
  template <class Properties>
  cudaOccDeviceProp(const Properties& p)
      : computeMajor(p.major),
        computeMinor(p.minor),
        maxThreadsPerBlock(p.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor),
        regsPerBlock(p.regsPerBlock),
        regsPerMultiprocessor(p.regsPerMultiprocessor),
        warpSize(p.warpSize),
        sharedMemPerBlock(p.sharedMemPerBlock),
        sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor),
        numSms(p.multiProcessorCount),
        sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(p.reservedSharedMemPerBlock) {}
};

struct cudaOccFuncAttributes {
  int maxThreadsPerBlock, numRegs;
  std::size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig = PARTITIONED_GC_OFF;
  cudaOccFuncShmemConfig shmemLimitConfig = FUNC_SHMEM_LIMIT_DEFAULT;
  std::size_t maxDynamicSharedSizeBytes = 0;
  int numBlockBarriers = 1;

  cudaOccFuncAttributes() = default;
  template <class Attributes>
  cudaOccFuncAttributes(const Attributes& a)
      : maxThreadsPerBlock(a.maxThreadsPerBlock),
        numRegs(a.numRegs),
        sharedSizeBytes(a.sharedSizeBytes),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(static_cast<std::size_t>(a.maxDynamicSharedSizeBytes)) {}
};

struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig = CACHE_PREFER_NONE;
  int carveoutConfig = -1;
};

struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors;
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
  int allocatedRegistersPerBlock;
  std::size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
};

inline cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult* result, const cudaOccDeviceProp* device,
                                                            const cudaOccFuncAttributes* function,
                                                            const cudaOccDeviceState* state, int block_size,
                                                            std::size_t dynamic_shared) {
  if (result == nullptr || device == nullptr || function == nullptr || state == nullptr || block_size <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  constexpr int kQuarters = 4, kRegistersAtATime = 256;
  const int warps = (block_size + device->warpSize - 1) / device->warpSize;
  *result = {};
  cudaOccResult& r = *result;
  r.blockLimitWarps =
      block_size > function->maxThreadsPerBlock ? 0 : device->maxThreadsPerMultiprocessor / device->warpSize / warps;
  const bool few_blocks = device->computeMajor < 7
                              ? false
                              : device->computeMinor == 5 || (device->computeMajor == 8 && device->computeMinor != 0);
  r.blockLimitBlocks = few_blocks ? (device->computeMinor == 9 ? 24 : 16) : 32;
  r.blockLimitBarriers = r.blockLimitBlocks;
  const int of_warp =
      (function->numRegs * device->warpSize + kRegistersAtATime - 1) / kRegistersAtATime * kRegistersAtATime;
  const int padded_warps = (warps + kQuarters - 1) / kQuarters * kQuarters;
  r.allocatedRegistersPerBlock = of_warp * padded_warps;
  if (of_warp == 0)
    r.blockLimitRegs = r.blockLimitBlocks;
  else
    r.blockLimitRegs = r.allocatedRegistersPerBlock > device->regsPerBlock
                           ? 0
                           : device->regsPerMultiprocessor / kQuarters / of_warp * kQuarters / warps;
  const std::size_t wanted = function->sharedSizeBytes + dynamic_shared;
  const std::size_t most =
      function->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN ? device->sharedMemPerBlockOptin : device->sharedMemPerBlock;
  r.allocatedSharedMemPerBlock = (wanted + device->reservedSharedMemPerBlock + 127) / 128 * 128;
  if (wanted > most)
    r.blockLimitSharedMem = 0;
  else
    r.blockLimitSharedMem = r.allocatedSharedMemPerBlock == 0
                                ? r.blockLimitBlocks
                                : static_cast<int>(device->sharedMemPerMultiprocessor / r.allocatedSharedMemPerBlock);
  int least = r.blockLimitWarps;
  for (const int limit : {r.blockLimitBlocks, r.blockLimitRegs, r.blockLimitSharedMem})
    least = limit < least ? limit : least;
  r.activeBlocksPerMultiprocessor = least;
  r.limitingFactors = (r.blockLimitWarps == least ? OCC_LIMIT_WARPS : 0u) |
                      (r.blockLimitRegs == least ? OCC_LIMIT_REGISTERS : 0u) |
                      (r.blockLimitSharedMem == least ? OCC_LIMIT_SHARED_MEMORY : 0u) |
                      (r.blockLimitBlocks == least ? OCC_LIMIT_BLOCKS : 0u);
  return CUDA_OCC_SUCCESS;
}

// The block size that keeps most threads resident, the larger where several do. shared_of_block: bytes for a size; else
// `dynamic_shared` bytes for all.
inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int* min_grid, int* block_size, const cudaOccDeviceProp* device, const cudaOccFuncAttributes* function,
    const cudaOccDeviceState* state, std::size_t (*shared_of_block)(int), std::size_t dynamic_shared) {
  if (min_grid == nullptr || block_size == nullptr || device == nullptr || function == nullptr || state == nullptr)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  int most = 0;
  const int largest = function->maxThreadsPerBlock < device->maxThreadsPerBlock ? function->maxThreadsPerBlock
                                                                                : device->maxThreadsPerBlock;
  for (int size = largest; size > 0;
       size = size % device->warpSize != 0 ? size - size % device->warpSize : size - device->warpSize) {
    cudaOccResult r;
    const std::size_t bytes = shared_of_block != nullptr ? shared_of_block(size) : dynamic_shared;
    if (const cudaOccError e = cudaOccMaxActiveBlocksPerMultiprocessor(&r, device, function, state, size, bytes);
        e != CUDA_OCC_SUCCESS)
      return e;
    if (r.activeBlocksPerMultiprocessor * size <= most) continue;
    most = r.activeBlocksPerMultiprocessor * size;
    *block_size = size;
    *min_grid = r.activeBlocksPerMultiprocessor * device->numSms;
  }
  return most > 0 ? CUDA_OCC_SUCCESS : CUDA_OCC_ERROR_INVALID_INPUT;
}
inline cudaOccError cudaOccMaxPotentialOccupancyBlockSize(int* min_grid, int* block_size,
                                                          const cudaOccDeviceProp* device,
                                                          const cudaOccFuncAttributes* function,
                                                          const cudaOccDeviceState* state,
                                                          std::size_t dynamic_shared = 0) {
  return cudaOccMaxPotentialOccupancyBlockSize(min_grid, block_size, device, function, state, nullptr, dynamic_shared);
}

#include "simt_cuda/restore_names.hpp"
