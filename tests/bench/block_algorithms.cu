// SPDX-License-Identifier: Apache-2.0
// Algorithms of a block in shared memory, as textbooks and CUDA's samples write them: the seven reductions, prefix
// sums, sorts, merges, transforms, alignments. Against the loops that one would write by hand for the same work and,
// where that is another algorithm (a sum instead of a tree), against the kernel's steps as loops, too. The two take
// turns, and a line shows their medians and the ratio's. Exit code 1: a result is wrong. Long because: each kernel has
// its loop by hand.
//   simrun tests/bench/block_algorithms.cu
//   simrun --workers 1 tests/bench/block_algorithms.cu -- cpu       processor time of one worker
//   simrun --execution fibers tests/bench/block_algorithms.cu -- results    sums of the results' bits
#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kCells = 1 << 20, kBlock = 256;

// The samples' reductions: neighbours first, with a division and without; halves; the first addition while loading; the
// last warp by volatile accesses; unrolled by a template; and with a loop over the grid.
__global__ void reduce_modulo(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_strided(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const int index = 2 * s * t;
    if (index < blockDim.x) sums[index] += sums[index + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_halves(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
__global__ void reduce_two_loads(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int mine = i < n ? in[i] : 0;
  if (i + blockDim.x < n) mine += in[i + blockDim.x];
  sums[t] = mine;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] = mine = mine + sums[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = mine;
}
// Since Volta lanes have to be kept in step.
__device__ void warp_tail(volatile int* sums, unsigned t) {
  int v = sums[t];
  v += sums[t + 32], __syncwarp(), sums[t] = v, __syncwarp();
  v += sums[t + 16], __syncwarp(), sums[t] = v, __syncwarp();
  v += sums[t + 8], __syncwarp(), sums[t] = v, __syncwarp();
  v += sums[t + 4], __syncwarp(), sums[t] = v, __syncwarp();
  v += sums[t + 2], __syncwarp(), sums[t] = v, __syncwarp();
  v += sums[t + 1], __syncwarp(), sums[t] = v;
}
__global__ void reduce_volatile_tail(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  sums[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t < 32) warp_tail(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}
template <unsigned blockSize>
__global__ void reduce_unrolled(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  int mine = i < n ? in[i] : 0;
  if (i + blockSize < n) mine += in[i + blockSize];
  sums[t] = mine;
  __syncthreads();
  if (blockSize >= 512 && t < 256) sums[t] = mine = mine + sums[t + 256];
  __syncthreads();
  if (blockSize >= 256 && t < 128) sums[t] = mine = mine + sums[t + 128];
  __syncthreads();
  if (blockSize >= 128 && t < 64) sums[t] = mine = mine + sums[t + 64];
  __syncthreads();
  if (t < 32) {
    if (blockSize >= 64) mine += sums[t + 32];
    for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffff, mine, d);
  }
  if (t == 0) out[blockIdx.x] = mine;
}
template <unsigned blockSize, bool isPow2>
__global__ void reduce_grid_stride(const int* in, int* out, unsigned n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, grid = blockSize * 2 * gridDim.x;
  unsigned i = blockIdx.x * blockSize * 2 + threadIdx.x;
  int mine = 0;
  while (i < n) {
    mine += in[i];
    if (isPow2 || i + blockSize < n) mine += in[i + blockSize];
    i += grid;
  }
  sums[t] = mine;
  __syncthreads();
  if (blockSize >= 512) {
    if (t < 256) sums[t] = mine = mine + sums[t + 256];
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (t < 128) sums[t] = mine = mine + sums[t + 128];
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (t < 64) sums[t] = mine = mine + sums[t + 64];
    __syncthreads();
  }
  if (t < 32) warp_tail(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}

// Prefix sums: up a tree and down again, with the paddings of GPU Gems; by doubling; and by segments.
__device__ constexpr int padded(int i) { return i + (i >> 5); }
__global__ void scan_tree(int* out, const int* in) {
  __shared__ int tree[padded(2 * kBlock)];
  const int t = threadIdx.x, n = 2 * kBlock, first = blockIdx.x * n;
  const int ai = t, bi = t + n / 2;
  tree[padded(ai)] = in[first + ai];
  tree[padded(bi)] = in[first + bi];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tree[padded(offset * (2 * t + 2) - 1)] += tree[padded(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  if (t == 0) tree[padded(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = padded(offset * (2 * t + 1) - 1), b = padded(offset * (2 * t + 2) - 1), left = tree[a];
      tree[a] = tree[b];
      tree[b] += left;
    }
  }
  __syncthreads();
  out[first + ai] = tree[padded(ai)];
  out[first + bi] = tree[padded(bi)];
}
__global__ void scan_in_place(int* out, const int* in, int n) {
  __shared__ int sums[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    int before = 0;
    if (threadIdx.x >= stride) before = sums[threadIdx.x - stride];
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  if (i < n) out[i] = sums[threadIdx.x];
}
__global__ void segmented_scan(int* out, const int* in, const int* heads) {
  __shared__ int sums[kBlock], flags[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = in[i], flags[t] = heads[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int sum = sums[t], flag = flags[t];
    if (t >= d && !flag) {
      sum += sums[t - d];
      flag = flags[t - d];
    }
    __syncthreads();
    sums[t] = sum, flags[t] = flag;
    __syncthreads();
  }
  out[i] = sums[t];
}

// The samples' bitonic sort, of keys with values.
__device__ void compare(unsigned& key_a, unsigned& value_a, unsigned& key_b, unsigned& value_b, unsigned up) {
  if ((key_a > key_b) == up) {
    unsigned t = key_a;
    key_a = key_b, key_b = t;
    t = value_a, value_a = value_b, value_b = t;
  }
}
__global__ void bitonic_sort(unsigned* keys, unsigned* values) {
  __shared__ unsigned s_key[2 * kBlock], s_value[2 * kBlock];
  const unsigned n = 2 * kBlock;
  unsigned *const k = keys + blockIdx.x * n + threadIdx.x, *const v = values + blockIdx.x * n + threadIdx.x;
  s_key[threadIdx.x] = k[0], s_value[threadIdx.x] = v[0];
  s_key[threadIdx.x + n / 2] = k[n / 2], s_value[threadIdx.x + n / 2] = v[n / 2];
  for (unsigned size = 2; size < n; size <<= 1) {
    const unsigned up = (threadIdx.x & (size / 2)) == 0;
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      compare(s_key[at], s_value[at], s_key[at + stride], s_value[at + stride], up);
    }
  }
  for (unsigned stride = n / 2; stride > 0; stride >>= 1) {
    __syncthreads();
    const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    compare(s_key[at], s_value[at], s_key[at + stride], s_value[at + stride], 1);
  }
  __syncthreads();
  k[0] = s_key[threadIdx.x], v[0] = s_value[threadIdx.x];
  k[n / 2] = s_key[threadIdx.x + n / 2], v[n / 2] = s_value[threadIdx.x + n / 2];
}
// By neighbours, odd pairs and even ones in turns.
__global__ void odd_even_sort(int* data) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = data[blockIdx.x * 64 + t];
  __syncthreads();
  for (int phase = 0; phase < 64; ++phase) {
    const int left = 2 * (t / 2) + (phase & 1);
    if (t % 2 == 0 && left + 1 < 64 && s[left] > s[left + 1]) {
      const int moved = s[left];
      s[left] = s[left + 1], s[left + 1] = moved;
    }
    __syncthreads();
  }
  data[blockIdx.x * 64 + t] = s[t];
}
// Where a diagonal crosses the path of the merge: how many elements are of a.
__host__ __device__ inline int crossing(const int* a, int a_count, const int* b, int b_count, int diagonal) {
  int low = diagonal < b_count ? 0 : diagonal - b_count, high = diagonal < a_count ? diagonal : a_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
// A block merges 1,024 elements in shared memory, eight a thread; where it begins was found before.
constexpr int kMerged = 1024;
__global__ void merge_path(const int* a, const int* b, int* out, const int* of_a) {
  __shared__ int s[kMerged];
  const int a0 = of_a[blockIdx.x], b0 = blockIdx.x * kMerged - a0, a_count = of_a[blockIdx.x + 1] - a0;
  for (int i = threadIdx.x; i < kMerged; i += blockDim.x) s[i] = i < a_count ? a[a0 + i] : b[b0 + i - a_count];
  __syncthreads();
  const int first = threadIdx.x * 8, b_count = kMerged - a_count;
  int i = crossing(s, a_count, s + a_count, b_count, first), j = first - i, merged[8];
  for (int k = 0; k < 8; ++k) {
    const bool of_first = j >= b_count || (i < a_count && s[i] <= s[a_count + j]);
    merged[k] = of_first ? s[i++] : s[a_count + j++];
  }
  __syncthreads();
  for (int k = 0; k < 8; ++k) s[first + k] = merged[k];
  __syncthreads();
  for (int k = threadIdx.x; k < kMerged; k += blockDim.x) out[blockIdx.x * kMerged + k] = s[k];
}

// Counts of bytes, each warp its own; then the block's sums of them.
__global__ void histogram_of_warps(const unsigned* in, unsigned* partial, int n) {
  __shared__ unsigned counts[8 * 256];
  unsigned* const mine = counts + (threadIdx.x >> 5) * 256;
  for (int i = 0; i < 8; ++i) counts[threadIdx.x + i * 256] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const unsigned four = in[i];
    atomicAdd(mine + (four & 0xff), 1);
    atomicAdd(mine + (four >> 8 & 0xff), 1);
    atomicAdd(mine + (four >> 16 & 0xff), 1);
    atomicAdd(mine + (four >> 24), 1);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) sum += counts[bin + i * 256];
    partial[blockIdx.x * 256 + bin] = sum;
  }
}

// The samples' fast Walsh transform, radix 4 in shared memory.
__global__ void walsh(float* data) {
  __shared__ float s[1024];
  float* const mine = data + blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = mine[i];
  for (int stride = 256; stride >= 1; stride >>= 2) {
    const int low = threadIdx.x & (stride - 1), i0 = ((threadIdx.x - low) << 2) + low;
    const int i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    __syncthreads();
    const float d0 = s[i0], d1 = s[i1], d2 = s[i2], d3 = s[i3];
    const float p = d0 + d2, q = d0 - d2, r = d1 + d3, u = d1 - d3;
    s[i0] = p + r, s[i1] = p - r, s[i2] = q + u, s[i3] = q - u;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) mine[i] = s[i];
}

// A block aligns two sequences of 64 letters (Smith and Waterman), one diagonal after the other.
__global__ void align(const char* a, const char* b, int* best) {
  __shared__ int score[65][65], most[64];
  const int t = threadIdx.x;
  const char *const mine_a = a + blockIdx.x * 64, *const mine_b = b + blockIdx.x * 64;
  for (int i = t; i < 65; i += 64) score[0][i] = score[i][0] = 0;
  int greatest = 0;
  __syncthreads();
  for (int diagonal = 0; diagonal < 127; ++diagonal) {
    const int i = t + 1, j = diagonal - t + 1;
    if (j >= 1 && j <= 64) {
      const int fits = score[i - 1][j - 1] + (mine_a[t] == mine_b[j - 1] ? 3 : -2);
      const int value = max(max(0, fits), max(score[i - 1][j], score[i][j - 1]) - 1);
      score[i][j] = value;
      greatest = max(greatest, value);
    }
    __syncthreads();
  }
  most[t] = greatest;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (t < s) most[t] = max(most[t], most[t + s]);
    __syncthreads();
  }
  if (t == 0) best[blockIdx.x] = most[0];
}

// A matrix of 16 x 16 for each block, decomposed in shared memory without pivots.
__global__ void small_lu(float* matrices) {
  __shared__ float m[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  float* const mine = matrices + blockIdx.x * 256;
  m[y][x] = mine[y * 16 + x];
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    if (x == k && y > k) m[y][k] /= m[k][k];
    __syncthreads();
    if (x > k && y > k) m[y][x] -= m[y][k] * m[k][x];
    __syncthreads();
  }
  mine[y * 16 + x] = m[y][x];
}

// Means of 33 neighbours, from a tile with both halos.
constexpr int kWindow = 16;
__global__ void rolling_mean(const float* in, float* out, int n) {
  __shared__ float s[kBlock + 2 * kWindow];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + kWindow;
  s[at] = i < n ? in[i] : 0;
  if (threadIdx.x < kWindow) {
    s[at - kWindow] = i >= kWindow ? in[i - kWindow] : 0;
    s[at + kBlock] = i + kBlock < n ? in[i + kBlock] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -kWindow; k <= kWindow; ++k) sum += s[at + k];
  if (i < n) out[i] = sum / (2 * kWindow + 1);
}

void sums_by_hand(const int* in, int* out, int blocks) {
  const int each = kCells / blocks;
  by_hand(blocks, [=](int block) { out[block] = std::accumulate(in + block * each, in + (block + 1) * each, 0); });
}

// The steps of the kernels once more, as loops over the threads of a block: what a kernel that does just this can
// reach. s[t] += s[t + d] of each second, fourth, ... element, or of the first half, quarter, ...
void neighbours_by_hand(const int* in, int* out, int blocks) {
  by_hand(blocks, [=](int block) {
    int s[kBlock];
    for (int t = 0; t < kBlock; ++t) s[t] = in[block * kBlock + t];
    for (int d = 1; d < kBlock; d *= 2)
      for (int t = 0; t < kBlock; t += 2 * d) s[t] += s[t + d];
    out[block] = s[0];
  });
}
void halves_by_hand(const int* in, int* out, int blocks, int loads) {
  by_hand(blocks, [=](int block) {
    int s[kBlock] = {};
    for (int i = 0; i < loads; ++i)
      for (int t = 0; t < kBlock; ++t) s[t] += in[(block * loads + i) * kBlock + t];
    for (int d = kBlock / 2; d > 0; d /= 2)
      for (int t = 0; t < d; ++t) s[t] += s[t + d];
    out[block] = s[0];
  });
}
void tree_by_hand(const int* in, int* out) {
  by_hand(kCells / (2 * kBlock), [=](int block) {
    constexpr int n = 2 * kBlock;
    int s[padded(n)], offset = 1;
    for (int t = 0; t < n; ++t) s[padded(t)] = in[block * n + t];
    for (int d = n / 2; d > 0; d /= 2, offset *= 2)
      for (int t = 0; t < d; ++t) s[padded(offset * (2 * t + 2) - 1)] += s[padded(offset * (2 * t + 1) - 1)];
    s[padded(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2) {
      offset /= 2;
      for (int t = 0; t < d; ++t) {
        int &a = s[padded(offset * (2 * t + 1) - 1)], &b = s[padded(offset * (2 * t + 2) - 1)];
        const int left = a;
        a = b, b += left;
      }
    }
    for (int t = 0; t < n; ++t) out[block * n + t] = s[padded(t)];
  });
}

void show_reductions(const int* in, int* out) {
  const work nothing = [] {};
  const auto one = [=](const char* name, int blocks, const work& kernel) {
    show(name, out, blocks, nothing, kernel, [=] { sums_by_hand(in, out, blocks); });
  };
  constexpr int kBlocks = kCells / kBlock, kBytes = 2 * kBlock * sizeof(int);
  one("reduce_modulo", kBlocks, [=] { reduce_modulo<<<kBlocks, kBlock, kBytes>>>(in, out, kCells); });
  one("reduce_strided", kBlocks, [=] { reduce_strided<<<kBlocks, kBlock, kBytes>>>(in, out, kCells); });
  one("reduce_halves", kBlocks, [=] { reduce_halves<<<kBlocks, kBlock, kBytes>>>(in, out, kCells); });
  one("reduce_two_loads", kBlocks / 2, [=] { reduce_two_loads<<<kBlocks / 2, kBlock, kBytes>>>(in, out, kCells); });
  one("reduce_volatile_tail", kBlocks / 2,
      [=] { reduce_volatile_tail<<<kBlocks / 2, kBlock, kBytes>>>(in, out, kCells); });
  one("reduce_unrolled", kBlocks / 2,
      [=] { reduce_unrolled<kBlock><<<kBlocks / 2, kBlock, kBytes>>>(in, out, kCells); });
  const auto steps = [=](const char* name, int blocks, const work& kernel, const work& hand) {
    show(name, out, blocks, nothing, kernel, hand);
  };
  steps(
      "reduce_modulo, steps", kBlocks, [=] { reduce_modulo<<<kBlocks, kBlock, kBytes>>>(in, out, kCells); },
      [=] { neighbours_by_hand(in, out, kBlocks); });
  steps(
      "reduce_strided, steps", kBlocks, [=] { reduce_strided<<<kBlocks, kBlock, kBytes>>>(in, out, kCells); },
      [=] { neighbours_by_hand(in, out, kBlocks); });
  steps(
      "reduce_halves, steps", kBlocks, [=] { reduce_halves<<<kBlocks, kBlock, kBytes>>>(in, out, kCells); },
      [=] { halves_by_hand(in, out, kBlocks, 1); });
  steps(
      "reduce_two_loads, steps", kBlocks / 2,
      [=] { reduce_two_loads<<<kBlocks / 2, kBlock, kBytes>>>(in, out, kCells); },
      [=] { halves_by_hand(in, out, kBlocks / 2, 2); });
  // Its blocks take turns, so no block's sum is that of a stretch: one block.
  one("reduce_grid_stride", 1, [=] { reduce_grid_stride<kBlock, true><<<1, kBlock, kBytes>>>(in, out, kCells); });
}

void show_scans(const int* in, int* out) {
  const work nothing = [] {};
  auto* const heads = managed<int>(kCells);
  for (int i = 0; i < kCells; ++i) heads[i] = i % 37 == 0;
  show(
      "scan_tree", out, kCells, nothing, [=] { scan_tree<<<kCells / (2 * kBlock), kBlock>>>(out, in); },
      [=] {
        by_hand(kCells / (2 * kBlock), [=](int block) {
          int sum = 0;
          for (int i = block * 2 * kBlock; i < (block + 1) * 2 * kBlock; ++i) out[i] = sum, sum += in[i];
        });
      });
  show(
      "scan_tree, steps", out, kCells, nothing, [=] { scan_tree<<<kCells / (2 * kBlock), kBlock>>>(out, in); },
      [=] { tree_by_hand(in, out); });
  show(
      "scan_in_place", out, kCells, nothing, [=] { scan_in_place<<<kCells / kBlock, kBlock>>>(out, in, kCells); },
      [=] {
        by_hand(kCells / kBlock, [=](int block) {
          int sum = 0;
          for (int i = block * kBlock; i < (block + 1) * kBlock; ++i) out[i] = sum += in[i];
        });
      });
  show(
      "segmented_scan", out, kCells, nothing, [=] { segmented_scan<<<kCells / kBlock, kBlock>>>(out, in, heads); },
      [=] {
        by_hand(kCells / kBlock, [=](int block) {
          int sum = 0;
          for (int i = block * kBlock; i < (block + 1) * kBlock; ++i) out[i] = sum = heads[i] ? in[i] : sum + in[i];
        });
      });
}

void show_sorts(int* numbers) {
  const work nothing = [] {};
  auto *const keys = managed<unsigned>(kCells), *const values = managed<unsigned>(kCells);
  const work shuffled = [=] {
    for (int i = 0; i < kCells; ++i) keys[i] = i * 2654435761u, values[i] = i;
  };
  constexpr int kSorted = 2 * kBlock;
  show(
      "bitonic_sort", values, kCells, shuffled, [=] { bitonic_sort<<<kCells / kSorted, kBlock>>>(keys, values); },
      [=] {
        by_hand(kCells / kSorted, [=](int block) {
          std::pair<unsigned, unsigned> both[kSorted];
          for (int i = 0; i < kSorted; ++i) both[i] = {keys[block * kSorted + i], values[block * kSorted + i]};
          std::sort(both, both + kSorted);
          for (int i = 0; i < kSorted; ++i)
            keys[block * kSorted + i] = both[i].first, values[block * kSorted + i] = both[i].second;
        });
      });
  const work mixed = [=] {
    for (int i = 0; i < kCells; ++i) numbers[i] = static_cast<int>(i * 7919L % 10007);
  };
  show(
      "odd_even_sort", numbers, kCells, mixed, [=] { odd_even_sort<<<kCells / 64, 64>>>(numbers); },
      [=] {
        by_hand(kCells / 64, [=](int block) {
          int* const mine = numbers + block * 64;
          for (int phase = 0; phase < 64; ++phase)
            for (int left = phase & 1; left + 1 < 64; left += 2) {
              const int low = std::min(mine[left], mine[left + 1]), high = std::max(mine[left], mine[left + 1]);
              mine[left] = low, mine[left + 1] = high;
            }
        });
      });
  constexpr int kHalf = kCells / 2, kBlocks = kCells / kMerged;
  auto *const a = managed<int>(kHalf), *const b = managed<int>(kHalf), *const of_a = managed<int>(kBlocks + 1);
  for (int i = 0; i < kHalf; ++i) a[i] = 3 * i + i % 3, b[i] = 2 * i + i % 2 + 1000;
  for (int i = 0; i <= kBlocks; ++i) of_a[i] = crossing(a, kHalf, b, kHalf, i * kMerged);
  show(
      "merge_path", numbers, kCells, nothing, [=] { merge_path<<<kBlocks, kMerged / 8>>>(a, b, numbers, of_a); },
      [=] {
        by_hand(kBlocks, [=](int part) {
          int i = of_a[part], j = part * kMerged - i;
          for (int k = part * kMerged; k < (part + 1) * kMerged; ++k)
            numbers[k] = j >= kHalf || (i < kHalf && a[i] <= b[j]) ? a[i++] : b[j++];
        });
      });
}

void show_counts(unsigned* partial) {
  auto* const words = managed<unsigned>(kCells);
  for (int i = 0; i < kCells; ++i) words[i] = i * 2654435761u;
  constexpr int kBlocks = 64;
  show(
      "histogram_of_warps", partial, 256 * kBlocks, [] {},
      [=] { histogram_of_warps<<<kBlocks, 256>>>(words, partial, kCells); },
      [=] {
        by_hand(kBlocks, [=](int block) {
          unsigned counts[256] = {};
          for (int first = block * 256; first < kCells; first += 256 * kBlocks)
            for (int i = first; i < first + 256; ++i) {
              const unsigned four = words[i];
              ++counts[four & 0xff], ++counts[four >> 8 & 0xff], ++counts[four >> 16 & 0xff], ++counts[four >> 24];
            }
          std::copy(counts, counts + 256, partial + block * 256);
        });
      });
}

void show_matrices(float* data, const float* given) {
  const work again = [=] { std::memcpy(data, given, kCells * sizeof(float)); };
  show(
      "walsh", data, kCells, again, [=] { walsh<<<kCells / 1024, 256>>>(data); },
      [=] {
        by_hand(kCells / 1024, [=](int block) {
          float* const s = data + block * 1024;
          for (int stride = 256; stride >= 1; stride /= 4)
            for (int begin = 0; begin < 1024; begin += 4 * stride)
              for (int i = begin; i < begin + stride; ++i) {
                const float p = s[i] + s[i + 2 * stride], q = s[i] - s[i + 2 * stride];
                const float r = s[i + stride] + s[i + 3 * stride], u = s[i + stride] - s[i + 3 * stride];
                s[i] = p + r, s[i + stride] = p - r, s[i + 2 * stride] = q + u, s[i + 3 * stride] = q - u;
              }
        });
      });
  show(
      "small_lu", data, kCells, again, [=] { small_lu<<<kCells / 256, dim3(16, 16)>>>(data); },
      [=] {
        by_hand(kCells / 256, [=](int block) {
          float* const m = data + block * 256;
          for (int k = 0; k < 15; ++k)
            for (int y = k + 1; y < 16; ++y) {
              const float factor = m[y * 16 + k] /= m[k * 16 + k];
              for (int x = k + 1; x < 16; ++x) m[y * 16 + x] -= factor * m[k * 16 + x];
            }
        });
      });
  show(
      "rolling_mean", data, kCells, [] {}, [=] { rolling_mean<<<kCells / kBlock, kBlock>>>(given, data, kCells); },
      [=] {
        by_hand(kCells / 1024, [=](int part) {
          const auto one = [=](int i) {
            float sum = 0;
            for (int k = std::max(0, i - kWindow); k <= std::min(kCells - 1, i + kWindow); ++k) sum += given[k];
            data[i] = sum / (2 * kWindow + 1);
          };
          const int begin = part * 1024, low = std::max(begin, kWindow),
                    high = std::min(begin + 1024, kCells - kWindow);
          for (int i = begin; i < low; ++i) one(i);
          for (int i = low; i < high; ++i) {
            float sum = 0;
            for (int k = -kWindow; k <= kWindow; ++k) sum += given[i + k];
            data[i] = sum / (2 * kWindow + 1);
          }
          for (int i = high; i < begin + 1024; ++i) one(i);
        });
      });
}

void show_alignment(int* best) {
  constexpr int kPairs = 1024;
  auto *const a = managed<char>(kPairs * 64), *const b = managed<char>(kPairs * 64);
  for (int i = 0; i < kPairs * 64; ++i) a[i] = "ACGT"[i * 7L % 11 % 4], b[i] = "ACGT"[i * 13L % 17 % 4];
  show(
      "align", best, kPairs, [] {}, [=] { align<<<kPairs, 64>>>(a, b, best); },
      [=] {
        by_hand(kPairs, [=](int pair) {
          int above[65] = {}, here[65] = {}, greatest = 0;
          for (int i = 0; i < 64; ++i) {
            for (int j = 1; j <= 64; ++j) {
              const int fits = above[j - 1] + (a[pair * 64 + i] == b[pair * 64 + j - 1] ? 3 : -2);
              here[j] = std::max(std::max(0, fits), std::max(above[j], here[j - 1]) - 1);
              greatest = std::max(greatest, here[j]);
            }
            std::copy(here, here + 65, above);
          }
          best[pair] = greatest;
        });
      });
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  auto *const in = managed<int>(kCells), *const out = managed<int>(kCells);
  for (int i = 0; i < kCells; ++i) in[i] = i % 13 - 3;
  show_reductions(in, out);
  show_scans(in, out);
  show_sorts(out);
  show_counts(managed<unsigned>(256 * 64));
  auto *const data = managed<float>(kCells), *const given = managed<float>(kCells);
  for (int i = 0; i < kCells; ++i) given[i] = i % 256 % 17 == 0 ? 16 : static_cast<float>(i * 7919L % 1009) / 1009;
  show_matrices(data, given);
  show_alignment(out);
  return wrong ? 1 : 0;
}
