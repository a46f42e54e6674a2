// SPDX-License-Identifier: Apache-2.0
// Kernels of textbooks, of CUDA's samples and of programs for learning networks: tiles with halos, products of
// matrices with tiles in registers, warps and tiles of warps that take a row, attention, images, finance. Against the
// loops that one would write by hand for the same work; the two take turns, and a line shows their medians and the
// ratio's. Exit code 1: a result is wrong.
// Long because: each kernel has its loop by hand.
//   simrun tests/bench/textbook_kernels.cu
//   simrun --workers 1 tests/bench/textbook_kernels.cu -- cpu       processor time of one worker
//   simrun --execution fibers tests/bench/textbook_kernels.cu -- results    sums of the results' bits
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels_against_hand.hpp"

namespace cg = cooperative_groups;

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth;

// A tile of a matrix, eight rows at a time.
template <int TILE_DIM, int BLOCK_ROWS>
__global__ void copy_tile(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  const int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
    if (x < width && y + i < height) tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * width + x];
  __syncthreads();
  for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
    if (x < width && y + i < height) odata[(y + i) * width + x] = tile[threadIdx.y + i][threadIdx.x];
}
// The rows that a thread begins with are its own.
__global__ void turn_tile(float* out, const float* in, int width) {
  __shared__ float tile[32][33];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8) tile[r][threadIdx.x] = in[(y0 + r) * width + x0 + threadIdx.x];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) out[(x0 + r) * width + y0 + threadIdx.x] = tile[threadIdx.x][r];
}

// Four neighbours; halos are loaded by the threads at the tile's edges.
__global__ void heat(const float* in, float* out, int n) {
  __shared__ float s[18][18];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, at = y * n + x;
  s[ty][tx] = in[at];
  if (threadIdx.x == 0 && x > 0) s[ty][0] = in[at - 1];
  if (threadIdx.x == 15 && x < n - 1) s[ty][17] = in[at + 1];
  if (threadIdx.y == 0 && y > 0) s[0][tx] = in[at - n];
  if (threadIdx.y == 15 && y < n - 1) s[17][tx] = in[at + n];
  __syncthreads();
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    out[at] = s[ty][tx] + 0.2f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4 * s[ty][tx]);
}
// A block larger than what it writes: each thread loads one element, the inner ones compute.
__global__ void wide_block(const float* in, float* out, int n) {
  __shared__ float s[32][32];
  const int x = blockIdx.x * 30 + threadIdx.x - 1, y = blockIdx.y * 30 + threadIdx.y - 1;
  s[threadIdx.y][threadIdx.x] = x >= 0 && x < n && y >= 0 && y < n ? in[y * n + x] : 0.0f;
  __syncthreads();
  if (threadIdx.x >= 1 && threadIdx.x < 31 && threadIdx.y >= 1 && threadIdx.y < 31 && x < n && y < n) {
    float sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) sum += s[threadIdx.y + dy][threadIdx.x + dx];
    out[y * n + x] = sum / 9;
  }
}

// The samples' separable convolution, its pass over rows: eight results a thread, and two halos.
constexpr int kSteps = 8, kHalo = 1, kRadius = 8;
__constant__ float c_kernel[2 * kRadius + 1];
__global__ void convolve_rows(float* dst, const float* src, int w, int h, int pitch) {
  __shared__ float s[4][(kSteps + 2 * kHalo) * 16];
  const int x0 = (blockIdx.x * kSteps - kHalo) * 16 + threadIdx.x, y0 = blockIdx.y * 4 + threadIdx.y;
  src += y0 * pitch + x0;
  dst += y0 * pitch + x0;
  for (int i = kHalo; i < kHalo + kSteps; i++) s[threadIdx.y][threadIdx.x + i * 16] = src[i * 16];
  for (int i = 0; i < kHalo; i++) s[threadIdx.y][threadIdx.x + i * 16] = x0 >= -i * 16 ? src[i * 16] : 0;
  for (int i = kHalo + kSteps; i < kHalo + kSteps + kHalo; i++)
    s[threadIdx.y][threadIdx.x + i * 16] = w - x0 > i * 16 ? src[i * 16] : 0;
  __syncthreads();
  for (int i = kHalo; i < kHalo + kSteps; i++) {
    float sum = 0;
    for (int j = -kRadius; j <= kRadius; j++) sum += c_kernel[kRadius - j] * s[threadIdx.y][threadIdx.x + i * 16 + j];
    dst[i * 16] = sum;
  }
}

