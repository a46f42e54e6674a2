// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: products of halves, bytes, doubles and floats of 8 bits; biases, ReLU and GELU with their gradients, scales,
// batches, matrices in rows.
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <helper_cuda.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"
template <class T>
static std::vector<T> numbers(size_t n, int period, float step, float first) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = T(first + step * float(i % period));
  return v;
}

static cublasLtHandle_t handle;
static float *workspace;

// A is k x m and transposed, B k x n, or n x k and transposed; both without gaps.
struct product {
  cublasLtMatmulDesc_t how;
  cublasLtMatrixLayout_t a, b, c, d;

  product(int m, int n, int k, cublasComputeType_t compute, cudaDataType scale, cudaDataType in, cudaDataType add, cudaDataType out,
          bool b_turned = false) {
    checkCudaErrors(cublasLtMatmulDescCreate(&how, compute, scale));
    const cublasOperation_t turned = CUBLAS_OP_T;
    set(CUBLASLT_MATMUL_DESC_TRANSA, turned);
    checkCudaErrors(cublasLtMatrixLayoutCreate(&a, in, k, m, k));
    if (b_turned) set(CUBLASLT_MATMUL_DESC_TRANSB, turned);
    checkCudaErrors(cublasLtMatrixLayoutCreate(&b, in, b_turned ? n : k, b_turned ? k : n, b_turned ? n : k));
    checkCudaErrors(cublasLtMatrixLayoutCreate(&c, add, m, n, m));
    checkCudaErrors(cublasLtMatrixLayoutCreate(&d, out, m, n, m));
  }
  ~product() {
    for (cublasLtMatrixLayout_t l : {a, b, c, d}) checkCudaErrors(cublasLtMatrixLayoutDestroy(l));
    checkCudaErrors(cublasLtMatmulDescDestroy(how));
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t which, const T &value) {
    checkCudaErrors(cublasLtMatmulDescSetAttribute(how, which, &value, sizeof(value)));
  }
  bool is_there() {
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t best = {};
    int found = 0;
    checkCudaErrors(cublasLtMatmulPreferenceCreate(&preference));
    const cublasStatus_t s = cublasLtMatmulAlgoGetHeuristic(handle, how, a, b, c, d, preference, 1, &best, &found);
    checkCudaErrors(cublasLtMatmulPreferenceDestroy(preference));
    return s == CUBLAS_STATUS_SUCCESS && found == 1;
  }
  template <class F>
  void run(F alpha, const void *x, const void *y, F beta, const void *z, void *result) {
    cublasLtMatmulPreference_t preference;
    size_t bytes = 1 << 20;
    cublasLtMatmulHeuristicResult_t best = {};
    int found = 0;
    checkCudaErrors(cublasLtMatmulPreferenceCreate(&preference));
    checkCudaErrors(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof(bytes)));
    checkCudaErrors(cublasLtMatmulAlgoGetHeuristic(handle, how, a, b, c, d, preference, 1, &best, &found));
    checkCudaErrors(cublasLtMatmulPreferenceDestroy(preference));
    if (found != 1) std::printf("no algorithm\n");
    checkCudaErrors(cublasLtMatmul(handle, how, &alpha, x, a, y, b, &beta, z, c, result, d, &best.algo, workspace, bytes, 0));
  }
};

template <class T>
static void print(const char *name, const T *d, size_t n, std::initializer_list<int> which) {
  const std::vector<T> v = on_host(d, n);
  std::printf("%s:", name);
  for (int i : which) std::printf(" %.4g", (double)float(v[i]));
  std::printf("\n");
}

static void functions() {
  const int m = 64, n = 32, k = 48;
  __half *x = on_device(numbers<__half>(m * k, 5, 0.25f, -0.5f)), *y = on_device(numbers<__half>(n * k, 7, 0.125f, -0.375f)),
         *z = on_device(numbers<__half>(m * n, 3, 0.5f, 0)), *result = on_device(std::vector<__half>(m * n)),
         *bias = on_device(numbers<__half>(m, 4, 1, -2)), *aux = on_device(std::vector<__half>(m * n));
  const int64_t aux_ld = m;
  for (cublasLtEpilogue_t e : {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS,
                               CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU, CUBLASLT_EPILOGUE_BGRADB}) {
    product p(m, n, k, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, e == CUBLASLT_EPILOGUE_BGRADB);
    p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, e);
    if (e == CUBLASLT_EPILOGUE_BIAS || e == CUBLASLT_EPILOGUE_RELU_BIAS || e == CUBLASLT_EPILOGUE_GELU_BIAS ||
        e == CUBLASLT_EPILOGUE_GELU_AUX_BIAS || e == CUBLASLT_EPILOGUE_BGRADB)
      p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    if (e == CUBLASLT_EPILOGUE_GELU_AUX_BIAS || e == CUBLASLT_EPILOGUE_DGELU) {
      p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux);
      p.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux_ld);
    }
    p.run(0.5f, x, y, 1.0f, z, result);
    char name[40];
    std::snprintf(name, sizeof name, "epilogue %d", (int)e);
    print(name, result, m * n, {0, 1, 2, 3, 67, m * n - 1});
    if (e == CUBLASLT_EPILOGUE_GELU_AUX_BIAS) print("before it", aux, m * n, {0, 1, 2, 3, 67, m * n - 1});
    if (e == CUBLASLT_EPILOGUE_BGRADB) print("gradient", bias, m, {0, 1, 31});
  }
  // Gradients of biases want their operand in the other form.
  for (cublasLtEpilogue_t e : {CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB})
    for (bool b_turned : {false, true}) {
      product p(m, n, k, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, b_turned);
      p.set(CUBLASLT_MATMUL_DESC_EPILOGUE, e);
      p.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
      std::printf("epilogue %d with B %d: %d\n", (int)e, b_turned, p.is_there());
    }
  for (__half *p : {x, y, z, result, bias, aux}) checkCudaErrors(cudaFree(p));
}

