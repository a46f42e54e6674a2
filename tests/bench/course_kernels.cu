// SPDX-License-Identifier: Apache-2.0
// Kernels as courses and libraries have them: planes that a block goes up through, tiles that are loaded by ranks,
// blocks of three dimensions, reductions of a block that each row has, products and attention with registers, scans by
// cooperative groups. Against the loops that one would write by hand with oneTBB for the same work; the two take turns,
// and a line shows their medians and the ratio's. Exit code 1: a result is wrong. Long because: each kernel has its
// loop by hand.
//   simrun tests/bench/course_kernels.cu
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <cmath>

#include "kernels_against_hand.hpp"

namespace {
namespace cg = cooperative_groups;

// Finite differences: a block goes up through the planes. A column's elements are in registers, a plane's in shared
// memory.
constexpr int kReach = 4, kAcross = 32, kDown = 8;
__constant__ float stencil[kReach + 1];
__global__ void fdtd(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[kDown + 2 * kReach][kAcross + 2 * kReach];
  const int width = nx + 2 * kReach, plane = width * (ny + 2 * kReach);
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int tx = threadIdx.x + kReach, ty = threadIdx.y + kReach;
  int from = (y + kReach) * width + x + kReach, to = from + kReach * plane;
  float below[kReach], above[kReach], here;
  for (int i = kReach - 2; i >= 0; --i) below[i] = in[from], from += plane;
  here = in[from], from += plane;
  for (int i = 0; i < kReach; ++i) above[i] = in[from], from += plane;
  to = from - (kReach + 1) * plane;
  for (int z = 0; z < nz; ++z) {
    for (int i = kReach - 1; i > 0; --i) below[i] = below[i - 1];
    below[0] = here, here = above[0];
    for (int i = 0; i < kReach - 1; ++i) above[i] = above[i + 1];
    above[kReach - 1] = in[from];
    from += plane, to += plane;
    __syncthreads();
    if (threadIdx.y < kReach) {
      tile[threadIdx.y][tx] = in[to - kReach * width];
      tile[threadIdx.y + kDown + kReach][tx] = in[to + kDown * width];
    }
    if (threadIdx.x < kReach) {
      tile[ty][threadIdx.x] = in[to - kReach];
      tile[ty][threadIdx.x + kAcross + kReach] = in[to + kAcross];
    }
    tile[ty][tx] = here;
    __syncthreads();
    float value = stencil[0] * here;
    for (int i = 1; i <= kReach; ++i)
      value += stencil[i] * (above[i - 1] + below[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] +
                             tile[ty][tx + i]);
    out[to] = value;
  }
}

// A tile with its halo is loaded by the threads' ranks.
constexpr int kBlur = 16, kHalo = kBlur + 2;
__global__ void blur_by_ranks(const float* in, float* out, int width, int height) {
  __shared__ float tile[kHalo][kHalo];
  const int rank = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = rank; i < kHalo * kHalo; i += blockDim.x * blockDim.y) {
    const int ty = i / kHalo, tx = i % kHalo;
    const int x = min(max(static_cast<int>(blockIdx.x * kBlur) + tx - 1, 0), width - 1);
    const int y = min(max(static_cast<int>(blockIdx.y * kBlur) + ty - 1, 0), height - 1);
    tile[ty][tx] = in[y * width + x];
  }
  __syncthreads();
  const int x = blockIdx.x * kBlur + threadIdx.x, y = blockIdx.y * kBlur + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  out[y * width + x] = sum / 9;
}

// Blocks of 8 x 8 x 8 threads of which the inner ones compute.
constexpr int kCube = 8, kInner = kCube - 2;
__global__ void stencil_cube(const float* in, float* out, int n) {
  __shared__ float tile[kCube][kCube][kCube];
  const int x = blockIdx.x * kInner + threadIdx.x - 1, y = blockIdx.y * kInner + threadIdx.y - 1;
  const int z = blockIdx.z * kInner + threadIdx.z - 1;
  if (x >= 0 && x < n && y >= 0 && y < n && z >= 0 && z < n)
    tile[threadIdx.z][threadIdx.y][threadIdx.x] = in[(z * n + y) * n + x];
  __syncthreads();
  if (x >= 1 && x < n - 1 && y >= 1 && y < n - 1 && z >= 1 && z < n - 1 && threadIdx.x >= 1 &&
      threadIdx.x < kCube - 1 && threadIdx.y >= 1 && threadIdx.y < kCube - 1 && threadIdx.z >= 1 &&
      threadIdx.z < kCube - 1)
    out[(z * n + y) * n + x] =
        0.5f * tile[threadIdx.z][threadIdx.y][threadIdx.x] +
        0.1f * (tile[threadIdx.z][threadIdx.y][threadIdx.x - 1] + tile[threadIdx.z][threadIdx.y][threadIdx.x + 1] +
                tile[threadIdx.z][threadIdx.y - 1][threadIdx.x] + tile[threadIdx.z][threadIdx.y + 1][threadIdx.x] +
                tile[threadIdx.z - 1][threadIdx.y][threadIdx.x] + tile[threadIdx.z + 1][threadIdx.y][threadIdx.x]);
}