// Three planes in registers, a tile in shared memory, halos by some of the threads.
__global__ void stencil_3d(const float* in, float* out, int n) {
  __shared__ float tile[10][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, plane = n * n;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int at = y * n + x;
  float behind = 0, current = in[at], ahead = in[at + plane];
  for (int z = 1; z < n - 1; ++z) {
    at += plane;
    behind = current, current = ahead, ahead = in[at + plane];
    __syncthreads();
    tile[ty][tx] = current;
    if (threadIdx.x < 1) {
      tile[ty][0] = x > 0 ? in[at - 1] : 0;
      tile[ty][33] = x + 32 < n ? in[at + 32] : 0;
    }
    if (threadIdx.y < 1) {
      tile[0][tx] = y > 0 ? in[at - n] : 0;
      tile[9][tx] = y + 8 < n ? in[at + 8 * n] : 0;
    }
    __syncthreads();
    out[at] = 0.4f * current +
              0.1f * (behind + ahead + tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
  }
}

// A product of matrices: 64 x 64 for a block, 4 x 4 in the registers of each of 256 threads, loads of four elements.
__global__ void product_in_registers(const float* A, const float* B, float* C, int n) {
  __shared__ float As[16][64], Bs[16][64];
  const int tid = threadIdx.y * 16 + threadIdx.x, row = blockIdx.y * 64, col = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
    const float4 a = *reinterpret_cast<const float4*>(&A[(row + tid / 4) * n + k0 + tid % 4 * 4]);
    As[tid % 4 * 4][tid / 4] = a.x, As[tid % 4 * 4 + 1][tid / 4] = a.y;
    As[tid % 4 * 4 + 2][tid / 4] = a.z, As[tid % 4 * 4 + 3][tid / 4] = a.w;
    *reinterpret_cast<float4*>(&Bs[tid / 16][tid % 16 * 4]) =
        *reinterpret_cast<const float4*>(&B[(k0 + tid / 16) * n + col + tid % 16 * 4]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float4 x = *reinterpret_cast<float4*>(&As[k][threadIdx.y * 4]);
      const float4 y = *reinterpret_cast<float4*>(&Bs[k][threadIdx.x * 4]);
      const float left[4] = {x.x, x.y, x.z, x.w}, right[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) acc[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) C[(row + threadIdx.y * 4 + i) * n + col + threadIdx.x * 4 + j] = acc[i][j];
}
// Products of bytes, four at a time.
__global__ void product_of_bytes(const int* a, const int* b, int* c, int n, int k4) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < k4; ++k) sum = __dp4a(a[row * k4 + k], b[k * n + col], sum);
  c[row * n + col] = sum;
}

// A block a row, reduced by warps.
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}
__device__ float block_sum(float v) {
  __shared__ float parts[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = warp_sum(v);
  __syncthreads();
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? parts[lane] : 0.0f;
  if (warp == 0) v = warp_sum(v);
  if (threadIdx.x == 0) parts[0] = v;
  __syncthreads();
  return parts[0];
}
__global__ void layernorm(const float* in, float* out, const float* gain, const float* bias, int columns) {
  const float* row = in + blockIdx.x * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i];
  const float mean = block_sum(sum) / columns;
  float squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) squares += (row[i] - mean) * (row[i] - mean);
  const float scale = rsqrtf(block_sum(squares) / columns + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}
