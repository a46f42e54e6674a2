// SPDX-License-Identifier: Apache-2.0
// nvcuda::wmma as the Programming Guide has it: 16x16x16 tiles of halves, sums in float, in registers and shared memory.
#include <mma.h>

#include <cstdio>
using namespace nvcuda;

const int kTile = 16, M = 32, N = 48, K = 64;

__global__ void gemm(const half *a, const half *b, const float *c, float *d, float alpha, float beta) {
  const int row = blockIdx.y * kTile, col = blockIdx.x * kTile;
  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < K; k += kTile) {
    wmma::load_matrix_sync(fa, a + row * K + k, K);
    wmma::load_matrix_sync(fb, b + col * K + k, K);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::load_matrix_sync(old, c + row * N + col, N, wmma::mem_row_major);
  for (int i = 0; i < old.num_elements; i++) old.x[i] = alpha * sum.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(d + row * N + col, old, N, wmma::mem_row_major);
}

__global__ void through_shared(const half *a, float *d) {
  __shared__ half tile[kTile * kTile];
  for (int i = threadIdx.x; i < kTile * kTile; i += 32) tile[i] = a[i];
  __syncwarp();  // loaded
  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum;
  wmma::load_matrix_sync(fa, tile, kTile);
  wmma::load_matrix_sync(fb, tile, kTile);
  wmma::fill_fragment(sum, 1.0f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(d, sum, kTile, wmma::mem_col_major);
}

int main() {
  half *a, *b;
  float *c, *d;
  cudaMallocManaged(&a, M * K * sizeof(half));
  cudaMallocManaged(&b, N * K * sizeof(half));
  cudaMallocManaged(&c, M * N * sizeof(float));
  cudaMallocManaged(&d, M * N * sizeof(float));
  for (int i = 0; i < M * K; ++i) a[i] = __float2half((float)(i % 5) - 2);
  for (int i = 0; i < N * K; ++i) b[i] = __float2half((float)(i % 3) * 0.5f);
  for (int i = 0; i < M * N; ++i) c[i] = (float)(i % 11);
  gemm<<<dim3(N / kTile, M / kTile), 32>>>(a, b, c, d, 2.0f, 0.5f);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += __half2float(a[i * K + k]) * __half2float(b[j * K + k]);
      if (d[i * N + j] != 2.0f * sum + 0.5f * c[i * N + j]) ++wrong;
    }
  std::printf("gemm: %d wrong, d[5] = %g\n", wrong, d[5]);
  through_shared<<<1, 32>>>(a, d);
  cudaDeviceSynchronize();
  float sum = 1;
  for (int k = 0; k < kTile; ++k) sum += __half2float(a[3 * kTile + k]) * __half2float(a[k * kTile + 7]);
  std::printf("shared: %d\n", d[7 * kTile + 3] == sum);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(d);
  return 0;
}
