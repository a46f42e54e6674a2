// SPDX-License-Identifier: Apache-2.0
// Kernels on pixels (bytes, tiles) and on rows (a warp or a block a row), against the loops that one would write by
// hand with oneTBB for the same work. The two take turns; a line shows their medians and the ratio's. Exit code 1: a
// result is wrong.
//   simrun tests/bench/pixel_and_row_kernels.cu
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kCount = 1 << 22, kWidth = 2048, kHeight = 1024, kPixels = kWidth * kHeight;

__global__ void grey(const uchar3* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const uchar3 p = in[y * width + x];
  out[y * width + x] = static_cast<unsigned char>(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
}

__global__ void life(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  int sum = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) sum += in[(y + j) * width + x + i];
  sum -= in[y * width + x];
  out[y * width + x] = sum == 3 || (sum == 2 && in[y * width + x]);
}

__global__ void resize(const float* in, float* out, int w, int h, int ow, int oh) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= ow || y >= oh) return;
  const float fx = (x + 0.5f) * w / ow - 0.5f, fy = (y + 0.5f) * h / oh - 0.5f;
  const int x0 = max(0, (int)floorf(fx)), y0 = max(0, (int)floorf(fy));
  const int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  const float ax = fx - x0, ay = fy - y0;
  out[y * ow + x] = (1 - ay) * ((1 - ax) * in[y0 * w + x0] + ax * in[y0 * w + x1]) +
                    ay * ((1 - ax) * in[y1 * w + x0] + ax * in[y1 * w + x1]);
}

__global__ void small_matrices(const float* a, const float* b, float* c, int count) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= count) return;
  const float *p = a + m * 16, *q = b + m * 16;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      float sum = 0;
      for (int k = 0; k < 4; ++k) sum += p[i * 4 + k] * q[k * 4 + j];
      c[m * 16 + i * 4 + j] = sum;
    }
}

__global__ void warp_scan(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = in[i];
  for (int d = 1; d < 32; d <<= 1) {
    const int other = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += other;
  }
  out[i] = v;
}

__global__ void row_max(const float* in, float* out, int width, int height) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= height) return;
  float most = -INFINITY;
  for (int k = threadIdx.x; k < width; k += 32) most = fmaxf(most, in[row * width + k]);
  for (int d = 16; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
  if (threadIdx.x == 0) out[row] = most;
}

