// SPDX-License-Identifier: Apache-2.0
// Kernels of the kinds that public programs are made of, at smaller sizes than theirs, against the loops that one would
// write by hand with oneTBB for the same work. The two take turns; a line shows their medians and the ratio's. Exit
// code 1: a result is wrong.
// Long because: each kernel has its loop by hand.
//   simrun tests/bench/usual_kernels.cu
//   simrun --workers 1 tests/bench/usual_kernels.cu -- cpu    processor time on one core, where others use the machine,
//   too
#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth;

// A warp for each row of a matrix; its lanes add up parts, then by shuffles.
__global__ void matrix_vector(const float* m, const float* x, float* y, int width, int height) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= height) return;
  float sum = 0;
  for (int k = lane; k < width; k += 32) sum += m[row * width + k] * x[k];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane == 0) y[row] = sum;
}

// A stencil whose tile, with its neighbours, lies in shared memory.
constexpr int kTile = 16;
__global__ void stencil(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int i = threadIdx.x + 1, j = threadIdx.y + 1;
  const auto at = [&](int column, int row) {
    return column < 0 || row < 0 || column >= width || row >= height ? 0.f : in[row * width + column];
  };
  tile[j][i] = at(x, y);
  if (threadIdx.x == 0) tile[j][0] = at(x - 1, y);
  if (threadIdx.x == kTile - 1) tile[j][kTile + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][i] = at(x, y - 1);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][i] = at(x, y + 1);
  __syncthreads();
  if (x < width && y < height)
    out[y * width + x] =
        0.5f * tile[j][i] + 0.125f * (tile[j - 1][i] + tile[j + 1][i] + tile[j][i - 1] + tile[j][i + 1]);
}

__global__ void bitonic_step(float* values, int j, int k) {
  const unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
  if (other <= i) return;
  const bool up = (i & k) == 0;
  if (up ? values[i] > values[other] : values[i] < values[other]) {
    const float kept = values[i];
    values[i] = values[other];
    values[other] = kept;
  }
}

__global__ void butterflies(float2* data, const float2* roots, int half, int count) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count / 2) return;
  const int k = t & (half - 1), first = ((t - k) << 1) + k;
  const float2 a = data[first], b = data[first + half], w = roots[k * (count / 2 / half)];
  const float2 turned = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
  data[first] = make_float2(a.x + turned.x, a.y + turned.y);
  data[first + half] = make_float2(a.x - turned.x, a.y - turned.y);
}

__global__ void bodies(const float4* place, float3* force, int n) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = place[i];
  float3 sum = make_float3(0, 0, 0);
  for (int from = 0; from < n; from += blockDim.x) {
    tile[threadIdx.x] = place[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f, inverse = 1.0f / sqrtf(square);
      const float s = tile[k].w * inverse * inverse * inverse;
      sum.x += dx * s, sum.y += dy * s, sum.z += dz * s;
    }
    __syncthreads();
  }
  force[i] = sum;
}

__global__ void sparse_rows(const int* begin, const int* column, const float* value, const float* x, float* y,
                            int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void sparse_warps(const int* begin, const int* column, const float* value, const float* x, float* y,
                             int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int distance = 16; distance > 0; distance >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, distance);
  if (lane == 0) y[row] = sum;
}

__global__ void shortest_paths(int* d, int n, int k) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && j < n) {
    const int through = d[i * n + k] + d[k * n + j];
    if (through < d[i * n + j]) d[i * n + j] = through;
  }
}

// Of a blocked LU decomposition, what takes the time: a tile less a product of two.
__global__ void lu_rest(float* m, int n, int offset) {
  __shared__ float row[16][16], column[16][16];
  const int global_row = offset + (blockIdx.y + 1) * 16, global_column = offset + (blockIdx.x + 1) * 16;
  row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * n + global_column + threadIdx.x];
  column[threadIdx.y][threadIdx.x] = m[(global_row + threadIdx.y) * n + offset + threadIdx.x];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += column[threadIdx.y][k] * row[k][threadIdx.x];
  m[(global_row + threadIdx.y) * n + global_column + threadIdx.x] -= sum;
}

__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned mine[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) mine[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&mine[data[i]], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&bins[k], mine[k]);
}

// Sums of all that come before within a block, in two buffers.
__global__ void block_scan(const int* in, int* out) {
  __shared__ int buffer[2][512];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int now = 0;
  buffer[0][t] = in[i];
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    buffer[1 - now][t] = t >= distance ? buffer[now][t] + buffer[now][t - distance] : buffer[now][t];
    now = 1 - now;
    __syncthreads();
  }
  out[i] = buffer[now][t];
}

__global__ void pixels(int* steps, int width, int height, int most) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float a = -2.0f + 3.0f * x / width, b = -1.5f + 3.0f * y / height;
  float u = 0, v = 0;
  int n = 0;
  while (n < most && u * u + v * v < 4.0f) {
    const float next = u * u - v * v + a;
    v = 2 * u * v + b;
    u = next;
    ++n;
  }
  steps[y * width + x] = n;
}

