// SPDX-License-Identifier: Apache-2.0
// Kernels without barriers (and BabelStream's six, one of which has them) as people write them, against the loops that
// one would write by hand with oneTBB. The two take turns; a line shows their medians and the ratio's. Exit code 1: a
// result is wrong.
//   simrun tests/bench/idioms.cu
//   simrun --workers 1 tests/bench/idioms.cu -- cpu    processor time on one core, where others use the machine, too
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "against_hand.hpp"

namespace {

constexpr int kCount = 1 << 22, kBlock = 256, kWidth = 2048, kHeight = kCount / kWidth, kSide = 64;
constexpr float kScale = 0.4f;

// Indices.
__global__ void index_int(float* a, const float* b, const float* c, float s, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
__global__ void index_unsigned(float* a, const float* b, const float* c, float s, unsigned n) {
  const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
__global__ void index_size_t(float* a, const float* b, const float* c, float s, size_t n) {
  const size_t i = size_t{blockDim.x} * blockIdx.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
__global__ void early_return(float* a, const float* b, const float* c, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  a[i] = b[i] + s * c[i];
}
__global__ void no_guard(float* a, const float* b, const float* c, float s) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = b[i] + s * c[i];
}
__global__ void no_guard_unsigned(float* a, const float* b, const float* c, float s) {
  const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = b[i] + s * c[i];
}
__global__ void restrict_int(float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c, float s,
                             int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
__global__ void restrict_no_guard(float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c,
                                  float s) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = b[i] + s * c[i];
}
__global__ void restrict_unsigned(float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c,
                                  float s, unsigned n) {
  const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}

// Grid-stride loops.
__global__ void stride_int(float* a, const float* b, const float* c, float s, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = b[i] + s * c[i];
}
__global__ void stride_unsigned(float* a, const float* b, const float* c, float s, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = b[i] + s * c[i];
}
__global__ void stride_size_t(float* a, const float* b, const float* c, float s, size_t n) {
  const size_t step = size_t{blockDim.x} * gridDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) a[i] = b[i] + s * c[i];
}
__global__ void stride_restrict(float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c,
                                float s, int n) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = blockDim.x * gridDim.x;
  for (int i = first; i < n; i += step) a[i] = b[i] + s * c[i];
}
__global__ void stride_while(float* a, const float* b, const float* c, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    a[i] = b[i] + s * c[i];
    i += blockDim.x * gridDim.x;
  }
}

// Two and three dimensions.
__global__ void plane(float* a, const float* b, const float* c, float s, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) a[y * width + x] = b[y * width + x] + s * c[y * width + x];
}
__global__ void plane_unsigned(float* a, const float* b, const float* c, float s, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned i = y * width + x;
  a[i] = b[i] + s * c[i];
}
__global__ void volume(float* a, const float* b, const float* c, float s, int side, int depth) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < side && y < side && z < depth) {
    const int i = (z * side + y) * side + x;
    a[i] = b[i] + s * c[i];
  }
}

// Kinds of data.
struct place {
  float x, y, z;
};
__global__ void array_of_structures(place* p, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x += s * p[i].y, p[i].z *= s;
}
struct places {
  float *x, *y, *z;
};
__global__ void structure_of_arrays(places p, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p.x[i] += s * p.y[i], p.z[i] *= s;
}
__global__ void vectors_of_four(float4* a, const float4* b, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = make_float4(s * b[i].x, s * b[i].y, s * b[i].z, s * b[i].w);
}
__global__ void doubles(double* a, const double* b, double s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] + s * b[i];
}
__global__ void halves(__half* a, const __half* b, float s, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = __float2half(s * __half2float(b[i]));
}
__global__ void bytes(unsigned char* a, const unsigned char* b, int limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] > limit ? 255 : 0;
}
__global__ void neighbours(float* a, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) a[i] = 0.25f * b[i - 1] + 0.5f * b[i] + 0.25f * b[i + 1];
}
__global__ void gathered(float* a, const float* b, const int* from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[from[i]];
}
__global__ void rows(float* a, const float* m, const float* x, int width, int height) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += m[row * width + k] * x[k];
  a[row] = sum;
}

