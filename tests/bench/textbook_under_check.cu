// SPDX-License-Identifier: Apache-2.0
// Kernels of textbooks and public programs, as people write them, for how much longer they take under check: sums in
// memory, blocks that read their part of an array and write it back, loops by the block's width, tiles, sorts, and
// matrices of which blocks read each other's parts. Milliseconds of processor time a launch, the median of five after
// one that is not counted, and sums of the results. For ratios of one run to another:
//   simrun --workers 1 tests/bench/textbook_under_check.cu
//   simrun --workers 1 --check races tests/bench/textbook_under_check.cu
#include <cstdio>
#include <vector>

#include "checked_kernels.hpp"
#include "launch_times.hpp"

// A product of matrices whose sums are in memory.
__global__ void product_in_memory(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  c[y * n + x] = 0;
  for (int k = 0; k < n; ++k) c[y * n + x] += a[y * n + k] * b[k * n + x];
}
// Random numbers, each thread from a state in memory.
__global__ void random_numbers(unsigned* states, float* out, int n, int draws) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int d = 0; d < draws; ++d) {
    unsigned s = states[i];
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    states[i] = s;
    out[d * n + i] = static_cast<float>(s) * 2.3e-10f;
  }
}
// A block a row.
__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float parts[256];
  const float* row = in + blockIdx.x * columns;
  float most = -1e30f, sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  parts[threadIdx.x] = most;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  most = parts[0];
  __syncthreads();
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    const float e = expf(row[i] - most);
    out[blockIdx.x * columns + i] = e;
    sum += e;
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] /= parts[0];
}
// Prefix sums of 256 elements, in place (Hillis and Steele).
__global__ void scan(unsigned* data) {
  __shared__ unsigned sums[256];
  const int i = threadIdx.x;
  unsigned* mine = data + blockIdx.x * 256;
  sums[i] = mine[i];
  __syncthreads();
  for (int distance = 1; distance < 256; distance *= 2) {
    unsigned before = 0;
    if (i >= distance) before = sums[i - distance];
    __syncthreads();
    sums[i] += before;
    __syncthreads();
  }
  mine[i] = sums[i];
}
// The same of 512, up a tree and down again (Blelloch).
__global__ void tree_scan(unsigned* data) {
  __shared__ unsigned tree[512];
  const int i = threadIdx.x;
  unsigned* mine = data + blockIdx.x * 512;
  tree[2 * i] = mine[2 * i];
  tree[2 * i + 1] = mine[2 * i + 1];
  int apart = 1;
  for (int n = 256; n > 0; n /= 2, apart *= 2) {
    __syncthreads();
    if (i < n) tree[apart * (2 * i + 2) - 1] += tree[apart * (2 * i + 1) - 1];
  }
  if (i == 0) tree[511] = 0;
  for (int n = 1; n < 512; n *= 2) {
    apart /= 2;
    __syncthreads();
    if (i < n) {
      const int left = apart * (2 * i + 1) - 1, right = apart * (2 * i + 2) - 1;
      const unsigned sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  __syncthreads();
  mine[2 * i] = tree[2 * i];
  mine[2 * i + 1] = tree[2 * i + 1];
}
// One step of LU decomposition without pivots: what is left of the matrix.
__global__ void lu_rest(float* a, int n, int k) {
  const int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] -= a[i * n + k] * a[k * n + j];
}
// Shortest paths through node k (Floyd and Warshall).
__global__ void through_node(int* d, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || i == k || j == k) return;
  d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
// A pass of a radix sort by four bits: to where its digit begins for the block, behind equal digits of earlier threads.
__global__ void scatter(const unsigned* in, unsigned* out, const unsigned* starts) {
  __shared__ unsigned digits[256];
  const unsigned key = in[blockIdx.x * 256 + threadIdx.x], digit = key & 15;
  digits[threadIdx.x] = digit;
  __syncthreads();
  unsigned before = 0;
  for (unsigned t = 0; t < threadIdx.x; ++t) before += digits[t] == digit;
  out[starts[digit * gridDim.x + blockIdx.x] + before] = key;
}
// What data decide is written.
__global__ void limit(float* a, int n, float most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > most) a[i] = most;
}

template <class T>
double sum(const T* p, std::size_t n) {
  return sum(p, n, [](const T& x) { return x; });
}
template <class T>
std::vector<T> numbers(std::size_t n, unsigned below) {
  std::vector<T> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<T>(i * 2654435761u % below);
  return v;
}

int main() {
  constexpr int n = 1 << 16, side = 128, sorted = 4096, length = 16;
  float *d_a = device(numbers<float>(side * side, 7)), *d_b = device(numbers<float>(side * side, 7)),
        *d_c = device(std::vector<float>(side * side)), *d_lu = device(numbers<float>(side * side, 5)),
        *d_in = device(numbers<float>(n, 101)), *d_out = device(std::vector<float>(n));
  unsigned *d_states = device(std::vector<unsigned>(n / 8, 7)), *d_counts = device(std::vector<unsigned>(256)),
           *d_scan = device(numbers<unsigned>(n, 1000)), *d_tree = device(numbers<unsigned>(n, 1000));
  int *d_paths = device(numbers<int>(side * side, 1000)), *d_rows = device(numbers<int>(sorted * length, 1000));
  unsigned char* d_bytes = device(numbers<unsigned char>(2 * n, 251));
  const auto keys = numbers<unsigned>(n, 1 << 20);
  std::vector<unsigned> starts(16 * n / 256 + 1);
  for (int i = 0; i < n; ++i)
    ++starts[(keys[static_cast<std::size_t>(i)] & 15) * (n / 256) + static_cast<unsigned>(i) / 256 + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  unsigned *d_keys = device(keys), *d_sorted = device(keys), *d_starts = device(starts);
  const dim3 tiles(side / 16, side / 16), tile(16, 16);

  measure("product in memory", [&] { product_in_memory<<<tiles, tile>>>(d_a, d_b, d_c, side); });
  measure("random numbers", [&] { random_numbers<<<n / 8 / 256, 256>>>(d_states, d_out, n / 8, 8); });
  measure("softmax", [&] { softmax<<<n / 512, 256>>>(d_in, d_out, 512); });
  measure("scan", [&] { scan<<<n / 256, 256>>>(d_scan); });
  measure("tree scan", [&] { tree_scan<<<n / 512, 256>>>(d_tree); });
  measure("lu", [&] {
    for (int k = 0; k < side - 1; ++k) lu_rest<<<tiles, tile>>>(d_lu, side, k);
  });
  measure("shortest paths", [&] {
    for (int k = 0; k < side; ++k) through_node<<<tiles, tile>>>(d_paths, side, k);
  });
  measure("shared histogram", [&] { histogram<<<64, 256>>>(d_bytes, d_counts, 2 * n); });
  measure("radix scatter", [&] { scatter<<<n / 256, 256>>>(d_keys, d_sorted, d_starts); });
  measure("sort of rows", [&] { sort_rows<<<sorted / 128, 128>>>(d_rows, sorted, length); });
  measure("limit", [&] { limit<<<n / 256, 256>>>(d_in, n, 50); });
  std::printf("sums %g %g %g %g %g %g %g\n", sum(d_c, side * side), sum(d_out, n), sum(d_scan, n), sum(d_tree, n),
              sum(d_paths, side * side), sum(d_counts, 256), sum(d_rows, sorted * length));
}
