// SPDX-License-Identifier: Apache-2.0
// Kernels of further kinds: filters by votes, scans with two buffers, medians of tiles, sums by warps that end in an
// atomic, sums of segments by shuffles, rows of a sparse matrix through shared memory, histograms of warps, products
// with two buffers, planes with halos, Fourier steps in registers, matching of text. Against the loops that one would
// write by hand with oneTBB for the same work; the two take turns, and a line shows their medians and the ratio's. Exit
// code 1: a result is wrong. Long because: each kernel has its loop by hand.
//   simrun --workers 1 tests/bench/warp_and_step_kernels.cu -- cpu
//   simrun --execution fibers tests/bench/warp_and_step_kernels.cu -- results
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth;

// Of each block, the elements that pass, in order, at the block's place.
__global__ void filter_block(const int* in, int* out, int* counts, int limit) {
  __shared__ int offsets[8];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * blockDim.x + t;
  const int v = in[i];
  const bool passes = v > limit;
  const unsigned votes = __ballot_sync(0xffffffff, passes);
  if (lane == 0) offsets[warp] = __popc(votes);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int w = 0; w < 8; ++w) {
      const int c = offsets[w];
      offsets[w] = sum;
      sum += c;
    }
    counts[blockIdx.x] = sum;
  }
  __syncthreads();
  if (passes) out[blockIdx.x * blockDim.x + offsets[warp] + __popc(votes & ((1u << lane) - 1))] = v;
}

__global__ void scan_two_buffers(const float* in, float* out, int n) {
  extern __shared__ float temp[];
  const int t = threadIdx.x;
  int to = 0, from = 1;
  temp[t] = t > 0 ? in[blockIdx.x * n + t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset <<= 1) {
    to = 1 - to;
    from = 1 - to;
    if (t >= offset)
      temp[to * n + t] = temp[from * n + t] + temp[from * n + t - offset];
    else
      temp[to * n + t] = temp[from * n + t];
    __syncthreads();
  }
  out[blockIdx.x * n + t] = temp[to * n + t];
}

__host__ __device__ inline void order(float& a, float& b) {
  const float low = a < b ? a : b, high = a < b ? b : a;
  a = low, b = high;
}
__host__ __device__ inline float median_of(float* v) {
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
  order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]), order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
  order(v[4], v[2]);
  return v[4];
}
__global__ void median_tile(const float* in, float* out, int width, int height) {
  __shared__ float tile[18][18];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int left = max(x - 1, 0), right = min(x + 1, width - 1), up = max(y - 1, 0), down = min(y + 1, height - 1);
  tile[ty][tx] = in[y * width + x];
  if (threadIdx.x == 0) tile[ty][0] = in[y * width + left];
  if (threadIdx.x == blockDim.x - 1) tile[ty][17] = in[y * width + right];
  if (threadIdx.y == 0) {
    tile[0][tx] = in[up * width + x];
    if (threadIdx.x == 0) tile[0][0] = in[up * width + left];
    if (threadIdx.x == blockDim.x - 1) tile[0][17] = in[up * width + right];
  }
  if (threadIdx.y == blockDim.y - 1) {
    tile[17][tx] = in[down * width + x];
    if (threadIdx.x == 0) tile[17][0] = in[down * width + left];
    if (threadIdx.x == blockDim.x - 1) tile[17][17] = in[down * width + right];
  }
  __syncthreads();
  float v[9];
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) v[j * 3 + i] = tile[ty + j - 1][tx + i - 1];
  out[y * width + x] = median_of(v);
}

__global__ void sum_to_one(const int* in, int* sum, int n) {
  __shared__ int parts[32];
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? parts[lane] : 0;
  if (warp == 0)
    for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) atomicAdd(sum, v);
}

// Running sums that begin anew where a flag stands, within a warp.
__global__ void segments_of_warps(const int* in, const unsigned char* begins, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = in[i];
  const unsigned flags = __ballot_sync(0xffffffff, begins[i] != 0) | 1u;
  const int first = 31 - __clz(flags & (0xffffffffu >> (31 - lane)));
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffff, v, d);
    if (lane - d >= first) v += other;
  }
  out[i] = v;
}

