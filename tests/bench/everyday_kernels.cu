// SPDX-License-Identifier: Apache-2.0
// Kernels of kinds that programs have beside those of textbooks: compaction, a radix sort's split, running sums,
// tridiagonal systems, small factorisations, layers of neural networks, images of bytes, sparse sums, lattices,
// ciphers. Against loops by hand for the same work; the two take turns, and a line shows their medians and the ratio's.
// Exit code 1: a result is wrong.
//   simrun --workers 1 tests/bench/everyday_kernels.cu -- cpu       processor time of one worker
//   simrun --execution fibers tests/bench/everyday_kernels.cu -- results    sums of the results' bits
// Long because: each kernel has its loop by hand.
#include <algorithm>
#include <cmath>

#include "kernels_against_hand.hpp"

namespace {

constexpr int kWidth = 1024, kCells = kWidth * kWidth, kBlock = 256;

// What passes is moved together, block by block.
__global__ void compact(const float* in, float* out, int* counts, float limit) {
  __shared__ int sums[2][kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  const float v = in[i];
  const int keep = v > limit;
  int from = 0;
  sums[0][t] = keep;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    sums[1 - from][t] = sums[from][t] + (t >= d ? sums[from][t - d] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (keep) out[blockIdx.x * kBlock + sums[from][t] - 1] = v;
  if (t == kBlock - 1) counts[blockIdx.x] = sums[from][t];
}

// Four splits by a bit each, in shared memory.
__global__ void radix_split(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[kBlock];
  __shared__ int zeros[kBlock];
  const int t = threadIdx.x;
  keys[t] = in[blockIdx.x * kBlock + t];
  __syncthreads();
  for (int bit = 0; bit < 4; ++bit) {
    const unsigned key = keys[t];
    const int zero = !(key >> bit & 1);
    zeros[t] = zero;
    __syncthreads();
    for (int d = 1; d < kBlock; d *= 2) {
      const int before = t >= d ? zeros[t - d] : 0;
      __syncthreads();
      zeros[t] += before;
      __syncthreads();
    }
    const int all = zeros[kBlock - 1], mine = zeros[t];
    __syncthreads();
    keys[zero ? mine - 1 : all + t - mine] = key;
    __syncthreads();
  }
  out[blockIdx.x * kBlock + t] = keys[t];
}

// Box filters by running sums.
constexpr int kBox = 4;
__global__ void box_columns(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0;
  for (int y = 0; y < kBox; ++y) sum += in[y * w + x];
  for (int y = 0; y < h; ++y) {
    if (y + kBox < h) sum += in[(y + kBox) * w + x];
    if (y - kBox - 1 >= 0) sum -= in[(y - kBox - 1) * w + x];
    out[y * w + x] = sum / (2 * kBox + 1);
  }
}
__global__ void box_rows(const float* in, float* out, int w, int h) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  const float* row = in + y * w;
  float sum = 0;
  for (int x = 0; x < kBox; ++x) sum += row[x];
  for (int x = 0; x < w; ++x) {
    if (x + kBox < w) sum += row[x + kBox];
    if (x - kBox - 1 >= 0) sum -= row[x - kBox - 1];
    out[y * w + x] = sum / (2 * kBox + 1);
  }
}

// Tridiagonal systems: by parallel cyclic reduction, a block each, and by elimination, a thread each.
__global__ void cyclic_reduction(const float* a, const float* b, const float* c, const float* d, float* x, int steps) {
  __shared__ float sa[kBlock], sb[kBlock], sc[kBlock], sd[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  sa[t] = t == 0 ? 0 : a[i], sb[t] = b[i], sc[t] = t == kBlock - 1 ? 0 : c[i], sd[t] = d[i];
  __syncthreads();
  int delta = 1;
  for (int step = 0; step < steps; ++step) {
    int lo = t - delta, hi = t + delta;
    if (lo < 0) lo = 0;
    if (hi >= kBlock) hi = kBlock - 1;
    const float k1 = sa[t] / sb[lo], k2 = sc[t] / sb[hi];
    const float na = -sa[lo] * k1, nc = -sc[hi] * k2, nb = sb[t] - sc[lo] * k1 - sa[hi] * k2,
                nd = sd[t] - sd[lo] * k1 - sd[hi] * k2;
    __syncthreads();
    sa[t] = na, sb[t] = nb, sc[t] = nc, sd[t] = nd;
    delta *= 2;
    __syncthreads();
  }
  x[i] = sd[t] / sb[t];
}
constexpr int kSteps = 64;
__global__ void elimination(const float* a, const float* b, const float* c, const float* d, float* x, float* cc,
                            int systems) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  float last_c = c[s] / b[s], last_d = d[s] / b[s];
  cc[s] = last_c, x[s] = last_d;
  for (int k = 1; k < kSteps; ++k) {
    const int at = k * systems + s;
    const float m = 1 / (b[at] - a[at] * last_c);
    last_c = c[at] * m;
    last_d = (d[at] - a[at] * last_d) * m;
    cc[at] = last_c, x[at] = last_d;
  }
  for (int k = kSteps - 2; k >= 0; --k) x[k * systems + s] -= cc[k * systems + s] * x[(k + 1) * systems + s];
}

// A factorisation of Cholesky of a matrix of 32 x 32 for each block.
constexpr int kSide = 32;
__global__ void cholesky(const float* in, float* out) {
  __shared__ float m[kSide][kSide + 1];
  const int t = threadIdx.x;
  const float* from = in + blockIdx.x * kSide * kSide;
  for (int r = 0; r < kSide; ++r) m[r][t] = from[r * kSide + t];
  __syncthreads();
  for (int k = 0; k < kSide; ++k) {
    if (t == k) m[k][k] = sqrtf(m[k][k]);
    __syncthreads();
    if (t > k) m[t][k] /= m[k][k];
    __syncthreads();
    if (t > k)
      for (int j = k + 1; j <= t; ++j) m[t][j] -= m[t][k] * m[j][k];
    __syncthreads();
  }
  float* to = out + blockIdx.x * kSide * kSide;
  for (int r = 0; r < kSide; ++r) to[r * kSide + t] = t <= r ? m[r][t] : 0;
}

// The gates of a long short-term memory.
__global__ void lstm(const float* gates, float* cell, float* hidden, int width, int batch) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * batch) return;
  const int b = i / width, u = i % width;
  const float* g = gates + b * 4 * width + u;
  const float in = 1 / (1 + expf(-g[0])), forget = 1 / (1 + expf(-g[width])), next = tanhf(g[2 * width]),
              out = 1 / (1 + expf(-g[3 * width]));
  const float c = forget * cell[i] + in * next;
  cell[i] = c;
  hidden[i] = out * tanhf(c);
}

