// SPDX-License-Identifier: Apache-2.0
// Further kernels of kinds that public programs have: tiles with constant memory, transforms, sorts and prefix sums in
// shared memory, a warp a row with wide loads, planes in registers, structures of which some members change. Against
// the loops that one would write by hand with oneTBB for the same work; the two take turns, and a line shows their
// medians and the ratio's. Exit code 1: a result is wrong.
// Long because: each kernel has its loop by hand.
//   simrun tests/bench/tile_and_warp_kernels.cu
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth, kRadius = 2, kTile = 16;

__constant__ float weights[(2 * kRadius + 1) * (2 * kRadius + 1)];

__global__ void convolution(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile + 2 * kRadius][kTile + 2 * kRadius];
  const int x0 = blockIdx.x * kTile - kRadius, y0 = blockIdx.y * kTile - kRadius;
  for (int j = threadIdx.y; j < kTile + 2 * kRadius; j += kTile)
    for (int i = threadIdx.x; i < kTile + 2 * kRadius; i += kTile) {
      const int x = min(max(x0 + i, 0), width - 1), y = min(max(y0 + j, 0), height - 1);
      tile[j][i] = in[y * width + x];
    }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j <= 2 * kRadius; ++j)
    for (int i = 0; i <= 2 * kRadius; ++i)
      sum += weights[j * (2 * kRadius + 1) + i] * tile[threadIdx.y + j][threadIdx.x + i];
  out[(y0 + kRadius + threadIdx.y) * width + x0 + kRadius + threadIdx.x] = sum;
}

constexpr int kPoints = 256;
__global__ void block_fourier(float2* data, const float2* roots) {
  __shared__ float2 s[kPoints];
  const int t = threadIdx.x;
  float2* const mine = data + blockIdx.x * kPoints;
  s[__brev(t) >> 24] = mine[t];
  s[__brev(t + kPoints / 2) >> 24] = mine[t + kPoints / 2];
  __syncthreads();
  for (int half = 1; half < kPoints; half *= 2) {
    const int k = t & (half - 1), first = ((t - k) << 1) + k;
    const float2 a = s[first], b = s[first + half], w = roots[k * (kPoints / 2 / half)];
    const float2 turned = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
    s[first] = make_float2(a.x + turned.x, a.y + turned.y);
    s[first + half] = make_float2(a.x - turned.x, a.y - turned.y);
    __syncthreads();
  }
  mine[t] = s[t];
  mine[t + kPoints / 2] = s[t + kPoints / 2];
}

// The nearest of a few centres, each with three coordinates.
__global__ void nearest(const float* points, const float* centres, int* nearest_of, int n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float least = INFINITY;
  int which = 0;
  for (int c = 0; c < count; ++c) {
    float square = 0;
    for (int d = 0; d < 3; ++d) {
      const float apart = points[i * 3 + d] - centres[c * 3 + d];
      square += apart * apart;
    }
    if (square < least) least = square, which = c;
  }
  nearest_of[i] = which;
}

// A warp a row, greatest element and sum of exponentials in one pass.
__global__ void softmax(const float* in, float* out, int rows, int width) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float most = -INFINITY, sum = 0;
  for (int k = lane; k < width; k += 32) {
    const float v = in[row * width + k], before = most;
    most = fmaxf(most, v);
    sum = sum * expf(before - most) + expf(v - most);
  }
  for (int d = 16; d > 0; d /= 2) {
    const float other = __shfl_xor_sync(0xffffffff, most, d), part = __shfl_xor_sync(0xffffffff, sum, d);
    const float both = fmaxf(most, other);
    sum = sum * expf(most - both) + part * expf(other - both);
    most = both;
  }
  for (int k = lane; k < width; k += 32) out[row * width + k] = expf(in[row * width + k] - most) / sum;
}