// BabelStream.
__global__ void stream_copy(const double* a, double* c) {
  const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
  c[i] = a[i];
}
__global__ void stream_mul(double* b, const double* c) {
  const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
  b[i] = 0.4 * c[i];
}
__global__ void stream_add(const double* a, const double* b, double* c) {
  const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
__global__ void stream_triad(double* a, const double* b, const double* c) {
  const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] = b[i] + 0.4 * c[i];
}
__global__ void stream_nstream(double* a, const double* b, const double* c) {
  const size_t i = blockDim.x * blockIdx.x + threadIdx.x;
  a[i] += b[i] + 0.4 * c[i];
}
constexpr int kDotBlock = 1024, kDotGrid = 256;
__global__ void stream_dot(const double* a, const double* b, double* sum, int n) {
  __shared__ double part[kDotBlock];
  size_t i = blockDim.x * blockIdx.x + threadIdx.x;
  const size_t local = threadIdx.x;
  part[local] = 0.0;
  for (; i < n; i += blockDim.x * gridDim.x) part[local] += a[i] * b[i];
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    __syncthreads();
    if (local < offset) part[local] += part[local + offset];
  }
  if (local == 0) sum[blockIdx.x] = part[local];
}

constexpr int kRounds = 15;

bool wrong = false;
void show(const char* name, const void* result, size_t bytes, const work& kernel, const work& hand) {
  std::vector<double> ours, theirs, ratios;
  std::vector<unsigned char> first(bytes), second(bytes);
  const auto launch = [&] {
    kernel();
    cudaDeviceSynchronize();
  };
  for (int round = -2; round < kRounds; ++round) {
    const double k = milliseconds(launch), h = milliseconds(hand);
    if (round < 0) continue;
    ours.push_back(k), theirs.push_back(h), ratios.push_back(k / h);
  }
  // In place where the work is: so both start from zeros.
  void* const out = const_cast<void*>(result);
  std::memset(out, 0, bytes);
  launch();
  std::memcpy(first.data(), out, bytes);
  std::memset(out, 0, bytes);
  hand();
  std::memcpy(second.data(), out, bytes);
  const bool same = first == second;
  wrong |= !same;
  std::printf("%-22s %8.3f %8.3f %6.2f%s\n", name, median(ours), median(theirs), median(ratios), same ? "" : "  WRONG");
}

