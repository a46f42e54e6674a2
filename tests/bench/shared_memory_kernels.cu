// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks work in shared memory in ways that no other benchmark here has: tiles of structures, diagonals
// of a table, a scan whose places avoid banks, blocks of which not all compute, a pass of a radix sort, small
// factorisations, rows of any length, sums by nearest centre, wide loads into register tiles, sorts by shuffles.
// Against the loops that one would write by hand with oneTBB for the same work; the two take turns, and a line shows
// their medians and the ratio's. Exit code 1: a result is wrong. Long because: each kernel has its loop by hand.
//   simrun --workers 1 tests/bench/shared_memory_kernels.cu -- cpu
//   simrun --execution fibers tests/bench/shared_memory_kernels.cu -- results
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth;

struct body {
  float x, y, z;
  int id;
};
__global__ void transpose_bodies(const body* in, body* out, int width, int height) {
  __shared__ body tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

// Local alignment of two words: a thread a row, one diagonal after the other.
constexpr int kQuery = 128, kSubject = 256;
__global__ void smith_waterman(const char* queries, const char* subjects, int* best_of) {
  __shared__ char subject[kSubject];
  __shared__ int diagonals[3][kQuery + 1], best[kQuery];
  const int t = threadIdx.x;
  for (int i = t; i < kSubject; i += blockDim.x) subject[i] = subjects[blockIdx.x * kSubject + i];
  const char own = queries[blockIdx.x * kQuery + t];
  for (int k = 0; k < 3; ++k) diagonals[k][t + 1] = 0;
  if (t == 0) diagonals[0][0] = diagonals[1][0] = diagonals[2][0] = 0;
  int most = 0;
  __syncthreads();
  for (int d = 0; d < kQuery + kSubject - 1; ++d) {
    int* const now = diagonals[d % 3];
    const int *const before = diagonals[(d + 2) % 3], *const old = diagonals[(d + 1) % 3];
    const int column = d - t;
    if (column >= 0 && column < kSubject) {
      const int left = column > 0 ? before[t + 1] : 0, corner = column > 0 ? old[t] : 0;
      int score = corner + (own == subject[column] ? 3 : -1);
      score = max(score, max(before[t], left) - 2);
      score = max(score, 0);
      now[t + 1] = score;
      most = max(most, score);
    }
    __syncthreads();
  }
  best[t] = most;
  __syncthreads();
  for (int s = kQuery / 2; s > 0; s >>= 1) {
    if (t < s) best[t] = max(best[t], best[t + s]);
    __syncthreads();
  }
  if (t == 0) best_of[blockIdx.x] = best[0];
}

__device__ int apart(int i) { return i + (i >> 5); }
__global__ void scan_between_banks(const float* in, float* out, int n) {
  extern __shared__ float s[];
  const int t = threadIdx.x, ai = t, bi = t + n / 2;
  const float* from = in + blockIdx.x * n;
  float* const to = out + blockIdx.x * n;
  s[apart(ai)] = from[ai];
  s[apart(bi)] = from[bi];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[apart(offset * (2 * t + 2) - 1)] += s[apart(offset * (2 * t + 1) - 1)];
    offset *= 2;
  }
  if (t == 0) s[apart(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = apart(offset * (2 * t + 1) - 1), b = apart(offset * (2 * t + 2) - 1);
      const float v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  to[ai] = s[apart(ai)];
  to[bi] = s[apart(bi)];
}

// All threads of a block load, those of its first rows and columns compute.
constexpr int kMask = 5, kOut = 16, kIn = kOut + kMask - 1;
__constant__ float mask[kMask][kMask];
__global__ void convolve_some(const float* in, float* out, int width, int height) {
  __shared__ float tile[kIn][kIn];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kOut + ty, column = blockIdx.x * kOut + tx;
  const int y = row - kMask / 2, x = column - kMask / 2;
  if (y >= 0 && y < height && x >= 0 && x < width)
    tile[ty][tx] = in[y * width + x];
  else
    tile[ty][tx] = 0.0f;
  __syncthreads();
  if (ty < kOut && tx < kOut) {
    float sum = 0.0f;
    for (int i = 0; i < kMask; i++)
      for (int j = 0; j < kMask; j++) sum += mask[i][j] * tile[i + ty][j + tx];
    if (row < height && column < width) out[row * width + column] = sum;
  }
}

// Four bits of a radix sort of a block's keys, a bit at a time by a scan.
constexpr int kKeys = 256;
__global__ void radix_pass(unsigned* keys, int shift) {
  __shared__ unsigned s[kKeys], sums[kKeys];
  const int t = threadIdx.x;
  s[t] = keys[blockIdx.x * kKeys + t];
  __syncthreads();
  for (int bit = shift; bit < shift + 4; ++bit) {
    const unsigned key = s[t], zero = (~key >> bit) & 1;
    sums[t] = zero;
    __syncthreads();
    for (int d = 1; d < kKeys; d *= 2) {
      const unsigned other = t >= d ? sums[t - d] : 0;
      __syncthreads();
      sums[t] += other;
      __syncthreads();
    }
    const unsigned zeros = sums[kKeys - 1], before = sums[t] - zero;
    s[zero ? before : zeros + t - before] = key;
    __syncthreads();
  }
  keys[blockIdx.x * kKeys + t] = s[t];
}

// A matrix of 16 x 16 a block.
constexpr int kLu = 16;
__global__ void batched_lu(float* all) {
  __shared__ float m[kLu][kLu + 1];
  float* const own = all + blockIdx.x * kLu * kLu;
  const int c = threadIdx.x, r = threadIdx.y;
  m[r][c] = own[r * kLu + c];
  __syncthreads();
  for (int k = 0; k < kLu - 1; ++k) {
    if (r > k && c == k) m[r][k] /= m[k][k];
    __syncthreads();
    if (r > k && c > k) m[r][c] -= m[r][k] * m[k][c];
    __syncthreads();
  }
  own[r * kLu + c] = m[r][c];
}

__device__ float most_of_warp(float v) {
  for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, d));
  return v;
}
__device__ float sum_of_warp(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}
// A block a row of any length.
__global__ void softmax_any(const float* in, float* out, int width) {
  __shared__ float parts[32];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5, warps = (blockDim.x + 31) >> 5;
  const float* row = in + blockIdx.x * width;
  float* to = out + blockIdx.x * width;
  float most = -INFINITY;
  for (int i = t; i < width; i += blockDim.x) most = fmaxf(most, row[i]);
  most = most_of_warp(most);
  if (lane == 0) parts[warp] = most;
  __syncthreads();
  most = lane < warps ? parts[lane] : -INFINITY;
  most = most_of_warp(most);
  float sum = 0;
  for (int i = t; i < width; i += blockDim.x) {
    const float e = expf(row[i] - most);
    to[i] = e;
    sum += e;
  }
  sum = sum_of_warp(sum);
  __syncthreads();
  if (lane == 0) parts[warp] = sum;
  __syncthreads();
  sum = lane < warps ? parts[lane] : 0.0f;
  const float scale = 1 / sum_of_warp(sum);
  for (int i = t; i < width; i += blockDim.x) to[i] *= scale;
}