// Colours: interleaved bytes to planes.
__global__ void yuv(const unsigned char* rgb, unsigned char* y, unsigned char* u, unsigned char* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
  y[i] = (66 * r + 129 * g + 25 * b + 128 >> 8) + 16;
  u[i] = (-38 * r - 74 * g + 112 * b + 128 >> 8) + 128;
  v[i] = (112 * r - 94 * g - 18 * b + 128 >> 8) + 128;
}

// Sparse: a thread an element in coordinates.
__global__ void coordinates(const int* row, const int* column, const float* value, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}

// Rows to bytes: the largest of a row in shared memory, then each element.
__global__ void quantise(const float* in, signed char* out, float* scales, int width) {
  __shared__ float most[kBlock];
  const int t = threadIdx.x;
  const float* row = in + blockIdx.x * width;
  float m = 0;
  for (int k = t; k < width; k += kBlock) m = fmaxf(m, fabsf(row[k]));
  most[t] = m;
  __syncthreads();
  for (int s = kBlock / 2; s > 0; s >>= 1) {
    if (t < s) most[t] = fmaxf(most[t], most[t + s]);
    __syncthreads();
  }
  const float scale = most[0] / 127;
  if (t == 0) scales[blockIdx.x] = scale;
  for (int k = t; k < width; k += kBlock) {
    int q = static_cast<int>(roundf(row[k] / scale));
    q = q > 127 ? 127 : q < -127 ? -127 : q;
    out[blockIdx.x * width + k] = static_cast<signed char>(q);
  }
}
__global__ void dequantise(const signed char* in, const float* scales, float* out, int width, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < rows) out[y * width + x] = in[y * width + x] * scales[y];
}