// A warp a row, as a tile of a cooperative group.
__global__ void softmax_tile(const float* in, float* out, int rows, int columns) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  const float* x = in + row * columns;
  float most = -INFINITY;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) most = fmaxf(most, x[i]);
  most = cg::reduce(warp, most, cg::greater<float>{});
  float sum = 0;
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) sum += expf(x[i] - most);
  sum = cg::reduce(warp, sum, cg::plus<float>{});
  for (int i = warp.thread_rank(); i < columns; i += warp.size()) out[row * columns + i] = expf(x[i] - most) / sum;
}

// Attention with tiles of keys and values, the maximum and the sum as one goes (flash attention); one query a thread.
constexpr int kHead = 32, kKeys = 32;
__global__ void attention(const float* Q, const float* K, const float* V, float* O, int n) {
  __shared__ float k_tile[kKeys][kHead], v_tile[kKeys][kHead];
  const int query = blockIdx.x * blockDim.x + threadIdx.x;
  float q[kHead], acc[kHead] = {}, most = -INFINITY, sum = 0;
  for (int d = 0; d < kHead; ++d) q[d] = Q[query * kHead + d];
  for (int first = 0; first < n; first += kKeys) {
    for (int i = threadIdx.x; i < kKeys * kHead; i += blockDim.x) {
      k_tile[i / kHead][i % kHead] = K[first * kHead + i];
      v_tile[i / kHead][i % kHead] = V[first * kHead + i];
    }
    __syncthreads();
    for (int j = 0; j < kKeys; ++j) {
      float score = 0;
      for (int d = 0; d < kHead; ++d) score += q[d] * k_tile[j][d];
      const float greater = fmaxf(most, score), shrink = expf(most - greater), p = expf(score - greater);
      sum = sum * shrink + p;
      for (int d = 0; d < kHead; ++d) acc[d] = acc[d] * shrink + p * v_tile[j][d];
      most = greater;
    }
    __syncthreads();
  }
  for (int d = 0; d < kHead; ++d) O[query * kHead + d] = acc[d] / sum;
}

// Tiles of bodies in shared memory, as the samples have them.
__global__ void bodies(const float4* p, float4* a, int n) {
  __shared__ float4 tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 mine = p[i];
  float3 acc = make_float3(0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    tile[threadIdx.x] = p[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < blockDim.x; ++j) {
      const float dx = tile[j].x - mine.x, dy = tile[j].y - mine.y, dz = tile[j].z - mine.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[j].w * inverse * inverse * inverse;
      acc.x += dx * s, acc.y += dy * s, acc.z += dz * s;
    }
    __syncthreads();
  }
  a[i] = make_float4(acc.x, acc.y, acc.z, 0);
}

// The samples' prices of options.
__host__ __device__ inline float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float cnd = 0.39894228f * expf(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
__host__ __device__ inline void price(float& call, float& put, float S, float X, float T, float R, float V) {
  const float root = sqrtf(T), d1 = (logf(S / X) + (R + 0.5f * V * V) * T) / (V * root), d2 = d1 - V * root;
  const float one = normal(d1), two = normal(d2), less = expf(-R * T);
  call = S * one - X * less * two;
  put = X * less * (1.0f - two) - S * (1.0f - one);
}
__global__ void black_scholes(float2* call, float2* put, const float2* s, const float2* x, const float2* t, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n / 2) return;
  float c1, c2, p1, p2;
  price(c1, p1, s[i].x, x[i].x, t[i].x, 0.02f, 0.3f);
  price(c2, p2, s[i].y, x[i].y, t[i].y, 0.02f, 0.3f);
  call[i] = make_float2(c1, c2);
  put[i] = make_float2(p1, p2);
}

// Rows of sparse matrices: eight lanes a row; and by columns of an ELL matrix.
__global__ void csr_vector(const int* starts, const int* columns, const float* values, const float* x, float* y,
                           int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  float sum = 0;
  if (row < n)
    for (int k = starts[row] + lane; k < starts[row + 1]; k += 8) sum += values[k] * x[columns[k]];
  for (int d = 4; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d, 8);
  if (row < n && lane == 0) y[row] = sum;
}
__global__ void ell(const int* columns, const float* values, const float* x, float* y, int n, int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    const int column = columns[k * n + row];
    if (column >= 0) sum += values[k * n + row] * x[column];
  }
  y[row] = sum;
}

