// SPDX-License-Identifier: Apache-2.0
// Tiled matrix product in shared memory, sizes that no tile divides, tile size a template argument.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <int TILE>
__global__ void matmul(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int K, int N) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = (row < M && k0 + threadIdx.x < K) ? A[row * K + k0 + threadIdx.x] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = (col < N && k0 + threadIdx.y < K) ? B[(k0 + threadIdx.y) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}

template <int TILE>
double run(int M, int K, int N) {
  std::vector<float> a(M * K), b(K * N), c(M * N);
  for (int i = 0; i < M * K; i++) a[i] = (float)((i * 7) % 11) - 5.0f;
  for (int i = 0; i < K * N; i++) b[i] = (float)((i * 3) % 13) - 6.0f;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * sizeof(float));
  cudaMalloc(&d_b, b.size() * sizeof(float));
  cudaMalloc(&d_c, c.size() * sizeof(float));
  cudaMemcpy(d_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 threads(TILE, TILE);
  dim3 blocks((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  matmul<TILE><<<blocks, threads>>>(d_a, d_b, d_c, M, K, N);
  cudaError_t err = cudaDeviceSynchronize();
  if (err != cudaSuccess) {
    printf("CUDA error: %s\n", cudaGetErrorString(err));
    return -1;
  }
  cudaMemcpy(c.data(), d_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  double worst = 0;
  for (int r = 0; r < M; r++)
    for (int col = 0; col < N; col++) {
      float want = 0;
      for (int k = 0; k < K; k++) want += a[r * K + k] * b[k * N + col];
      worst = std::fmax(worst, std::fabs(want - c[r * N + col]));
    }
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
  return worst;
}

int main() {
  printf("matmul<16> 100 x 70 x 45: largest error %g\n", run<16>(100, 70, 45));
  printf("matmul<8> 33 x 17 x 65: largest error %g\n", run<8>(33, 17, 65));
  return 0;
}
