// SPDX-License-Identifier: Apache-2.0
// Kernels of kinds that checking has made slow in public programs: an element that is updated several times, dynamic
// programming along a diagonal, random updates of a table, boxes and bytes of non-maximum suppression, three indices
// made of one by division, elements that are put in another order, binary search, partners of a sorting network.
// Milliseconds of processor time a launch (with one worker, that is what it takes on a machine that nobody else uses),
// the median of five after one that is not counted, and sums of the results. For ratios of one run to another:
//   simrun --workers 1 tests/bench/irregular_under_check.cu
//   simrun --workers 1 --check races tests/bench/irregular_under_check.cu
#include <cstdio>
#include <vector>

#include "launch_times.hpp"

// Each thread updates its element five times; what is in between keeps the compiler from making one store of them.
__device__ void update(float* a, const float* b, int i) {
  a[i] += b[i];
  if (a[i] > 10) a[i] -= 10;
  a[i] *= 0.5f;
  if (b[i] > 0.25f) a[i] += 1;
  a[i] = a[i] * a[i];
}
__global__ void update_five_times(float* a, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) update(a, b, i);
}
__global__ void update_in_a_loop(float* a, const float* b, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int s = 0; s < steps; ++s) update(a, b, i);
}

// Alignment of two sequences: one launch a diagonal, a thread a cell of it.
__global__ void diagonal(int* score, const int* weights, int side, int d, int penalty) {
  const int first = d < side ? 1 : d - side + 1, i = first + blockIdx.x * blockDim.x + threadIdx.x, j = d - i + 1;
  if (i > side - 1 || j < 1 || j > side - 1) return;
  const int here = i * side + j;
  const int match = score[here - side - 1] + weights[here];
  score[here] = max(match, max(score[here - 1], score[here - side]) - penalty);
}

// RandomAccess of HPC Challenge, each thread in a part of the table of its own.
__global__ void random_updates(unsigned long long* table, unsigned mask, int updates) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long r = t * 2654435761ull + 1;
  for (int u = 0; u < updates; ++u) {
    r = (r << 1) ^ (static_cast<long long>(r) < 0 ? 7ull : 0ull);
    table[static_cast<unsigned long long>(t) * (mask + 1) + (r & mask)] ^= r;
  }
}
// The same over all of the table, by atomic operations.
__global__ void random_atomics(unsigned long long* table, unsigned mask, int updates) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long r = t * 0x9e3779b97f4a7c15ull + 1;
  for (int u = 0; u < updates; ++u) {
    r = (r << 1) ^ (static_cast<long long>(r) < 0 ? 7ull : 0ull);
    atomicXor(&table[r * 0x9e3779b97f4a7c15ull >> 40 & mask], r);
  }
}

// Non-maximum suppression of an edge filter: the direction, a byte, says which two neighbours to compare with.
__global__ void thin_edges(const unsigned char* strength, const unsigned char* direction, unsigned char* out, int width,
                           int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int at = y * width + x;
  const unsigned char mine = strength[at];
  unsigned char a, b;
  switch (direction[at]) {
    case 0:
      a = strength[at - 1], b = strength[at + 1];
      break;
    case 1:
      a = strength[at - width + 1], b = strength[at + width - 1];
      break;
    case 2:
      a = strength[at - width], b = strength[at + width];
      break;
    default:
      a = strength[at - width - 1], b = strength[at + width + 1];
      break;
  }
  out[at] = mine >= a && mine >= b ? mine : 0;
}

// Adds a bias to queries, keys and values, and turns (token, 3, head, channel) into (3, head, token, channel).
__global__ void add_bias(const float* qkv, const float* bias, float* out, int tokens, int heads, int channels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, hidden = heads * channels;
  if (i >= tokens * 3 * hidden) return;
  const int token = i / (3 * hidden), rest = i % (3 * hidden), which = rest / hidden, head = rest % hidden / channels,
            c = rest % channels;
  out[((which * heads + head) * tokens + token) * channels + c] = qkv[i] + bias[rest];
}

// For each key the first element of a sorted array that is not smaller.
__global__ void search(const int* sorted, int n, const int* keys, int* places, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < keys[i])
      low = middle + 1;
    else
      high = middle;
  }
  places[i] = low;
}

