// SPDX-License-Identifier: Apache-2.0
// A plain run: a tile (TMA) that does not begin at a multiple of 128 bytes ends the kernel, as on a GPU.
// code: 4
// says: error.device-trap
// says: kernel load trapped
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

#include <cstdio>

namespace ptx = cuda::ptx;

__global__ void load(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(128) int room[64 + 4];
  __shared__ std::uint64_t bar;
  int* const tile = room + 4;
  if (threadIdx.x == 0) {
    const int first[] = {0, 0};
    ptx::mbarrier_init(&bar, 1);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 64 * sizeof(int));
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, first, &bar);
  }
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(data, 1, 64 * sizeof(int));
  cuInit(0);
  CUtensorMap map;
  const cuuint64_t sizes[] = {8, 8}, strides[] = {8 * sizeof(int)};
  const cuuint32_t box[] = {8, 8}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  load<<<1, 64>>>(map, out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(data);
  cudaFree(out);
}