template <class F>
void by_hand(size_t n, const F& element) {
  tbb::parallel_for(tbb::blocked_range<size_t>(0, n), [&](const tbb::blocked_range<size_t>& r) {
    for (size_t i = r.begin(); i < r.end(); ++i) element(i);
  });
}
template <class T>
T* managed(size_t n, int seed) {
  T* made = nullptr;
  cudaMallocManaged(&made, n * sizeof(T));
  for (size_t i = 0; i < n; ++i) made[i] = static_cast<T>((i * 7 + seed) % 31);
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  processor_time = argc > 1 && std::strcmp(argv[1], "cpu") == 0;
  const int n = kCount, grid = n / kBlock;
  float *a = managed<float>(n, 1), *b = managed<float>(n, 2), *c = managed<float>(n, 3);
  std::printf("%-22s %8s %8s %6s\n", "kernel", "ms", "hand ms", "ratio");

  const float s = kScale;
  const work triad = [=] { by_hand(n, [=](size_t i) { a[i] = b[i] + s * c[i]; }); };
  const size_t floats = n * sizeof(float);
  show(
      "index_int", a, floats, [=] { index_int<<<grid, kBlock>>>(a, b, c, s, n); }, triad);
  show(
      "index_unsigned", a, floats, [=] { index_unsigned<<<grid, kBlock>>>(a, b, c, s, n); }, triad);
  show(
      "index_size_t", a, floats, [=] { index_size_t<<<grid, kBlock>>>(a, b, c, s, n); }, triad);
  show(
      "early_return", a, floats, [=] { early_return<<<grid, kBlock>>>(a, b, c, s, n); }, triad);
  show(
      "no_guard", a, floats, [=] { no_guard<<<grid, kBlock>>>(a, b, c, s); }, triad);
  show(
      "no_guard_unsigned", a, floats, [=] { no_guard_unsigned<<<grid, kBlock>>>(a, b, c, s); }, triad);
  show(
      "restrict_int", a, floats, [=] { restrict_int<<<grid, kBlock>>>(a, b, c, s, n); }, triad);
  show(
      "restrict_no_guard", a, floats, [=] { restrict_no_guard<<<grid, kBlock>>>(a, b, c, s); }, triad);
  show(
      "restrict_unsigned", a, floats, [=] { restrict_unsigned<<<grid, kBlock>>>(a, b, c, s, n); }, triad);
  show(
      "stride_int", a, floats, [=] { stride_int<<<256, 1024>>>(a, b, c, s, n); }, triad);
  show(
      "stride_unsigned", a, floats, [=] { stride_unsigned<<<256, 1024>>>(a, b, c, s, n); }, triad);
  show(
      "stride_size_t", a, floats, [=] { stride_size_t<<<256, 1024>>>(a, b, c, s, n); }, triad);
  show(
      "stride_restrict", a, floats, [=] { stride_restrict<<<256, 1024>>>(a, b, c, s, n); }, triad);
  show(
      "stride_while", a, floats, [=] { stride_while<<<256, 1024>>>(a, b, c, s, n); }, triad);
  show(
      "stride_partial", a, floats, [=] { stride_int<<<100, 96>>>(a, b, c, s, n); }, triad);

  const dim3 square(16, 16), planes(kWidth / 16, kHeight / 16);
  show(
      "plane 16x16", a, floats, [=] { plane<<<planes, square>>>(a, b, c, s, kWidth, kHeight); }, triad);
  show(
      "plane 32x8", a, floats,
      [=] { plane<<<dim3(kWidth / 32, kHeight / 8), dim3(32, 8)>>>(a, b, c, s, kWidth, kHeight); }, triad);
  show(
      "plane_unsigned 16x16", a, floats, [=] { plane_unsigned<<<planes, square>>>(a, b, c, s, kWidth, kHeight); },
      triad);
  const int depth = n / (kSide * kSide);
  show(
      "volume 8x8x8", a, floats,
      [=] { volume<<<dim3(kSide / 8, kSide / 8, depth / 8), dim3(8, 8, 8)>>>(a, b, c, s, kSide, depth); }, triad);
  show(
      "volume 64x4x1", a, floats,
      [=] { volume<<<dim3(kSide / 64, kSide / 4, depth), dim3(64, 4, 1)>>>(a, b, c, s, kSide, depth); }, triad);

  place* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(place));
  std::memset(p, 0, n * sizeof(place));
  show(
      "array_of_structures", p, n * sizeof(place), [=] { array_of_structures<<<grid, kBlock>>>(p, s, n); },
      [=] { by_hand(n, [=](size_t i) { p[i].x += s * p[i].y, p[i].z *= s; }); });
  const places q{a, b, c};
  const float one = argc > 9 ? 2.0f : 1.0f;  // a constant would leave out half of the work by hand
  show(
      "structure_of_arrays", a, floats, [=] { structure_of_arrays<<<grid, kBlock>>>(q, one, n); },
      [=] { by_hand(n, [=](size_t i) { q.x[i] += one * q.y[i], q.z[i] *= one; }); });
  auto *a4 = reinterpret_cast<float4*>(a), *b4 = reinterpret_cast<float4*>(b);
  show(
      "vectors_of_four", a, floats, [=] { vectors_of_four<<<grid / 4, kBlock>>>(a4, b4, s, n / 4); },
      [=] {
        by_hand(n / 4, [=](size_t i) { a4[i] = make_float4(s * b4[i].x, s * b4[i].y, s * b4[i].z, s * b4[i].w); });
      });
  double *da = managed<double>(n, 1), *db = managed<double>(n, 2), *dc = managed<double>(n, 3);
  const size_t wide = n * sizeof(double);
  show(
      "doubles", da, wide, [=] { doubles<<<grid, kBlock>>>(da, db, 0.4, n); },
      [=] { by_hand(n, [=](size_t i) { da[i] = da[i] + 0.4 * db[i]; }); });
  __half *ha = managed<__half>(n, 1), *hb = managed<__half>(n, 2);
  show(
      "halves", ha, n * sizeof(__half), [=] { halves<<<grid, kBlock>>>(ha, hb, s, n); },
      [=] { by_hand(n, [=](size_t i) { ha[i] = __float2half(s * __half2float(hb[i])); }); });
  unsigned char *ca = managed<unsigned char>(n, 1), *cb = managed<unsigned char>(n, 2);
  const int limit = argc > 9 ? 16 : 15;  // a constant would be compared as a byte by hand
  show(
      "bytes", ca, n, [=] { bytes<<<grid, kBlock>>>(ca, cb, limit, n); },
      [=] { by_hand(n, [=](size_t i) { ca[i] = cb[i] > limit ? 255 : 0; }); });
  show(
      "neighbours", a, floats, [=] { neighbours<<<grid, kBlock>>>(a, b, n); },
      [=] { by_hand(n - 2, [=](size_t i) { a[i + 1] = 0.25f * b[i] + 0.5f * b[i + 1] + 0.25f * b[i + 2]; }); });
  int* from = managed<int>(n, 0);
  for (int i = 0; i < n; ++i) from[i] = (i & ~1023) + (i * 17 & 1023);
  show(
      "gathered", a, floats, [=] { gathered<<<grid, kBlock>>>(a, b, from, n); },
      [=] { by_hand(n, [=](size_t i) { a[i] = b[from[i]]; }); });
  show(
      "rows", a, kHeight * sizeof(float), [=] { rows<<<kHeight / kBlock, kBlock>>>(a, b, c, kWidth, kHeight); },
      [=] {
        by_hand(kHeight, [=](size_t row) {
          float sum = 0;
          for (int k = 0; k < kWidth; ++k) sum += b[row * kWidth + k] * c[k];
          a[row] = sum;
        });
      });

  show(
      "stream_copy", dc, wide, [=] { stream_copy<<<n / 1024, 1024>>>(da, dc); },
      [=] { by_hand(n, [=](size_t i) { dc[i] = da[i]; }); });
  show(
      "stream_mul", db, wide, [=] { stream_mul<<<n / 1024, 1024>>>(db, dc); },
      [=] { by_hand(n, [=](size_t i) { db[i] = 0.4 * dc[i]; }); });
  show(
      "stream_add", dc, wide, [=] { stream_add<<<n / 1024, 1024>>>(da, db, dc); },
      [=] { by_hand(n, [=](size_t i) { dc[i] = da[i] + db[i]; }); });
  show(
      "stream_triad", da, wide, [=] { stream_triad<<<n / 1024, 1024>>>(da, db, dc); },
      [=] { by_hand(n, [=](size_t i) { da[i] = db[i] + 0.4 * dc[i]; }); });
  show(
      "stream_nstream", da, wide, [=] { stream_nstream<<<n / 1024, 1024>>>(da, db, dc); },
      [=] { by_hand(n, [=](size_t i) { da[i] += db[i] + 0.4 * dc[i]; }); });
  double* sum = managed<double>(kDotGrid, 0);
  double total = 0;
  show(
      "stream_dot", &total, 0, [=] { stream_dot<<<kDotGrid, kDotBlock>>>(da, db, sum, n); },
      [=, &total] {
        total = tbb::parallel_reduce(
            tbb::blocked_range<size_t>(0, n), 0.0,
            [=](const tbb::blocked_range<size_t>& r, double t) {
              for (size_t i = r.begin(); i < r.end(); ++i) t += da[i] * db[i];
              return t;
            },
            [](double x, double y) { return x + y; });
      });
  double ours = 0;
  for (int i = 0; i < kDotGrid; ++i) ours += sum[i];
  if (std::abs(ours - total) > 1e-9 * std::abs(total)) {
    std::printf("stream_dot: %.17g instead of %.17g\n", ours, total);
    wrong = true;
  }
  return wrong ? 1 : 0;
}
