// SPDX-License-Identifier: Apache-2.0
// Products of numbers of 4 bits and of single bits by warps: nvcuda::wmma::experimental.
#include <mma.h>

#include <cstdint>
#include <cstdio>
#include <type_traits>
#include <vector>

using namespace nvcuda;
namespace ex = nvcuda::wmma::experimental;

// Rows of A and columns of B are `words` long; four of them are one step of the sum.
template <class T, int K>
__global__ void multiply(const unsigned* a, const unsigned* b, int words, int* out) {
  wmma::fragment<wmma::accumulator, 8, 8, K, int> sum;
  wmma::fragment<wmma::matrix_a, 8, 8, K, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, K, T, wmma::col_major> right;
  wmma::fill_fragment(sum, 5);
  const unsigned per_word = K / 4;
  for (int w = 0; w < words; w += 4) {
    wmma::load_matrix_sync(left, a + w, words * per_word);
    wmma::load_matrix_sync(right, b + w, words * per_word);
    if constexpr (std::is_same<T, ex::precision::b1>::value)
      wmma::bmma_sync(sum, left, right, sum, ex::bmmaBitOpXOR);
    else
      wmma::mma_sync(sum, left, right, sum);
  }
  if constexpr (!std::is_same<T, ex::precision::b1>::value) {
    wmma::fill_fragment(left, 3);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);
}

template <class T, int K>
int number(const unsigned* words, int i) {
  if (K == 128) return words[i / 32] >> i % 32 & 1;
  const int bits = words[i / 8] >> 4 * (i % 8) & 15;
  return std::is_same<T, ex::precision::s4>::value && bits > 7 ? bits - 16 : bits;
}

template <class T, int K>
void run(const char* name) {
  constexpr int kWords = 12, kNumbers = kWords * K / 4;
  std::vector<unsigned> a(8 * kWords), b(8 * kWords);
  unsigned state = 2463534242u;
  for (std::vector<unsigned>* m : {&a, &b})
    for (unsigned& w : *m) w = state = state * 1664525u + 1013904223u;
  unsigned *da, *db;
  int *out, result[64];
  cudaMalloc(&da, a.size() * 4);
  cudaMalloc(&db, b.size() * 4);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(da, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
  multiply<T, K><<<1, 32>>>(da, db, kWords, out);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) {
      int sum = 5;
      for (int i = 0; i < kNumbers; ++i) {
        const int x = number<T, K>(&a[r * kWords], i), y = number<T, K>(&b[c * kWords], i);
        sum += K == 128 ? x ^ y : x * y;
        if (K != 128 && i >= kNumbers - K) sum += 3 * y;
      }
      wrong += sum != result[r * 8 + c];
    }
  std::printf("%s: %d wrong, first %d, last %d\n", name, wrong, result[0], result[63]);
  cudaFree(da);
  cudaFree(db);
  cudaFree(out);
}

int main() {
  run<ex::precision::s4, 32>("s4");
  run<ex::precision::u4, 32>("u4");
  run<ex::precision::b1, 128>("b1");
}