// Sums of the points next to each centre; centres and sums in shared memory.
constexpr int kCentres = 16;
__global__ void centres_step(const int2* points, const int2* centres, int* sums, int* counts, int n) {
  __shared__ int2 c[kCentres];
  __shared__ int sx[kCentres], sy[kCentres], many[kCentres];
  const int t = threadIdx.x;
  if (t < kCentres) {
    c[t] = centres[t];
    sx[t] = sy[t] = many[t] = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) {
    const int2 p = points[i];
    int least = 0x7fffffff, which = 0;
    for (int k = 0; k < kCentres; ++k) {
      const int dx = p.x - c[k].x, dy = p.y - c[k].y, square = dx * dx + dy * dy;
      if (square < least) least = square, which = k;
    }
    atomicAdd(&sx[which], p.x);
    atomicAdd(&sy[which], p.y);
    atomicAdd(&many[which], 1);
  }
  __syncthreads();
  if (t < kCentres) {
    atomicAdd(&sums[2 * t], sx[t]);
    atomicAdd(&sums[2 * t + 1], sy[t]);
    atomicAdd(&counts[t], many[t]);
  }
}

__global__ void private_histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (own[i] > 0) atomicAdd(&bins[i], own[i]);
}

// A block 128 x 128 elements, a thread 8 x 8, loads of four.
constexpr int kBm = 128, kBn = 128, kBk = 8, kTm = 8, kTn = 8;
__global__ void __launch_bounds__(256) sgemm_wide(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kBk * kBm], bs[kBk * kBn];
  const int row0 = blockIdx.y * kBm, column0 = blockIdx.x * kBn;
  const int tcol = threadIdx.x % (kBn / kTn), trow = threadIdx.x / (kBn / kTn);
  const int arow = threadIdx.x / 2, acol = threadIdx.x % 2, brow = threadIdx.x / 32, bcol = threadIdx.x % 32;
  float sums[kTm * kTn] = {0.0f}, left[kTm], right[kTn];
  a += row0 * n, b += column0, c += row0 * n + column0;
  for (int k0 = 0; k0 < n; k0 += kBk) {
    const float4 v = reinterpret_cast<const float4*>(&a[arow * n + acol * 4])[0];
    as[(acol * 4 + 0) * kBm + arow] = v.x;
    as[(acol * 4 + 1) * kBm + arow] = v.y;
    as[(acol * 4 + 2) * kBm + arow] = v.z;
    as[(acol * 4 + 3) * kBm + arow] = v.w;
    reinterpret_cast<float4*>(&bs[brow * kBn + bcol * 4])[0] =
        reinterpret_cast<const float4*>(&b[brow * n + bcol * 4])[0];
    __syncthreads();
    a += kBk, b += kBk * n;
    for (int k = 0; k < kBk; ++k) {
      for (int i = 0; i < kTm; ++i) left[i] = as[k * kBm + trow * kTm + i];
      for (int i = 0; i < kTn; ++i) right[i] = bs[k * kBn + tcol * kTn + i];
      for (int i = 0; i < kTm; ++i)
        for (int j = 0; j < kTn; ++j) sums[i * kTn + j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kTm; ++i)
    for (int j = 0; j < kTn; j += 4) {
      float4 v;
      v.x = sums[i * kTn + j], v.y = sums[i * kTn + j + 1], v.z = sums[i * kTn + j + 2], v.w = sums[i * kTn + j + 3];
      reinterpret_cast<float4*>(&c[(trow * kTm + i) * n + tcol * kTn + j])[0] = v;
    }
}

// Each warp sorts 32 values by exchanges.
__global__ void sort_warps(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = values[i];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int other = __shfl_xor_sync(0xffffffff, v, j);
      const bool up = (lane & k) == 0, low = (lane & j) == 0;
      v = up == low ? min(v, other) : max(v, other);
    }
  values[i] = v;
}

