// SPDX-License-Identifier: Apache-2.0
// Tiles with what lies around them, as people write them: halos by the first threads of a block, by those at its edges,
// by strides, by a block larger than its result, with indices that are kept within the image; and rows of warps. The
// launches have blocks of several shapes, as those of a program have. Against loops by hand for the same work; the two
// take turns, and a line shows their medians and the ratio's. Exit code 1: a result is wrong.
//   simrun --workers 1 tests/bench/halo_kernels.cu -- cpu       processor time of one worker
//   simrun --execution fibers tests/bench/halo_kernels.cu -- results    sums of the results' bits
#include <algorithm>
#include <cmath>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth, kRadius = 3;

// The guide's stencil of one dimension: halos by the first threads.
__global__ void stencil_1d(const float* in, float* out, int n) {
  __shared__ float temp[256 + 2 * kRadius];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x;
  int lindex = threadIdx.x + kRadius;
  temp[lindex] = gindex < n ? in[gindex] : 0;
  if (threadIdx.x < kRadius) {
    temp[lindex - kRadius] = gindex >= kRadius ? in[gindex - kRadius] : 0;
    temp[lindex + 256] = gindex + 256 < n ? in[gindex + 256] : 0;
  }
  __syncthreads();
  float result = 0;
  for (int offset = -kRadius; offset <= kRadius; offset++) result += temp[lindex + offset];
  if (gindex < n) out[gindex] = result;
}

// Edges of an image of bytes, with indices that are kept within it.
__global__ void sobel(const unsigned char* in, unsigned char* out, int w, int h) {
  __shared__ unsigned char t[18][18];
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  t[ly][lx] = in[y * w + x];
  if (threadIdx.x == 0) t[ly][0] = in[y * w + max(x - 1, 0)];
  if (threadIdx.x == blockDim.x - 1) t[ly][lx + 1] = in[y * w + min(x + 1, w - 1)];
  if (threadIdx.y == 0) {
    t[0][lx] = in[max(y - 1, 0) * w + x];
    if (threadIdx.x == 0) t[0][0] = in[max(y - 1, 0) * w + max(x - 1, 0)];
    if (threadIdx.x == blockDim.x - 1) t[0][lx + 1] = in[max(y - 1, 0) * w + min(x + 1, w - 1)];
  }
  if (threadIdx.y == blockDim.y - 1) {
    t[ly + 1][lx] = in[min(y + 1, h - 1) * w + x];
    if (threadIdx.x == 0) t[ly + 1][0] = in[min(y + 1, h - 1) * w + max(x - 1, 0)];
    if (threadIdx.x == blockDim.x - 1) t[ly + 1][lx + 1] = in[min(y + 1, h - 1) * w + min(x + 1, w - 1)];
  }
  __syncthreads();
  const int gx = t[ly - 1][lx + 1] + 2 * t[ly][lx + 1] + t[ly + 1][lx + 1] - t[ly - 1][lx - 1] - 2 * t[ly][lx - 1] -
                 t[ly + 1][lx - 1];
  const int gy = t[ly + 1][lx - 1] + 2 * t[ly + 1][lx] + t[ly + 1][lx + 1] - t[ly - 1][lx - 1] - 2 * t[ly - 1][lx] -
                 t[ly - 1][lx + 1];
  const int g = abs(gx) + abs(gy);
  out[y * w + x] = g > 255 ? 255 : g;
}

// A pass over columns: rows by a stride, four results a thread.
constexpr int kTaps = 4;
__constant__ float c_column[2 * kTaps + 1];
__global__ void convolve_columns(float* dst, const float* src, int w, int h) {
  __shared__ float s[32 + 2 * kTaps][32];
  const int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
#pragma unroll
  for (int i = threadIdx.y; i < 32 + 2 * kTaps; i += 8) {
    const int y = y0 + i - kTaps;
    s[i][threadIdx.x] = (y >= 0 && y < h) ? src[y * w + x] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const int r = threadIdx.y + i * 8;
    float sum = 0;
#pragma unroll
    for (int j = -kTaps; j <= kTaps; j++) sum += c_column[kTaps + j] * s[r + kTaps + j][threadIdx.x];
    dst[(y0 + r) * w + x] = sum;
  }
}