// The largest four of each block, one after the other.
__global__ void largest(const float* in, float* values, int* places) {
  __shared__ float data[kBlock], best[kBlock];
  __shared__ int at[kBlock];
  const int t = threadIdx.x;
  data[t] = in[blockIdx.x * kBlock + t];
  for (int k = 0; k < 4; ++k) {
    best[t] = data[t], at[t] = t;
    __syncthreads();
    for (int s = kBlock / 2; s > 0; s >>= 1) {
      if (t < s && best[t + s] > best[t]) best[t] = best[t + s], at[t] = at[t + s];
      __syncthreads();
    }
    if (t == 0) {
      values[blockIdx.x * 4 + k] = best[0];
      places[blockIdx.x * 4 + k] = at[0];
      data[at[0]] = -1;
    }
    __syncthreads();
  }
}

// Steps of a recurrence x = a * x + b, put together by doubling.
struct linear {
  float a, b;
};
__global__ void recurrence(const linear* in, float* out) {
  __shared__ linear s[kBlock];
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  linear mine = in[i];
  s[t] = mine;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    linear before{1, 0};
    if (t >= d) before = s[t - d];
    __syncthreads();
    mine = linear{mine.a * before.a, mine.a * before.b + mine.b};
    s[t] = mine;
    __syncthreads();
  }
  out[i] = mine.b;
}

// Which corners of each cube are inside.
__global__ void classify(const float* v, unsigned char* kind, float level, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= side - 1 || y >= side - 1 || z >= side - 1) return;
  const int p = side * side, at = z * p + y * side + x;
  int k = 0;
  if (v[at] < level) k |= 1;
  if (v[at + 1] < level) k |= 2;
  if (v[at + side + 1] < level) k |= 4;
  if (v[at + side] < level) k |= 8;
  if (v[at + p] < level) k |= 16;
  if (v[at + p + 1] < level) k |= 32;
  if (v[at + p + side + 1] < level) k |= 64;
  if (v[at + p + side] < level) k |= 128;
  kind[at] = static_cast<unsigned char>(k);
}

// Layers: patches of 3 x 3 as columns, a convolution of channels, the mean and variance of a channel, turned pairs.
constexpr int kChannels = 8, kImage = 128;
__global__ void patches(const float* in, float* out, int n, int h, int w) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const int x = i % w, y = i / w % h, c = i / w / h;
    float* to = out + c * 9 * h * w + y * w + x;
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) {
        const int yy = y + r - 1, xx = x + s - 1;
        *to = yy >= 0 && xx >= 0 && yy < h && xx < w ? in[(c * h + yy) * w + xx] : 0;
        to += h * w;
      }
  }
}
__global__ void channels(const float* in, const float* weights, const float* bias, float* out, int h, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (x >= w || y >= h) return;
  float sum = bias[k];
  for (int c = 0; c < kChannels; ++c)
    for (int r = 0; r < 3; ++r)
      for (int s = 0; s < 3; ++s) {
        const int yy = y + r - 1, xx = x + s - 1;
        if (yy >= 0 && yy < h && xx >= 0 && xx < w)
          sum += in[(c * h + yy) * w + xx] * weights[((k * kChannels + c) * 3 + r) * 3 + s];
      }
  out[(k * h + y) * w + x] = fmaxf(sum, 0);
}
__global__ void channel_norm(const float* in, float* out, int batch, int count, int area) {
  __shared__ float sums[kBlock], squares[kBlock];
  const int c = blockIdx.x, t = threadIdx.x;
  float sum = 0, square = 0;
  for (int b = 0; b < batch; ++b)
    for (int i = t; i < area; i += kBlock) {
      const float v = in[(b * count + c) * area + i];
      sum += v, square += v * v;
    }
  sums[t] = sum, squares[t] = square;
  __syncthreads();
  for (int s = kBlock / 2; s > 0; s /= 2) {
    if (t < s) sums[t] += sums[t + s], squares[t] += squares[t + s];
    __syncthreads();
  }
  const float mean = sums[0] / (batch * area), scale = rsqrtf(squares[0] / (batch * area) - mean * mean + 1e-5f);
  for (int b = 0; b < batch; ++b)
    for (int i = t; i < area; i += kBlock) {
      const int at = (b * count + c) * area + i;
      out[at] = (in[at] - mean) * scale;
    }
}
__global__ void rotary(float* q, const float* cosines, const float* sines, int heads, int size) {
  const int token = blockIdx.x, half = size / 2;
  for (int i = threadIdx.x; i < heads * half; i += blockDim.x) {
    const int head = i / half, k = i % half;
    float* at = q + (token * heads + head) * size + k;
    const float a = at[0], b = at[half], c = cosines[token * half + k], s = sines[token * half + k];
    at[0] = a * c - b * s;
    at[half] = a * s + b * c;
  }
}