// A step of k-means: the nearest centre, from shared memory, and sums by atomics.
constexpr int kCentres = 16;
__global__ void k_means(const float* px, const float* py, const float* centres, int* nearest, int* counts, int n) {
  __shared__ float c[2 * kCentres];
  __shared__ int count[kCentres];
  if (threadIdx.x < 2 * kCentres) c[threadIdx.x] = centres[threadIdx.x];
  if (threadIdx.x < kCentres) count[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float least = INFINITY;
    int which = 0;
    for (int k = 0; k < kCentres; ++k) {
      const float dx = px[i] - c[2 * k], dy = py[i] - c[2 * k + 1], d = dx * dx + dy * dy;
      if (d < least) least = d, which = k;
    }
    nearest[i] = which;
    atomicAdd(&count[which], 1);
  }
  __syncthreads();
  if (threadIdx.x < kCentres) atomicAdd(&counts[threadIdx.x], count[threadIdx.x]);
}

// A level of a breadth-first search, with a queue of the block in shared memory.
__global__ void frontier(const int* starts, const int* targets, int* level, const int* from, int count, int* to,
                         int* total, int depth) {
  __shared__ int queue[1024], size, begin;
  if (threadIdx.x == 0) size = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    for (int e = starts[from[i]]; e < starts[from[i] + 1]; ++e)
      if (atomicCAS(&level[targets[e]], -1, depth) == -1) queue[atomicAdd(&size, 1)] = targets[e];
  __syncthreads();
  if (threadIdx.x == 0) begin = atomicAdd(total, size);
  __syncthreads();
  for (int k = threadIdx.x; k < size; k += blockDim.x) to[begin + k] = queue[k];
}

// Sweeps with a barrier of the grid.
__global__ void jacobi_grid(float* a, float* b, int n, int sweeps) {
  const auto grid = cg::this_grid();
  for (int s = 0; s < sweeps; ++s) {
    const float* const from = s % 2 == 0 ? a : b;
    float* const to = s % 2 == 0 ? b : a;
    for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size())
      to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    grid.sync();
  }
}