// A block takes a stretch of the elements into shared memory, then each thread adds up its row's.
constexpr int kStretch = 1024, kRowsOf = 64;
__global__ void csr_stretches(const int* starts, const int* columns, const float* values, const float* x, float* y) {
  __shared__ float products[kStretch];
  const int first_row = blockIdx.x * kRowsOf, begin = starts[first_row], end = starts[first_row + kRowsOf];
  for (int i = threadIdx.x; i < end - begin; i += blockDim.x) products[i] = values[begin + i] * x[columns[begin + i]];
  __syncthreads();
  if (threadIdx.x < kRowsOf) {
    float sum = 0;
    for (int k = starts[first_row + threadIdx.x] - begin; k < starts[first_row + threadIdx.x + 1] - begin; ++k)
      sum += products[k];
    y[first_row + threadIdx.x] = sum;
  }
}

__global__ void bins_of_warps(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[8][64];
  const int t = threadIdx.x, warp = t / 32;
  for (int i = t; i < 8 * 64; i += blockDim.x) own[i / 64][i % 64] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[warp][in[i] >> 2], 1u);
  __syncthreads();
  if (t < 64) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += own[w][t];
    atomicAdd(&bins[t], sum);
  }
}

// The next tiles are read while these are multiplied.
__global__ void product_two_buffers(const float* a, const float* b, float* c, int n) {
  __shared__ float as[2][16][16], bs[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  as[0][ty][tx] = a[row * n + tx];
  bs[0][ty][tx] = b[ty * n + column];
  __syncthreads();
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    const int now = (k0 / 16) & 1;
    if (k0 + 16 < n) {
      as[now ^ 1][ty][tx] = a[row * n + k0 + 16 + tx];
      bs[now ^ 1][ty][tx] = b[(k0 + 16 + ty) * n + column];
    }
    for (int k = 0; k < 16; ++k) sum += as[now][ty][k] * bs[now][k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void planes(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float s[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, plane = nx * ny;
  int at = y * nx + x;
  float below = 0, here = in[at], above = in[at + plane];
  for (int z = 0; z < nz; ++z) {
    s[ty][tx] = here;
    if (threadIdx.x == 0) s[ty][0] = x > 0 ? in[at - 1] : 0;
    if (threadIdx.x == 31) s[ty][33] = x < nx - 1 ? in[at + 1] : 0;
    if (threadIdx.y == 0) s[0][tx] = y > 0 ? in[at - nx] : 0;
    if (threadIdx.y == 7) s[9][tx] = y < ny - 1 ? in[at + nx] : 0;
    __syncthreads();
    out[at] = -6 * here + below + above + s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx];
    __syncthreads();
    below = here, here = above;
    above = z + 2 < nz ? in[at + 2 * plane] : 0;
    at += plane;
  }
}

// 64 points by 16 threads: four in registers, exchanged through shared memory twice.
struct complex_number {
  float r, i;
};
__host__ __device__ inline complex_number times(complex_number a, complex_number b) {
  return {a.r * b.r - a.i * b.i, a.r * b.i + a.i * b.r};
}
__host__ __device__ inline void four(complex_number* v) {
  const complex_number a = {v[0].r + v[2].r, v[0].i + v[2].i}, b = {v[0].r - v[2].r, v[0].i - v[2].i};
  const complex_number c = {v[1].r + v[3].r, v[1].i + v[3].i}, d = {v[1].r - v[3].r, v[1].i - v[3].i};
  v[0] = {a.r + c.r, a.i + c.i}, v[1] = {b.r + d.i, b.i - d.r}, v[2] = {a.r - c.r, a.i - c.i},
  v[3] = {b.r - d.i, b.i + d.r};
}
__global__ void fourier_in_registers(complex_number* data, const complex_number* roots) {
  __shared__ complex_number s[16][64];
  const int t = threadIdx.x, which = threadIdx.y;
  complex_number* const mine = data + (blockIdx.x * 16 + which) * 64;
  complex_number v[4];
  for (int k = 0; k < 4; ++k) v[k] = mine[t + 16 * k];
  four(v);
  for (int k = 1; k < 4; ++k) v[k] = times(v[k], roots[t * k]);
  for (int k = 0; k < 4; ++k) s[which][16 * k + t] = v[k];
  __syncthreads();
  const int group = t / 4, in_group = t % 4;
  for (int k = 0; k < 4; ++k) v[k] = s[which][16 * group + in_group + 4 * k];
  four(v);
  for (int k = 1; k < 4; ++k) v[k] = times(v[k], roots[4 * in_group * k]);
  __syncthreads();
  for (int k = 0; k < 4; ++k) s[which][16 * group + 4 * k + in_group] = v[k];
  __syncthreads();
  for (int k = 0; k < 4; ++k) v[k] = s[which][4 * t + k];
  four(v);
  for (int k = 0; k < 4; ++k) mine[t / 4 + (t % 4) * 4 + 16 * k] = v[k];
}

// How often a word stands in a text; the word in constant memory, the text in tiles.
constexpr int kWord = 8;
__constant__ char word[kWord];
__global__ void find_word(const char* text, int* count, int n) {
  __shared__ char tile[256 + kWord];
  __shared__ int found;
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t == 0) found = 0;
  tile[t] = text[i];
  if (t < kWord - 1) tile[256 + t] = i + 256 < n ? text[i + 256] : 0;
  __syncthreads();
  bool same = true;
  for (int k = 0; k < kWord; ++k) same = same && tile[t + k] == word[k];
  if (same) atomicAdd(&found, 1);
  __syncthreads();
  if (t == 0 && found > 0) atomicAdd(count, found);
}

// The largest of each row of 512, and all less it: a block a row, by votes of nothing but shuffles.
__global__ void less_most(const float* in, float* out) {
  __shared__ float parts[16];
  const int t = threadIdx.x;
  const float v = in[blockIdx.x * 512 + t];
  float most = v;
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
  if ((t & 31) == 0) parts[t >> 5] = most;
  __syncthreads();
  if (t < 32) {
    most = t < 16 ? parts[t] : -1e30f;
#pragma unroll
    for (int d = 8; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    if (t == 0) parts[0] = most;
  }
  __syncthreads();
  out[blockIdx.x * 512 + t] = v - parts[0];
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  auto *const a = managed<float>(4 * kCells), *const b = managed<float>(4 * kCells);
  auto *const in = managed<int>(kCells), *const out = managed<int>(kCells), *const counts = managed<int>(kCells / 256);
  for (int i = 0; i < 4 * kCells; ++i) a[i] = static_cast<float>((i * 7919L) % 10007) / 10007;
  for (int i = 0; i < kCells; ++i) in[i] = static_cast<int>((i * 104729L) % 1009);
  show(
      "filter_block", out, kCells, nothing, [=] { filter_block<<<kCells / 256, 256>>>(in, out, counts, 400); },
      [=] {
        by_hand(kCells / 256, [=](int block) {
          int many = 0;
          int* const to = out + block * 256;
          for (int i = block * 256; i < block * 256 + 256; ++i)
            if (in[i] > 400) to[many++] = in[i];
          counts[block] = many;
        });
      });
  show(
      "scan_two_buffers", b, kCells, nothing,
      [=] { scan_two_buffers<<<kCells / 256, 256, 2 * 256 * sizeof(float)>>>(a, b, 256); },
      [=] {
        by_hand(kCells / 256, [=](int block) {
          float sum = 0;
          for (int i = block * 256; i < block * 256 + 256; ++i) b[i] = sum, sum += a[i];
        });
      });
  show(
      "median_tile", b, kCells, nothing,
      [=] { median_tile<<<dim3(kWidth / 16, kWidth / 16), dim3(16, 16)>>>(a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const float* rows[3];
          for (int j = -1; j <= 1; ++j) rows[j + 1] = a + std::clamp(y + j, 0, kWidth - 1) * kWidth;
          const auto one = [=](int left, int x, int right) {
            float v[9];
            for (int j = 0; j < 3; ++j)
              v[3 * j] = rows[j][left], v[3 * j + 1] = rows[j][x], v[3 * j + 2] = rows[j][right];
            b[y * kWidth + x] = median_of(v);
          };
          one(0, 0, 1), one(kWidth - 2, kWidth - 1, kWidth - 1);
          for (int x = 1; x < kWidth - 1; ++x) one(x - 1, x, x + 1);
        });
      });
  show(
      "sum_to_one", counts, 1, [=] { counts[0] = 0; }, [=] { sum_to_one<<<64, 256>>>(in, counts, kCells); },
      [=] {
        by_hand(16, [=](int part) {
          int sum = 0;
          for (int i = part * (kCells / 16); i < (part + 1) * (kCells / 16); ++i) sum += in[i];
          std::atomic_ref<int>(counts[0]).fetch_add(sum);
        });
      });
  auto* const begins = managed<unsigned char>(kCells);
  for (int i = 0; i < kCells; ++i) begins[i] = i * 7919L % 11 == 0;
  show(
      "segments_of_warps", out, kCells, nothing, [=] { segments_of_warps<<<kCells / 256, 256>>>(in, begins, out); },
      [=] {
        by_hand(kCells / 32, [=](int w) {
          int sum = 0;
          for (int i = w * 32; i < w * 32 + 32; ++i) out[i] = sum = begins[i] != 0 ? in[i] : sum + in[i];
        });
      });
  constexpr int kRows = 1 << 16;
  auto *const starts = managed<int>(kRows + 1), *const columns = managed<int>(kRows * 16);
  for (int i = 0; i < kRows; ++i) starts[i + 1] = starts[i] + 4 + i % 9;
  for (int i = 0; i < starts[kRows]; ++i) columns[i] = static_cast<int>(i * 7919L % kRows);
  show(
      "csr_stretches", b, kRows, nothing,
      [=] { csr_stretches<<<kRows / kRowsOf, 256>>>(starts, columns, a, a + kCells, b); },
      [=] {
        by_hand(kRows, [=](int row) {
          float sum = 0;
          for (int k = starts[row]; k < starts[row + 1]; ++k) sum += a[k] * a[kCells + columns[k]];
          b[row] = sum;
        });
      });
  auto* const bytes = managed<unsigned char>(4 * kCells);
  for (int i = 0; i < 4 * kCells; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761u >> 16);
  auto* const bins = managed<unsigned>(64);
  show(
      "bins_of_warps", bins, 64, [=] { std::memset(bins, 0, 256); },
      [=] { bins_of_warps<<<256, 256>>>(bytes, bins, 4 * kCells); },
      [=] {
        constexpr int kPart = 1 << 16;
        by_hand(4 * kCells / kPart, [=](int s) {
          unsigned own[64] = {};
          for (int i = s * kPart; i < (s + 1) * kPart; ++i) ++own[bytes[i] >> 2];
          for (int k = 0; k < 64; ++k) std::atomic_ref<unsigned>(bins[k]).fetch_add(own[k]);
        });
      });
  constexpr int kSize = 256;
  show(
      "product_two_buffers", b, kSize * kSize, nothing,
      [=] { product_two_buffers<<<dim3(kSize / 16, kSize / 16), dim3(16, 16)>>>(a, a + kCells, b, kSize); },
      [=] {
        by_hand(kSize, [=](int row) {
          float sums[kSize] = {};
          for (int k = 0; k < kSize; ++k)
            for (int j = 0; j < kSize; ++j) sums[j] += a[row * kSize + k] * a[kCells + k * kSize + j];
          std::copy(sums, sums + kSize, b + row * kSize);
        });
      });
  constexpr int kSide = 128;
  show(
      "planes", b, kSide * kSide * kSide, nothing,
      [=] { planes<<<dim3(kSide / 32, kSide / 8), dim3(32, 8)>>>(a, b, kSide, kSide, kSide); },
      [=] {
        by_hand(kSide, [=](int z) {
          constexpr int kPlane = kSide * kSide;
          for (int y = 0; y < kSide; ++y) {
            const int row = z * kPlane + y * kSide;
            const auto one = [=](int x, float left, float right) {
              const int at = row + x;
              b[at] = -6 * a[at] + (z > 0 ? a[at - kPlane] : 0) + (z < kSide - 1 ? a[at + kPlane] : 0) + left + right +
                      (y > 0 ? a[at - kSide] : 0) + (y < kSide - 1 ? a[at + kSide] : 0);
            };
            one(0, 0, a[row + 1]), one(kSide - 1, a[row + kSide - 2], 0);
            for (int x = 1; x < kSide - 1; ++x) one(x, a[row + x - 1], a[row + x + 1]);
          }
        });
      });
  auto *const data = reinterpret_cast<complex_number*>(b), *const roots = managed<complex_number>(64);
  for (int k = 0; k < 64; ++k)
    roots[k] = {static_cast<float>(std::cos(2 * M_PI * k / 64)), static_cast<float>(-std::sin(2 * M_PI * k / 64))};
  show(
      "fourier_in_registers", b, 2 * kCells, [=] { std::memcpy(b, a, 2 * kCells * sizeof(float)); },
      [=] { fourier_in_registers<<<kCells / 64 / 16, dim3(16, 16)>>>(data, roots); },
      [=] {
        by_hand(kCells / 64, [=](int which) {
          complex_number s[64], *const mine = data + which * 64;
          for (int t = 0; t < 16; ++t) {
            complex_number v[4];
            for (int k = 0; k < 4; ++k) v[k] = mine[t + 16 * k];
            four(v);
            for (int k = 0; k < 4; ++k) s[16 * k + t] = k == 0 ? v[0] : times(v[k], roots[t * k]);
          }
          for (int t = 0; t < 16; ++t) {
            complex_number v[4];
            for (int k = 0; k < 4; ++k) v[k] = s[t / 4 * 16 + t % 4 + 4 * k];
            four(v);
            for (int k = 0; k < 4; ++k)
              s[t / 4 * 16 + 4 * k + t % 4] = k == 0 ? v[0] : times(v[k], roots[4 * (t % 4) * k]);
          }
          for (int t = 0; t < 16; ++t) {
            complex_number v[4];
            for (int k = 0; k < 4; ++k) v[k] = s[4 * t + k];
            four(v);
            for (int k = 0; k < 4; ++k) mine[t / 4 + (t % 4) * 4 + 16 * k] = v[k];
          }
        });
      });
  auto* const text = reinterpret_cast<char*>(bytes);
  for (int i = 0; i < kCells; ++i) text[i] = "abcd"[(i * 7919L % 1009) & 3];
  cudaMemcpyToSymbol(word, text + 1000, kWord);
  show(
      "find_word", counts, 1, [=] { counts[0] = 0; }, [=] { find_word<<<kCells / 256, 256>>>(text, counts, kCells); },
      [=] {
        by_hand(16, [=](int part) {
          int found = 0;
          for (int i = part * (kCells / 16); i < std::min((part + 1) * (kCells / 16), kCells - kWord + 1); ++i) {
            bool same = true;
            for (int k = 0; k < kWord; ++k) same &= text[i + k] == text[1000 + k];
            found += same ? 1 : 0;
          }
          std::atomic_ref<int>(counts[0]).fetch_add(found);
        });
      });
  show(
      "less_most", b, kCells, nothing, [=] { less_most<<<kCells / 512, 512>>>(a, b); },
      [=] {
        by_hand(kCells / 512, [=](int row) {
          const float* const from = a + row * 512;
          float part[16];
          std::copy(from, from + 16, part);
          for (int i = 16; i < 512; i += 16)
            for (int j = 0; j < 16; ++j) part[j] = part[j] < from[i + j] ? from[i + j] : part[j];
          const float most = *std::max_element(part, part + 16);
          for (int i = 0; i < 512; ++i) b[row * 512 + i] = from[i] - most;
        });
      });
  return wrong ? 1 : 0;
}
