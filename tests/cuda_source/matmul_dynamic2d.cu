// SPDX-License-Identifier: Apache-2.0
// Matrix class of the programming guide, sub-matrices in shared memory; a second version with 2D dynamic shared memory.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>
typedef struct {
  int width;
  int height;
  int stride;
  float *elements;
} Matrix;
#define BLOCK_SIZE 16
__device__ float GetElement(const Matrix A, int row, int col) { return A.elements[row * A.stride + col]; }
__device__ void SetElement(Matrix A, int row, int col, float value) { A.elements[row * A.stride + col] = value; }
__device__ Matrix GetSubMatrix(Matrix A, int row, int col) {
  Matrix Asub;
  Asub.width = BLOCK_SIZE;
  Asub.height = BLOCK_SIZE;
  Asub.stride = A.stride;
  Asub.elements = &A.elements[A.stride * BLOCK_SIZE * row + BLOCK_SIZE * col];
  return Asub;
}
__global__ void MatMulKernel(Matrix, Matrix, Matrix);
void MatMul(const Matrix A, const Matrix B, Matrix C) {
  Matrix d_A;
  d_A.width = d_A.stride = A.width;
  d_A.height = A.height;
  size_t size = A.width * A.height * sizeof(float);
  cudaMalloc(&d_A.elements, size);
  cudaMemcpy(d_A.elements, A.elements, size, cudaMemcpyHostToDevice);
  Matrix d_B;
  d_B.width = d_B.stride = B.width;
  d_B.height = B.height;
  size = B.width * B.height * sizeof(float);
  cudaMalloc(&d_B.elements, size);
  cudaMemcpy(d_B.elements, B.elements, size, cudaMemcpyHostToDevice);
  Matrix d_C;
  d_C.width = d_C.stride = C.width;
  d_C.height = C.height;
  size = C.width * C.height * sizeof(float);
  cudaMalloc(&d_C.elements, size);
  dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
  dim3 dimGrid(B.width / dimBlock.x, A.height / dimBlock.y);
  MatMulKernel<<<dimGrid, dimBlock>>>(d_A, d_B, d_C);
  cudaMemcpy(C.elements, d_C.elements, size, cudaMemcpyDeviceToHost);
  cudaFree(d_A.elements);
  cudaFree(d_B.elements);
  cudaFree(d_C.elements);
}
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  int blockRow = blockIdx.y;
  int blockCol = blockIdx.x;
  Matrix Csub = GetSubMatrix(C, blockRow, blockCol);
  float Cvalue = 0;
  int row = threadIdx.y;
  int col = threadIdx.x;
  for (int m = 0; m < (A.width / BLOCK_SIZE); ++m) {
    Matrix Asub = GetSubMatrix(A, blockRow, m);
    Matrix Bsub = GetSubMatrix(B, m, blockCol);
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
    As[row][col] = GetElement(Asub, row, col);
    Bs[row][col] = GetElement(Bsub, row, col);
    __syncthreads();
    for (int e = 0; e < BLOCK_SIZE; ++e) Cvalue += As[row][e] * Bs[e][col];
    __syncthreads();
  }
  SetElement(Csub, row, col, Cvalue);
}
__global__ void matmul_dynamic(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  extern __shared__ float smem[];
  const int T = blockDim.x;
  float(*sa)[BLOCK_SIZE] = (float(*)[BLOCK_SIZE])smem;
  float(*sb)[BLOCK_SIZE] = (float(*)[BLOCK_SIZE])(smem + T * T);
  const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (k + T - 1) / T; ++t) {
    const int ka = t * T + threadIdx.x, kb = t * T + threadIdx.y;
    sa[threadIdx.y][threadIdx.x] = (row < m && ka < k) ? a[row * k + ka] : 0.0f;
    sb[threadIdx.y][threadIdx.x] = (kb < k && col < n) ? b[kb * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) acc += sa[threadIdx.y][i] * sb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}
int main() {
  Matrix A{48, 32, 48, nullptr}, B{64, 48, 64, nullptr}, C{64, 32, 64, nullptr};
  std::vector<float> a(48 * 32), b(64 * 48), c(64 * 32), want(64 * 32);
  for (size_t i = 0; i < a.size(); ++i) a[i] = i % 7;
  for (size_t i = 0; i < b.size(); ++i) b[i] = i % 5;
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 64; ++j)
      for (int k = 0; k < 48; ++k) want[i * 64 + j] += a[i * 48 + k] * b[k * 64 + j];
  A.elements = a.data();
  B.elements = b.data();
  C.elements = c.data();
  MatMul(A, B, C);
  printf("programming guide %s\n", c == want ? "ok" : "wrong");
  const int m = 37, n = 29, k = 41;
  std::vector<float> x(m * k), y(k * n), z(m * n), w(m * n);
  for (int i = 0; i < m * k; ++i) x[i] = i % 9;
  for (int i = 0; i < k * n; ++i) y[i] = i % 4;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < k; ++l) w[i * n + j] += x[i * k + l] * y[l * n + j];
  float *dx, *dy, *dz;
  cudaMalloc(&dx, x.size() * 4);
  cudaMalloc(&dy, y.size() * 4);
  cudaMalloc(&dz, z.size() * 4);
  cudaMemcpy(dx, x.data(), x.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), y.size() * 4, cudaMemcpyHostToDevice);
  dim3 block(BLOCK_SIZE, BLOCK_SIZE), grid((n + 15) / 16, (m + 15) / 16);
  matmul_dynamic<<<grid, block, 2 * BLOCK_SIZE * BLOCK_SIZE * sizeof(float)>>>(dx, dy, dz, m, n, k);
  cudaMemcpy(z.data(), dz, z.size() * 4, cudaMemcpyDeviceToHost);
  printf("dynamic %s\n", z == w ? "ok" : "wrong");
  cudaFree(dx); cudaFree(dy); cudaFree(dz);
}