// A step of a chip's temperatures (Rodinia): a block larger than its result, neighbours kept within the chip.
__global__ void hotspot(const float* temp, const float* power, float* out, int n) {
  __shared__ float t[16][16], p[16][16], nt[16][16];
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int small = 16 - 2;
  const int blkY = small * by - 1, blkX = small * bx - 1;
  const int yidx = blkY + ty, xidx = blkX + tx;
  const bool in = yidx >= 0 && yidx < n && xidx >= 0 && xidx < n;
  if (in) t[ty][tx] = temp[n * yidx + xidx], p[ty][tx] = power[n * yidx + xidx];
  __syncthreads();
  int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
  const int validYmin = blkY < 0 ? -blkY : 0, validXmin = blkX < 0 ? -blkX : 0;
  const int validYmax = blkY + 15 > n - 1 ? 15 - (blkY + 15 - n + 1) : 15,
            validXmax = blkX + 15 > n - 1 ? 15 - (blkX + 15 - n + 1) : 15;
  N = N < validYmin ? validYmin : N, S = S > validYmax ? validYmax : S;
  W = W < validXmin ? validXmin : W, E = E > validXmax ? validXmax : E;
  bool computed = false;
  if (tx >= 1 && tx <= 14 && ty >= 1 && ty <= 14 && in) {
    computed = true;
    nt[ty][tx] = t[ty][tx] + 0.1f * (p[ty][tx] + (t[S][tx] + t[N][tx] - 2 * t[ty][tx]) * 0.3f +
                                     (t[ty][E] + t[ty][W] - 2 * t[ty][tx]) * 0.2f);
  }
  __syncthreads();
  if (computed) out[n * yidx + xidx] = nt[ty][tx];
}

// A warp a row, in blocks of 32 x 4.
__device__ float warp_sum(float v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
  return v;
}
__global__ void rms_norm(const float* in, float* out, const float* g, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float* x = in + (size_t)row * cols;
  float ss = 0;
  for (int i = threadIdx.x; i < cols; i += warpSize) ss += x[i] * x[i];
  ss = warp_sum(ss);
  ss = __shfl_sync(~0u, ss, 0);
  const float r = rsqrtf(ss / cols + 1e-6f);
  for (int i = threadIdx.x; i < cols; i += warpSize) out[(size_t)row * cols + i] = x[i] * r * g[i];
}

// The least of nine: a tile that is larger than the block, kept within the image.
__global__ void erode(const float* in, float* out, int w, int h) {
  __shared__ float t[10][34];
  const int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 8 - 1;
  for (int y = threadIdx.y; y < 10; y += 8)
    for (int x = threadIdx.x; x < 34; x += 32) {
      const int gx = min(max(x0 + x, 0), w - 1), gy = min(max(y0 + y, 0), h - 1);
      t[y][x] = in[gy * w + gx];
    }
  __syncthreads();
  float m = t[threadIdx.y][threadIdx.x];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) m = fminf(m, t[threadIdx.y + j][threadIdx.x + i]);
  out[(y0 + 1 + threadIdx.y) * w + x0 + 1 + threadIdx.x] = m;
}

// A wave: halos of three on each side, without corners.
__global__ void wave(const float* u, const float* v, float* out, int nx, int ny) {
  __shared__ float s[8 + 2 * kRadius][32 + 2 * kRadius];
  const int ix = blockIdx.x * 32 + threadIdx.x, iy = blockIdx.y * 8 + threadIdx.y;
  const int tx = threadIdx.x + kRadius, ty = threadIdx.y + kRadius,
            at = (iy + kRadius) * (nx + 2 * kRadius) + ix + kRadius, pitch = nx + 2 * kRadius;
  s[ty][tx] = u[at];
  if (threadIdx.x < kRadius) {
    s[ty][threadIdx.x] = u[at - kRadius];
    s[ty][tx + 32] = u[at + 32];
  }
  if (threadIdx.y < kRadius) {
    s[threadIdx.y][tx] = u[at - kRadius * pitch];
    s[ty + 8][tx] = u[at + 8 * pitch];
  }
  __syncthreads();
  float d = -3.0f * s[ty][tx];
#pragma unroll
  for (int i = 1; i <= kRadius; i++) d += 0.25f / i * (s[ty + i][tx] + s[ty - i][tx] + s[ty][tx + i] + s[ty][tx - i]);
  out[at] = 2 * s[ty][tx] - v[at] + 0.1f * d;
}

