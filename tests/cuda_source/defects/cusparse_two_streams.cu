// SPDX-License-Identifier: Apache-2.0
// A kernel on one stream still writes the vector that a product on another reads.
// options: --check all
// code: 3
// says: race-global
// says: cusparse_two_streams.cu:41 in main
// says: kernel cusparseSpMV on stream
#include <cuda_runtime.h>
#include <cusparse.h>

__global__ void fill(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  const int n = 4, offsets[n + 1] = {0, 1, 2, 3, 4}, columns[n] = {3, 2, 1, 0};
  const float values[n] = {1, 2, 3, 4}, one = 1, zero = 0;
  int *d_offsets, *d_columns;
  float *d_values, *x, *y;
  cudaMalloc(&d_offsets, sizeof offsets);
  cudaMalloc(&d_columns, sizeof columns);
  cudaMalloc(&d_values, sizeof values);
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(d_offsets, offsets, sizeof offsets, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, columns, sizeof columns, cudaMemcpyHostToDevice);
  cudaMemcpy(d_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cusparseHandle_t h;
  cusparseCreate(&h);
  cusparseSetStream(h, b);
  cusparseSpMatDescr_t m;
  cusparseDnVecDescr_t vx, vy;
  cusparseCreateCsr(&m, n, n, n, d_offsets, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&vx, n, x, CUDA_R_32F);
  cusparseCreateDnVec(&vy, n, y, CUDA_R_32F);
  fill<<<1, n, 0, a>>>(x, n);
  cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m, vx, &zero, vy, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  cudaDeviceSynchronize();
  cusparseDestroySpMat(m);
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroy(h);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(d_offsets);
  cudaFree(d_columns);
  cudaFree(d_values);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