static void small_floats() {
  const int m = 64, n = 48, k = 32;
  __nv_fp8_e4m3 *x = on_device(numbers<__nv_fp8_e4m3>(m * k, 5, 0.5f, -1)), *y = on_device(numbers<__nv_fp8_e4m3>(n * k, 7, 0.25f, -0.5f)),
                *result = on_device(std::vector<__nv_fp8_e4m3>(m * n));
  __nv_bfloat16 *z = on_device(numbers<__nv_bfloat16>(m * n, 3, 1, -1));
  float *scales = on_device(std::vector<float>{2, 0.5f, 1, 0.25f, 0});
  product p(m, n, k, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_8F_E4M3);
  p.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
  p.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales + 1);
  p.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales + 3);
  p.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scales + 4);
  p.run(1.0f, x, y, 1.0f, z, result);
  print("floats of 8 bits", result, m * n, {0, 1, 2, 3, 70, m * n - 1});
  print("largest", scales, 5, {4});
  checkCudaErrors(cudaFree(x));
  checkCudaErrors(cudaFree(y));
  checkCudaErrors(cudaFree(z));
  checkCudaErrors(cudaFree(result));
  checkCudaErrors(cudaFree(scales));
}

static void bytes() {
  const int m = 32, n = 32, k = 64;
  int8_t *x = on_device(numbers<int8_t>(m * k, 11, 3, -15)), *y = on_device(numbers<int8_t>(n * k, 13, 5, -30));
  int *result = on_device(std::vector<int>(m * n));
  product p(m, n, k, CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I);
  p.run(1, x, y, 0, result, result);
  print("bytes", result, m * n, {0, 1, 33, m * n - 1});
  checkCudaErrors(cudaFree(x));
  checkCudaErrors(cudaFree(y));
  checkCudaErrors(cudaFree(result));
}

// Three products of doubles in rows: C = A B as a program in C sees it.
static void rows() {
  const int m = 8, n = 6, k = 4, count = 3;
  double *x = on_device(numbers<double>(m * k * count, 9, 1, -4)), *y = on_device(numbers<double>(k * n * count, 5, 1, -2)),
         *result = on_device(std::vector<double>(m * n * count));
  cublasLtMatmulDesc_t how;
  cublasLtMatrixLayout_t a, b, c;
  checkCudaErrors(cublasLtMatmulDescCreate(&how, CUBLAS_COMPUTE_64F, CUDA_R_64F));
  checkCudaErrors(cublasLtMatrixLayoutCreate(&a, CUDA_R_64F, m, k, k));
  checkCudaErrors(cublasLtMatrixLayoutCreate(&b, CUDA_R_64F, k, n, n));
  checkCudaErrors(cublasLtMatrixLayoutCreate(&c, CUDA_R_64F, m, n, n));
  const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
  const int64_t steps[3] = {m * k, k * n, m * n};
  int i = 0;
  for (cublasLtMatrixLayout_t l : {a, b, c}) {
    checkCudaErrors(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof(order)));
    checkCudaErrors(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)));
    checkCudaErrors(cublasLtMatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &steps[i++], sizeof(int64_t)));
  }
  const double one = 1, zero = 0;
  checkCudaErrors(cublasLtMatmul(handle, how, &one, x, a, y, b, &zero, result, c, result, c, nullptr, nullptr, 0, 0));
  const std::vector<double> v = on_host(result, m * n * count), xs = on_host(x, m * k * count), ys = on_host(y, k * n * count);
  int wrong = 0;
  for (int s = 0; s < count; ++s)
    for (int r = 0; r < m; ++r)
      for (int q = 0; q < n; ++q) {
        double sum = 0;
        for (int t = 0; t < k; ++t) sum += xs[(s * m + r) * k + t] * ys[(s * k + t) * n + q];
        wrong += sum != v[(s * m + r) * n + q];
      }
  std::printf("rows: %d wrong\n", wrong);
  for (cublasLtMatrixLayout_t l : {a, b, c}) checkCudaErrors(cublasLtMatrixLayoutDestroy(l));
  checkCudaErrors(cublasLtMatmulDescDestroy(how));
  for (double *p : {x, y, result}) checkCudaErrors(cudaFree(p));
}

int main() {
  checkCudaErrors(cublasLtCreate(&handle));
  checkCudaErrors(cudaMalloc((void **)&workspace, 1 << 20));
  functions();
  small_floats();
  bytes();
  rows();
  checkCudaErrors(cudaFree(workspace));
  checkCudaErrors(cublasLtDestroy(handle));
  return 0;
}