// A block a row: two sums by warps, then by the first warp.
__device__ float block_sum(float v, float* shared) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  __syncthreads();
  if (lane == 0) shared[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? shared[lane] : 0.0f;
  if (warp == 0)
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) shared[0] = v;
  __syncthreads();
  return shared[0];
}
__global__ void layernorm_block(const float* in, const float* gain, const float* shift, float* out, int width) {
  __shared__ float shared[32];
  const float* const from = in + blockIdx.x * width;
  float* const to = out + blockIdx.x * width;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x) sum += from[i];
  const float mean = block_sum(sum, shared) / width;
  for (int i = threadIdx.x; i < width; i += blockDim.x) squares += (from[i] - mean) * (from[i] - mean);
  const float scale = rsqrtf(block_sum(squares, shared) / width + 1e-5f);
  for (int i = threadIdx.x; i < width; i += blockDim.x) to[i] = (from[i] - mean) * scale * gain[i] + shift[i];
}

// A block a product's 64 x 64 elements, a thread 4 x 4 of them.
constexpr int kBlock = 64, kSteps = 16, kOwn = 4;
__global__ void sgemm(const float* a, const float* b, float* c, int n) {
  __shared__ float as[kSteps][kBlock], bs[kSteps][kBlock];
  const int tx = threadIdx.x, ty = threadIdx.y, rank = ty * 16 + tx;
  const int row0 = blockIdx.y * kBlock, column0 = blockIdx.x * kBlock;
  float sums[kOwn][kOwn] = {};
  for (int k0 = 0; k0 < n; k0 += kSteps) {
    for (int i = rank; i < kBlock * kSteps; i += 256) {
      as[i % kSteps][i / kSteps] = a[(row0 + i / kSteps) * n + k0 + i % kSteps];
      bs[i / kBlock][i % kBlock] = b[(k0 + i / kBlock) * n + column0 + i % kBlock];
    }
    __syncthreads();
    for (int k = 0; k < kSteps; ++k) {
      float left[kOwn], right[kOwn];
      for (int i = 0; i < kOwn; ++i) left[i] = as[k][ty * kOwn + i], right[i] = bs[k][tx * kOwn + i];
      for (int i = 0; i < kOwn; ++i)
        for (int j = 0; j < kOwn; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kOwn; ++i)
    for (int j = 0; j < kOwn; ++j) c[(row0 + ty * kOwn + i) * n + column0 + tx * kOwn + j] = sums[i][j];
}

// A thread a query; keys and values come in tiles.
constexpr int kHead = 32, kKeys = 32;
__global__ void flash_attention(const float* q, const float* k, const float* v, float* out, int n) {
  __shared__ float keys[kKeys][kHead], values[kKeys][kHead];
  const int t = threadIdx.x, query = blockIdx.x * blockDim.x + t;
  float own[kHead], sums[kHead] = {}, most = -INFINITY, total = 0;
  for (int d = 0; d < kHead; ++d) own[d] = q[query * kHead + d];
  for (int first = 0; first < n; first += kKeys) {
    for (int i = t; i < kKeys * kHead; i += blockDim.x) {
      keys[i / kHead][i % kHead] = k[first * kHead + i];
      values[i / kHead][i % kHead] = v[first * kHead + i];
    }
    __syncthreads();
    float scores[kKeys], greatest = most;
    for (int j = 0; j < kKeys; ++j) {
      float s = 0;
      for (int d = 0; d < kHead; ++d) s += own[d] * keys[j][d];
      scores[j] = s * 0.1767767f;
      greatest = fmaxf(greatest, scores[j]);
    }
    const float old = expf(most - greatest);
    total *= old;
    for (int d = 0; d < kHead; ++d) sums[d] *= old;
    for (int j = 0; j < kKeys; ++j) {
      const float p = expf(scores[j] - greatest);
      total += p;
      for (int d = 0; d < kHead; ++d) sums[d] += p * values[j][d];
    }
    most = greatest;
    __syncthreads();
  }
  for (int d = 0; d < kHead; ++d) out[query * kHead + d] = sums[d] / total;
}

// The greatest element of each row, and where it is.
__global__ void arg_max(const float* in, float* most_of, int* at_of, int width) {
  __shared__ float greatest[256];
  __shared__ int places[256];
  const int t = threadIdx.x;
  const float* const row = in + blockIdx.x * width;
  float most = -INFINITY;
  int at = 0;
  for (int i = t; i < width; i += blockDim.x)
    if (row[i] > most) most = row[i], at = i;
  greatest[t] = most, places[t] = at;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s && (greatest[t + s] > greatest[t] || (greatest[t + s] == greatest[t] && places[t + s] < places[t])))
      greatest[t] = greatest[t + s], places[t] = places[t + s];
    __syncthreads();
  }
  if (t == 0) most_of[blockIdx.x] = greatest[0], at_of[blockIdx.x] = places[0];
}