// Cells of a torus, in shared memory with their neighbours.
__global__ void life_tile(const unsigned char* in, unsigned char* out, int n) {
  __shared__ unsigned char s[18][18];
  for (int j = threadIdx.y; j < 18; j += blockDim.y)
    for (int i = threadIdx.x; i < 18; i += blockDim.x)
      s[j][i] = in[((blockIdx.y * 16 + j - 1 + n) % n) * n + (blockIdx.x * 16 + i - 1 + n) % n];
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  const int alive = s[y - 1][x - 1] + s[y - 1][x] + s[y - 1][x + 1] + s[y][x - 1] + s[y][x + 1] + s[y + 1][x - 1] +
                    s[y + 1][x] + s[y + 1][x + 1];
  out[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = alive == 3 || (alive == 2 && s[y][x]);
}

const work nothing = [] {};

void show_tiles(const float* in, float* out) {
  const dim3 rows(32, 8), square(16, 16);
  show(
      "copy_tile", out, kCells, nothing,
      [=] { copy_tile<32, 8><<<dim3(kWidth / 32, kWidth / 32), rows>>>(out, in, kWidth, kWidth); },
      [=] { by_hand(kWidth, [=](int y) { std::memcpy(out + y * kWidth, in + y * kWidth, kWidth * sizeof(float)); }); });
  show(
      "turn_tile", out, kCells, nothing, [=] { turn_tile<<<dim3(kWidth / 32, kWidth / 32), rows>>>(out, in, kWidth); },
      [=] {
        by_hand(kWidth / 32, [=](int by) {
          for (int bx = 0; bx < kWidth / 32; ++bx)
            for (int y = by * 32; y < by * 32 + 32; ++y)
              for (int x = bx * 32; x < bx * 32 + 32; ++x) out[y * kWidth + x] = in[x * kWidth + y];
        });
      });
  show(
      "heat", out, kCells, nothing, [=] { heat<<<dim3(kWidth / 16, kWidth / 16), square>>>(in, out, kWidth); },
      [=] {
        by_hand(kWidth - 2, [=](int above) {
          const int y = above + 1;
          for (int at = y * kWidth + 1; at < (y + 1) * kWidth - 1; ++at)
            out[at] = in[at] + 0.2f * (in[at - 1] + in[at + 1] + in[at - kWidth] + in[at + kWidth] - 4 * in[at]);
        });
      });
  constexpr int kBlocks = (kWidth + 29) / 30;
  show(
      "wide_block", out, kCells, nothing,
      [=] { wide_block<<<dim3(kBlocks, kBlocks), dim3(32, 32)>>>(in, out, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const auto one = [=](int x) {
            float sum = 0;
            for (int dy = -1; dy <= 1; ++dy)
              for (int dx = -1; dx <= 1; ++dx)
                if (y + dy >= 0 && y + dy < kWidth && x + dx >= 0 && x + dx < kWidth)
                  sum += in[(y + dy) * kWidth + x + dx];
            out[y * kWidth + x] = sum / 9;
          };
          const bool inside = y > 0 && y < kWidth - 1;
          for (int x = 0; x < kWidth; x = inside && x == 0 ? kWidth - 1 : x + 1) one(x);
          if (!inside) return;
          for (int x = 1; x < kWidth - 1; ++x) {
            float sum = 0;
            for (int dy = -1; dy <= 1; ++dy)
              for (int dx = -1; dx <= 1; ++dx) sum += in[(y + dy) * kWidth + x + dx];
            out[y * kWidth + x] = sum / 9;
          }
        });
      });
  float weights[2 * kRadius + 1];
  for (int i = 0; i <= 2 * kRadius; ++i) weights[i] = 0.01f * (i + 1);
  cudaMemcpyToSymbol(c_kernel, weights, sizeof weights);
  show(
      "convolve_rows", out, kCells, nothing,
      [=] {
        convolve_rows<<<dim3(kWidth / (kSteps * 16), kWidth / 4), dim3(16, 4)>>>(out, in, kWidth, kWidth, kWidth);
      },
      [=] {
        by_hand(kWidth, [=](int y) {
          const float* const from = in + y * kWidth;
          float* const to = out + y * kWidth;
          const auto edge = [=](int x) {
            float sum = 0;
            for (int j = -kRadius; j <= kRadius; ++j)
              if (x + j >= 0 && x + j < kWidth) sum += weights[kRadius - j] * from[x + j];
            to[x] = sum;
          };
          for (int x = 0; x < kRadius; ++x) edge(x), edge(kWidth - 1 - x);
          for (int x = kRadius; x < kWidth - kRadius; ++x) {
            float sum = 0;
            for (int j = -kRadius; j <= kRadius; ++j) sum += weights[kRadius - j] * from[x + j];
            to[x] = sum;
          }
        });
      });
  constexpr int kSide = 96;
  show(
      "stencil_3d", out, kSide * kSide * kSide, nothing,
      [=] { stencil_3d<<<dim3(kSide / 32, kSide / 8), dim3(32, 8)>>>(in, out, kSide); },
      [=] {
        by_hand(kSide - 2, [=](int below) {
          constexpr int kPlane = kSide * kSide;
          const int z = below + 1;
          const auto one = [=](int x, int y) {
            const int at = z * kPlane + y * kSide + x;
            out[at] = 0.4f * in[at] + 0.1f * (in[at - kPlane] + in[at + kPlane] + (x > 0 ? in[at - 1] : 0) +
                                              (x < kSide - 1 ? in[at + 1] : 0) + (y > 0 ? in[at - kSide] : 0) +
                                              (y < kSide - 1 ? in[at + kSide] : 0));
          };
          for (int x = 0; x < kSide; ++x) one(x, 0), one(x, kSide - 1);
          for (int y = 1; y < kSide - 1; ++y) {
            one(0, y), one(kSide - 1, y);
            for (int at = z * kPlane + y * kSide + 1; at < z * kPlane + (y + 1) * kSide - 1; ++at)
              out[at] = 0.4f * in[at] + 0.1f * (in[at - kPlane] + in[at + kPlane] + in[at - 1] + in[at + 1] +
                                                in[at - kSide] + in[at + kSide]);
          }
        });
      });
}