constexpr int kSorted = 512;
__global__ void block_sort(int* values) {
  __shared__ int s[kSorted];
  const int t = threadIdx.x;
  s[t] = values[blockIdx.x * kSorted + t];
  __syncthreads();
  for (int k = 2; k <= kSorted; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int other = t ^ j;
      if (other > t) {
        const int a = s[t], b = s[other];
        if ((t & k) == 0 ? a > b : a < b) s[t] = b, s[other] = a;
      }
      __syncthreads();
    }
  values[blockIdx.x * kSorted + t] = s[t];
}

__global__ void matrix_vector4(const float4* m, const float4* x, float* y, int width4, int height) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= height) return;
  float sum = 0;
  for (int k = lane; k < width4; k += 32) {
    const float4 a = m[row * width4 + k], b = x[k];
    sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) y[row] = sum;
}

// Each thread goes up a column and keeps three planes' elements.
__global__ void jacobi(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int plane = nx * ny, at = y * nx + x;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < nz - 1; ++z) {
    const int i = z * plane + at;
    const float above = in[i + plane];
    out[i] = (below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]) * (1.0f / 6) + 0.1f * here;
    below = here, here = above;
  }
}

__global__ void scan_with_offsets(const int* in, int* out) {
  __shared__ int warps[32];
  const int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * blockDim.x + t;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += other;
  }
  if (lane == 31) warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const int other = __shfl_up_sync(0xffffffff, sum, d);
      if (lane >= d) sum += other;
    }
    warps[lane] = sum;
  }
  __syncthreads();
  out[i] = v + (warp > 0 ? warps[warp - 1] : 0);
}

__host__ __device__ inline float3 hsv_of(float3 p) {
  const float most = fmaxf(p.x, fmaxf(p.y, p.z)), least = fminf(p.x, fminf(p.y, p.z)), apart = most - least;
  float h = 0;
  if (apart > 0) {
    if (most == p.x)
      h = (p.y - p.z) / apart;
    else if (most == p.y)
      h = 2 + (p.z - p.x) / apart;
    else
      h = 4 + (p.x - p.y) / apart;
    h *= 60;
    if (h < 0) h += 360;
  }
  return make_float3(h, most > 0 ? apart / most : 0, most);
}
__global__ void hsv(const float3* in, float3* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = hsv_of(in[i]);
}

// A structure of which some members change.
__global__ void drop(float4* place, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = place[i];
  p.y -= by;
  place[i] = p;
}
struct particle {
  float x, y, z, u, v, w, mass, age;
};
__global__ void move(particle* all, float time, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particle p = all[i];
  p.x += p.u * time, p.y += p.v * time, p.z += p.w * time;
  all[i] = p;
}