__global__ void scan_of_groups(const int* in, int* out) {
  __shared__ int warps[32];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  const int v = cg::inclusive_scan(warp, in[i]);
  if (warp.thread_rank() == 31) warps[warp.meta_group_rank()] = v;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    const int sum = warp.thread_rank() < warp.meta_group_size() ? warps[warp.thread_rank()] : 0;
    warps[warp.thread_rank()] = cg::exclusive_scan(warp, sum);
  }
  block.sync();
  out[i] = v + warps[warp.meta_group_rank()];
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  constexpr int kWidth = 1024, kCells = kWidth * kWidth;
  auto *const a = managed<float>(4 * kCells), *const b = managed<float>(4 * kCells),
              *const c = managed<float>(4 * kCells);
  for (int i = 0; i < 4 * kCells; ++i) a[i] = static_cast<float>((i * 7919L) % 10007) / 10007;
  constexpr int kNx = 128, kNy = 128, kNz = 64, kLine = kNx + 2 * kReach, kPlane = kLine * (kNy + 2 * kReach);
  const float parts[kReach + 1] = {0.4f, 0.1f, 0.05f, 0.02f, 0.01f};
  cudaMemcpyToSymbol(stencil, parts, sizeof parts);
  show(
      "fdtd", b, kPlane * (kNz + 2 * kReach), nothing,
      [=] { fdtd<<<dim3(kNx / kAcross, kNy / kDown), dim3(kAcross, kDown)>>>(a, b, kNx, kNy, kNz); },
      [=] {
        by_hand(kNz, [=](int z) {
          for (int y = 0; y < kNy; ++y)
            for (int x = 0; x < kNx; ++x) {
              const int i = (z + kReach) * kPlane + (y + kReach) * kLine + x + kReach;
              float value = parts[0] * a[i];
              for (int r = 1; r <= kReach; ++r)
                value += parts[r] * (a[i + r * kPlane] + a[i - r * kPlane] + a[i - r * kLine] + a[i + r * kLine] +
                                     a[i - r] + a[i + r]);
              b[i] = value;
            }
        });
      });
  show(
      "blur_by_ranks", b, kCells, nothing,
      [=] { blur_by_ranks<<<dim3(kWidth / kBlur, kWidth / kBlur), dim3(kBlur, kBlur)>>>(a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const float *const up = a + std::max(y - 1, 0) * kWidth, *const at = a + y * kWidth,
                             *const down = a + std::min(y + 1, kWidth - 1) * kWidth;
          const auto one = [=](int x, int left, int right) {
            b[y * kWidth + x] =
                (up[left] + up[x] + up[right] + at[left] + at[x] + at[right] + down[left] + down[x] + down[right]) / 9;
          };
          one(0, 0, 1), one(kWidth - 1, kWidth - 2, kWidth - 1);
          for (int x = 1; x < kWidth - 1; ++x) one(x, x - 1, x + 1);
        });
      });
  constexpr int kSide = 120;
  show(
      "stencil_cube", b, kSide * kSide * kSide, nothing,
      [=] {
        stencil_cube<<<dim3(kSide / kInner, kSide / kInner, kSide / kInner), dim3(kCube, kCube, kCube)>>>(a, b, kSide);
      },
      [=] {
        by_hand(kSide - 2, [=](int zz) {
          for (int y = 1; y < kSide - 1; ++y)
            for (int x = 1; x < kSide - 1; ++x) {
              const int i = ((zz + 1) * kSide + y) * kSide + x;
              b[i] = 0.5f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - kSide] + a[i + kSide] + a[i - kSide * kSide] +
                                           a[i + kSide * kSide]);
            }
        });
      });
  const float *const gain = a + 2 * kCells, *const shift = a + 3 * kCells;
  show(
      "layernorm_block", b, kCells, nothing, [=] { layernorm_block<<<kWidth, 256>>>(a, gain, shift, b, kWidth); },
      [=] {
        by_hand(kWidth, [=](int row) {
          const float* const from = a + row * kWidth;
          float sums[16] = {}, squares[16] = {}, mean = 0, square = 0;
          for (int i = 0; i < kWidth; i += 16)
            for (int j = 0; j < 16; ++j) sums[j] += from[i + j];
          for (const float s : sums) mean += s / kWidth;
          for (int i = 0; i < kWidth; i += 16)
            for (int j = 0; j < 16; ++j) squares[j] += (from[i + j] - mean) * (from[i + j] - mean);
          for (const float s : squares) square += s / kWidth;
          const float scale = 1 / std::sqrt(square + 1e-5f);
          for (int i = 0; i < kWidth; ++i) b[row * kWidth + i] = (from[i] - mean) * scale * gain[i] + shift[i];
        });
      });
  constexpr int kSize = 512;
  show(
      "sgemm", c, kSize * kSize, nothing,
      [=] { sgemm<<<dim3(kSize / kBlock, kSize / kBlock), dim3(16, 16)>>>(a, a + kCells, c, kSize); },
      [=] {
        by_hand(kSize / 4, [=](int rows) {  // four rows at a time, 64 columns in registers
          for (int column = 0; column < kSize; column += kBlock) {
            float sums[4][kBlock] = {};
            for (int k = 0; k < kSize; ++k)
              for (int i = 0; i < 4; ++i)
                for (int j = 0; j < kBlock; ++j)
                  sums[i][j] += a[(4 * rows + i) * kSize + k] * a[kCells + k * kSize + column + j];
            for (int i = 0; i < 4; ++i) std::copy(sums[i], sums[i] + kBlock, c + (4 * rows + i) * kSize + column);
          }
        });
      });
  constexpr int kQueries = 1024;
  show(
      "flash_attention", c, kQueries * kHead, nothing,
      [=] { flash_attention<<<kQueries / 64, 64>>>(a, a + kCells, a + 2 * kCells, c, kQueries); },
      [=] {
        by_hand(kQueries, [=](int query) {
          const float *const own = a + query * kHead, *const k = a + kCells, *const v = a + 2 * kCells;
          float scores[kQueries], most = -INFINITY, total = 0, sums[kHead] = {};
          for (int j = 0; j < kQueries; ++j) {
            float s = 0;
            for (int d = 0; d < kHead; ++d) s += own[d] * k[j * kHead + d];
            scores[j] = s * 0.1767767f, most = std::max(most, scores[j]);
          }
          for (int j = 0; j < kQueries; ++j) {
            const float p = std::exp(scores[j] - most);
            total += p;
            for (int d = 0; d < kHead; ++d) sums[d] += p * v[j * kHead + d];
          }
          for (int d = 0; d < kHead; ++d) c[query * kHead + d] = sums[d] / total;
        });
      });
  auto* const places = managed<int>(4 * kCells);
  show(
      "arg_max", places, kWidth, nothing, [=] { arg_max<<<kWidth, 256>>>(a, c, places, kWidth); },
      [=] {
        by_hand(kWidth, [=](int row) {
          const float* const from = a + row * kWidth;
          float most = -INFINITY;
          int at = 0;
          for (int i = 0; i < kWidth; ++i)
            if (from[i] > most) most = from[i], at = i;
          c[row] = most, places[row] = at;
        });
      });
  auto* const in = managed<int>(kCells);
  for (int i = 0; i < kCells; ++i) in[i] = i % 13;
  show(
      "scan_of_groups", places, kCells, nothing, [=] { scan_of_groups<<<kCells / 256, 256>>>(in, places); },
      [=] {
        by_hand(kCells / 256, [=](int block) {
          int sum = 0;
          for (int i = block * 256; i < block * 256 + 256; ++i) places[i] = sum += in[i];
        });
      });
  return wrong ? 1 : 0;
}
