// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: formats with padding (blocked and sliced ELL), products whose pattern is kept, systems of five diagonals.
#include <cusparse.h>

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
void print(const char* name, const T* from, std::size_t n) {
  std::vector<T> to(n);
  cudaMemcpy(to.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s", name);
  for (const T& x : to) std::printf(" %g", static_cast<double>(x));
  std::printf("\n");
}
void* room(std::size_t bytes) {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  return p;
}

// 4 x 6, in blocks of 2 x 2, two in each row of blocks; one of them is none.
int blocks(cusparseHandle_t h) {
  float* const dense = on_device<float>({0, 0, 1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 9, 10, 0, 0, 11, 12});
  int* const columns = on_device<int>({1, -1, 0, 2});
  float* const values = on_device(std::vector<float>(16, 0));
  cusparseDnMatDescr_t from = nullptr;
  cusparseSpMatDescr_t m = nullptr;
  CHECK(cusparseCreateDnMat(&from, 4, 6, 6, dense, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateBlockedEll(&m, 4, 6, 2, 4, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 CUDA_R_32F));
  std::size_t bytes = 0;
  CHECK(cusparseDenseToSparse_bufferSize(h, from, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
  void* buffer = room(bytes);
  CHECK(cusparseDenseToSparse_analysis(h, from, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  CHECK(cusparseDenseToSparse_convert(h, from, m, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  cudaFree(buffer);
  print("blocked", values, 16);
  std::int64_t rows = 0, cols = 0, block = 0, width = 0;
  void *places = nullptr, *numbers = nullptr;
  cusparseIndexType_t index{};
  cusparseIndexBase_t base{};
  cudaDataType type{};
  CHECK(cusparseBlockedEllGet(m, &rows, &cols, &block, &width, &places, &numbers, &index, &base, &type));
  cusparseFormat_t format{};
  CHECK(cusparseSpMatGetFormat(m, &format));
  std::printf("%d x %d, blocks of %d, %d stored, format %d\n", static_cast<int>(rows), static_cast<int>(cols),
              static_cast<int>(block), static_cast<int>(width), static_cast<int>(format));
  cusparseDestroyDnMat(from);
  cusparseDestroySpMat(m);
  for (void* p : {static_cast<void*>(dense), static_cast<void*>(columns), static_cast<void*>(values)}) cudaFree(p);
  return 0;
}

// 5 x 5 in slices of two rows; the last has one row of the matrix.
int slices(cusparseHandle_t h) {
  int* const offsets = on_device<int>({0, 6, 10, 12});
  int* const columns = on_device<int>({0, 1, 2, -1, 3, -1, 0, 1, 4, -1, 4, -1});
  float* const values = on_device<float>({1, 4, 2, 0, 3, 0, 5, 8, 6, 0, 7, 0});
  float* const x = on_device<float>({1, 2, 3, 4, 5});
  float* const y = on_device(std::vector<float>(5, 1));
  cusparseSpMatDescr_t m = nullptr;
  cusparseDnVecDescr_t in = nullptr, out = nullptr;
  CHECK(cusparseCreateSlicedEll(&m, 5, 5, 8, 12, 2, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&in, 5, x, CUDA_R_32F));
  CHECK(cusparseCreateDnVec(&out, 5, y, CUDA_R_32F));
  const float alpha = 2, beta = 1;
  std::size_t bytes = 0;
  CHECK(cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, m, in, &beta, out, CUDA_R_32F,
                                CUSPARSE_SPMV_SELL_ALG1, &bytes));
  void* buffer = room(bytes);
  CHECK(cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, m, in, &beta, out, CUDA_R_32F,
                     CUSPARSE_SPMV_SELL_ALG1, buffer));
  cudaFree(buffer);
  print("sliced", y, 5);
  std::int64_t rows = 0, cols = 0, n = 0;
  CHECK(cusparseSpMatGetSize(m, &rows, &cols, &n));
  std::printf("%d entries\n", static_cast<int>(n));
  cusparseDestroySpMat(m);
  cusparseDestroyDnVec(in);
  cusparseDestroyDnVec(out);
  for (void* p : {static_cast<void*>(offsets), static_cast<void*>(columns), static_cast<void*>(values),
                  static_cast<void*>(x), static_cast<void*>(y)})
    cudaFree(p);
  return 0;
}

// The pattern of A A once, its values twice.
int product_again(cusparseHandle_t h) {
  int* const offsets = on_device<int>({0, 2, 3, 5});
  int* const columns = on_device<int>({0, 2, 1, 0, 2});
  float* const values = on_device<float>({1, 2, 3, 4, 5});
  int* const c_offsets = on_device(std::vector<int>(4, 0));
  cusparseSpMatDescr_t a = nullptr, c = nullptr;
  CHECK(cusparseCreateCsr(&a, 3, 3, 5, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  CHECK(cusparseCreateCsr(&c, 3, 3, 0, c_offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  cusparseSpGEMMDescr_t kept = nullptr;
  CHECK(cusparseSpGEMM_createDescr(&kept));
  const cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const cusparseSpGEMMAlg_t way = CUSPARSE_SPGEMM_DEFAULT;
  std::size_t bytes[6] = {};
  void* buffers[6] = {};
  CHECK(cusparseSpGEMMreuse_workEstimation(h, op, op, a, a, c, way, kept, &bytes[1], nullptr));
  buffers[1] = room(bytes[1]);
  CHECK(cusparseSpGEMMreuse_workEstimation(h, op, op, a, a, c, way, kept, &bytes[1], buffers[1]));
  CHECK(cusparseSpGEMMreuse_nnz(h, op, op, a, a, c, way, kept, &bytes[2], nullptr, &bytes[3], nullptr, &bytes[4],
                                nullptr));
  for (int i : {2, 3, 4}) buffers[i] = room(bytes[i] + 1);
  CHECK(cusparseSpGEMMreuse_nnz(h, op, op, a, a, c, way, kept, &bytes[2], buffers[2], &bytes[3], buffers[3], &bytes[4],
                                buffers[4]));
  std::int64_t rows = 0, cols = 0, n = 0;
  CHECK(cusparseSpMatGetSize(c, &rows, &cols, &n));
  int* const c_columns = on_device(std::vector<int>(static_cast<std::size_t>(n), 0));
  float* const c_values = on_device(std::vector<float>(static_cast<std::size_t>(n), 1));
  CHECK(cusparseCsrSetPointers(c, c_offsets, c_columns, c_values));
  CHECK(cusparseSpGEMMreuse_copy(h, op, op, a, a, c, way, kept, &bytes[5], nullptr));
  buffers[5] = room(bytes[5] + 1);
  CHECK(cusparseSpGEMMreuse_copy(h, op, op, a, a, c, way, kept, &bytes[5], buffers[5]));
  const float one = 1, zero = 0;
  CHECK(cusparseSpGEMMreuse_compute(h, op, op, &one, a, a, &zero, c, CUDA_R_32F, way, kept));
  print("offsets", c_offsets, 4);
  print("columns", c_columns, static_cast<std::size_t>(n));
  print("values", c_values, static_cast<std::size_t>(n));
  const float others[] = {2, 0, 1, 1, 1};
  cudaMemcpy(values, others, sizeof others, cudaMemcpyHostToDevice);
  CHECK(cusparseSpGEMMreuse_compute(h, op, op, &one, a, a, &zero, c, CUDA_R_32F, way, kept));
  print("of other values", c_values, static_cast<std::size_t>(n));
  cusparseSpGEMM_destroyDescr(kept);
  cusparseDestroySpMat(a);
  cusparseDestroySpMat(c);
  for (void* p : buffers) cudaFree(p);
  for (void* p : {static_cast<void*>(offsets), static_cast<void*>(columns), static_cast<void*>(values),
                  static_cast<void*>(c_offsets), static_cast<void*>(c_columns), static_cast<void*>(c_values)})
    cudaFree(p);
  return 0;
}

// Two systems of six equations whose elements lie side by side; the second needs rows to change places.
int five_diagonals(cusparseHandle_t h) {
  constexpr int kSize = 6, kCount = 2;
  std::vector<double> diagonals[5], right(kSize * kCount);
  for (auto& d : diagonals) d.assign(kSize * kCount, 0);
  for (int b = 0; b < kCount; ++b)
    for (int i = 0; i < kSize; ++i)
      for (int j = i - 2; j <= i + 2; ++j) {
        if (j < 0 || j >= kSize) continue;
        const double v = i == j ? (b == 0 ? 9 : 0.125) : 1 + (i + 2 * j) % 3;
        diagonals[j - i + 2][static_cast<std::size_t>(i * kCount + b)] = v;
        right[static_cast<std::size_t>(i * kCount + b)] += v * (j + 1 + b);  // the solution is 1, 2, .. and 2, 3, ..
      }
  double* d[5];
  for (int k = 0; k < 5; ++k) d[k] = on_device(diagonals[k]);
  double* const x = on_device(right);
  std::size_t bytes = 0;
  CHECK(cusparseDgpsvInterleavedBatch_bufferSizeExt(h, 0, kSize, d[0], d[1], d[2], d[3], d[4], x, kCount, &bytes));
  void* buffer = room(bytes);
  CHECK(cusparseDgpsvInterleavedBatch(h, 0, kSize, d[0], d[1], d[2], d[3], d[4], x, kCount, buffer));
  std::vector<double> solved(kSize * kCount);
  cudaMemcpy(solved.data(), x, solved.size() * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("solutions");
  for (double v : solved) std::printf(" %.6f", v);
  std::printf("\n");
  cudaFree(buffer);
  cudaFree(x);
  for (double* p : d) cudaFree(p);
  return 0;
}

int main() {
  cusparseHandle_t h = nullptr;
  CHECK(cusparseCreate(&h));
  const int failed = blocks(h) + slices(h) + product_again(h) + five_diagonals(h);
  std::printf("failed %d\n", failed);
  cusparseDestroy(h);
  return failed;
}
