// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma in all its types and shapes, both layouts of each factor and of the sum: against sums by a loop.
#include <cuda_bf16.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <cstring>
using namespace nvcuda;

// The number that an element stands for, and the element for a small number.
template <class T>
double number(T v) {
  return static_cast<double>(static_cast<float>(v));
}
template <>
double number(double v) {
  return v;
}

template <int M, int N, int K, class In, class T, class Out, class LA, class LB>
__global__ void product(const T *a, const T *b, const Out *c, Out *d, unsigned lda, unsigned ldb, unsigned ldc,
                        wmma::layout_t layout) {
  wmma::fragment<wmma::matrix_a, M, N, K, In, LA> fa;
  wmma::fragment<wmma::matrix_b, M, N, K, In, LB> fb;
  wmma::fragment<wmma::accumulator, M, N, K, Out> sum;
  wmma::load_matrix_sync(fa, a, lda);
  wmma::load_matrix_sync(fb, b, ldb);
  wmma::load_matrix_sync(sum, c, ldc, layout);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, ldc, layout);
}

template <int M, int N, int K, class In, class T, class Out, class LA, class LB>
int wrong_with(wmma::layout_t layout) {
  const bool rows_a = std::is_same_v<LA, wmma::row_major>, rows_b = std::is_same_v<LB, wmma::row_major>,
             rows_c = layout == wmma::mem_row_major;
  const int lda = (rows_a ? K : M) + 16, ldb = (rows_b ? N : K) + 16, ldc = (rows_c ? N : M) + 16;
  T *a, *b;
  Out *c, *d;
  const int size_a = lda * (rows_a ? M : K), size_b = ldb * (rows_b ? K : N), size_c = ldc * (rows_c ? M : N);
  cudaMallocManaged(&a, size_a * sizeof(T));
  cudaMallocManaged(&b, size_b * sizeof(T));
  cudaMallocManaged(&c, size_c * sizeof(Out));
  cudaMallocManaged(&d, size_c * sizeof(Out));
  for (int i = 0; i < size_a; ++i) a[i] = static_cast<T>(static_cast<float>(i * 7 % 11));
  for (int i = 0; i < size_b; ++i) b[i] = static_cast<T>(static_cast<float>(i * 5 % 7));
  for (int i = 0; i < size_c; ++i) c[i] = static_cast<Out>(static_cast<float>(i % 13)), d[i] = static_cast<Out>(-1.0f);
  product<M, N, K, In, T, Out, LA, LB><<<1, 32>>>(a, b, c, d, lda, ldb, ldc, layout);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      const int at = rows_c ? i * ldc + j : j * ldc + i;
      double sum = number(c[at]);
      for (int k = 0; k < K; ++k)
        sum += number(a[rows_a ? i * lda + k : k * lda + i]) * number(b[rows_b ? k * ldb + j : j * ldb + k]);
      wrong += number(d[at]) != sum;
    }
  for (int i = 0; i < size_c; ++i)  // between the lines nothing is written
    if (i % ldc >= (rows_c ? N : M)) wrong += number(d[i]) != -1;
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
  return wrong;
}

template <int M, int N, int K, class In, class T, class Out>
void all_layouts(const char *name) {
  using wmma::col_major;
  using wmma::row_major;
  int wrong = 0;
  for (const auto layout : {wmma::mem_row_major, wmma::mem_col_major}) {
    wrong += wrong_with<M, N, K, In, T, Out, row_major, row_major>(layout);
    wrong += wrong_with<M, N, K, In, T, Out, row_major, col_major>(layout);
    wrong += wrong_with<M, N, K, In, T, Out, col_major, row_major>(layout);
    wrong += wrong_with<M, N, K, In, T, Out, col_major, col_major>(layout);
  }
  std::printf("%s %dx%dx%d: %d wrong\n", name, M, N, K, wrong);
}

// One row of factors that are not ordinary: the smallest half, a denormal one, infinity, no number, minus zero.
__global__ void unusual(const half *a, float *d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::fill_fragment(fb, __float2half(1.0f));
  wmma::fill_fragment(sum, -0.0f);
  for (int i = 0; i < fb.num_elements; ++i) fb.x[i] = fb.x[i] * __float2half(2.0f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

int main() {
  all_layouts<16, 16, 16, half, half, float>("half, sums in float");
  all_layouts<32, 8, 16, half, half, float>("half, sums in float");
  all_layouts<8, 32, 16, half, half, float>("half, sums in float");
  all_layouts<16, 16, 16, half, half, half>("half, sums in half");
  all_layouts<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16");
  all_layouts<8, 32, 16, __nv_bfloat16, __nv_bfloat16, float>("bfloat16");
  all_layouts<16, 16, 8, wmma::precision::tf32, float, float>("tf32");
  all_layouts<8, 8, 4, double, double, double>("double");
  all_layouts<16, 16, 16, signed char, signed char, int>("signed bytes");
  all_layouts<32, 8, 16, unsigned char, unsigned char, int>("unsigned bytes");
  half *a;
  float *d;
  cudaMallocManaged(&a, 256 * sizeof(half));
  cudaMallocManaged(&d, 256 * sizeof(float));
  for (int i = 0; i < 256; ++i) a[i] = __ushort_as_half(0x8000);
  a[0 * 16] = __ushort_as_half(0x0001);
  a[1 * 16 + 3] = __ushort_as_half(0x83ff);
  a[2 * 16 + 15] = __ushort_as_half(0x7c00);
  a[3 * 16 + 7] = __ushort_as_half(0xfc00);
  a[4 * 16 + 8] = __ushort_as_half(0x7e01);
  a[5 * 16 + 1] = __ushort_as_half(0x7bff);
  unusual<<<1, 32>>>(a, d);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; ++i)
    if (std::isnan(d[i * 16 + i]))
      std::printf("no number\n");
    else
      std::printf("%g\n", d[i * 16 + i]);
  cudaFree(a);
  cudaFree(d);
  return 0;
}