// A step of a lattice of nine speeds, on a torus.
__global__ void lattice(const float* from, float* to, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = w * h;
  const int l = (x + w - 1) % w, r = (x + 1) % w, u = (y + h - 1) % h, d = (y + 1) % h;
  const float f0 = from[y * w + x], f1 = from[n + y * w + l], f2 = from[2 * n + u * w + x],
              f3 = from[3 * n + y * w + r], f4 = from[4 * n + d * w + x], f5 = from[5 * n + u * w + l],
              f6 = from[6 * n + u * w + r], f7 = from[7 * n + d * w + r], f8 = from[8 * n + d * w + l];
  const float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
  const float vx = (f1 + f5 + f8 - f3 - f6 - f7) / rho, vy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
  const float square = 1.5f * (vx * vx + vy * vy), omega = 0.6f;
  const auto relax = [=](float f, float weight, float cu) {
    return f + omega * (weight * rho * (1 + 3 * cu + 4.5f * cu * cu - square) - f);
  };
  const int i = y * w + x;
  to[i] = relax(f0, 4.0f / 9, 0);
  to[n + i] = relax(f1, 1.0f / 9, vx);
  to[2 * n + i] = relax(f2, 1.0f / 9, vy);
  to[3 * n + i] = relax(f3, 1.0f / 9, -vx);
  to[4 * n + i] = relax(f4, 1.0f / 9, -vy);
  to[5 * n + i] = relax(f5, 1.0f / 36, vx + vy);
  to[6 * n + i] = relax(f6, 1.0f / 36, vy - vx);
  to[7 * n + i] = relax(f7, 1.0f / 36, -vx - vy);
  to[8 * n + i] = relax(f8, 1.0f / 36, vx - vy);
}

// A block cipher: 32 rounds on two words.
__global__ void xtea(uint2* data, const unsigned* key, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = data[i].x, b = data[i].y, sum = 0;
  for (int r = 0; r < 32; ++r) {
    a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
    sum += 0x9e3779b9u;
    b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[sum >> 11 & 3]);
  }
  data[i] = make_uint2(a, b);
}

}  // namespace

