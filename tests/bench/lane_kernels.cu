// SPDX-License-Identifier: Apache-2.0
// Warps and lanes in the words of programs: the first warp of an int's quotient, warps that go through rows by their
// number in the grid or take the next one, and operations of some lanes: of a last warp, of those that keep an element,
// of those with one key, of as many as there are warps. Against loops by hand for the same work; the two take turns,
// and a line shows their medians and the ratio's. Exit code 1: a result is wrong.
//   simrun --workers 1 tests/bench/lane_kernels.cu -- cpu       processor time of one worker
//   simrun --execution fibers tests/bench/lane_kernels.cu -- results    sums of the results' bits
#include <cooperative_groups.h>

#include <atomic>

#include "kernels_against_hand.hpp"

namespace {
namespace cg = cooperative_groups;
constexpr int kCells = 1 << 20, kWide = 256, kKeys = 64;

__device__ float sum_of(unsigned mask, float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);
  return v;
}

// Each element beside the sum of its block, which the first warp has made.
__global__ void less_mean(const float* in, float* out) {
  __shared__ float s[32], mean;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const float v = in[i], sum = sum_of(0xffffffff, v);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t / 32 == 0) {
    const float all = sum_of(0xffffffff, t < blockDim.x / 32 ? s[t] : 0.0f);
    if (t == 0) mean = all / blockDim.x;
  }
  __syncthreads();
  out[i] = v - mean;
}
__global__ void rows_of_grid(const float* in, float* out, int rows) {
  const int tid = blockIdx.x * blockDim.x + threadIdx.x;
  const int first = tid / 32, warps = gridDim.x * blockDim.x / 32, lane = tid % 32;
  for (int row = first; row < rows; row += warps) {
    float sum = 0;
    for (int k = lane; k < kWide; k += 32) sum += in[row * kWide + k];
    sum = sum_of(0xffffffff, sum);
    if (lane == 0) out[row] = sum;
  }
}
__global__ void next_rows(const float* in, float* out, int* next, int rows) {
  const int lane = threadIdx.x % 32;
  while (true) {
    int row = 0;
    if (lane == 0) row = atomicAdd(next, 1);
    row = __shfl_sync(0xffffffff, row, 0);
    if (row >= rows) break;
    for (int k = lane; k < kWide; k += 32) out[row * kWide + k] = 2 * in[row * kWide + k];
  }
}
__global__ void last_lanes(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffff, i < n);
  if (i < n) {
    const float sum = sum_of(mask, in[i]);
    if (threadIdx.x % 32 == 0) out[i / 32] = sum;
  }
}
__global__ void keep(const float* in, float* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (i >= n || in[i] < 0.5f) return;
  const unsigned active = __activemask();
  const int leader = __ffs(active) - 1;
  int at = 0;
  if (lane == leader) at = atomicAdd(count, __popc(active));
  at = __shfl_sync(active, at, leader);
  out[at + __popc(active & ((1u << lane) - 1))] = in[i];
}
__global__ void keep_by_group(const float* in, float* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] >= 0.5f) {
    const auto active = cg::coalesced_threads();
    int at = 0;
    if (active.thread_rank() == 0) at = atomicAdd(count, active.size());
    out[active.shfl(at, 0) + active.thread_rank()] = in[i];
  }
}
__global__ void count_keys(const int* keys, int* counts) {
  const int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  const unsigned peers = __match_any_sync(0xffffffff, key);
  if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&counts[key], __popc(peers));
}
__global__ void sum_keys(const int* keys, const int* values, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i];
  const unsigned peers = __match_any_sync(0xffffffff, key);
  const int sum = __reduce_add_sync(peers, values[i]);
  if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&sums[key], sum);
}
// As many lanes as there are warps.
__global__ void block_sums(const float* in, float* out) {
  __shared__ float s[8];
  const int t = threadIdx.x;
  const float sum = sum_of(0xffffffff, in[blockIdx.x * blockDim.x + t]);
  if (t % 32 == 0) s[t / 32] = sum;
  __syncthreads();
  if (t < 8) {
    float v = s[t];
    for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  float *in = managed<float>(kCells), *out = managed<float>(kCells);
  int *keys = managed<int>(kCells), *values = managed<int>(kCells), *counts = managed<int>(kKeys);
  for (int i = 0; i < kCells; ++i) {
    in[i] = static_cast<float>(i * 7919LL % 1009) / 1009;
    keys[i] = static_cast<int>(i * 2654435761LL >> 20) & (kKeys - 1), values[i] = i % 31;
  }
  const work clear = [=] { std::memset(counts, 0, kKeys * sizeof(int)); };
  const auto sum = [](const float* x, int n) {
    float part[32] = {}, all = 0;
    for (int k = 0; k + 32 <= n; k += 32)
      for (int j = 0; j < 32; ++j) part[j] += x[k + j];
    for (const float p : part) all += p;
    return all;
  };
  const int rows = kCells / kWide, n = kCells - 77;
  show(
      "less_mean", out, kCells, nothing, [=] { less_mean<<<rows, kWide>>>(in, out); },
      [=] {
        by_hand(rows, [=](int r) {
          const float mean = sum(in + r * kWide, kWide) / kWide;
          for (int k = 0; k < kWide; ++k) out[r * kWide + k] = in[r * kWide + k] - mean;
        });
      });
  show(
      "rows_of_grid", out, rows, nothing, [=] { rows_of_grid<<<64, 256>>>(in, out, rows); },
      [=] { by_hand(rows, [=](int r) { out[r] = sum(in + r * kWide, kWide); }); });
  show(
      "next_rows", out, kCells, clear, [=] { next_rows<<<16, 256>>>(in, out, counts, rows); },
      [=] {
        by_hand(rows, [=](int r) {
          for (int k = 0; k < kWide; ++k) out[r * kWide + k] = 2 * in[r * kWide + k];
        });
      });
  show(
      "last_lanes", out, kCells / 32, nothing, [=] { last_lanes<<<kCells / 256, 256>>>(in, out, n); },
      [=] {
        by_hand((n + 31) / 32, [=](int w) {
          float all = 0;
          if (w < n / 32)
            all = sum(in + w * 32, 32);
          else
            for (int i = w * 32; i < n; ++i) all += in[i];
          out[w] = all;
        });
      });
  const auto kept = [=] {  // stretches of a few thousand: one addition to the count each
    constexpr int kStretch = 4096;
    by_hand(kCells / kStretch, [=](int s) {
      float own[kStretch];
      int many = 0;
      for (int i = s * kStretch; i < std::min(n, (s + 1) * kStretch); ++i) {
        own[many] = in[i];
        many += in[i] >= 0.5f ? 1 : 0;
      }
      const int at = std::atomic_ref<int>(counts[0]).fetch_add(many);
      std::memcpy(out + at, own, many * sizeof(float));
    });
  };
  show(
      "keep", counts, 1, clear, [=] { keep<<<kCells / 256, 256>>>(in, out, counts, n); }, kept);
  show(
      "keep_by_group", counts, 1, clear, [=] { keep_by_group<<<kCells / 256, 256>>>(in, out, counts, n); }, kept);
  const auto by_keys = [=](const int* weights) {
    constexpr int kStretch = 4096;
    by_hand(kCells / kStretch, [=](int s) {
      int own[kKeys] = {};
      for (int i = s * kStretch; i < (s + 1) * kStretch; ++i) own[keys[i]] += weights == nullptr ? 1 : weights[i];
      for (int k = 0; k < kKeys; ++k) std::atomic_ref<int>(counts[k]).fetch_add(own[k]);
    });
  };
  show(
      "count_keys", counts, kKeys, clear, [=] { count_keys<<<kCells / 256, 256>>>(keys, counts); },
      [=] { by_keys(nullptr); });
  show(
      "sum_keys", counts, kKeys, clear, [=] { sum_keys<<<kCells / 256, 256>>>(keys, values, counts); },
      [=] { by_keys(values); });
  show(
      "block_sums", out, rows, nothing, [=] { block_sums<<<rows, kWide>>>(in, out); },
      [=] { by_hand(rows, [=](int r) { out[r] = sum(in + r * kWide, kWide); }); });
  return wrong ? 1 : 0;
}