__global__ void transpose(const float* in, float* out, int width) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  const dim3 square(kTile, kTile), tiles(kWidth / kTile, kWidth / kTile);
  auto *const a = managed<float>(4 * kCells), *const b = managed<float>(4 * kCells);
  for (int i = 0; i < 4 * kCells; ++i) a[i] = static_cast<float>((i * 7919L) % 10007) / 10007;
  float w[25];
  for (int i = 0; i < 25; ++i) w[i] = (i % 7) * 0.1f;
  cudaMemcpyToSymbol(weights, w, sizeof w);
  show(
      "convolution", b, kCells, nothing, [=] { convolution<<<tiles, square>>>(a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int y) {
          const auto one = [=](int x) {
            float sum = 0;
            for (int j = -2; j <= 2; ++j)
              for (int i = -2; i <= 2; ++i)
                sum += w[(j + 2) * 5 + i + 2] *
                       a[std::clamp(y + j, 0, kWidth - 1) * kWidth + std::clamp(x + i, 0, kWidth - 1)];
            b[y * kWidth + x] = sum;
          };
          one(0), one(1), one(kWidth - 2), one(kWidth - 1);
          const float* rows[5];
          for (int j = -2; j <= 2; ++j) rows[j + 2] = a + std::clamp(y + j, 0, kWidth - 1) * kWidth;
          float* const to = b + y * kWidth;
          for (int x = 2; x < kWidth - 2; ++x) {
            float sum = 0;
            for (int j = 0; j < 5; ++j)
              for (int i = 0; i < 5; ++i) sum += w[j * 5 + i] * rows[j][x + i - 2];
            to[x] = sum;
          }
        });
      });
  auto *const data = reinterpret_cast<float2*>(b), *const roots = managed<float2>(kPoints / 2);
  for (int k = 0; k < kPoints / 2; ++k)
    roots[k] = make_float2(std::cos(2 * M_PI * k / kPoints), -std::sin(2 * M_PI * k / kPoints));
  show(
      "block_fourier", b, 2 * kCells, [=] { std::memcpy(b, a, 2 * kCells * sizeof(float)); },
      [=] { block_fourier<<<kCells / kPoints, kPoints / 2>>>(data, roots); },
      [=] {
        by_hand(kCells / kPoints, [=](int block) {
          float2 s[kPoints];
          float2* const mine = data + block * kPoints;
          for (int t = 0; t < kPoints; ++t) {
            int reversed = 0;
            for (int bit = 0; bit < 8; ++bit) reversed |= (t >> bit & 1) << (7 - bit);
            s[reversed] = mine[t];
          }
          for (int half = 1; half < kPoints; half *= 2)
            for (int begin = 0; begin < kPoints; begin += 2 * half)
              for (int k = 0; k < half; ++k) {
                const float2 p = s[begin + k], q = s[begin + k + half], r = roots[k * (kPoints / 2 / half)];
                const float2 turned = make_float2(q.x * r.x - q.y * r.y, q.x * r.y + q.y * r.x);
                s[begin + k] = make_float2(p.x + turned.x, p.y + turned.y);
                s[begin + k + half] = make_float2(p.x - turned.x, p.y - turned.y);
              }
          std::copy(s, s + kPoints, mine);
        });
      });
  constexpr int kCentres = 16;
  auto* const whole = managed<int>(4 * kCells);
  show(
      "nearest", whole, kCells, nothing, [=] { nearest<<<kCells / 256, 256>>>(a, a, whole, kCells, kCentres); },
      [=] {
        by_hand(kCells, [=](int i) {
          float least = INFINITY;
          int which = 0;
          for (int c = 0; c < kCentres; ++c) {
            float square_of = 0;
            for (int d = 0; d < 3; ++d) square_of += (a[i * 3 + d] - a[c * 3 + d]) * (a[i * 3 + d] - a[c * 3 + d]);
            if (square_of < least) least = square_of, which = c;
          }
          whole[i] = which;
        });
      });
  show(
      "softmax", b, kCells, nothing, [=] { softmax<<<kWidth / 8, 256>>>(a, b, kWidth, kWidth); },
      [=] {
        by_hand(kWidth, [=](int row) {
          const float* const from = a + row * kWidth;
          float most[32], sums[32] = {};
          std::fill(most, most + 32, -INFINITY);
          for (int k = 0; k < kWidth; k += 32)
            for (int j = 0; j < 32; ++j) {
              const float before = most[j];
              most[j] = std::max(before, from[k + j]);
              sums[j] = sums[j] * std::exp(before - most[j]) + std::exp(from[k + j] - most[j]);
            }
          const float greatest = *std::max_element(most, most + 32);
          float sum = 0;
          for (int j = 0; j < 32; ++j) sum += sums[j] * std::exp(most[j] - greatest);
          for (int k = 0; k < kWidth; ++k) b[row * kWidth + k] = std::exp(from[k] - greatest) / sum;
        });
      });
  show(
      "block_sort", whole, kCells,
      [=] {
        for (int i = 0; i < kCells; ++i) whole[i] = (i * 7919L) % 10007;
      },
      [=] { block_sort<<<kCells / kSorted, kSorted>>>(whole); },
      [=] {
        by_hand(kCells / kSorted,
                [=](int block) { std::sort(whole + block * kSorted, whole + (block + 1) * kSorted); });
      });
  show(
      "matrix_vector4", b, kWidth, nothing,
      [=] {
        matrix_vector4<<<kWidth / 8, 256>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(a), b, kWidth / 4,
                                            kWidth);
      },
      [=] {
        by_hand(kWidth, [=](int row) {
          float part[32] = {};
          for (int k = 0; k < kWidth; k += 32)
            for (int j = 0; j < 32; ++j) part[j] += a[row * kWidth + k + j] * a[k + j];
          float sum = 0;
          for (const float p : part) sum += p;
          b[row] = sum;
        });
      });
  constexpr int kSide = 128;
  show(
      "jacobi", b, kSide * kSide * kSide, nothing,
      [=] { jacobi<<<dim3(kSide / 32, kSide / 8), dim3(32, 8)>>>(a, b, kSide, kSide, kSide); },
      [=] {
        by_hand(kSide - 2, [=](int zz) {
          constexpr int kPlane = kSide * kSide;
          for (int y = 1; y < kSide - 1; ++y)
            for (int x = 1; x < kSide - 1; ++x) {
              const int i = (zz + 1) * kPlane + y * kSide + x;
              b[i] = (a[i - kPlane] + a[i + kPlane] + a[i - 1] + a[i + 1] + a[i - kSide] + a[i + kSide]) * (1.0f / 6) +
                     0.1f * a[i];
            }
        });
      });
  auto* const in = managed<int>(kCells);
  for (int i = 0; i < kCells; ++i) in[i] = i % 13;
  show(
      "scan_with_offsets", whole, kCells, nothing, [=] { scan_with_offsets<<<kCells / 256, 256>>>(in, whole); },
      [=] {
        by_hand(kCells / 256, [=](int block) {
          int sum = 0;
          for (int i = block * 256; i < block * 256 + 256; ++i) whole[i] = sum += in[i];
        });
      });
  auto *const colours = reinterpret_cast<float3*>(a), *const turned = reinterpret_cast<float3*>(b);
  show(
      "hsv", b, 3 * kCells, nothing, [=] { hsv<<<kCells / 256, 256>>>(colours, turned, kCells); },
      [=] { by_hand(kCells, [=](int i) { turned[i] = hsv_of(colours[i]); }); });
  auto* const places = reinterpret_cast<float4*>(b);
  const work again = [=] { std::memcpy(b, a, 4 * kCells * sizeof(float)); };
  show(
      "drop", b, 4 * kCells, again, [=] { drop<<<kCells / 256, 256>>>(places, 0.5f, kCells); },
      [=] { by_hand(kCells, [=](int i) { places[i].y -= 0.5f; }); });
  auto* const particles = reinterpret_cast<particle*>(b);
  show(
      "move", b, 4 * kCells, again, [=] { move<<<kCells / 512, 256>>>(particles, 0.5f, kCells / 2); },
      [=] {
        by_hand(kCells / 2, [=](int i) {
          particle& p = particles[i];
          p.x += p.u * 0.5f, p.y += p.v * 0.5f, p.z += p.w * 0.5f;
        });
      });
  show(
      "transpose", b, kCells, nothing,
      [=] { transpose<<<dim3(kWidth / 32, kWidth / 32), dim3(32, 8)>>>(a, b, kWidth); },
      [=] {
        tbb::parallel_for(tbb::blocked_range<int>(0, kWidth / 32), [=](const tbb::blocked_range<int>& r) {
          for (int by = r.begin(); by < r.end(); ++by)
            for (int bx = 0; bx < kWidth / 32; ++bx)
              for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x)
                  b[(by * 32 + y) * kWidth + bx * 32 + x] = a[(bx * 32 + x) * kWidth + by * 32 + y];
        });
      });
  return wrong ? 1 : 0;
}
