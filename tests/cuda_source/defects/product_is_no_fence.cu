// SPDX-License-Identifier: Apache-2.0
// A product of matrices waits for the lanes of its warp, but orders no memory: what lanes hand over beside it needs
// __syncwarp(). `kept` has it and is silent.
// options: --check all
// code: 3
// says: race-shared
// says: product_is_no_fence.cu:22
// says: product_is_no_fence.cu:24
// says: 1 error;
#include <mma.h>
using namespace nvcuda;

template <bool Synchronised>
__device__ void scale_row(const half* a, float* out) {
  __shared__ float factor[32];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::fill_fragment(sum, 0.0f);
  factor[threadIdx.x] = 1.0f / (1 + threadIdx.x);
  wmma::mma_sync(sum, fa, fb, sum); if (Synchronised) __syncwarp();
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] *= factor[31 - threadIdx.x];
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
__global__ void handed_over(const half* a, float* out) { scale_row<false>(a, out); }
__global__ void kept(const half* a, float* out) { scale_row<true>(a, out); }

int main() {
  half* a;
  float* out;
  cudaMalloc(&a, 256 * sizeof(half));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(half));
  kept<<<1, 32>>>(a, out);
  handed_over<<<1, 32>>>(a, out);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(out);
}