// What it writes lies between the arrays that it reads.
__global__ void scatter(float* to, const float* from, const int* order, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[order[i]] = from[i];
}

// A step of a bitonic sort in global memory: the lower one of two partners exchanges them.
__global__ void exchange_partners(float* values, unsigned j, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ j;
  if (partner <= i) return;
  const float mine = values[i], other = values[partner];
  if ((i & k) == 0 ? mine > other : mine < other) values[i] = other, values[partner] = mine;
}

template <class T>
double sum(const T* p, std::size_t n) {
  return sum(p, n, [](const T& x) { return x % 1000003; });
}

int main() {
  constexpr int n = 1 << 18, side = 513, threads = 1 << 12, width = 512, height = 256, tokens = 256, heads = 8,
                channels = 32, sorted_count = 1 << 16;
  constexpr unsigned own = 63, all = (1 << 18) - 1;
  std::vector<float> a(n, 1.0f), b(n), qkv(tokens * 3 * heads * channels), bias(3 * heads * channels);
  std::vector<int> weights(side * side), score(side * side), sorted(sorted_count), keys(n), order(n);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>((i * 40503 + 7) % n);
  std::vector<unsigned char> strength(width * height), direction(width * height);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 7) / 8;
  for (std::size_t i = 0; i < qkv.size(); ++i) qkv[i] = static_cast<float>(i % 13);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int>(i * 7919 % 21) - 10;
  for (int i = 0; i < side; ++i) score[i] = score[i * side] = -10 * i;
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<int>(3 * i);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i * 2654435761u % (3 * sorted_count));
  for (std::size_t i = 0; i < strength.size(); ++i)
    strength[i] = static_cast<unsigned char>(i * i % 251), direction[i] = static_cast<unsigned char>(i * 31 % 127 % 4);
  float *d_a = device(a), *d_b = device(b), *d_qkv = device(qkv), *d_bias = device(bias), *d_out = device(qkv);
  int *d_score = device(score), *d_weights = device(weights), *d_sorted = device(sorted), *d_keys = device(keys),
      *d_places = device(keys), *d_order = device(order);
  unsigned char *d_strength = device(strength), *d_direction = device(direction), *d_thin = device(strength);
  auto* d_table = device(std::vector<unsigned long long>(threads * (own + 1), 1));
  auto* d_shared = device(std::vector<unsigned long long>(all + 1, 1));

  measure("update five times", [&] { update_five_times<<<n / 256, 256>>>(d_a, d_b, n); });
  measure("five times, steps", [&] { update_in_a_loop<<<n / 1024, 256>>>(d_a, d_b, n / 4, 4); });
  measure("diagonal", [&] {
    for (int d = 1; d < 2 * side - 2; ++d) diagonal<<<(side + 127) / 128, 128>>>(d_score, d_weights, side, d, 10);
  });
  measure("random updates", [&] { random_updates<<<threads / 256, 256>>>(d_table, own, 64); });
  measure("random atomics", [&] { random_atomics<<<threads / 256, 256>>>(d_shared, all, 64); });
  measure("thin edges", [&] {
    thin_edges<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(d_strength, d_direction, d_thin, width, height);
  });
  measure("bias of qkv", [&] {
    add_bias<<<tokens * 3 * heads * channels / 256, 256>>>(d_qkv, d_bias, d_out, tokens, heads, channels);
  });
  measure("scatter", [&] { scatter<<<n / 256, 256>>>(d_b, d_a, d_order, n); });
  measure("binary search", [&] { search<<<n / 256, 256>>>(d_sorted, sorted_count, d_keys, d_places, n); });
  measure("bitonic sort", [&] {
    for (unsigned k = 2; k <= n; k *= 2)
      for (unsigned j = k / 2; j > 0; j /= 2) exchange_partners<<<n / 256, 256>>>(d_b, j, k);
  });
  std::printf("sums %g %g %g %g %g\n", sum(d_score, score.size()), sum(d_table, threads * (own + 1)),
              sum(d_shared, all + 1), sum(d_thin, strength.size()), sum(d_places, keys.size()));
}