void show_products(const float* in, float* out) {
  constexpr int n = 512;
  show(
      "product_in_registers", out, n * n, nothing,
      [=] { product_in_registers<<<dim3(n / 64, n / 64), dim3(16, 16)>>>(in, in + n * n, out, n); },
      [=] {
        by_hand(n, [=](int y) {
          float* const row = out + y * n;
          std::fill(row, row + n, 0.0f);
          for (int k = 0; k < n; ++k)
            for (int x = 0; x < n; ++x) row[x] += in[y * n + k] * in[n * n + k * n + x];
        });
      });
  constexpr int k4 = 64;
  auto *const a = managed<int>(n * k4), *const b = managed<int>(n * k4), *const c = managed<int>(n * n);
  for (int i = 0; i < n * k4; ++i) a[i] = i * 2654435761u, b[i] = i * 40503u;
  show(
      "product_of_bytes", c, n * n, nothing,
      [=] { product_of_bytes<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, c, n, k4); },
      [=] {
        by_hand(n, [=](int y) {
          int* const row = c + y * n;
          std::fill(row, row + n, 0);
          for (int k = 0; k < k4; ++k)
            for (int x = 0; x < n; ++x) {
              const int p = a[y * k4 + k], q = b[k * n + x];
              for (int shift = 0; shift < 32; shift += 8)
                row[x] += static_cast<signed char>(p >> shift) * static_cast<signed char>(q >> shift);
            }
        });
      });
}

void show_rows(const float* in, float* out) {
  show(
      "layernorm", out, kCells, nothing, [=] { layernorm<<<kWidth, 256>>>(in, out, in, in + kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const float* const row = in + y * kWidth;
          float part[16] = {}, squares[16] = {}, sum = 0, square = 0;
          for (int x = 0; x < kWidth; x += 16)
            for (int i = 0; i < 16; ++i) part[i] += row[x + i];
          for (const float p : part) sum += p;
          const float mean = sum / kWidth;
          for (int x = 0; x < kWidth; x += 16)
            for (int i = 0; i < 16; ++i) squares[i] += (row[x + i] - mean) * (row[x + i] - mean);
          for (const float s : squares) square += s;
          const float scale = 1 / std::sqrt(square / kWidth + 1e-5f);
          for (int x = 0; x < kWidth; ++x) out[y * kWidth + x] = (row[x] - mean) * scale * in[x] + in[kWidth + x];
        });
      });
  show(
      "softmax_tile", out, kCells, nothing, [=] { softmax_tile<<<kWidth / 8, 256>>>(in, out, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const float* const row = in + y * kWidth;
          float most = -INFINITY, part[16] = {}, sum = 0;
          for (int x = 0; x < kWidth; ++x) most = std::max(most, row[x]);
          for (int x = 0; x < kWidth; x += 16)
            for (int i = 0; i < 16; ++i) part[i] += std::exp(row[x + i] - most);
          for (const float p : part) sum += p;
          for (int x = 0; x < kWidth; ++x) out[y * kWidth + x] = std::exp(row[x] - most) / sum;
        });
      });
  constexpr int kQueries = 512;
  const float *const K = in + kQueries * kHead, *const V = K + kQueries * kHead;
  show(
      "attention", out, kQueries * kHead, nothing, [=] { attention<<<kQueries / 64, 64>>>(in, K, V, out, kQueries); },
      [=] {
        by_hand(kQueries, [=](int i) {
          const float* const q = in + i * kHead;
          float most = -INFINITY, sum = 0, acc[kHead] = {}, scores[kQueries];
          for (int j = 0; j < kQueries; ++j) {
            float score = 0;
            for (int d = 0; d < kHead; ++d) score += q[d] * K[j * kHead + d];
            scores[j] = score;
            most = std::max(most, score);
          }
          for (int j = 0; j < kQueries; ++j) {
            const float p = std::exp(scores[j] - most);
            sum += p;
            for (int d = 0; d < kHead; ++d) acc[d] += p * V[j * kHead + d];
          }
          for (int d = 0; d < kHead; ++d) out[i * kHead + d] = acc[d] / sum;
        });
      });
}

