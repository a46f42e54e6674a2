// SPDX-License-Identifier: Apache-2.0
// Names that samples and benchmarks use now and then: bulk copies of a thread, atomics on vectors, differences of bytes,
// marks of profilers, OpenMP, pinned vectors, whole-device transforms and copies of CUB.
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda_fp16.h>
#include <nvtx3/nvToolsExt.h>
#include <omp.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/random.h>
#include <thrust/shuffle.h>
#include <thrust/system/cuda/experimental/pinned_allocator.h>

#include <cstdio>
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__global__ void through_shared(int *data) {
  __shared__ alignas(16) int tile[128];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_global_to_shared(tile, data + blockIdx.x * 128, sizeof tile, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 128; i += blockDim.x) tile[i] += 1000;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_shared_to_global(data + blockIdx.x * 128, tile, sizeof tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

__global__ void small(float2 *sum, float *halves, unsigned *bytes) {
  cudaGridDependencySynchronize();
  atomicAdd(sum, make_float2(1, 2));
  auto alone = cooperative_groups::this_thread();
  alone.sync();
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    half h = 1.5f;
    h++;
    __half_raw raw = h;
    halves[0] = __half2float(__half(raw)) + __half2float(CUDART_ONE_FP16) + alone.size();
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(bytes[0]) : "r"(0x05050505), "r"(0x01020304), "r"(100));
  }
  cudaTriggerProgrammaticLaunchCompletion();
}

struct twice {
  __host__ __device__ int operator()(int x) const { return 2 * x; }
};

int main() {
  std::cout << "begins\n";  // <thrust/random.h> brings <iostream>
  nvtxEventAttributes_t mark = {};
  mark.version = NVTX_VERSION;
  mark.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  mark.messageType = NVTX_MESSAGE_TYPE_ASCII;
  mark.message.ascii = "all of it";
  nvtxRangePushEx(&mark);
  int *data;
  cudaMallocManaged(&data, 256 * sizeof(int));
  for (int i = 0; i < 256; ++i) data[i] = i;
  through_shared<<<2, 64>>>(data);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", data[3], data[255]);
  cub::DeviceTransform::Transform(data, data, 256, twice());
  cudaDeviceSynchronize();
  std::printf("%d\n", data[3]);
  cudaFree(data);

  float2 *sum;
  float *halves;
  unsigned *bytes;
  cudaMallocManaged(&sum, sizeof(float2));
  cudaMallocManaged(&halves, sizeof(float));
  cudaMallocManaged(&bytes, sizeof(unsigned));
  *sum = make_float2(0, 0);
  small<<<2, 32>>>(sum, halves, bytes);
  cudaDeviceSynchronize();
  std::printf("%g %g, %g, %u\n", sum->x, sum->y, *halves, *bytes);
  cudaFree(sum);
  cudaFree(halves);
  cudaFree(bytes);

  thrust::host_vector<int, thrust::cuda::experimental::pinned_allocator<int>> pinned(100, 1);
  thrust::device_vector<int> numbers(pinned.begin(), pinned.end());
  thrust::sequence(numbers.begin(), numbers.end());
  thrust::default_random_engine engine(3);
  thrust::shuffle(numbers.begin(), numbers.end(), engine);
  const bool moved = (int)numbers[0] != 0 || (int)numbers[1] != 1 || (int)numbers[2] != 2;
  thrust::sort(numbers.begin(), numbers.end());
  std::printf("shuffled %d, all there %d\n", moved, (int)numbers[0] == 0 && (int)numbers[99] == 99);
  int total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < 10; ++i) total += i;
  std::printf("%d, threads %d\n", total, omp_get_max_threads() > 0);
  nvtxRangePop();
}
