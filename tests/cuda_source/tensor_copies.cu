// SPDX-License-Identifier: Apache-2.0
// Bulk copies of tiles by a tensor map (TMA, from sm_90): by inline PTX and by libcu++'s names, over the edges of the
// tensor, with steps between elements, swizzled, of three dimensions, and back to global memory.
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

#define CHECK(e)                                                           \
  do {                                                                     \
    if (const int r = static_cast<int>(e)) {                               \
      std::printf("line %d: error %d\n", __LINE__, r);                     \
      return 1;                                                            \
    }                                                                      \
  } while (0)

constexpr int kWide = 64, kHigh = 32;  // the tensor
constexpr int kBoxWide = 16, kBoxHigh = 8;

__device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// The tile at (x, y), as it lies in shared memory.
__global__ void load_by_ptx(const __grid_constant__ CUtensorMap map, int x, int y, int* out) {
  __shared__ alignas(1024) int tile[kBoxHigh * kBoxWide];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0) __mbarrier_init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(int(sizeof tile))
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
        ::"r"(at(tile)), "l"(&map), "r"(x), "r"(y), "r"(at(&bar))
        : "memory");
  }
  while (!__mbarrier_test_wait_parity(&bar, false)) {
  }
  for (int i = threadIdx.x; i < kBoxHigh * kBoxWide; i += blockDim.x) out[i] = tile[i];
}

// Doubles each element of the tensor, a tile in each block.
__global__ void twice(const __grid_constant__ CUtensorMap map) {
  __shared__ alignas(128) int tile[kBoxHigh][kBoxWide];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ block_barrier bar;
  const int x = blockIdx.x * kBoxWide, y = blockIdx.y * kBoxHigh;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  block_barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  tile[threadIdx.x / kBoxWide][threadIdx.x % kBoxWide] *= 2;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
  }
}

// A box of three dimensions from (2, 1, 1) is added up.
__global__ void sum_of_box(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(128) int box[2][4][8];
  __shared__ block_barrier bar;
  if (threadIdx.x == 0) init(&bar, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_3d_global_to_shared(&box, &map, 4, 1, 1, bar);
    bar.wait(cuda::device::barrier_arrive_tx(bar, 1, sizeof box));
    int sum = 0;
    for (const auto& plane : box)
      for (const auto& row : plane)
        for (const int v : row) sum += v;
    *out = sum;
  }
}

static void print_rows(const char* name, const int* v, int rows, int wide) {
  std::printf("%s\n", name);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < wide; ++k) std::printf(" %4d", v[i * wide + k]);
    std::printf("\n");
  }
}

int main() {
  std::vector<int> host(kWide * kHigh);
  for (int i = 0; i < kWide * kHigh; ++i) host[i] = i;
  int *tensor, *out;
  CHECK(cudaMalloc(&tensor, host.size() * sizeof(int)));
  CHECK(cudaMalloc(&out, kBoxHigh * kBoxWide * sizeof(int)));
  CHECK(cudaMemcpy(tensor, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));

  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
  const auto make = [&](CUtensorMap& map, unsigned rank, const std::uint64_t* sizes, const std::uint64_t* strides,
                        const std::uint32_t* box, const std::uint32_t* steps, CUtensorMapSwizzle swizzle) {
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, tensor, sizes, strides, box, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  const std::uint64_t sizes[] = {kWide, kHigh}, strides[] = {kWide * sizeof(int)};
  const std::uint32_t box[] = {kBoxWide, kBoxHigh}, ones[] = {1, 1, 1};
  CUtensorMap plain{}, swizzled{}, odd{}, deep{};
  CHECK(make(plain, 2, sizes, strides, box, ones, CU_TENSOR_MAP_SWIZZLE_NONE));
  CHECK(make(swizzled, 2, sizes, strides, box, ones, CU_TENSOR_MAP_SWIZZLE_64B));
  const std::uint32_t box_of_all[] = {kBoxWide, 2 * kBoxHigh}, every_other[] = {1, 2};
  CHECK(make(odd, 2, sizes, strides, box_of_all, every_other, CU_TENSOR_MAP_SWIZZLE_NONE));
  const std::uint64_t cube[] = {16, 8, 16}, cube_strides[] = {64, 512};
  const std::uint32_t cube_box[] = {8, 4, 2};
  CHECK(make(deep, 3, cube, cube_strides, cube_box, ones, CU_TENSOR_MAP_SWIZZLE_NONE));
  // What no map can be: a stride that is no multiple of 16, a swizzled row that is too long.
  const std::uint64_t uneven[] = {kWide * sizeof(int) + 4};
  CUtensorMap none{};
  std::printf("refused: %d %d\n", make(none, 2, sizes, uneven, box, ones, CU_TENSOR_MAP_SWIZZLE_NONE) != 0,
              make(none, 2, sizes, strides, box, ones, CU_TENSOR_MAP_SWIZZLE_32B) != 0);

  std::vector<int> tile(kBoxHigh * kBoxWide);
  const auto show = [&](const char* name, const CUtensorMap& map, int x, int y, int rows) {
    load_by_ptx<<<1, 64>>>(map, x, y, out);
    CHECK(cudaMemcpy(tile.data(), out, tile.size() * sizeof(int), cudaMemcpyDeviceToHost));
    print_rows(name, tile.data(), rows, kBoxWide);
    return 0;
  };
  CHECK(show("inside", plain, 16, 8, 2));
  CHECK(show("over the left edge and the top", plain, -4, -6, 8));
  CHECK(show("over the right edge and the bottom", plain, 56, 30, 4));
  CHECK(show("swizzled", swizzled, 0, 0, 8));
  CHECK(show("every other row", odd, 0, 1, 8));
  twice<<<dim3(kWide / kBoxWide, kHigh / kBoxHigh), kBoxWide * kBoxHigh>>>(plain);
  CHECK(cudaMemcpy(host.data(), tensor, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kWide * kHigh; ++i) wrong += host[i] != 2 * i;
  std::printf("wrong after twice: %d\n", wrong);
  int sum = 0;
  sum_of_box<<<1, 32>>>(deep, out);
  CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
  std::printf("sum of a box: %d\n", sum);
  CHECK(cudaFree(tensor));
  CHECK(cudaFree(out));
  return 0;
}