void show_points(const float* in, float* out) {
  constexpr int kBodies = 4096;
  auto *const p = reinterpret_cast<const float4*>(in), *const q = p + kCells / 8;
  auto* const a = reinterpret_cast<float4*>(out);
  show(
      "bodies", out, 4 * kBodies, nothing, [=] { bodies<<<kBodies / 256, 256>>>(p, a, kBodies); },
      [=] {
        by_hand(kBodies, [=](int i) {
          float x = 0, y = 0, z = 0;
          for (int j = 0; j < kBodies; ++j) {
            const float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y, dz = p[j].z - p[i].z;
            const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
            const float s = p[j].w * inverse * inverse * inverse;
            x += dx * s, y += dy * s, z += dz * s;
          }
          a[i] = make_float4(x, y, z, 0);
        });
      });
  auto* const given = managed<float>(3 * kCells);
  for (int i = 0; i < kCells; ++i)
    given[i] = 5 + i % 251 * 0.1f, given[kCells + i] = 1 + i % 97, given[2 * kCells + i] = 0.25f + i % 39 * 0.25f;
  auto *const s = reinterpret_cast<float2*>(given), *const x = s + kCells / 2, *const t = x + kCells / 2;
  auto *const call = reinterpret_cast<float2*>(out), *const put = call + kCells / 2;
  show(
      "black_scholes", out, 2 * kCells, nothing,
      [=] { black_scholes<<<kCells / 2 / 128, 128>>>(call, put, s, x, t, kCells); },
      [=] {
        by_hand(kCells, [=](int i) {
          price(out[i], out[kCells + i], given[i], given[kCells + i], given[2 * kCells + i], 0.02f, 0.3f);
        });
      });
  auto *const nearest = managed<int>(kCells + kCentres), *const counts = nearest + kCells;
  show(
      "k_means", nearest, kCells + kCentres, [=] { std::fill(counts, counts + kCentres, 0); },
      [=] {
        k_means<<<kCells / 256, 256>>>(in, in + kCells, reinterpret_cast<const float*>(q), nearest, counts, kCells);
      },
      [=] {
        const float* const c = reinterpret_cast<const float*>(q);
        by_hand(kCells, [=](int i) {
          float least = INFINITY;
          int which = 0;
          for (int k = 0; k < kCentres; ++k) {
            const float dx = in[i] - c[2 * k], dy = in[kCells + i] - c[2 * k + 1], d = dx * dx + dy * dy;
            if (d < least) least = d, which = k;
          }
          nearest[i] = which;
        });
        for (int i = 0; i < kCells; ++i) ++counts[nearest[i]];
      });
}