// Five-point steps in shared memory, several of them in one launch: the tile gets smaller by a ring each.
constexpr int kSteps = 4, kSide = 32;
__global__ void steps_of_tile(const float* in, float* out, int n) {
  __shared__ float s[2][kSide][kSide];
  const int tx = threadIdx.x, ty = threadIdx.y, keep = kSide - 2 * kSteps;
  const int x = static_cast<int>(blockIdx.x) * keep + tx - kSteps,
            y = static_cast<int>(blockIdx.y) * keep + ty - kSteps;
  const bool inside = x >= 0 && y >= 0 && x < n && y < n;
  s[0][ty][tx] = inside ? in[y * n + x] : 0.0f;
  s[1][ty][tx] = 0;
  __syncthreads();
  for (int k = 1; k <= kSteps; ++k) {
    const int from = (k + 1) % 2, to = k % 2;
    if (inside && tx >= k && tx < kSide - k && ty >= k && ty < kSide - k)
      s[to][ty][tx] = 0.5f * s[from][ty][tx] +
                      0.125f * (s[from][ty - 1][tx] + s[from][ty + 1][tx] + s[from][ty][tx - 1] + s[from][ty][tx + 1]);
    __syncthreads();
  }
  if (inside && tx >= kSteps && tx < kSide - kSteps && ty >= kSteps && ty < kSide - kSteps)
    out[y * n + x] = s[kSteps % 2][ty][tx];
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  auto *const a = managed<float>(4 * kCells), *const b = managed<float>(4 * kCells),
              *const d = managed<float>(4 * kCells);
  for (int i = 0; i < 4 * kCells; ++i) a[i] = static_cast<float>((i * 7919L) % 10007) / 10007;
  auto *const bodies = managed<body>(kCells), *const turned = managed<body>(kCells);
  for (int i = 0; i < kCells; ++i) bodies[i] = {a[i], a[i] + 1, a[i] + 2, i};
  show(
      "transpose_bodies", reinterpret_cast<const int*>(turned), 4 * kCells, nothing,
      [=] { transpose_bodies<<<dim3(64, 64), dim3(16, 16)>>>(bodies, turned, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          for (int x = 0; x < kWidth; ++x) turned[y * kWidth + x] = bodies[x * kWidth + y];
        });
      });
  constexpr int kPairs = 64;
  auto *const queries = managed<char>(kPairs * kQuery), *const subjects = managed<char>(kPairs * kSubject);
  for (int i = 0; i < kPairs * kQuery; ++i) queries[i] = "ACGT"[(i * 7919L % 1009) & 3];
  for (int i = 0; i < kPairs * kSubject; ++i) subjects[i] = "ACGT"[(i * 104729L % 1013) & 3];
  auto* const best = managed<int>(kPairs);
  show(
      "smith_waterman", best, kPairs, nothing, [=] { smith_waterman<<<kPairs, kQuery>>>(queries, subjects, best); },
      [=] {
        by_hand(kPairs, [=](int p) {
          int row[kSubject + 1] = {}, most = 0;
          for (int i = 0; i < kQuery; ++i) {
            int corner = 0;
            for (int j = 1; j <= kSubject; ++j) {
              const int up = row[j];
              int score = corner + (queries[p * kQuery + i] == subjects[p * kSubject + j - 1] ? 3 : -1);
              score = std::max({score, up - 2, row[j - 1] - 2, 0});
              corner = up, row[j] = score;
              most = std::max(most, score);
            }
          }
          best[p] = most;
        });
      });
  show(
      "scan_between_banks", b, kCells, nothing,
      [=] { scan_between_banks<<<kCells / 512, 256, (512 + 16) * sizeof(float)>>>(a, b, 512); },
      [=] {
        by_hand(kCells / 512, [=](int block) {
          float sum = 0;
          for (int i = block * 512; i < block * 512 + 512; ++i) b[i] = sum, sum += a[i];
        });
      });
  float m[kMask][kMask];
  for (int i = 0; i < kMask * kMask; ++i) m[i / kMask][i % kMask] = (i % 7) * 0.1f;
  cudaMemcpyToSymbol(mask, m, sizeof m);
  show(
      "convolve_some", b, kCells, nothing,
      [=] { convolve_some<<<dim3(kWidth / kOut, kWidth / kOut), dim3(kIn, kIn)>>>(a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const auto one = [=](int x) {
            float sum = 0;
            for (int j = -2; j <= 2; ++j)
              for (int i = -2; i <= 2; ++i)
                if (y + j >= 0 && y + j < kWidth && x + i >= 0 && x + i < kWidth)
                  sum += m[j + 2][i + 2] * a[(y + j) * kWidth + x + i];
            b[y * kWidth + x] = sum;
          };
          if (y < 2 || y >= kWidth - 2) {
            for (int x = 0; x < kWidth; ++x) one(x);
            return;
          }
          one(0), one(1), one(kWidth - 2), one(kWidth - 1);
          for (int x = 2; x < kWidth - 2; ++x) {
            float sum = 0;
            for (int j = 0; j < 5; ++j)
              for (int i = 0; i < 5; ++i) sum += m[j][i] * a[(y + j - 2) * kWidth + x + i - 2];
            b[y * kWidth + x] = sum;
          }
        });
      });
  auto* const keys = managed<unsigned>(kCells);
  show(
      "radix_pass", keys, kCells / 4,
      [=] {
        for (int i = 0; i < kCells / 4; ++i) keys[i] = i * 2654435761u;
      },
      [=] { radix_pass<<<kCells / 4 / kKeys, kKeys>>>(keys, 8); },
      [=] {
        by_hand(kCells / 4 / kKeys, [=](int block) {
          unsigned* const own = keys + block * kKeys;
          unsigned from[kKeys];
          int places[17] = {};
          std::copy(own, own + kKeys, from);
          for (const unsigned k : from) ++places[((k >> 8) & 15) + 1];
          for (int i = 1; i < 17; ++i) places[i] += places[i - 1];
          for (const unsigned k : from) own[places[(k >> 8) & 15]++] = k;
        });
      });
  constexpr int kMatrices = 1024;
  show(
      "batched_lu", b, kMatrices * kLu * kLu,
      [=] {
        for (int i = 0; i < kMatrices * kLu * kLu; ++i) b[i] = a[i] + (i % 256 / 16 == i % 16 ? 16.0f : 0.0f);
      },
      [=] { batched_lu<<<kMatrices, dim3(kLu, kLu)>>>(b); },
      [=] {
        by_hand(kMatrices, [=](int one) {
          float* const x = b + one * kLu * kLu;
          for (int k = 0; k < kLu - 1; ++k)
            for (int r = k + 1; r < kLu; ++r) {
              const float f = x[r * kLu + k] /= x[k * kLu + k];
              for (int c = k + 1; c < kLu; ++c) x[r * kLu + c] -= f * x[k * kLu + c];
            }
        });
      });
  constexpr int kAny = 1000;
  show(
      "softmax_any", b, kAny * 512, nothing, [=] { softmax_any<<<512, 256>>>(a, b, kAny); },
      [=] {
        by_hand(512, [=](int r) {
          const float* const from = a + r * kAny;
          float* const to = b + r * kAny;
          float sum = 0;
          const float most = *std::max_element(from, from + kAny);
          for (int i = 0; i < kAny; ++i) sum += to[i] = std::exp(from[i] - most);
          for (int i = 0; i < kAny; ++i) to[i] *= 1 / sum;
        });
      });
  auto *const points = managed<int2>(kCells), *const centres = managed<int2>(kCentres);
  auto* const sums = managed<int>(3 * kCentres);
  for (int i = 0; i < kCells; ++i)
    points[i] = {static_cast<int>(i * 7919L % 1009), static_cast<int>(i * 104729L % 1013)};
  for (int i = 0; i < kCentres; ++i) centres[i] = points[i * 977];
  show(
      "centres_step", sums, 3 * kCentres, [=] { std::memset(sums, 0, 3 * kCentres * sizeof(int)); },
      [=] { centres_step<<<kCells / 256, 256>>>(points, centres, sums, sums + 2 * kCentres, kCells); },
      [=] {
        constexpr int kStretch = 4096;
        by_hand(kCells / kStretch, [=](int s) {
          int own[3 * kCentres] = {};
          for (int i = s * kStretch; i < (s + 1) * kStretch; ++i) {
            int least = 0x7fffffff, which = 0;
            for (int k = 0; k < kCentres; ++k) {
              const int dx = points[i].x - centres[k].x, dy = points[i].y - centres[k].y, square = dx * dx + dy * dy;
              if (square < least) least = square, which = k;
            }
            own[2 * which] += points[i].x, own[2 * which + 1] += points[i].y, ++own[2 * kCentres + which];
          }
          for (int k = 0; k < 3 * kCentres; ++k) std::atomic_ref<int>(sums[k]).fetch_add(own[k]);
        });
      });
  auto* const bytes = reinterpret_cast<unsigned char*>(keys);
  auto* const bins = managed<unsigned>(256);
  if (*only == '\0' || std::strcmp(only, "private_histogram") == 0)
    for (int i = 0; i < 4 * kCells; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 16);
  show(
      "private_histogram", bins, 256, [=] { std::memset(bins, 0, 1024); },
      [=] { private_histogram<<<256, 256>>>(bytes, bins, 4 * kCells); },
      [=] {
        constexpr int kStretch = 1 << 16;
        by_hand(4 * kCells / kStretch, [=](int s) {
          unsigned own[256] = {};
          for (int i = s * kStretch; i < (s + 1) * kStretch; ++i) ++own[bytes[i]];
          for (int k = 0; k < 256; ++k) std::atomic_ref<unsigned>(bins[k]).fetch_add(own[k]);
        });
      });
  constexpr int kSize = 512;
  show(
      "sgemm_wide", d, kSize * kSize, nothing,
      [=] { sgemm_wide<<<dim3(kSize / kBn, kSize / kBm), 256>>>(a, a + kCells, d, kSize); },
      [=] {
        by_hand(kSize / 4, [=](int rows) {  // four rows at a time, 64 columns in registers
          for (int column = 0; column < kSize; column += 64) {
            float part[4][64] = {};
            for (int k = 0; k < kSize; ++k)
              for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 64; ++j)
                  part[i][j] += a[(4 * rows + i) * kSize + k] * a[kCells + k * kSize + column + j];
            for (int i = 0; i < 4; ++i) std::copy(part[i], part[i] + 64, d + (4 * rows + i) * kSize + column);
          }
        });
      });
  auto* const whole = managed<int>(kCells);
  show(
      "sort_warps", whole, kCells,
      [=] {
        for (int i = 0; i < kCells; ++i) whole[i] = (i * 7919L) % 10007;
      },
      [=] { sort_warps<<<kCells / 256, 256>>>(whole); },
      [=] { by_hand(kCells / 32, [=](int w) { std::sort(whole + w * 32, whole + w * 32 + 32); }); });
  constexpr int kKeep = kSide - 2 * kSteps, kTiles = (kWidth + kKeep - 1) / kKeep;
  show(
      "steps_of_tile", b, kCells, nothing,
      [=] { steps_of_tile<<<dim3(kTiles, kTiles), dim3(kSide, kSide)>>>(a, b, kWidth); },
      [=] {
        const float* from = a;
        for (int k = 0; k < kSteps; ++k) {
          float* const to = k == kSteps - 1 ? b : k % 2 == 0 ? d : d + kCells;
          by_hand(kWidth, [=](int y) {
            const auto at = [=](int yy, int x) {
              return yy < 0 || yy >= kWidth || x < 0 || x >= kWidth ? 0.0f : from[yy * kWidth + x];
            };
            const auto edge = [=](int x) {
              to[y * kWidth + x] =
                  0.5f * at(y, x) + 0.125f * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1));
            };
            if (y == 0 || y == kWidth - 1) {
              for (int x = 0; x < kWidth; ++x) edge(x);
              return;
            }
            edge(0), edge(kWidth - 1);
            const float* const f = from + y * kWidth;
            for (int x = 1; x < kWidth - 1; ++x)
              to[y * kWidth + x] = 0.5f * f[x] + 0.125f * (f[x - kWidth] + f[x + kWidth] + f[x - 1] + f[x + 1]);
          });
          from = to;
        }
      });
  return wrong ? 1 : 0;
}
