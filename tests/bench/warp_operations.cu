// SPDX-License-Identifier: Apache-2.0
// Operations of warps as people write them. A line shows a kernel's processor time a launch, the best of five. Run once
// as loops and once on fibers, a few times in turns:
//   for i in 1 2 3; do for e in auto fibers; do simrun --execution $e tests/bench/warp_operations.cu; done; done
// Exit code 1: a result is wrong.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

namespace {

constexpr int kCount = 1 << 20, kRounds = 5;
constexpr unsigned kAll = 0xffffffff;

__device__ int warp_sum(int v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(kAll, v, d);
  return v;
}
__global__ void sum_of_a_warp(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = warp_sum(in[i]);
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}
__global__ void block_sum(const int* in, int* out) {
  __shared__ int parts[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) parts[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = warp_sum(lane < blockDim.x / 32 ? parts[lane] : 0);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}
__global__ void prefix_sum_of_a_warp(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int sum = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(kAll, sum, d);
    if (lane >= d) sum += other;
  }
  out[i] = sum;
}
__global__ void reduce_add(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __reduce_add_sync(kAll, in[i]);
}
// The positive ones of each warp come first.
__global__ void compaction(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const bool mine = in[i] % 3 == 0;
  const unsigned kept = __ballot_sync(kAll, mine);
  if (mine) out[i - lane + __popc(kept & ((1u << lane) - 1))] = in[i];
}
__global__ void exchanges(const int* in, int* out) {
  __shared__ int values[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = threadIdx.x - lane;
  values[threadIdx.x] = in[i];
  for (int k = 1; k <= 4; ++k) {
    __syncwarp();
    const int other = values[first + (lane + k) % 32];
    __syncwarp();
    values[threadIdx.x] = other + k;
  }
  out[i] = values[threadIdx.x];
}

int *in, *out;
bool wrong = false;

// expected: what out[k] must be.
void show(const char* name, int block, void (*kernel)(const int*, int*), int results,
          const std::function<int(int)>& expected) {
  std::fill(out, out + kCount, -1);
  double best = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const std::clock_t start = std::clock();
    kernel<<<kCount / block, block>>>(in, out);
    cudaDeviceSynchronize();
    best = std::min(best, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  bool right = true;
  for (int k = 0; k < results; ++k) right = right && out[k] == expected(k);
  wrong |= !right;
  std::printf("%-28s %9.3f%s\n", name, best, right ? "" : "  WRONG");
}
int sum_of(int first, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += in[first + i];
  return sum;
}

}  // namespace

int main() {
  cudaMallocManaged(&in, kCount * sizeof(int));
  cudaMallocManaged(&out, kCount * sizeof(int));
  for (int i = 0; i < kCount; ++i) in[i] = (i * 7 + i / 5) % 101;
  std::printf("%-28s %9s\n", "kernel", "cpu ms");
  show("sum of a warp", 256, sum_of_a_warp, kCount / 32, [](int k) { return sum_of(32 * k, 32); });
  show("block sum, 256", 256, block_sum, kCount / 256, [](int k) { return sum_of(256 * k, 256); });
  show("block sum, 1024", 1024, block_sum, kCount / 1024, [](int k) { return sum_of(1024 * k, 1024); });
  show("prefix sum of a warp", 256, prefix_sum_of_a_warp, kCount,
       [](int k) { return sum_of(k / 32 * 32, k % 32 + 1); });
  show("reduce_add", 256, reduce_add, kCount, [](int k) { return sum_of(k / 32 * 32, 32); });
  std::vector<int> kept(kCount, -1);
  for (int i = 0, at = 0; i < kCount; ++i) {
    if (i % 32 == 0) at = i;
    if (in[i] % 3 == 0) kept[at++] = in[i];
  }
  show("compaction by ballot", 256, compaction, kCount, [&](int k) { return kept[k]; });
  show("exchanges and syncwarp", 256, exchanges, kCount,
       [](int k) { return in[k / 32 * 32 + (k + 10) % 32] + 1 + 2 + 3 + 4; });
  return wrong ? 1 : 0;
}