void show_graphs(const float* x, float* y) {
  constexpr int kRows = 1 << 16, kEach = 16, kEdges = kRows * kEach;
  auto *const starts = managed<int>(kRows + 1), *const columns = managed<int>(kEdges),
              *const by_columns = managed<int>(kEdges);
  auto* const values = managed<float>(kEdges);
  for (int i = 0; i <= kRows; ++i) starts[i] = i * kEach;
  for (int i = 0; i < kEdges; ++i)
    columns[i] = static_cast<int>(i * 7919L % kRows), by_columns[i] = i % 23 == 0 ? -1 : columns[i],
    values[i] = i % 7 * 0.25f;
  show(
      "csr_vector", y, kRows, nothing,
      [=] { csr_vector<<<kRows * 8 / 256, 256>>>(starts, columns, values, x, y, kRows); },
      [=] {
        by_hand(kRows, [=](int row) {
          float sum = 0;
          for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
          y[row] = sum;
        });
      });
  show(
      "ell", y, kRows, nothing, [=] { ell<<<kRows / 256, 256>>>(by_columns, values, x, y, kRows, kEach); },
      [=] {
        by_hand(kRows, [=](int row) {
          float sum = 0;
          for (int k = 0; k < kEach; ++k)
            if (const int column = by_columns[k * kRows + row]; column >= 0) sum += values[k * kRows + row] * x[column];
          y[row] = sum;
        });
      });
  auto *const level = managed<int>(kRows), *const from = managed<int>(kRows), *const to = managed<int>(kRows);
  auto* const total = managed<int>(1);
  constexpr int kCount = 1024;
  const work begin = [=] {
    std::fill(level, level + kRows, -1), *total = 0;
    for (int i = 0; i < kCount; ++i) from[i] = i * 64, level[i * 64] = 0;
  };
  show(
      "frontier", level, kRows, begin,
      [=] { frontier<<<kCount / 64, 64>>>(starts, columns, level, from, kCount, to, total, 1); },
      [=] {
        for (int i = 0; i < kCount; ++i)
          for (int e = starts[from[i]]; e < starts[from[i] + 1]; ++e)
            if (level[columns[e]] == -1) level[columns[e]] = 1, to[(*total)++] = columns[e];
      });
}

void show_sweeps(const float* in, float* out) {
  auto* const other = managed<float>(kCells);
  constexpr int kSweeps = 10;
  show(
      "jacobi_grid", out, kCells,
      [=] { std::memcpy(out, in, kCells * sizeof(float)), std::memcpy(other, in, kCells * sizeof(float)); },
      [=] {
        float *a = out, *b = other;
        int n = kCells, sweeps = kSweeps;
        void* arguments[] = {&a, &b, &n, &sweeps};
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(jacobi_grid), 64, 256, arguments, 0, nullptr);
      },
      [=] {
        for (int s = 0; s < kSweeps; ++s) {
          const float* const from = s % 2 == 0 ? out : other;
          float* const to = s % 2 == 0 ? other : out;
          by_hand(64, [=](int part) {
            const int begin = std::max(1, part * (kCells / 64)), end = std::min(kCells - 1, (part + 1) * (kCells / 64));
            for (int i = begin; i < end; ++i) to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
          });
        }
      });
  auto *const cells = managed<unsigned char>(kCells), *const next = managed<unsigned char>(kCells);
  for (int i = 0; i < kCells; ++i) cells[i] = i * 7919L % 11 < 4;
  show(
      "life_tile", next, kCells, nothing,
      [=] { life_tile<<<dim3(kWidth / 16, kWidth / 16), dim3(16, 16)>>>(cells, next, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const unsigned char* rows[3];
          for (int d = -1; d <= 1; ++d) rows[d + 1] = cells + (y + d + kWidth) % kWidth * kWidth;
          const auto one = [=](int left, int x, int right) {
            const int alive = rows[0][left] + rows[0][x] + rows[0][right] + rows[1][left] + rows[1][right] +
                              rows[2][left] + rows[2][x] + rows[2][right];
            next[y * kWidth + x] = alive == 3 || (alive == 2 && rows[1][x]);
          };
          one(kWidth - 1, 0, 1), one(kWidth - 2, kWidth - 1, 0);
          for (int x = 1; x < kWidth - 1; ++x) one(x - 1, x, x + 1);
        });
      });
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  auto *const in = managed<float>(2 * kCells), *const out = managed<float>(2 * kCells);
  for (int i = 0; i < 2 * kCells; ++i) in[i] = static_cast<float>(i * 7919L % 10007) / 10007;
  show_tiles(in, out);
  show_products(in, out);
  show_rows(in, out);
  show_points(in, out);
  show_graphs(in, out);
  show_sweeps(in, out);
  return wrong ? 1 : 0;
}
