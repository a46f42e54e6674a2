// SPDX-License-Identifier: Apache-2.0
// Tiles with edges in the ways in which programs load them: all corners by their own questions, four elements a thread,
// by a running number with zeros outside, with the width of dynamic shared memory, six faces of a cube, columns, two
// colours in place, steps in time. Against the loops that one would write by hand with oneTBB for the same work; the
// two take turns, and a line shows their medians and the ratio's. Exit code 1: a result is wrong. Long because: each
// kernel has its loop by hand.
//   simrun --workers 1 tests/bench/tile_load_kernels.cu -- cpu
//   simrun --execution fibers tests/bench/tile_load_kernels.cu -- results
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth, kTile = 16;

// Cells of ints, nobody lives outside; each edge and corner of the tile has its question.
__global__ void life_corners(const int* in, int* out, int n) {
  __shared__ int s[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const auto at = [&](int yy, int xx) { return yy >= 0 && yy < n && xx >= 0 && xx < n ? in[yy * n + xx] : 0; };
  s[ty][tx] = at(y, x);
  if (threadIdx.x == 0) s[ty][0] = at(y, x - 1);
  if (threadIdx.x == kTile - 1) s[ty][kTile + 1] = at(y, x + 1);
  if (threadIdx.y == 0) s[0][tx] = at(y - 1, x);
  if (threadIdx.y == kTile - 1) s[kTile + 1][tx] = at(y + 1, x);
  if (threadIdx.x == 0 && threadIdx.y == 0) s[0][0] = at(y - 1, x - 1);
  if (threadIdx.x == kTile - 1 && threadIdx.y == 0) s[0][kTile + 1] = at(y - 1, x + 1);
  if (threadIdx.x == 0 && threadIdx.y == kTile - 1) s[kTile + 1][0] = at(y + 1, x - 1);
  if (threadIdx.x == kTile - 1 && threadIdx.y == kTile - 1) s[kTile + 1][kTile + 1] = at(y + 1, x + 1);
  __syncthreads();
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) sum += s[ty + dy][tx + dx];
  if (x < n && y < n) out[y * n + x] = sum == 3 || (sum == 2 && s[ty][tx] == 1) ? 1 : 0;
}