__global__ void neighbours_of_nodes(const int* begin, const int* edges, const int* level, int* next, int nodes,
                                    int now) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || level[node] != now) return;
  for (int k = begin[node]; k < begin[node + 1]; ++k)
    if (level[edges[k]] < 0) next[edges[k]] = now + 1;
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  float *a = managed<float>(kCells), *b = managed<float>(kCells);
  const auto fill = [=] {
    for (int i = 0; i < kCells; ++i) a[i] = static_cast<float>((i * 7919L) % 10007) / 10007;
  };
  fill();
  show(
      "matrix_vector", b, kWidth, nothing, [=] { matrix_vector<<<kWidth / 8, 256>>>(a, a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int row) {
          float sum = 0;
          for (int k = 0; k < kWidth; ++k) sum += a[row * kWidth + k] * a[k];
          b[row] = sum;
        });
      });
  show(
      "stencil", b, kCells, nothing,
      [=] { stencil<<<dim3(kWidth / kTile, kWidth / kTile), dim3(kTile, kTile)>>>(a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          for (int x = 0; x < kWidth; ++x) {
            const float left = x > 0 ? a[y * kWidth + x - 1] : 0, right = x + 1 < kWidth ? a[y * kWidth + x + 1] : 0;
            const float up = y > 0 ? a[(y - 1) * kWidth + x] : 0, down = y + 1 < kWidth ? a[(y + 1) * kWidth + x] : 0;
            b[y * kWidth + x] = 0.5f * a[y * kWidth + x] + 0.125f * (up + down + left + right);
          }
        });
      });
  constexpr int kSorted = 1 << 15;
  show(
      "bitonic_step", a, kSorted, fill,
      [=] {
        for (int k = 2; k <= kSorted; k *= 2)
          for (int j = k / 2; j > 0; j /= 2) bitonic_step<<<kSorted / 256, 256>>>(a, j, k);
      },
      [=] {
        for (int k = 2; k <= kSorted; k *= 2)
          for (int j = k / 2; j > 0; j /= 2)
            by_hand(kSorted, [=](int i) {
              const int other = i ^ j;
              if (other > i && ((i & k) == 0 ? a[i] > a[other] : a[i] < a[other])) std::swap(a[i], a[other]);
            });
      });
  constexpr int kPoints = 1 << 17;
  auto *data = managed<float2>(kPoints), *roots = managed<float2>(kPoints / 2);
  for (int k = 0; k < kPoints / 2; ++k)
    roots[k] = make_float2(std::cos(2 * M_PI * k / kPoints), -std::sin(2 * M_PI * k / kPoints));
  show(
      "butterflies", reinterpret_cast<float*>(data), 2 * kPoints,
      [=] {
        for (int i = 0; i < kPoints; ++i) data[i] = make_float2(i % 17, i % 5);
      },
      [=] {
        for (int half = 1; half < kPoints; half *= 2) butterflies<<<kPoints / 512, 256>>>(data, roots, half, kPoints);
      },
      [=] {
        for (int half = 1; half < kPoints; half *= 2)
          by_hand(kPoints / 2, [=](int t) {
            const int k = t & (half - 1), first = ((t - k) << 1) + k;
            const float2 p = data[first], q = data[first + half], w = roots[k * (kPoints / 2 / half)];
            const float2 turned = make_float2(q.x * w.x - q.y * w.y, q.x * w.y + q.y * w.x);
            data[first] = make_float2(p.x + turned.x, p.y + turned.y);
            data[first + half] = make_float2(p.x - turned.x, p.y - turned.y);
          });
      });
  constexpr int kBodies = 2048;
  auto* place = managed<float4>(kBodies);
  auto* force = managed<float3>(kBodies);
  for (int i = 0; i < kBodies; ++i) place[i] = make_float4(i % 13, i % 29, i % 31, 1 + i % 3);
  show(
      "bodies", reinterpret_cast<float*>(force), 3 * kBodies, nothing,
      [=] { bodies<<<kBodies / 256, 256>>>(place, force, kBodies); },
      [=] {
        by_hand(kBodies, [=](int i) {
          float x = 0, y = 0, z = 0;
          for (int k = 0; k < kBodies; ++k) {
            const float dx = place[k].x - place[i].x, dy = place[k].y - place[i].y, dz = place[k].z - place[i].z;
            const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
            const float s = place[k].w * inverse * inverse * inverse;
            x += dx * s, y += dy * s, z += dz * s;
          }
          force[i] = make_float3(x, y, z);
        });
      });
  constexpr int kRows = 1 << 16;
  auto *begin = managed<int>(kRows + 1), *column = managed<int>(kRows * 32);
  auto *value = managed<float>(kRows * 32), *y = managed<float>(kRows);
  for (int row = 0; row < kRows; ++row) {
    begin[row + 1] = begin[row] + 1 + row * 7 % 31;
    for (int k = begin[row]; k < begin[row + 1]; ++k)
      column[k] = (row + 37 * (k - begin[row])) % kRows, value[k] = k % 7;
  }
  fill();
  const work sparse_by_hand = [=] {
    by_hand(kRows, [=](int row) {
      float sum = 0;
      for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * a[column[k]];
      y[row] = sum;
    });
  };
  show(
      "sparse_rows", y, kRows, nothing, [=] { sparse_rows<<<kRows / 256, 256>>>(begin, column, value, a, y, kRows); },
      sparse_by_hand);
  show(
      "sparse_warps", y, kRows, nothing, [=] { sparse_warps<<<kRows / 8, 256>>>(begin, column, value, a, y, kRows); },
      sparse_by_hand);
  constexpr int kNodes = 256;
  int* d = managed<int>(kNodes * kNodes);
  show(
      "shortest_paths", d, kNodes * kNodes,
      [=] {
        for (int i = 0; i < kNodes * kNodes; ++i) d[i] = 1 + (i * 7919L) % 1009;
      },
      [=] {
        for (int k = 0; k < kNodes; ++k) shortest_paths<<<dim3(kNodes / 16, kNodes / 16), dim3(16, 16)>>>(d, kNodes, k);
      },
      [=] {
        for (int k = 0; k < kNodes; ++k)
          by_hand(kNodes, [=](int i) {
            const int first = d[i * kNodes + k];
            for (int j = 0; j < kNodes; ++j) d[i * kNodes + j] = std::min(d[i * kNodes + j], first + d[k * kNodes + j]);
          });
      });
  show(
      "lu_rest", a, kCells, fill,
      [=] { lu_rest<<<dim3(kWidth / 16 - 1, kWidth / 16 - 1), dim3(16, 16)>>>(a, kWidth, 0); },
      [=] {
        by_hand(kWidth - 16, [=](int r) {
          float* const row = a + (r + 16) * kWidth;
          for (int k = 0; k < 16; ++k)
            for (int x = 16; x < kWidth; ++x) row[x] -= row[k] * a[k * kWidth + x];
        });
      });
  constexpr int kBytes = 1 << 22;
  auto* bytes = managed<unsigned char>(kBytes);
  auto* bins = managed<unsigned>(256);
  for (int i = 0; i < kBytes; ++i) bytes[i] = static_cast<unsigned char>((i * 7919L) >> 3);
  show(
      "histogram", bins, 256, [=] { std::fill(bins, bins + 256, 0u); },
      [=] { histogram<<<64, 256>>>(bytes, bins, kBytes); },
      [=] {
        constexpr int kParts = 64;
        std::vector<unsigned> all(kParts * 256);
        by_hand(kParts, [&](int part) {
          unsigned* const mine = all.data() + part * 256;
          for (int i = part * (kBytes / kParts); i < (part + 1) * (kBytes / kParts); ++i) ++mine[bytes[i]];
        });
        for (int i = 0; i < kParts * 256; ++i) bins[i % 256] += all[i];
      });
  int *in = managed<int>(kCells), *out = managed<int>(kCells);
  for (int i = 0; i < kCells; ++i) in[i] = i % 11;
  show(
      "block_scan", out, kCells, nothing, [=] { block_scan<<<kCells / 512, 512>>>(in, out); },
      [=] {
        by_hand(kCells / 512, [=](int block) {
          int sum = 0;
          for (int i = block * 512; i < (block + 1) * 512; ++i) out[i] = sum += in[i];
        });
      });
  show(
      "pixels", out, kCells / 4, nothing,
      [=] { pixels<<<dim3(kWidth / 32, kWidth / 32), dim3(16, 16)>>>(out, kWidth / 2, kWidth / 2, 200); },
      [=] {
        by_hand(kCells / 4, [=](int i) {
          const float p = -2.0f + 3.0f * (i % (kWidth / 2)) / (kWidth / 2),
                      q = -1.5f + 3.0f * (i / (kWidth / 2)) / (kWidth / 2);
          float u = 0, v = 0;
          int n = 0;
          for (; n < 200 && u * u + v * v < 4.0f; ++n) {
            const float next = u * u - v * v + p;
            v = 2 * u * v + q;
            u = next;
          }
          out[i] = n;
        });
      });
  int *level = managed<int>(kRows), *next = managed<int>(kRows);
  for (int i = 0; i < kRows; ++i) level[i] = i % 3 == 0 ? 4 : -1;
  show(
      "neighbours_of_nodes", next, kRows, nothing,
      [=] { neighbours_of_nodes<<<kRows / 256, 256>>>(begin, column, level, next, kRows, 4); },
      [=] {
        by_hand(kRows, [=](int node) {
          if (level[node] != 4) return;
          for (int k = begin[node]; k < begin[node + 1]; ++k)
            if (level[column[k]] < 0) next[column[k]] = 5;
        });
      });
  return wrong ? 1 : 0;
}
