// SPDX-License-Identifier: Apache-2.0
// cuBLAS: vectors and products of named types, products in groups, names with 64 bits, settings of a handle.
#include <cublas_v2.h>

#include <cstdint>
#include <cstdio>
#include <vector>

#define CHECK(call)                                              \
  if (const int failed = static_cast<int>(call); failed != 0) { \
    std::printf("line %d: %d\n", __LINE__, failed);              \
    return 1;                                                    \
  }

template <class T>
T* on_device(const std::vector<T>& from) {
  T* to = nullptr;
  cudaMalloc(&to, from.size() * sizeof(T));
  cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return to;
}
template <class T>
std::vector<T> on_host(const T* from, std::size_t n) {
  std::vector<T> to(n);
  cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
  return to;
}
template <class T>
void print(const char* name, const std::vector<T>& v) {
  std::printf("%s", name);
  for (const T& x : v) std::printf(" %g", static_cast<double>(x));
  std::printf("\n");
}
void print(const char* name, const std::vector<cuComplex>& v) {
  std::printf("%s", name);
  for (const cuComplex& x : v) std::printf(" (%g, %g)", x.x, x.y);
  std::printf("\n");
}

int vectors(cublasHandle_t h) {
  double* const x = on_device<double>({1, -2, 3, -4});
  double* const y = on_device<double>({5, 6, 7, 8});
  const double c = 2, s = 0.5;
  CHECK(cublasRotEx(h, 4, x, CUDA_R_64F, 1, y, CUDA_R_64F, 1, &c, &s, CUDA_R_64F, CUDA_R_64F));
  print("rotated x", on_host(x, 4));
  print("rotated y", on_host(y, 4));
  int most = 0, least = 0;
  double sum = 0;
  CHECK(cublasIamaxEx(h, 4, y, CUDA_R_64F, 1, &most));
  CHECK(cublasIaminEx(h, 4, x, CUDA_R_64F, 1, &least));
  CHECK(cublasAsumEx(h, 4, x, CUDA_R_64F, 1, &sum, CUDA_R_64F, CUDA_R_64F));
  std::printf("most %d, least %d, sum %g\n", most, least, sum);

  cuComplex* const z = on_device<cuComplex>({{1, 2}, {3, -4}});
  cuComplex* const w = on_device<cuComplex>({{0, 1}, {2, 2}});
  const float cosine = 1, sine = 2;
  CHECK(cublasRotEx(h, 2, z, CUDA_C_32F, 1, w, CUDA_C_32F, 1, &cosine, &sine, CUDA_R_32F, CUDA_C_32F));
  print("rotated z", on_host(z, 2));
  print("rotated w", on_host(w, 2));
  for (void* p : {static_cast<void*>(x), static_cast<void*>(y), static_cast<void*>(z), static_cast<void*>(w)})
    cudaFree(p);
  return 0;
}

int complex_products(cublasHandle_t h) {
  cuComplex* const a = on_device<cuComplex>({{1, 1}, {3, 3}, {2, 2}, {4, -4}});
  cuComplex* const c = on_device<cuComplex>(std::vector<cuComplex>(4, cuComplex{0, 0}));
  const float one = 1, zero = 0;
  const cuComplex whole = {1, 0}, none = {0, 0};
  CHECK(cublasCherkEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &one, a, CUDA_C_32F, 2, &zero, c, CUDA_C_32F, 2));
  print("herk", on_host(c, 4));
  CHECK(cublasCherk3mEx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_C, 2, 2, &one, a, CUDA_C_32F, 2, &zero, c, CUDA_C_32F, 2));
  print("herk of the conjugate", on_host(c, 4));
  CHECK(cublasCsyrkEx(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 2, 2, &whole, a, CUDA_C_32F, 2, &none, c, CUDA_C_32F, 2));
  print("syrk", on_host(c, 4));
  CHECK(cublasCsyrk3mEx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 2, 2, &whole, a, CUDA_C_32F, 2, &none, c, CUDA_C_32F,
                        2));
  print("syrk of the transpose", on_host(c, 4));
  CHECK(cublasCgemmEx(h, CUBLAS_OP_N, CUBLAS_OP_C, 2, 2, 2, &whole, a, CUDA_C_32F, 2, a, CUDA_C_32F, 2, &none, c,
                      CUDA_C_32F, 2));
  print("gemm", on_host(c, 4));
  CHECK(cublasCgemm3mEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &whole, a, CUDA_C_32F, 2, a, CUDA_C_32F, 2, &none, c,
                        CUDA_C_32F, 2));
  print("gemm3m", on_host(c, 4));
  cudaFree(a);
  cudaFree(c);
  return 0;
}