// Lanes exchange by shared memory.
__global__ void warp_exchange(const float* in, float* out) {
  __shared__ float s[8][32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[warp][lane] = in[i];
  __syncwarp();
  float v = s[warp][31 - lane];
  __syncwarp();
  s[warp][lane] = v * 2;
  __syncwarp();
  out[i] = s[warp][lane ^ 1] + v;
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  auto *const in = managed<float>(2 * kCells), *const out = managed<float>(2 * kCells);
  auto* const other = managed<float>(2 * kCells);
  auto *const bytes = managed<unsigned char>(kCells), *const edges = managed<unsigned char>(kCells);
  for (int i = 0; i < 2 * kCells; ++i) in[i] = static_cast<float>(i * 7919L % 10007) / 10007, other[i] = in[i] * 0.5f;
  for (int i = 0; i < kCells; ++i) bytes[i] = i * 7919L % 251;
  static float column[2 * kTaps + 1];
  for (int i = 0; i < 2 * kTaps + 1; ++i) column[i] = 0.1f * (i + 1);
  cudaMemcpyToSymbol(c_column, column, sizeof column);
  const int w = kWidth, h = kWidth;
  show(
      "stencil_1d", out, kCells, nothing, [=] { stencil_1d<<<kCells / 256, 256>>>(in, out, kCells); },
      [=] {
        by_hand(64, [=](int part) {
          const int b = std::max(kRadius, part * (kCells / 64)),
                    e = std::min(kCells - kRadius, (part + 1) * (kCells / 64));
          if (part == 0)
            for (int i = 0; i < kRadius; ++i) {
              out[i] = 0;
              for (int o = -kRadius; o <= kRadius; ++o) out[i] += i + o >= 0 ? in[i + o] : 0;
            }
          if (part == 63)
            for (int i = kCells - kRadius; i < kCells; ++i) {
              out[i] = 0;
              for (int o = -kRadius; o <= kRadius; ++o) out[i] += i + o < kCells ? in[i + o] : 0;
            }
          for (int i = b; i < e; ++i) {
            float r = 0;
            for (int o = -kRadius; o <= kRadius; ++o) r += in[i + o];
            out[i] = r;
          }
        });
      });
  show(
      "sobel", edges, kCells, nothing, [=] { sobel<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(bytes, edges, w, h); },
      [=] {
        by_hand(h, [=](int y) {
          const unsigned char *a = bytes + std::max(y - 1, 0) * w, *b = bytes + y * w,
                              *c = bytes + std::min(y + 1, h - 1) * w;
          const auto one = [=](int l, int x, int r) {
            const int gx = a[r] + 2 * b[r] + c[r] - a[l] - 2 * b[l] - c[l],
                      gy = c[l] + 2 * c[x] + c[r] - a[l] - 2 * a[x] - a[r];
            const int g = std::abs(gx) + std::abs(gy);
            edges[y * w + x] = g > 255 ? 255 : g;
          };
          one(0, 0, 1), one(w - 2, w - 1, w - 1);
          for (int x = 1; x < w - 1; ++x) one(x - 1, x, x + 1);
        });
      });
  show(
      "convolve_columns", out, kCells, nothing,
      [=] { convolve_columns<<<dim3(w / 32, h / 32), dim3(32, 8)>>>(out, in, w, h); },
      [=] {
        by_hand(h, [=](int y) {
          if (y >= kTaps && y < h - kTaps) {
            const float k0[9] = {column[0], column[1], column[2], column[3], column[4],
                                 column[5], column[6], column[7], column[8]};
            for (int x = 0; x < w; ++x) {
              float s = 0;
              for (int j = 0; j < 9; ++j) s += k0[j] * in[(y + j - kTaps) * w + x];
              out[y * w + x] = s;
            }
          } else
            for (int x = 0; x < w; ++x) {
              float s = 0;
              for (int j = 0; j < 9; ++j)
                if (y + j >= kTaps && y + j - kTaps < h) s += column[j] * in[(y + j - kTaps) * w + x];
              out[y * w + x] = s;
            }
        });
      });
  show(
      "hotspot", out, kCells, nothing,
      [=] { hotspot<<<dim3((w + 13) / 14, (h + 13) / 14), dim3(16, 16)>>>(in, other, out, w); },
      [=] {
        by_hand(h, [=](int y) {
          const float *a = in + std::max(y - 1, 0) * w, *b = in + y * w, *c = in + std::min(y + 1, h - 1) * w;
          const auto one = [=](int l, int x, int r) {
            out[y * w + x] =
                b[x] + 0.1f * (other[y * w + x] + (c[x] + a[x] - 2 * b[x]) * 0.3f + (b[r] + b[l] - 2 * b[x]) * 0.2f);
          };
          one(0, 0, 1), one(w - 2, w - 1, w - 1);
          for (int x = 1; x < w - 1; ++x) one(x - 1, x, x + 1);
        });
      });
  show(
      "rms_norm", out, kCells, nothing, [=] { rms_norm<<<1024 / 4, dim3(32, 4)>>>(in, out, other, 1024, 1024); },
      [=] {
        by_hand(1024, [=](int r) {
          float part[64] = {};
          const float* x = in + r * 1024;
          for (int k = 0; k < 1024; k += 64)
            for (int j = 0; j < 64; ++j) part[j] += x[k + j] * x[k + j];
          float ss = 0;
          for (float p : part) ss += p;
          const float q = 1 / std::sqrt(ss / 1024 + 1e-6f);
          for (int i = 0; i < 1024; ++i) out[r * 1024 + i] = x[i] * q * other[i];
        });
      });
  show(
      "erode", out, kCells, nothing, [=] { erode<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(in, out, w, h); },
      [=] {
        by_hand(h, [=](int y) {
          const float *a = in + std::max(y - 1, 0) * w, *b = in + y * w, *c = in + std::min(y + 1, h - 1) * w;
          const auto least = [](float x, float y) { return y < x ? y : x; };
          const auto one = [=](int l, int x, int r) {
            out[y * w + x] = least(least(least(a[l], a[x]), least(a[r], b[l])),
                                   least(least(b[x], b[r]), least(least(c[l], c[x]), c[r])));
          };
          one(0, 0, 1), one(w - 2, w - 1, w - 1);
          for (int x = 1; x < w - 1; ++x) one(x - 1, x, x + 1);
        });
      });
  const int nx = kWidth, ny = kWidth;
  show(
      "wave", out, kCells, nothing, [=] { wave<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(in, other, out, nx, ny); },
      [=] {
        by_hand(ny, [=](int y) {
          const int pitch = nx + 2 * kRadius;
          for (int x = 0; x < nx; ++x) {
            const int at = (y + kRadius) * pitch + x + kRadius;
            float d = -3.0f * in[at];
            for (int i = 1; i <= kRadius; ++i)
              d += 0.25f / i * (in[at + i * pitch] + in[at - i * pitch] + in[at + i] + in[at - i]);
            out[at] = 2 * in[at] - other[at] + 0.1f * d;
          }
        });
      });
  show(
      "warp_exchange", out, kCells, nothing, [=] { warp_exchange<<<kCells / 256, 256>>>(in, out); },
      [=] {
        by_hand(kCells / 32, [=](int g) {
          const float* a = in + g * 32;
          float* o = out + g * 32;
          float v[32];
          for (int l = 0; l < 32; ++l) v[l] = a[31 - l];
          for (int l = 0; l < 32; ++l) o[l] = v[l ^ 1] * 2 + v[l];
        });
      });
  return wrong ? 1 : 0;
}