__global__ void dot(const float* a, const float* b, float* out, int n) {
  __shared__ float warps[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0;
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}

__global__ void layer_norm(const float* in, const float* gain, const float* bias, float* out, int width) {
  __shared__ float part[256];
  const float* const row = in + blockIdx.x * width;
  float sum = 0;
  for (int k = threadIdx.x; k < width; k += blockDim.x) sum += row[k];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  const float mean = part[0] / width;
  __syncthreads();
  sum = 0;
  for (int k = threadIdx.x; k < width; k += blockDim.x) sum += (row[k] - mean) * (row[k] - mean);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  const float scale = rsqrtf(part[0] / width + 1e-5f);
  for (int k = threadIdx.x; k < width; k += blockDim.x)
    out[blockIdx.x * width + k] = (row[k] - mean) * scale * gain[k] + bias[k];
}

__global__ void embedding(const int* ids, const float* table, float* out, int width) {
  const int token = blockIdx.x;
  for (int k = threadIdx.x; k < width; k += blockDim.x) out[token * width + k] = table[ids[token] * width + k];
}

float* numbers(std::size_t n, int seed) {
  auto* const p = managed<float>(n);
  for (std::size_t i = 0; i < n; ++i) p[i] = static_cast<float>((i * 7919 + seed) % 10007) / 10007;
  return p;
}

// Sums of `count` elements (a multiple of 64) as one writes them for vectors: 64 parts.
template <class F>
float in_parts(int count, const F& element) {
  float part[64] = {};
  for (int k = 0; k < count; k += 64)
    for (int j = 0; j < 64; ++j) part[j] += element(k + j);
  float sum = 0;
  for (const float p : part) sum += p;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  const dim3 square(16, 16), tiles(kWidth / 16, kHeight / 16);
  auto* const pixels = managed<uchar3>(kPixels);
  auto *const from = managed<unsigned char>(kPixels), *const to = managed<unsigned char>(kPixels);
  for (int i = 0; i < kPixels; ++i) pixels[i] = make_uchar3(i % 251, i % 241, i % 239), from[i] = (i * 7919L >> 3) & 1;
  show(
      "grey", to, kPixels, nothing, [=] { grey<<<tiles, square>>>(pixels, to, kWidth, kHeight); },
      [=] {
        by_hand(kPixels, [=](int i) {
          const uchar3 p = pixels[i];
          to[i] = static_cast<unsigned char>(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
        });
      });
  show(
      "life", to, kPixels, [=] { std::memset(to, 0, kPixels); },
      [=] { life<<<tiles, square>>>(from, to, kWidth, kHeight); },
      [=] {
        by_hand(kHeight - 2, [=](int row) {
          const int y = row + 1;
          for (int x = 1; x < kWidth - 1; ++x) {
            int sum = 0;
            for (int j = -1; j <= 1; ++j)
              for (int i = -1; i <= 1; ++i) sum += from[(y + j) * kWidth + x + i];
            sum -= from[y * kWidth + x];
            to[y * kWidth + x] = sum == 3 || (sum == 2 && from[y * kWidth + x]);
          }
        });
      });
  float *const a = numbers(kCount, 1), *const b = numbers(kCount, 2), *const c = numbers(kCount, 3),
               *const d = numbers(kCount, 4);
  constexpr int kFromWidth = 1000, kFromHeight = 700;
  show(
      "resize", c, kPixels, nothing, [=] { resize<<<tiles, square>>>(a, c, kFromWidth, kFromHeight, kWidth, kHeight); },
      [=] {
        by_hand(kHeight, [=](int y) {
          const float fy = (y + 0.5f) * kFromHeight / kHeight - 0.5f;
          const int y0 = std::max(0, static_cast<int>(std::floor(fy))), y1 = std::min(y0 + 1, kFromHeight - 1);
          const float *const first = a + y0 * kFromWidth, *const second = a + y1 * kFromWidth, ay = fy - y0;
          for (int x = 0; x < kWidth; ++x) {
            const float fx = (x + 0.5f) * kFromWidth / kWidth - 0.5f;
            const int x0 = std::max(0, static_cast<int>(std::floor(fx))), x1 = std::min(x0 + 1, kFromWidth - 1);
            const float ax = fx - x0;
            c[y * kWidth + x] =
                (1 - ay) * ((1 - ax) * first[x0] + ax * first[x1]) + ay * ((1 - ax) * second[x0] + ax * second[x1]);
          }
        });
      });
  constexpr int kMatrices = kCount / 16;
  show(
      "small_matrices", c, kCount, nothing, [=] { small_matrices<<<kMatrices / 256, 256>>>(a, b, c, kMatrices); },
      [=] {
        by_hand(kMatrices, [=](int m) {
          const float *p = a + m * 16, *q = b + m * 16;
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
              float sum = 0;
              for (int k = 0; k < 4; ++k) sum += p[i * 4 + k] * q[k * 4 + j];
              c[m * 16 + i * 4 + j] = sum;
            }
        });
      });
  int *const in = managed<int>(kCount), *const out = managed<int>(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i % 13;
  show(
      "warp_scan", out, kCount, nothing, [=] { warp_scan<<<kCount / 256, 256>>>(in, out, kCount); },
      [=] {
        by_hand(kCount / 32, [=](int warp) {
          int sum = 0;
          for (int i = warp * 32; i < warp * 32 + 32; ++i) out[i] = sum += in[i];
        });
      });
  constexpr int kRows = 8192, kRow = 512;
  show(
      "row_max", c, kRows, nothing, [=] { row_max<<<kRows / 8, dim3(32, 8)>>>(a, c, kRow, kRows); },
      [=] {
        by_hand(kRows, [=](int row) {
          float part[32];
          for (float& p : part) p = -INFINITY;
          for (int k = 0; k < kRow; k += 32)
            for (int j = 0; j < 32; ++j) part[j] = std::max(part[j], a[row * kRow + k + j]);
          c[row] = *std::max_element(part, part + 32);
        });
      });
  auto* const sum = managed<float>(1);
  show(
      "dot", sum, 1, [=] { *sum = 0; }, [=] { dot<<<512, 256>>>(a, b, sum, kCount); },
      [=] {
        constexpr int kParts = 64, kPart = kCount / kParts;
        std::vector<float> parts(kParts);
        by_hand(kParts, [&](int part) {
          parts[part] = in_parts(kPart, [&](int k) { return a[part * kPart + k] * b[part * kPart + k]; });
        });
        for (const float p : parts) *sum += p;
      });
  constexpr int kNormed = 1024;
  show(
      "layer_norm", c, kCount, nothing, [=] { layer_norm<<<kCount / kNormed, 256>>>(a, b, d, c, kNormed); },
      [=] {
        by_hand(kCount / kNormed, [=](int r) {
          const float* const row = a + r * kNormed;
          const float mean = in_parts(kNormed, [&](int k) { return row[k]; }) / kNormed;
          const float square = in_parts(kNormed, [&](int k) { return (row[k] - mean) * (row[k] - mean); }) / kNormed;
          const float scale = 1 / std::sqrt(square + 1e-5f);
          for (int k = 0; k < kNormed; ++k) c[r * kNormed + k] = (row[k] - mean) * scale * b[k] + d[k];
        });
      });
  constexpr int kTokens = 16384, kEmbedded = 256, kWords = 4096;
  auto* const ids = managed<int>(kTokens);
  for (int i = 0; i < kTokens; ++i) ids[i] = (i * 7919L) % kWords;
  show(
      "embedding", c, kCount, nothing, [=] { embedding<<<kTokens, 128>>>(ids, a, c, kEmbedded); },
      [=] {
        by_hand(kTokens, [=](int t) {
          for (int k = 0; k < kEmbedded; ++k) c[t * kEmbedded + k] = a[ids[t] * kEmbedded + k];
        });
      });
  return wrong ? 1 : 0;
}