// Each thread loads four elements, one for each quarter of a tile of twice the size.
constexpr int kReach = 8;
__global__ void box_quarters(const float* in, float* out, int n) {
  __shared__ float s[2 * kTile][2 * kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * kTile + tx, y = blockIdx.y * kTile + ty;
  int xx = x - kReach, yy = y - kReach;
  s[ty][tx] = xx < 0 || yy < 0 ? 0 : in[yy * n + xx];
  xx = x + kReach, yy = y - kReach;
  s[ty][tx + kTile] = xx >= n || yy < 0 ? 0 : in[yy * n + xx];
  xx = x - kReach, yy = y + kReach;
  s[ty + kTile][tx] = xx < 0 || yy >= n ? 0 : in[yy * n + xx];
  xx = x + kReach, yy = y + kReach;
  s[ty + kTile][tx + kTile] = xx >= n || yy >= n ? 0 : in[yy * n + xx];
  __syncthreads();
  float sum = 0;
  for (int i = -2; i <= 2; ++i)
    for (int j = -2; j <= 2; ++j) sum += s[ty + kReach + i][tx + kReach + j];
  out[y * n + x] = sum / 25;
}

// By a running number, zeros outside.
__global__ void sharpen_by_number(const float* in, float* out, int n) {
  __shared__ float s[kTile + 2][kTile + 2];
  const int t = threadIdx.y * kTile + threadIdx.x, x0 = blockIdx.x * kTile - 1, y0 = blockIdx.y * kTile - 1;
  for (int i = t; i < (kTile + 2) * (kTile + 2); i += kTile * kTile) {
    const int y = y0 + i / (kTile + 2), x = x0 + i % (kTile + 2);
    s[i / (kTile + 2)][i % (kTile + 2)] = x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0.0f;
  }
  __syncthreads();
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = x0 + tx, y = y0 + ty;
  if (x < n && y < n) out[y * n + x] = 5 * s[ty][tx] - s[ty - 1][tx] - s[ty + 1][tx] - s[ty][tx - 1] - s[ty][tx + 1];
}

// The radius is an argument, and the tile lies in dynamic shared memory.
__global__ void blur_rows_dynamic(const float* in, float* out, const float* weights, int width, int radius) {
  extern __shared__ float row[];
  const int t = threadIdx.x, x = blockIdx.x * blockDim.x + t, y = blockIdx.y;
  const float* const from = in + y * width;
  row[t + radius] = x < width ? from[x] : 0;
  if (t < radius) {
    row[t] = x >= radius ? from[x - radius] : 0;
    const int right = x + blockDim.x;
    row[t + radius + blockDim.x] = right < width ? from[right] : 0;
  }
  __syncthreads();
  if (x >= width) return;
  float sum = 0;
  for (int k = -radius; k <= radius; ++k) sum += weights[k + radius] * row[t + radius + k];
  out[y * width + x] = sum;
}

// Six faces.
__global__ void faces(const float* in, float* out, int n) {
  __shared__ float s[10][10][10];
  const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 8 + threadIdx.z;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, tz = threadIdx.z + 1, at = (z * n + y) * n + x;
  s[tz][ty][tx] = in[at];
  if (threadIdx.x == 0) s[tz][ty][0] = x > 0 ? in[at - 1] : 0.0f;
  if (threadIdx.x == 7) s[tz][ty][9] = x < n - 1 ? in[at + 1] : 0.0f;
  if (threadIdx.y == 0) s[tz][0][tx] = y > 0 ? in[at - n] : 0.0f;
  if (threadIdx.y == 7) s[tz][9][tx] = y < n - 1 ? in[at + n] : 0.0f;
  if (threadIdx.z == 0) s[0][ty][tx] = z > 0 ? in[at - n * n] : 0.0f;
  if (threadIdx.z == 7) s[9][ty][tx] = z < n - 1 ? in[at + n * n] : 0.0f;
  __syncthreads();
  out[at] = s[tz][ty][tx - 1] + s[tz][ty][tx + 1] + s[tz][ty - 1][tx] + s[tz][ty + 1][tx] + s[tz - 1][ty][tx] +
            s[tz + 1][ty][tx] - 6 * s[tz][ty][tx];
}

// Columns of a block of 16 x 8 threads, each of which makes eight elements.
constexpr int kColumns = 16, kRowsAt = 8, kSteps = 8, kRadius = 8;
__global__ void blur_columns(const float* in, float* out, const float* weights, int width, int height) {
  __shared__ float s[kColumns][(kSteps + 2) * kRowsAt + 1];
  const int x = blockIdx.x * kColumns + threadIdx.x, y0 = (blockIdx.y * kSteps - 1) * kRowsAt + threadIdx.y;
  const float* const from = in + y0 * width + x;
  for (int i = 1; i < 1 + kSteps; ++i) s[threadIdx.x][threadIdx.y + i * kRowsAt] = from[i * kRowsAt * width];
  s[threadIdx.x][threadIdx.y] = y0 >= 0 ? from[0] : 0;
  s[threadIdx.x][threadIdx.y + (1 + kSteps) * kRowsAt] =
      height - y0 > (1 + kSteps) * kRowsAt ? from[(1 + kSteps) * kRowsAt * width] : 0;
  __syncthreads();
  for (int i = 1; i < 1 + kSteps; ++i) {
    float sum = 0;
    for (int j = -kRadius; j <= kRadius; ++j)
      sum += weights[kRadius + j] * s[threadIdx.x][threadIdx.y + i * kRowsAt + j];
    out[(y0 + i * kRowsAt) * width + x] = sum;
  }
}

// Red and black cells of a tile in place, some sweeps in shared memory.
__global__ void red_black(const float* in, float* out, int n) {
  __shared__ float s[kTile + 2][kTile + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * kTile + threadIdx.x + 1, y = blockIdx.y * kTile + threadIdx.y + 1, at = y * n + x;
  s[ty][tx] = in[at];
  if (threadIdx.x == 0) s[ty][0] = in[at - 1];
  if (threadIdx.x == kTile - 1) s[ty][kTile + 1] = in[at + 1];
  if (threadIdx.y == 0) s[0][tx] = in[at - n];
  if (threadIdx.y == kTile - 1) s[kTile + 1][tx] = in[at + n];
  __syncthreads();
  for (int sweep = 0; sweep < 4; ++sweep) {
    if ((tx + ty) % 2 == sweep % 2) s[ty][tx] = 0.25f * (s[ty - 1][tx] + s[ty + 1][tx] + s[ty][tx - 1] + s[ty][tx + 1]);
    __syncthreads();
  }
  out[at] = s[ty][tx];
}

// Steps in time of a stretch of a line: registers and shared memory in turns.
__global__ void line_steps(const float* in, float* out, int steps) {
  __shared__ float s[256 + 2];
  const int t = threadIdx.x + 1, i = blockIdx.x * 256 + threadIdx.x;
  s[t] = in[i];
  if (threadIdx.x == 0) s[0] = 0, s[257] = 0;
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    const float next = s[t] + 0.25f * (s[t - 1] - 2 * s[t] + s[t + 1]);
    __syncthreads();
    s[t] = next;
    __syncthreads();
  }
  out[i] = s[t];
}

// The greatest of 2 x 2, loaded as a tile.
__global__ void pool(const float* in, float* out, int n) {
  __shared__ float s[2 * kTile][2 * kTile + 1];
  const int x0 = blockIdx.x * 2 * kTile, y0 = blockIdx.y * 2 * kTile;
  for (int j = threadIdx.y; j < 2 * kTile; j += blockDim.y)
    for (int i = threadIdx.x; i < 2 * kTile; i += blockDim.x)
      s[j][i] = y0 + j < n && x0 + i < n ? in[(y0 + j) * n + x0 + i] : -INFINITY;
  __syncthreads();
  const int x = threadIdx.x, y = threadIdx.y;
  out[(y0 / 2 + y) * (n / 2) + x0 / 2 + x] =
      fmaxf(fmaxf(s[2 * y][2 * x], s[2 * y][2 * x + 1]), fmaxf(s[2 * y + 1][2 * x], s[2 * y + 1][2 * x + 1]));
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  const dim3 square(kTile, kTile), tiles(kWidth / kTile, kWidth / kTile);
  auto *const a = managed<float>(4 * kCells), *const b = managed<float>(4 * kCells);
  auto *const cells = managed<int>(kCells), *const next = managed<int>(kCells);
  for (int i = 0; i < 4 * kCells; ++i) a[i] = static_cast<float>((i * 7919L) % 10007) / 10007;
  for (int i = 0; i < kCells; ++i) cells[i] = i * 7919L % 10007 % 3 == 0;
  const auto inside = [=](int y, int x) {
    return y >= 0 && y < kWidth && x >= 0 && x < kWidth ? a[y * kWidth + x] : 0.0f;
  };
  show(
      "life_corners", next, kCells, nothing, [=] { life_corners<<<tiles, square>>>(cells, next, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const auto edge = [=](int x) {
            int sum = 0;
            for (int j = y - 1; j <= y + 1; ++j)
              for (int i = x - 1; i <= x + 1; ++i)
                if ((i != x || j != y) && j >= 0 && j < kWidth && i >= 0 && i < kWidth) sum += cells[j * kWidth + i];
            next[y * kWidth + x] = sum == 3 || (sum == 2 && cells[y * kWidth + x] == 1) ? 1 : 0;
          };
          if (y == 0 || y == kWidth - 1) {
            for (int x = 0; x < kWidth; ++x) edge(x);
            return;
          }
          edge(0), edge(kWidth - 1);
          const int *const c = cells + y * kWidth, *const u = c - kWidth, *const d = c + kWidth;
          for (int x = 1; x < kWidth - 1; ++x) {
            const int sum = u[x - 1] + u[x] + u[x + 1] + c[x - 1] + c[x + 1] + d[x - 1] + d[x] + d[x + 1];
            next[y * kWidth + x] = sum == 3 || (sum == 2 && c[x] == 1) ? 1 : 0;
          }
        });
      });
  show(
      "box_quarters", b, kCells, nothing, [=] { box_quarters<<<tiles, square>>>(a, b, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const auto edge = [=](int x) {
            float sum = 0;
            for (int j = -2; j <= 2; ++j)
              for (int i = -2; i <= 2; ++i) sum += inside(y + j, x + i);
            b[y * kWidth + x] = sum / 25;
          };
          const bool rim = y < 2 || y >= kWidth - 2;
          for (int x = 0; x < (rim ? kWidth : 2); ++x) edge(x);
          if (rim) return;
          edge(kWidth - 2), edge(kWidth - 1);
          for (int x = 2; x < kWidth - 2; ++x) {
            float sum = 0;
            for (int j = -2; j <= 2; ++j)
              for (int i = -2; i <= 2; ++i) sum += a[(y + j) * kWidth + x + i];
            b[y * kWidth + x] = sum / 25;
          }
        });
      });
  show(
      "sharpen_by_number", b, kCells, nothing, [=] { sharpen_by_number<<<tiles, square>>>(a, b, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const auto edge = [=](int x) {
            b[y * kWidth + x] =
                5 * inside(y, x) - inside(y - 1, x) - inside(y + 1, x) - inside(y, x - 1) - inside(y, x + 1);
          };
          const bool rim = y < 1 || y >= kWidth - 1;
          for (int x = 0; x < (rim ? kWidth : 1); ++x) edge(x);
          if (rim) return;
          edge(kWidth - 1);
          const float* const c = a + y * kWidth;
          for (int x = 1; x < kWidth - 1; ++x)
            b[y * kWidth + x] = 5 * c[x] - c[x - kWidth] - c[x + kWidth] - c[x - 1] - c[x + 1];
        });
      });
  constexpr int kArgument = 5;
  const float* const weights = a + 3 * kCells;
  const int radius = kArgument;
  show(
      "blur_rows_dynamic", b, kCells, nothing,
      [=] {
        blur_rows_dynamic<<<dim3(kWidth / 256, kWidth), 256, (256 + 2 * radius) * sizeof(float)>>>(a, b, weights,
                                                                                                   kWidth, radius);
      },
      [=] {
        by_hand(kWidth, [=](int y) {
          const float* const from = a + y * kWidth;
          float* const to = b + y * kWidth;
          const auto edge = [=](int x) {
            float sum = 0;
            for (int k = -radius; k <= radius; ++k)
              if (x + k >= 0 && x + k < kWidth) sum += weights[k + radius] * from[x + k];
            to[x] = sum;
          };
          for (int x = 0; x < radius; ++x) edge(x), edge(kWidth - 1 - x);
          for (int x = radius; x < kWidth - radius; ++x) {
            float sum = 0;
            for (int k = -radius; k <= radius; ++k) sum += weights[k + radius] * from[x + k];
            to[x] = sum;
          }
        });
      });
  constexpr int kSide = 128;
  show(
      "faces", b, kSide * kSide * kSide, nothing,
      [=] { faces<<<dim3(kSide / 8, kSide / 8, kSide / 8), dim3(8, 8, 8)>>>(a, b, kSide); },
      [=] {
        by_hand(kSide, [=](int z) {
          constexpr int kPlane = kSide * kSide;
          for (int y = 0; y < kSide; ++y) {
            const int row = z * kPlane + y * kSide;
            const auto one = [=](int x, float left, float right) {
              const int at = row + x;
              b[at] = left + right + (y > 0 ? a[at - kSide] : 0) + (y < kSide - 1 ? a[at + kSide] : 0) +
                      (z > 0 ? a[at - kPlane] : 0) + (z < kSide - 1 ? a[at + kPlane] : 0) - 6 * a[at];
            };
            one(0, 0, a[row + 1]), one(kSide - 1, a[row + kSide - 2], 0);
            for (int x = 1; x < kSide - 1; ++x) one(x, a[row + x - 1], a[row + x + 1]);
          }
        });
      });
  show(
      "blur_columns", b, kCells, nothing,
      [=] {
        blur_columns<<<dim3(kWidth / kColumns, kWidth / (kSteps * kRowsAt)), dim3(kColumns, kRowsAt)>>>(a, b, weights,
                                                                                                        kWidth, kWidth);
      },
      [=] {
        by_hand(kWidth, [=](int y) {
          float sums[kWidth] = {};
          for (int j = -kRadius; j <= kRadius; ++j)
            if (y + j >= 0 && y + j < kWidth)
              for (int x = 0; x < kWidth; ++x) sums[x] += weights[kRadius + j] * a[(y + j) * kWidth + x];
          std::copy(sums, sums + kWidth, b + y * kWidth);
        });
      });
  constexpr int kPadded = kWidth + 2;
  show(
      "red_black", b, kPadded * kPadded, nothing, [=] { red_black<<<tiles, square>>>(a, b, kPadded); },
      [=] {
        by_hand(kWidth / kTile * (kWidth / kTile), [=](int block) {
          float s[kTile + 2][kTile + 2];
          const int y0 = block / (kWidth / kTile) * kTile, x0 = block % (kWidth / kTile) * kTile;
          for (int j = 0; j < kTile + 2; ++j)
            for (int i = 0; i < kTile + 2; ++i) s[j][i] = a[(y0 + j) * kPadded + x0 + i];
          for (int sweep = 0; sweep < 4; ++sweep)
            for (int j = 1; j <= kTile; ++j)
              for (int i = 1 + (j + 1 + sweep) % 2; i <= kTile; i += 2)
                s[j][i] = 0.25f * (s[j - 1][i] + s[j + 1][i] + s[j][i - 1] + s[j][i + 1]);
          for (int j = 1; j <= kTile; ++j)
            for (int i = 1; i <= kTile; ++i) b[(y0 + j) * kPadded + x0 + i] = s[j][i];
        });
      });
  show(
      "line_steps", b, kCells, nothing, [=] { line_steps<<<kCells / 256, 256>>>(a, b, 16); },
      [=] {
        by_hand(kCells / 256, [=](int block) {
          float s[2][258] = {};
          std::copy(a + block * 256, a + block * 256 + 256, s[0] + 1);
          for (int k = 0; k < 16; ++k)
            for (int t = 1; t <= 256; ++t)
              s[(k + 1) % 2][t] = s[k % 2][t] + 0.25f * (s[k % 2][t - 1] - 2 * s[k % 2][t] + s[k % 2][t + 1]);
          std::copy(s[0] + 1, s[0] + 257, b + block * 256);
        });
      });
  show(
      "pool", b, kCells / 4, nothing, [=] { pool<<<dim3(kWidth / 32, kWidth / 32), square>>>(a, b, kWidth); },
      [=] {
        by_hand(kWidth / 2, [=](int y) {
          const float *const up = a + 2 * y * kWidth, *const down = up + kWidth;
          for (int x = 0; x < kWidth / 2; ++x)
            b[y * (kWidth / 2) + x] =
                std::max(std::max(up[2 * x], up[2 * x + 1]), std::max(down[2 * x], down[2 * x + 1]));
        });
      });
  return wrong ? 1 : 0;
}