// Two groups: two products of 2 x 2 matrices, one of 3 x 3.
template <class Index, class Multiply>
int groups(const char* name, Multiply multiply) {
  const cublasOperation_t op[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  const Index size[] = {2, 3}, count[] = {2, 1};
  const float alpha[] = {1, 2}, beta[] = {0, 1};
  float* const values[] = {on_device<float>({1, 3, 2, 4}), on_device<float>({5, 7, 6, 8}),
                           on_device<float>({1, 4, 7, 2, 5, 8, 3, 6, 9})};
  float* const results[] = {on_device(std::vector<float>(4, 0)), on_device(std::vector<float>(4, 0)),
                            on_device(std::vector<float>(9, 1))};
  float** const a = on_device<float*>({values, values + 3});
  float** const c = on_device<float*>({results, results + 3});
  CHECK(multiply(op, size, alpha, a, beta, c, count));
  for (int i = 0; i < 3; ++i) print(name, on_host(results[i], i < 2 ? 4 : 9));
  for (float* p : values) cudaFree(p);
  for (float* p : results) cudaFree(p);
  cudaFree(a);
  cudaFree(c);
  return 0;
}

int names_with_64_bits(cublasHandle_t h) {
  float* const x = on_device<float>({1, -9, 4});
  float* const a = on_device<float>({1, 2, 3, 4});
  float* const c = on_device<float>({0, 0, 0, 0});
  std::int64_t place = 0;
  const std::int64_t n = 3, two = 2, step = 1;
  const float alpha = 2, beta = 0;
  float sum = 0;
  CHECK(cublasIsamax_64(h, n, x, step, &place));
  CHECK(cublasSscal_64(h, n, &alpha, x, step));
  CHECK(cublasSasum_64(h, n, x, step, &sum));
  CHECK(cublasSgemm_64(h, CUBLAS_OP_N, CUBLAS_OP_N, two, two, two, &alpha, a, two, a, two, &beta, c, two));
  std::printf("place %lld, sum %g\n", static_cast<long long>(place), sum);
  print("product", on_host(c, 4));
  cudaFree(x);
  cudaFree(a);
  cudaFree(c);
  return 0;
}

int main() {
  cublasHandle_t h = nullptr;
  CHECK(cublasCreate(&h));
  int failed = vectors(h) + complex_products(h);
  failed += groups<int>("group", [h](auto op, auto n, auto alpha, auto a, auto beta, auto c, auto count) {
    return cublasSgemmGroupedBatched(h, op, op, n, n, n, alpha, a, n, a, n, beta, c, n, 2, count);
  });
  failed += groups<std::int64_t>("group by type", [h](auto op, auto n, auto alpha, auto a, auto beta, auto c, auto count) {
    return cublasGemmGroupedBatchedEx_64(h, op, op, n, n, n, alpha, reinterpret_cast<void**>(a), CUDA_R_32F, n,
                                         reinterpret_cast<void**>(a), CUDA_R_32F, n, beta, reinterpret_cast<void**>(c),
                                         CUDA_R_32F, n, 2, count, CUBLAS_COMPUTE_32F);
  });
  failed += names_with_64_bits(h);
  int processors = -1;
  CHECK(cublasSetSmCountTarget(h, 8));
  CHECK(cublasGetSmCountTarget(h, &processors));
  std::printf("%d processors, failed %d\n", processors, failed);
  cublasDestroy(h);
  return failed;
}
