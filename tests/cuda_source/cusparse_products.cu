// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: products, triangular systems, conversions and sparse vectors against dense arithmetic of the host.
#include <cuda_runtime.h>
#include <cusparse.h>
#include <helper_cuda.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

typedef std::vector<double> doubles;
typedef std::vector<int> ints;

static bool same(const doubles &a, const doubles &b) {
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i] - b[i]) <= 1e-10 * (1 + std::fabs(b[i])))) return false;
  return a.size() == b.size();
}

// A by rows, and the same dense, row after row.
struct matrix {
  int rows, cols;
  ints offsets, columns;
  doubles values, dense;
};
static matrix make(int rows, int cols, int seed) {
  matrix m = {rows, cols, ints(1, 0), ints(), doubles(), doubles(rows * cols)};
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j)
      if ((i * 7 + j * 5 + seed) % 4 == 0) {
        m.columns.push_back(j);
        m.values.push_back((i * 3 + j + seed) % 9 - 4.5);
        m.dense[i * cols + j] = m.values.back();
      }
    m.offsets.push_back((int)m.columns.size());
  }
  return m;
}

struct device_csr {
  int *offsets, *columns;
  double *values;
  cusparseSpMatDescr_t descriptor;
  explicit device_csr(const matrix &m) : offsets(on_device(m.offsets)), columns(on_device(m.columns)), values(on_device(m.values)) {
    checkCudaErrors(cusparseCreateCsr(&descriptor, m.rows, m.cols, (int64_t)m.values.size(), offsets, columns, values, CUSPARSE_INDEX_32I,
                                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  }
  ~device_csr() {
    cusparseDestroySpMat(descriptor);
    cudaFree(offsets);
    cudaFree(columns);
    cudaFree(values);
  }
};

int main() {
  const int m = 20, n = 15, k = 6;
  cusparseHandle_t handle;
  checkCudaErrors(cusparseCreate(&handle));
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE, turned = CUSPARSE_OPERATION_TRANSPOSE;
  const double one = 1, alpha = 2, beta = -0.5, zero = 0;
  const matrix a = make(m, n, 1);
  size_t bytes = 0;
  void *buffer = nullptr;
  {
    device_csr d_a(a);
    doubles x(n), y(m), want(m);
    for (int i = 0; i < n; ++i) x[i] = i % 5 - 2;
    for (int i = 0; i < m; ++i) y[i] = i % 3;
    double *d_x = on_device(x), *d_y = on_device(y);
    cusparseDnVecDescr_t vx, vy;
    cusparseCreateDnVec(&vx, n, d_x, CUDA_R_64F);
    cusparseCreateDnVec(&vy, m, d_y, CUDA_R_64F);
    checkCudaErrors(cusparseSpMV_bufferSize(handle, plain, &alpha, d_a.descriptor, vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    cudaMalloc(&buffer, bytes + 1);
    checkCudaErrors(cusparseSpMV(handle, plain, &alpha, d_a.descriptor, vx, &beta, vy, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    for (int i = 0; i < m; ++i) {
      want[i] = beta * y[i];
      for (int j = 0; j < n; ++j) want[i] += alpha * a.dense[i * n + j] * x[j];
    }
    y = on_host(d_y, m);
    std::printf("SpMV %d, %.2f\n", same(y, want), y[3]);
    checkCudaErrors(cudaFree(buffer));
    // A^T y, with the factors on the device.
    double *factors = on_device(doubles{1, 0});
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
    checkCudaErrors(cusparseSpMV_bufferSize(handle, turned, factors, d_a.descriptor, vy, factors + 1, vx, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    cudaMalloc(&buffer, bytes + 1);
    checkCudaErrors(cusparseSpMV(handle, turned, factors, d_a.descriptor, vy, factors + 1, vx, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST);
    want.assign(n, 0);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) want[j] += a.dense[i * n + j] * y[i];
    std::printf("transposed %d\n", same(on_host(d_x, n), want));
    cusparseDestroyDnVec(vx);
    cusparseDestroyDnVec(vy);
    cudaFree(buffer);
    cudaFree(factors);
    cudaFree(d_x);
    cudaFree(d_y);
  }
  {
    // C = A B with B and C in columns, and with B in rows.
    device_csr d_a(a);
    doubles b(n * k), want(m * k);
    for (int i = 0; i < n * k; ++i) b[i] = i % 7 - 3;
    double *d_b = on_device(b), *d_c = on_device(doubles(m * k));
    for (int order = 0; order < 2; ++order) {
      cusparseDnMatDescr_t mb, mc;
      cusparseCreateDnMat(&mb, n, k, order == 0 ? n : k, d_b, CUDA_R_64F, order == 0 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW);
      cusparseCreateDnMat(&mc, m, k, order == 0 ? m : k, d_c, CUDA_R_64F, order == 0 ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW);
      checkCudaErrors(cusparseSpMM_bufferSize(handle, plain, plain, &one, d_a.descriptor, mb, &zero, mc, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
      cudaMalloc(&buffer, bytes + 1);
      checkCudaErrors(cusparseSpMM(handle, plain, plain, &one, d_a.descriptor, mb, &zero, mc, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, buffer));
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < k; ++j) {
          double sum = 0;
          for (int p = 0; p < n; ++p) sum += a.dense[i * n + p] * (order == 0 ? b[j * n + p] : b[p * k + j]);
          want[order == 0 ? j * m + i : i * k + j] = sum;
        }
      std::printf("SpMM %d\n", same(on_host(d_c, m * k), want));
      cusparseDestroyDnMat(mb);
      cusparseDestroyDnMat(mc);
      cudaFree(buffer);
    }
    cudaFree(d_b);
    cudaFree(d_c);
  }
  {
    // C = A B, all sparse.
    const matrix b = make(n, 12, 2);
    device_csr d_a(a), d_b(b);
    int *offsets;
    cudaMalloc((void **)&offsets, (m + 1) * sizeof(int));
    cusparseSpMatDescr_t c;
    cusparseCreateCsr(&c, m, 12, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseSpGEMMDescr_t work;
    cusparseSpGEMM_createDescr(&work);
    size_t bytes1 = 0, bytes2 = 0;
    void *buffer1 = nullptr, *buffer2 = nullptr;
    checkCudaErrors(cusparseSpGEMM_workEstimation(handle, plain, plain, &one, d_a.descriptor, d_b.descriptor, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes1, NULL));
    cudaMalloc(&buffer1, bytes1 + 1);
    checkCudaErrors(cusparseSpGEMM_workEstimation(handle, plain, plain, &one, d_a.descriptor, d_b.descriptor, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes1, buffer1));
    checkCudaErrors(cusparseSpGEMM_compute(handle, plain, plain, &one, d_a.descriptor, d_b.descriptor, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes2, NULL));
    cudaMalloc(&buffer2, bytes2 + 1);
    checkCudaErrors(cusparseSpGEMM_compute(handle, plain, plain, &one, d_a.descriptor, d_b.descriptor, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, work, &bytes2, buffer2));
    int64_t rows, cols, entries;
    cusparseSpMatGetSize(c, &rows, &cols, &entries);
    int *columns;
    double *values;
    cudaMalloc((void **)&columns, entries * sizeof(int));
    cudaMalloc((void **)&values, entries * sizeof(double));
    cusparseCsrSetPointers(c, offsets, columns, values);
    checkCudaErrors(cusparseSpGEMM_copy(handle, plain, plain, &one, d_a.descriptor, d_b.descriptor, &zero, c, CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, work));
    const ints o = on_host(offsets, m + 1), col = on_host(columns, entries);
    const doubles v = on_host(values, entries);
    doubles got(m * 12), want(m * 12);
    for (int i = 0; i < m; ++i) {
      for (int p = o[i]; p < o[i + 1]; ++p) got[i * 12 + col[p]] = v[p];
      for (int j = 0; j < 12; ++j)
        for (int p = 0; p < n; ++p) want[i * 12 + j] += a.dense[i * n + p] * b.dense[p * 12 + j];
    }
    std::printf("SpGEMM %d, %d entries\n", same(got, want), (int)entries);
    // And that as a dense matrix.
    double *dense = on_device(doubles(m * 12));
    cusparseDnMatDescr_t d;
    cusparseCreateDnMat(&d, m, 12, 12, dense, CUDA_R_64F, CUSPARSE_ORDER_ROW);
    void *buffer3 = nullptr;
    checkCudaErrors(cusparseSparseToDense_bufferSize(handle, c, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
    cudaMalloc(&buffer3, bytes + 1);
    checkCudaErrors(cusparseSparseToDense(handle, c, d, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer3));
    std::printf("dense %d\n", same(on_host(dense, m * 12), want));
    cusparseSpGEMM_destroyDescr(work);
    cusparseDestroySpMat(c);
    cusparseDestroyDnMat(d);
    cudaFree(buffer1);
    cudaFree(buffer2);
    cudaFree(buffer3);
    cudaFree(offsets);
    cudaFree(columns);
    cudaFree(values);
    cudaFree(dense);
  }
  {
    // Dense to sparse.
    double *dense = on_device(a.dense);
    int *offsets;
    cudaMalloc((void **)&offsets, (m + 1) * sizeof(int));
    cusparseDnMatDescr_t d;
    cusparseCreateDnMat(&d, m, n, n, dense, CUDA_R_64F, CUSPARSE_ORDER_ROW);
    cusparseSpMatDescr_t s;
    cusparseCreateCsr(&s, m, n, 0, offsets, NULL, NULL, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    checkCudaErrors(cusparseDenseToSparse_bufferSize(handle, d, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
    cudaMalloc(&buffer, bytes + 1);
    checkCudaErrors(cusparseDenseToSparse_analysis(handle, d, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    int64_t rows, cols, entries;
    cusparseSpMatGetSize(s, &rows, &cols, &entries);
    int *columns;
    double *values;
    cudaMalloc((void **)&columns, entries * sizeof(int));
    cudaMalloc((void **)&values, entries * sizeof(double));
    cusparseCsrSetPointers(s, offsets, columns, values);
    checkCudaErrors(cusparseDenseToSparse_convert(handle, d, s, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    std::printf("sparse %d %d %d\n", on_host(offsets, m + 1) == a.offsets, on_host(columns, entries) == a.columns, on_host(values, entries) == a.values);
    // Rows as coordinates and back; and by columns.
    int *row_of, *again, *col_offsets, *inner;
    double *turned_values;
    cudaMalloc((void **)&row_of, entries * sizeof(int));
    cudaMalloc((void **)&again, (m + 1) * sizeof(int));
    cudaMalloc((void **)&col_offsets, (n + 1) * sizeof(int));
    cudaMalloc((void **)&inner, entries * sizeof(int));
    cudaMalloc((void **)&turned_values, entries * sizeof(double));
    checkCudaErrors(cusparseXcsr2coo(handle, offsets, (int)entries, m, row_of, CUSPARSE_INDEX_BASE_ZERO));
    checkCudaErrors(cusparseXcoo2csr(handle, row_of, (int)entries, m, again, CUSPARSE_INDEX_BASE_ZERO));
    cudaFree(buffer);
    checkCudaErrors(cusparseCsr2cscEx2_bufferSize(handle, m, n, (int)entries, values, offsets, columns, turned_values, col_offsets, inner, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, &bytes));
    cudaMalloc(&buffer, bytes + 1);
    checkCudaErrors(cusparseCsr2cscEx2(handle, m, n, (int)entries, values, offsets, columns, turned_values, col_offsets, inner, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, buffer));
    const ints co = on_host(col_offsets, n + 1), in = on_host(inner, entries);
    const doubles tv = on_host(turned_values, entries);
    doubles back(m * n);
    for (int j = 0; j < n; ++j)
      for (int p = co[j]; p < co[j + 1]; ++p) back[in[p] * n + j] = tv[p];
    std::printf("coordinates %d, columns %d\n", on_host(again, m + 1) == a.offsets, same(back, a.dense));
    cusparseDestroySpMat(s);
    cusparseDestroyDnMat(d);
    for (int *p : {row_of, again, col_offsets, inner, offsets, columns}) cudaFree(p);
    for (double *p : {turned_values, values, dense}) cudaFree(p);
    cudaFree(buffer);
  }
  {
    // Sparse vectors.
    int *places = on_device(ints{1, 4, 8});
    double *values = on_device(doubles{10, 20, 30}), *y = on_device(doubles{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    cusparseSpVecDescr_t x;
    cusparseDnVecDescr_t v;
    cusparseCreateSpVec(&x, 10, 3, places, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F);
    cusparseCreateDnVec(&v, 10, y, CUDA_R_64F);
    double dot = 0;
    checkCudaErrors(cusparseSpVV_bufferSize(handle, plain, x, v, &dot, CUDA_R_64F, &bytes));
    cudaMalloc(&buffer, bytes + 1);
    checkCudaErrors(cusparseSpVV(handle, plain, x, v, &dot, CUDA_R_64F, buffer));
    checkCudaErrors(cusparseAxpby(handle, &one, x, &alpha, v));
    doubles r = on_host(y, 10);
    std::printf("dot %g, axpby %g %g %g", dot, r[0], r[4], r[9]);
    checkCudaErrors(cusparseGather(handle, v, x));
    r = on_host(values, 3);
    cudaMemset(y, 0, 10 * sizeof(double));
    checkCudaErrors(cusparseScatter(handle, x, v));
    const doubles s = on_host(y, 10);
    std::printf(", gather %g %g %g, scatter %g %g\n", r[0], r[1], r[2], s[4], s[5]);
    cusparseDestroySpVec(x);
    cusparseDestroyDnVec(v);
    cudaFree(places);
    cudaFree(values);
    cudaFree(y);
    cudaFree(buffer);
  }
  checkCudaErrors(cusparseDestroy(handle));
  return 0;
}
