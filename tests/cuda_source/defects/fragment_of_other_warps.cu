// SPDX-License-Identifier: Apache-2.0
// Each warp fills a tile of shared memory and multiplies its neighbour's: a barrier of the block is missing in between.
// A tile that ends beyond its array is read, too, and one whose last half row nobody has written. `kept` is silent.
// options: --check all
// code: 3
// says: race-shared
// says: fragment_of_other_warps.cu:26
// says: fragment_of_other_warps.cu:29
// says: out-of-bounds.: read of 16 bytes at a.256.
// says: uninitialized-read.: read of partly.248.
// says: 6 errors;
#include <mma.h>
using namespace nvcuda;

using left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using right = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using sums = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

template <bool Synchronised>
__device__ void through_shared(const half* a, float* out) {
  __shared__ __align__(32) half tiles[4][16][24];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, next = (warp + 1) % 4;
  left fa;
  right fb;
  sums sum;
  for (int i = lane; i < 256; i += 32) tiles[warp][i / 16][i % 16] = a[i];
  Synchronised ? __syncthreads() : __syncwarp();
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, &tiles[next][0][0], 24);
  wmma::load_matrix_sync(fb, &tiles[warp][0][0], 24);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(out + warp * 256, sum, 16, wmma::mem_row_major);
}
__global__ void handed_over(const half* a, float* out) { through_shared<false>(a, out); }
__global__ void kept(const half* a, float* out) { through_shared<true>(a, out); }

__global__ void product(const half* a, float* out) {
  left fa;
  right fb;
  sums sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a, 16);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}

int main() {
  half *a, *partly;
  float* out;
  cudaMalloc(&a, 256 * sizeof(half));
  cudaMalloc(&partly, 256 * sizeof(half));
  cudaMalloc(&out, 1024 * sizeof(float));
  cudaMemset(a, 0, 256 * sizeof(half));
  cudaMemset(partly, 0, 248 * sizeof(half));
  kept<<<1, 128>>>(a, out);
  product<<<1, 32>>>(a, out);
  handed_over<<<1, 128>>>(a, out);
  product<<<1, 32>>>(partly, out);
  product<<<1, 32>>>(a + 16, out);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(partly);
  cudaFree(out);
}
