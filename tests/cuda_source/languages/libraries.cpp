// SPDX-License-Identifier: Apache-2.0
// A source of the host that calls NVIDIA's libraries and has no kernel of its own.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <cusparse.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 100;
  float *x = nullptr, sum = 0;
  cudaMalloc(reinterpret_cast<void **>(&x), n * sizeof(float));
  curandGenerator_t numbers;
  curandCreateGenerator(&numbers, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(numbers, x, n);
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSasum(blas, n, x, 1, &sum);
  std::printf("%d", sum > 30 && sum < 70);
  const std::vector<float> twos(n, 2.0f);
  cublasSetVector(n, sizeof(float), twos.data(), 1, x, 1);
  cublasSasum(blas, n, x, 1, &sum);
  int version = 0;
  cusparseHandle_t sparse;
  cusparseCreate(&sparse);
  cusparseGetVersion(sparse, &version);
  std::printf(" %g %d\n", sum, version > 12000);
  cusparseDestroy(sparse);
  cublasDestroy(blas);
  curandDestroyGenerator(numbers);
  cudaFree(x);
  return 0;
}
