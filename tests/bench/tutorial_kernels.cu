// SPDX-License-Identifier: Apache-2.0
// Kernels with barriers as tutorials write them: a pyramid of rows whose threads note whether they have computed, a
// block larger than what it writes with indices kept within the image, a scan in place, two trees for a softmax.
// Against loops by hand for the same work; the two take turns, and a line shows their medians and the ratio's. Exit
// code 1: a result is wrong.
//   simrun --workers 1 tests/bench/tutorial_kernels.cu -- cpu       processor time of one worker
//   simrun --execution fibers tests/bench/tutorial_kernels.cu -- results    sums of the results' bits
#include <algorithm>
#include <cmath>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth, kBlock = 256;

// The cheapest way down a wall, several rows in one launch (Rodinia's pathfinder).
constexpr int kRows = 8, kColumns = kCells / kRows, kSmall = kBlock - 2 * kRows;
__global__ void cheapest_way(const int* wall, const int* from, int* to, int columns) {
  __shared__ int before[kBlock], now[kBlock];
  const int tx = threadIdx.x, first = kSmall * blockIdx.x - kRows, x = first + tx;
  const int least = first < 0 ? -first : 0,
            most = first + kBlock - 1 > columns - 1 ? kBlock - 1 - (first + kBlock - columns) : kBlock - 1;
  const int left = max(tx - 1, least), right = min(tx + 1, most);
  const bool is_valid = tx >= least && tx <= most;
  if (x >= 0 && x <= columns - 1) before[tx] = from[x];
  __syncthreads();
  bool computed = false;
  for (int i = 0; i < kRows; i++) {
    computed = false;
    if (tx >= i + 1 && tx <= kBlock - i - 2 && is_valid) {
      computed = true;
      now[tx] = min(min(before[left], before[tx]), before[right]) + wall[columns * i + x];
    }
    __syncthreads();
    if (i == kRows - 1) break;
    if (computed) before[tx] = now[tx];
    __syncthreads();
  }
  if (computed) to[x] = now[tx];
}

// A block of 16 x 16 writes 14 x 14.
__global__ void smooth(const float* in, float* out, int w, int h) {
  __shared__ float tile[16][16];
  const int x = blockIdx.x * 14 + threadIdx.x - 1, y = blockIdx.y * 14 + threadIdx.y - 1;
  tile[threadIdx.y][threadIdx.x] = in[min(max(y, 0), h - 1) * w + min(max(x, 0), w - 1)];
  bool writes = false;
  if (threadIdx.x > 0 && threadIdx.x < 15 && threadIdx.y > 0 && threadIdx.y < 15) writes = x < w && y < h;
  __syncthreads();
  if (writes) {
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * w + x] = sum / 9;
  }
}

__global__ void running_max(const float* in, float* out) {
  __shared__ float s[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    float v = s[t];
    if (t >= d) v = fmaxf(v, s[t - d]);
    __syncthreads();
    s[t] = v;
    __syncthreads();
  }
  out[i] = s[t];
}

// A row a block.
__global__ void softmax_trees(const float* in, float* out, int columns) {
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float most = -INFINITY;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] = fmaxf(s[t], s[t + half]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += out[blockIdx.x * columns + i] = expf(row[i] - most);
  s[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  for (int i = t; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] /= s[0];
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  auto *const in = managed<float>(kCells), *const out = managed<float>(kCells);
  auto *const wall = managed<int>(kCells), *const cost = managed<int>(kColumns), *const way = managed<int>(kColumns);
  for (int i = 0; i < kCells; ++i) in[i] = static_cast<float>(i * 7919L % 10007) / 10007, wall[i] = i * 7919L % 10;
  for (int i = 0; i < kColumns; ++i) cost[i] = i * 31L % 17;
  const int w = kWidth, h = kWidth;
  show(
      "cheapest_way", way, kColumns, nothing,
      [=] { cheapest_way<<<(kColumns + kSmall - 1) / kSmall, kBlock>>>(wall, cost, way, kColumns); },
      [=] {
        by_hand(64, [=](int part) {
          constexpr int kPart = kColumns / 64;
          int row[kPart + 2 * kRows], next[kPart + 2 * kRows];
          const int begin = std::max(part * kPart - kRows, 0), end = std::min((part + 1) * kPart + kRows, kColumns);
          const int n = end - begin;
          for (int k = 0; k < n; ++k) row[k] = cost[begin + k];
          for (int i = 0; i < kRows; ++i) {
            const int* const mine = wall + i * kColumns + begin;
            next[0] = std::min(row[0], row[1]) + mine[0];
            for (int k = 1; k < n - 1; ++k) next[k] = std::min(std::min(row[k - 1], row[k]), row[k + 1]) + mine[k];
            next[n - 1] = std::min(row[n - 2], row[n - 1]) + mine[n - 1];
            std::copy(next, next + n, row);
          }
          for (int x = part * kPart; x < (part + 1) * kPart; ++x) way[x] = row[x - begin];
        });
      });
  show(
      "smooth", out, kCells, nothing,
      [=] { smooth<<<dim3((w + 13) / 14, (h + 13) / 14), dim3(16, 16)>>>(in, out, w, h); },
      [=] {
        by_hand(h, [=](int y) {
          const float *a = in + std::max(y - 1, 0) * w, *b = in + y * w, *c = in + std::min(y + 1, h - 1) * w;
          const auto one = [=](int l, int x, int r) {
            out[y * w + x] = (a[l] + a[x] + a[r] + b[l] + b[x] + b[r] + c[l] + c[x] + c[r]) / 9;
          };
          one(0, 0, 1), one(w - 2, w - 1, w - 1);
          for (int x = 1; x < w - 1; ++x) one(x - 1, x, x + 1);
        });
      });
  show(
      "running_max", out, kCells, nothing, [=] { running_max<<<kCells / kBlock, kBlock>>>(in, out); },
      [=] {
        by_hand(kCells / kBlock, [=](int block) {
          float most = in[block * kBlock];
          for (int i = block * kBlock; i < (block + 1) * kBlock; ++i) {
            most = most < in[i] ? in[i] : most;
            out[i] = most;
          }
        });
      });
  show(
      "softmax_trees", out, kCells, nothing, [=] { softmax_trees<<<kCells / w, kBlock>>>(in, out, w); },
      [=] {
        by_hand(h, [=](int y) {
          const float* const row = in + y * w;
          float* const to = out + y * w;
          float most = row[0], sum = 0;
          for (int x = 0; x < w; ++x) most = row[x] > most ? row[x] : most;
          for (int x = 0; x < w; ++x) sum += to[x] = std::exp(row[x] - most);
          for (int x = 0; x < w; ++x) to[x] /= sum;
        });
      });
  return wrong ? 1 : 0;
}
