// SPDX-License-Identifier: Apache-2.0
// PTX by the functions of cuda::ptx (from sm_90): bulk copies with a barrier of libcu++ and with bare barrier objects,
// tiles by a tensor map, stores to another block of a cluster, bits and special registers.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <cuda/ptx>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int kThreads = 64, kStages = 2;
constexpr int kWide = 32, kHigh = 16, kTile = 8;  // of the tensor

// One more for each element: in by a barrier, out by a group of copies.
__global__ void add_one(int* data) {
  __shared__ alignas(16) int part[kThreads];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ block_barrier bar;
  int* const mine = data + blockIdx.x * kThreads;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::memcpy_async(part, mine, cuda::aligned_size_t<16>(sizeof part), bar);
  }
  block_barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  part[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, mine, part, sizeof part);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

// Sums of columns of `parts` rows, which come in stages: the barrier of a stage is one of even and odd phases.
__global__ void sum_parts(const int* data, int parts, int* sums) {
  __shared__ alignas(16) int stage[kStages][kThreads];
  __shared__ std::uint64_t full[kStages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) ptx::mbarrier_init(&full[s], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  const auto fetch = [&](int part) {
    const int s = part % kStages;
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], sizeof stage[s]);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], data + part * kThreads, sizeof stage[s],
                       &full[s]);
  };
  if (threadIdx.x == 0)
    for (int p = 0; p < kStages; ++p) fetch(p);
  int sum = 0;
  for (int p = 0; p < parts; ++p) {
    const int s = p % kStages;
    while (!ptx::mbarrier_try_wait_parity(&full[s], p / kStages & 1)) {
    }
    sum += stage[s][threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0 && p + kStages < parts) fetch(p + kStages);
  }
  sums[threadIdx.x] = sum;
}

// Each tile of the tensor, mirrored in the tile itself.
__global__ void turn_tiles(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) int in[kTile][kTile], out[kTile][kTile];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ block_barrier bar;
  const std::int32_t first[2] = {static_cast<int>(blockIdx.x) * kTile, static_cast<int>(blockIdx.y) * kTile};
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, &in, &map, first,
                              cuda::device::barrier_native_handle(bar));
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof in);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  const int x = threadIdx.x % kTile, y = threadIdx.x / kTile;
  out[y][x] = in[x][y];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, first, &out);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// Each block of a cluster stores into the next one, whose barrier counts the bytes.
__global__ void __cluster_dims__(4, 1, 1) pass_on(int* out) {
  __shared__ int given[kThreads];
  __shared__ std::uint64_t bar;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &bar, sizeof given);
  }
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  ptx::st_async(cluster.map_shared_rank(&given[threadIdx.x], next),
                static_cast<int>(ptx::get_sreg_cluster_ctarank() * 1000 + threadIdx.x),
                cluster.map_shared_rank(&bar, next));
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, 0)) {
  }
  out[blockIdx.x * kThreads + threadIdx.x] = given[threadIdx.x];
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

__global__ void bits(unsigned* out) {
  if (ptx::get_sreg_tid_x() != 33) return;
  out[0] = ptx::get_sreg_laneid();
  out[1] = ptx::get_sreg_lanemask_lt();
  out[2] = ptx::get_sreg_ntid_x() + ptx::get_sreg_ctaid_x();
  out[3] = ptx::bfind(std::uint32_t{0x00ff0000});
  out[4] = ptx::bfind_shiftamt(std::int32_t{-256});
  out[5] = ptx::bmsk_clamp(4, 8);
  out[6] = ptx::prmt(0x33221100u, 0x77665544u, 0x7531u);
  out[7] = ptx::shl(0x81u, 4) + ptx::shr(0x81u, 40);
}

int main() {
  constexpr int kParts = 8, kCount = kParts * kThreads;
  std::vector<int> h(kCount);
  std::iota(h.begin(), h.end(), 0);
  int *data, *out;
  cudaMalloc(&data, kCount * sizeof(int));
  cudaMalloc(&out, kCount * sizeof(int));
  cudaMemcpy(data, h.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  add_one<<<kParts, kThreads>>>(data);
  sum_parts<<<1, kThreads>>>(data, kParts, out);
  cudaMemcpy(h.data(), out, kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sums %d %d\n", h[0], h[63]);

  CUtensorMap map;
  cuInit(0);
  const cuuint64_t sizes[] = {kWide, kHigh}, strides[] = {kWide * sizeof(int)};
  const cuuint32_t box[] = {kTile, kTile}, steps[] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, data, sizes, strides, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
    return 1;
  turn_tiles<<<dim3(kWide / kTile, kHigh / kTile), kThreads>>>(map);
  cudaMemcpy(h.data(), data, kCount * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("turned %d %d %d %d\n", h[1], h[kWide], h[8], h[kWide * kHigh - 2]);

  pass_on<<<4, kThreads>>>(out);
  cudaMemcpy(h.data(), out, 4 * kThreads * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("passed %d %d %d\n", h[0], h[kThreads + 5], h[3 * kThreads + 63]);

  bits<<<1, kThreads>>>(reinterpret_cast<unsigned*>(out));
  cudaMemcpy(h.data(), out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) std::printf("%x%c", static_cast<unsigned>(h[i]), i == 7 ? '\n' : ' ');
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(data);
  cudaFree(out);
}