int main(int argc, char** argv) {
  take_words(argc, argv);
  const work nothing = [] {};
  const int w = kWidth, h = kWidth, blocks = kCells / kBlock;
  auto *const in = managed<float>(4 * kCells), *const out = managed<float>(9 * kCells);
  auto *const other = managed<float>(9 * kCells), *const more = managed<float>(4 * kCells);
  auto *const bytes = managed<unsigned char>(3 * kCells), *const planes = managed<unsigned char>(3 * kCells);
  auto *const keys = managed<unsigned>(kCells), *const sorted = managed<unsigned>(kCells);
  auto* const numbers = managed<int>(2 * kCells);
  for (int i = 0; i < 4 * kCells; ++i) in[i] = static_cast<float>(i * 7919L % 10007) / 10007, more[i] = in[i] * 0.5f;
  for (int i = 0; i < 9 * kCells; ++i) other[i] = static_cast<float>(i * 6007L % 9973) / 9973 + 0.1f;
  for (int i = 0; i < 3 * kCells; ++i) bytes[i] = i * 7919L % 251;
  for (int i = 0; i < kCells; ++i) keys[i] = i * 2654435761u;

  show(
      "compact", out, kCells, [=] { std::memset(out, 0, kCells * sizeof(float)); },
      [=] { compact<<<blocks, kBlock>>>(in, out, numbers, 0.5f); },
      [=] {
        by_hand(blocks, [=](int b) {
          int n = 0;
          for (int t = 0; t < kBlock; ++t)
            if (in[b * kBlock + t] > 0.5f) out[b * kBlock + n++] = in[b * kBlock + t];
          numbers[b] = n;
        });
      });
  show(
      "radix_split", sorted, kCells, nothing, [=] { radix_split<<<blocks, kBlock>>>(keys, sorted); },
      [=] {
        by_hand(blocks, [=](int b) {
          int counts[17] = {};
          const unsigned* k = keys + b * kBlock;
          for (int t = 0; t < kBlock; ++t) ++counts[(k[t] & 15) + 1];
          for (int d = 0; d < 16; ++d) counts[d + 1] += counts[d];
          for (int t = 0; t < kBlock; ++t) sorted[b * kBlock + counts[k[t] & 15]++] = k[t];
        });
      });
  const auto box = [=](int count, int step, int y) {
    const float* a = in + y;
    float sum = 0;
    for (int x = 0; x < kBox; ++x) sum += a[x * step];
    for (int x = 0; x < count; ++x) {
      if (x + kBox < count) sum += a[(x + kBox) * step];
      if (x - kBox - 1 >= 0) sum -= a[(x - kBox - 1) * step];
      out[y + x * step] = sum / (2 * kBox + 1);
    }
  };
  show(
      "box_columns", out, kCells, nothing, [=] { box_columns<<<w / 128, 128>>>(in, out, w, h); },
      [=] {
        by_hand(w / 64, [=](int part) {
          float sums[64] = {};
          const float* a = in + part * 64;
          for (int y = 0; y < kBox; ++y)
            for (int x = 0; x < 64; ++x) sums[x] += a[y * w + x];
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < 64; ++x) {
              if (y + kBox < h) sums[x] += a[(y + kBox) * w + x];
              if (y - kBox - 1 >= 0) sums[x] -= a[(y - kBox - 1) * w + x];
              out[y * w + part * 64 + x] = sums[x] / (2 * kBox + 1);
            }
        });
      });
  show(
      "box_rows", out, kCells, nothing, [=] { box_rows<<<h / 128, 128>>>(in, out, w, h); },
      [=] { by_hand(h, [=](int y) { box(w, 1, y * w); }); });
  const auto eliminate = [=](const float* b, const float* d, float* x, int first, int step, int count) {
    float c[kBlock];
    float last_c = 0.2f / b[first], last_d = d[first] / b[first];
    c[0] = last_c, x[first] = last_d;
    for (int k = 1; k < count; ++k) {
      const float m = 1 / (b[first + k * step] - 0.2f * last_c);
      last_c = 0.2f * m, last_d = (d[first + k * step] - 0.2f * last_d) * m;
      c[k] = last_c, x[first + k * step] = last_d;
    }
    for (int k = count - 2; k >= 0; --k) x[first + k * step] -= c[k] * x[first + (k + 1) * step];
  };
  auto *const side = managed<float>(kCells), *const middle = managed<float>(kCells);
  for (int i = 0; i < kCells; ++i) side[i] = 0.2f, middle[i] = 1 + in[i];
  show(
      "cyclic_reduction", out, kCells, nothing,
      [=] { cyclic_reduction<<<blocks, kBlock>>>(side, middle, side, in, out, 8); },
      [=] { by_hand(blocks, [=](int b) { eliminate(middle, in, out, b * kBlock, 1, kBlock); }); });
  const int systems = kCells / kSteps;
  show(
      "elimination", out, kCells, nothing,
      [=] { elimination<<<systems / 128, 128>>>(side, middle, side, in, out, more, systems); },
      [=] {
        by_hand(systems / 64, [=](int part) {
          const int s0 = part * 64;
          float c[kSteps][64];
          for (int s = 0; s < 64; ++s) c[0][s] = 0.2f / middle[s0 + s], out[s0 + s] = in[s0 + s] / middle[s0 + s];
          for (int k = 1; k < kSteps; ++k)
            for (int s = 0; s < 64; ++s) {
              const int at = k * systems + s0 + s;
              const float m = 1 / (middle[at] - 0.2f * c[k - 1][s]);
              c[k][s] = 0.2f * m;
              out[at] = (in[at] - 0.2f * out[at - systems]) * m;
            }
          for (int k = kSteps - 2; k >= 0; --k)
            for (int s = 0; s < 64; ++s) out[k * systems + s0 + s] -= c[k][s] * out[(k + 1) * systems + s0 + s];
        });
      });
  auto* const definite = managed<float>(kCells);
  for (int i = 0; i < kCells; ++i) {
    const int r = i / kSide % kSide, c = i % kSide;
    definite[i] = r == c ? 40.0f : 1.0f / (1 + std::abs(r - c));
  }
  show(
      "cholesky", out, kCells, nothing, [=] { cholesky<<<kCells / kSide / kSide, kSide>>>(definite, out); },
      [=] {
        by_hand(kCells / kSide / kSide, [=](int b) {
          float m[kSide][kSide];
          std::memcpy(m, definite + b * kSide * kSide, sizeof m);
          for (int k = 0; k < kSide; ++k) {
            m[k][k] = std::sqrt(m[k][k]);
            float column[kSide];
            for (int r = k + 1; r < kSide; ++r) column[r] = m[r][k] /= m[k][k];
            for (int r = k + 1; r < kSide; ++r)
              for (int j = k + 1; j <= r; ++j) m[r][j] -= m[r][k] * column[j];
          }
          for (int r = 0; r < kSide; ++r)
            for (int c = 0; c < kSide; ++c) out[(b * kSide + r) * kSide + c] = c <= r ? m[r][c] : 0;
        });
      });
  const int width = 512, batch = kCells / 4 / width;
  show(
      "lstm", out, width * batch, [=] { std::memcpy(more, other, width * batch * sizeof(float)); },
      [=] { lstm<<<width * batch / kBlock, kBlock>>>(in, more, out, width, batch); },
      [=] {
        by_hand(batch, [=](int b) {
          const float* g = in + b * 4 * width;
          for (int u = 0; u < width; ++u) {
            const float i = 1 / (1 + std::exp(-g[u])), f = 1 / (1 + std::exp(-g[u + width])),
                        n = std::tanh(g[u + 2 * width]), o = 1 / (1 + std::exp(-g[u + 3 * width]));
            const float c = f * more[b * width + u] + i * n;
            more[b * width + u] = c;
            out[b * width + u] = o * std::tanh(c);
          }
        });
      });
  show(
      "yuv", planes, 3 * kCells, nothing,
      [=] { yuv<<<kCells / kBlock, kBlock>>>(bytes, planes, planes + kCells, planes + 2 * kCells, kCells); },
      [=] {
        by_hand(kCells / 1024, [=](int part) {
          unsigned char* __restrict__ py = planes, * __restrict__ pu = planes + kCells, * __restrict__ pv = planes + 2 * kCells;
          for (int i = part * 1024; i < part * 1024 + 1024; ++i) {
            const int r = bytes[3 * i], g = bytes[3 * i + 1], b = bytes[3 * i + 2];
            py[i] = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
            pu[i] = ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128;
            pv[i] = ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128;
          }
        });
      });
  int *const row = numbers, *const column = numbers + kCells;
  for (int i = 0; i < kCells; ++i) row[i] = i / 16, column[i] = (i / 16 + i * 37) % (kCells / 16);
  show(
      "coordinates", out, kCells / 16, [=] { std::memset(out, 0, kCells / 16 * sizeof(float)); },
      [=] { coordinates<<<kCells / kBlock, kBlock>>>(row, column, in, other, out, kCells); },
      [=] {
        by_hand(kCells / 1024, [=](int part) {
          for (int i = part * 1024; i < part * 1024 + 1024; ++i) out[row[i]] += in[i] * other[column[i]];
        });
      });
  auto* const quantised = managed<signed char>(kCells);
  show(
      "quantise", quantised, kCells, nothing, [=] { quantise<<<1024, kBlock>>>(in, quantised, more, 1024); },
      [=] {
        by_hand(1024, [=](int r) {
          const float* a = in + r * 1024;
          float part[64] = {};
          for (int k = 0; k < 1024; k += 64)
            for (int j = 0; j < 64; ++j) part[j] = std::max(part[j], std::abs(a[k + j]));
          const float scale = *std::max_element(part, part + 64) / 127;
          more[r] = scale;
          for (int k = 0; k < 1024; ++k) {
            int q = static_cast<int>(std::round(a[k] / scale));
            quantised[r * 1024 + k] = static_cast<signed char>(q > 127 ? 127 : q < -127 ? -127 : q);
          }
        });
      });
  show(
      "dequantise", out, kCells, nothing,
      [=] { dequantise<<<dim3(1024 / 32, 1024 / 8), dim3(32, 8)>>>(quantised, other, out, 1024, 1024); },
      [=] {
        by_hand(1024, [=](int r) {
          for (int k = 0; k < 1024; ++k) out[r * 1024 + k] = quantised[r * 1024 + k] * other[r];
        });
      });
  show(
      "largest", out, blocks * 4, nothing, [=] { largest<<<blocks, kBlock>>>(in, out, numbers); },
      [=] {
        by_hand(blocks, [=](int b) {
          float data[kBlock];
          std::memcpy(data, in + b * kBlock, sizeof data);
          for (int k = 0; k < 4; ++k) {
            int best = 0;
            for (int t = 1; t < kBlock; ++t)
              if (data[t] > data[best]) best = t;
            out[b * 4 + k] = data[best], numbers[b * 4 + k] = best, data[best] = -1;
          }
        });
      });
  const auto* const pairs = reinterpret_cast<const linear*>(in);
  show(
      "recurrence", out, kCells, nothing, [=] { recurrence<<<blocks, kBlock>>>(pairs, out); },
      [=] {
        by_hand(blocks, [=](int b) {
          float x = 0;
          for (int i = b * kBlock; i < (b + 1) * kBlock; ++i) out[i] = x = pairs[i].a * x + pairs[i].b;
        });
      });
  const int cube = 128;
  show(
      "classify", planes, cube * cube * cube, [=] { std::memset(planes, 0, 3 * kCells); },
      [=] { classify<<<dim3(cube / 8, cube / 8, cube / 8), dim3(8, 8, 8)>>>(in, planes, 0.5f, cube); },
      [=] {
        by_hand((cube - 1) * (cube - 1), [=](int zy) {
          const int z = zy / (cube - 1), y = zy % (cube - 1), p = cube * cube;
          unsigned char* __restrict__ to = planes;
          for (int x = 0; x < cube - 1; ++x) {
            const float* v = in + z * p + y * cube + x;
            to[z * p + y * cube + x] =
                static_cast<unsigned char>((v[0] < 0.5f) | (v[1] < 0.5f) << 1 | (v[cube + 1] < 0.5f) << 2 |
                                           (v[cube] < 0.5f) << 3 | (v[p] < 0.5f) << 4 | (v[p + 1] < 0.5f) << 5 |
                                           (v[p + cube + 1] < 0.5f) << 6 | (v[p + cube] < 0.5f) << 7);
          }
        });
      });
  const int image = kImage, area = image * image;
  show(
      "patches", out, kChannels * 9 * area, nothing,
      [=] { patches<<<kChannels * area / kBlock, kBlock>>>(in, out, kChannels * area, image, image); },
      [=] {
        by_hand(kChannels * image, [=](int cy) {
          const int c = cy / image, y = cy % image;
          for (int r = 0; r < 3; ++r)
            for (int s = 0; s < 3; ++s) {
              float* to = out + (c * 9 + r * 3 + s) * area + y * image;
              const int yy = y + r - 1;
              const float* from = in + (c * image + yy) * image + s - 1;
              const bool there = yy >= 0 && yy < image;
              for (int x = 0; x < image; ++x) to[x] = there && x + s >= 1 && x + s <= image ? from[x] : 0;
            }
        });
      });
  show(
      "channels", out, 8 * area, nothing,
      [=] { channels<<<dim3(image / 16, image / 16, 8), dim3(16, 16)>>>(in, other, other, out, image, image); },
      [=] {
        by_hand(8 * image, [=](int ky) {
          const int k = ky / image, y = ky % image;
          float sums[kImage];
          for (float& s : sums) s = other[k];
          for (int c = 0; c < kChannels; ++c)
            for (int r = 0; r < 3; ++r) {
              const int yy = y + r - 1;
              if (yy < 0 || yy >= image) continue;
              const float* a = in + (c * image + yy) * image;
              const float* q = other + ((k * kChannels + c) * 3 + r) * 3;
              for (int x = 1; x < image; ++x) sums[x] += a[x - 1] * q[0];
              for (int x = 0; x < image; ++x) sums[x] += a[x] * q[1];
              for (int x = 0; x < image - 1; ++x) sums[x] += a[x + 1] * q[2];
            }
          for (int x = 0; x < image; ++x) out[ky * image + x] = std::max(sums[x], 0.0f);
        });
      });
  show(
      "channel_norm", out, 64 * area, nothing, [=] { channel_norm<<<32, kBlock>>>(in, out, 2, 32, area); },
      [=] {
        by_hand(32, [=](int c) {
          float s[64] = {}, q[64] = {};
          for (int b = 0; b < 2; ++b)
            for (int i = 0; i < area; i += 64)
              for (int j = 0; j < 64; ++j) {
                const float v = in[(b * 32 + c) * area + i + j];
                s[j] += v, q[j] += v * v;
              }
          float sum = 0, square = 0;
          for (int j = 0; j < 64; ++j) sum += s[j], square += q[j];
          const float mean = sum / (2 * area), scale = 1 / std::sqrt(square / (2 * area) - mean * mean + 1e-5f);
          for (int b = 0; b < 2; ++b)
            for (int i = 0; i < area; ++i) out[(b * 32 + c) * area + i] = (in[(b * 32 + c) * area + i] - mean) * scale;
        });
      });
  const int tokens = 1024, heads = 16, size = 64;
  show(
      "rotary", out, tokens * heads * size, [=] { std::memcpy(out, in, tokens * heads * size * sizeof(float)); },
      [=] { rotary<<<tokens, kBlock>>>(out, other, more, heads, size); },
      [=] {
        by_hand(tokens * heads, [=](int th) {
          float* at = out + th * size;
          const float *c = other + th / heads * (size / 2), *s = more + th / heads * (size / 2);
          for (int k = 0; k < size / 2; ++k) {
            const float a = at[k], b = at[k + size / 2];
            at[k] = a * c[k] - b * s[k], at[k + size / 2] = a * s[k] + b * c[k];
          }
        });
      });
  const int lw = 512, lh = 512, ln = lw * lh;
  show(
      "lattice", out, 9 * ln, nothing, [=] { lattice<<<dim3(lw / 32, lh / 8), dim3(32, 8)>>>(other, out, lw, lh); },
      [=] {
        by_hand(lh, [=](int y) {
          const int u = (y + lh - 1) % lh, d = (y + 1) % lh;
          const float* f = other;
          const auto one = [=](int l, int x, int r) {
            const float f0 = f[y * lw + x], f1 = f[ln + y * lw + l], f2 = f[2 * ln + u * lw + x],
                        f3 = f[3 * ln + y * lw + r], f4 = f[4 * ln + d * lw + x], f5 = f[5 * ln + u * lw + l],
                        f6 = f[6 * ln + u * lw + r], f7 = f[7 * ln + d * lw + r], f8 = f[8 * ln + d * lw + l];
            const float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
            const float vx = (f1 + f5 + f8 - f3 - f6 - f7) / rho, vy = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
            const float square = 1.5f * (vx * vx + vy * vy), omega = 0.6f;
            const auto relax = [=](float v, float weight, float cu) {
              return v + omega * (weight * rho * (1 + 3 * cu + 4.5f * cu * cu - square) - v);
            };
            float* __restrict__ to = out + y * lw + x;
            to[0] = relax(f0, 4.0f / 9, 0), to[ln] = relax(f1, 1.0f / 9, vx), to[2 * ln] = relax(f2, 1.0f / 9, vy);
            to[3 * ln] = relax(f3, 1.0f / 9, -vx), to[4 * ln] = relax(f4, 1.0f / 9, -vy);
            to[5 * ln] = relax(f5, 1.0f / 36, vx + vy), to[6 * ln] = relax(f6, 1.0f / 36, vy - vx);
            to[7 * ln] = relax(f7, 1.0f / 36, -vx - vy), to[8 * ln] = relax(f8, 1.0f / 36, vx - vy);
          };
          one(lw - 1, 0, 1), one(lw - 2, lw - 1, 0);
          for (int x = 1; x < lw - 1; ++x) one(x - 1, x, x + 1);
        });
      });
  show(
      "xtea", sorted, kCells, [=] { std::memcpy(sorted, keys, kCells * sizeof(unsigned)); },
      [=] { xtea<<<kCells / 2 / kBlock, kBlock>>>(reinterpret_cast<uint2*>(sorted), keys, kCells / 2); },
      [=] {
        by_hand(kCells / 2 / 1024, [=](int part) {
          const unsigned key[4] = {keys[0], keys[1], keys[2], keys[3]};
          for (int i = part * 1024; i < part * 1024 + 1024; ++i) {
            unsigned a = sorted[2 * i], b = sorted[2 * i + 1], sum = 0;
            for (int r = 0; r < 32; ++r) {
              a += (((b << 4) ^ (b >> 5)) + b) ^ (sum + key[sum & 3]);
              sum += 0x9e3779b9u;
              b += (((a << 4) ^ (a >> 5)) + a) ^ (sum + key[sum >> 11 & 3]);
            }
            sorted[2 * i] = a, sorted[2 * i + 1] = b;
          }
        });
      });
  return wrong ? 1 : 0;
}
