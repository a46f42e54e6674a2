// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: matrices by blocks (csr2bsr, bsr2csr, bsrmv, bsrmm, and a descriptor), and the sum of two matrices.
#include <cuda_runtime.h>
#include <cusparse.h>
#include <helper_cuda.h>

#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

typedef std::vector<float> floats;
static const int m = 6, dim = 2, mb = m / dim;
static bool good = true;
static void expect(bool right, const char *what) {
  if (!right) std::printf("%s is wrong\n", what);
  good = good && right;
}

struct csr {
  std::vector<int> offsets, columns;
  floats values;
};
static csr compressed(const floats &dense) {  // rows of m
  csr a;
  for (int i = 0; i < m; ++i) {
    a.offsets.push_back((int)a.columns.size());
    for (int j = 0; j < m; ++j)
      if (dense[i * m + j] != 0) a.columns.push_back(j), a.values.push_back(dense[i * m + j]);
  }
  a.offsets.push_back((int)a.columns.size());
  return a;
}
static floats expanded(const csr &a) {
  floats dense(m * m);
  for (int i = 0; i < m; ++i)
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) dense[i * m + a.columns[k]] = a.values[k];
  return dense;
}

int main() {
  floats first(m * m), second(m * m), x(m), y(m, 1), many(m * 3);
  for (int i = 0; i < m; ++i) {
    x[i] = i - 2;
    for (int j = 0; j < m; ++j) {
      first[i * m + j] = (i + 2 * j) % 4 == 1 && j < 4 ? i * 10 + j + 1 : 0;
      second[i * m + j] = (i * j) % 3 == 2 ? i - j + 0.5f : 0;
    }
  }
  for (int i = 0; i < 3 * m; ++i) many[i] = i % 5 - 1;
  const csr a = compressed(first), b = compressed(second);
  cusparseHandle_t h;
  cusparseMatDescr_t d;
  checkCudaErrors(cusparseCreate(&h));
  checkCudaErrors(cusparseCreateMatDescr(&d));
  int *a_offsets = on_device(a.offsets), *a_columns = on_device(a.columns);
  int *b_offsets = on_device(b.offsets), *b_columns = on_device(b.columns);
  float *a_values = on_device(a.values), *b_values = on_device(b.values);
  float *dx = on_device(x), *dy = on_device(y), *dmany = on_device(many), *dresult = on_device(many);
  const float two = 2, half = 0.5f, zero = 0, one = 1;
  for (cusparseDirection_t way : {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN}) {
    int blocks = 0;
    int *offsets = on_device(std::vector<int>(mb + 1));
    checkCudaErrors(cusparseXcsr2bsrNnz(h, way, m, m, d, a_offsets, a_columns, dim, d, offsets, &blocks));
    int *columns = on_device(std::vector<int>(blocks));
    float *values = on_device(floats(blocks * dim * dim, 7));
    checkCudaErrors(cusparseScsr2bsr(h, way, m, m, d, a_values, a_offsets, a_columns, dim, d, values, offsets, columns));
    const floats in_blocks = on_host(values, blocks * dim * dim);
    // The third block column of the first matrix is empty.
    expect(blocks == 6 && on_host(offsets, mb + 1)[mb] == 6, "the number of blocks");
    expect(in_blocks[way == CUSPARSE_DIRECTION_ROW ? 2 : 1] == first[m], "the first block");
    // Back again: with all zeros of the blocks.
    csr back;
    back.offsets.resize(m + 1);
    int *r_offsets = on_device(back.offsets), *r_columns = on_device(std::vector<int>(blocks * 4));
    float *r_values = on_device(floats(blocks * 4));
    checkCudaErrors(cusparseSbsr2csr(h, way, mb, mb, d, values, offsets, columns, dim, d, r_values, r_offsets, r_columns));
    back = {on_host(r_offsets, m + 1), on_host(r_columns, blocks * 4), on_host(r_values, blocks * 4)};
    expect(expanded(back) == first && back.offsets[m] == blocks * 4, "bsr2csr");
    checkCudaErrors(cudaMemcpy(dy, y.data(), m * sizeof(float), cudaMemcpyHostToDevice));
    checkCudaErrors(cusparseSbsrmv(h, way, CUSPARSE_OPERATION_NON_TRANSPOSE, mb, mb, blocks, &two, d, values, offsets, columns, dim, dx, &half, dy));
    const floats product = on_host(dy, m);
    checkCudaErrors(cusparseSbsrmm(h, way, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, mb, 3, mb, blocks, &one, d, values, offsets, columns, dim, dmany, m, &zero, dresult, m));
    const floats products = on_host(dresult, 3 * m);
    for (int i = 0; i < m; ++i) {
      float sum = 0;
      for (int j = 0; j < m; ++j) sum += first[i * m + j] * x[j];
      expect(product[i] == 2 * sum + 0.5f, "bsrmv");
      for (int c = 0; c < 3; ++c) {
        sum = 0;
        for (int j = 0; j < m; ++j) sum += first[i * m + j] * many[c * m + j];
        expect(products[c * m + i] == sum, "bsrmm");
      }
    }
    // The same by descriptors.
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t from, to;
    size_t bytes = 0;
    checkCudaErrors(cusparseCreateBsr(&matrix, mb, mb, blocks, dim, dim, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F, way == CUSPARSE_DIRECTION_ROW ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
    checkCudaErrors(cusparseCreateDnVec(&from, m, dx, CUDA_R_32F));
    checkCudaErrors(cusparseCreateDnVec(&to, m, dy, CUDA_R_32F));
    checkCudaErrors(cudaMemcpy(dy, y.data(), m * sizeof(float), cudaMemcpyHostToDevice));
    checkCudaErrors(cusparseSpMV_bufferSize(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, matrix, from, &half, to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    void *room;
    checkCudaErrors(cudaMalloc(&room, bytes + 1));
    checkCudaErrors(cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &two, matrix, from, &half, to, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, room));
    cusparseFormat_t format;
    checkCudaErrors(cusparseSpMatGetFormat(matrix, &format));
    expect(on_host(dy, m) == product && format == CUSPARSE_FORMAT_BSR, "SpMV by blocks");
    checkCudaErrors(cusparseDestroySpMat(matrix));
    checkCudaErrors(cusparseDestroyDnVec(from));
    checkCudaErrors(cusparseDestroyDnVec(to));
    for (int *p : {offsets, columns, r_offsets, r_columns}) cudaFree(p);
    cudaFree(values);
    cudaFree(r_values);
    cudaFree(room);
  }
  {
    int entries = 0, *offsets = on_device(std::vector<int>(m + 1));
    size_t bytes = 0;
    const int na = (int)a.values.size(), nb = (int)b.values.size();
    checkCudaErrors(cusparseScsrgeam2_bufferSizeExt(h, m, m, &two, d, na, a_values, a_offsets, a_columns, &half, d, nb, b_values, b_offsets, b_columns, d, nullptr, offsets, nullptr, &bytes));
    void *room;
    checkCudaErrors(cudaMalloc(&room, bytes + 1));
    checkCudaErrors(cusparseXcsrgeam2Nnz(h, m, m, d, na, a_offsets, a_columns, d, nb, b_offsets, b_columns, d, offsets, &entries, room));
    int *columns = on_device(std::vector<int>(entries));
    float *values = on_device(floats(entries));
    checkCudaErrors(cusparseScsrgeam2(h, m, m, &two, d, na, a_values, a_offsets, a_columns, &half, d, nb, b_values, b_offsets, b_columns, d, values, offsets, columns, room));
    const csr sum = {on_host(offsets, m + 1), on_host(columns, entries), on_host(values, entries)};
    floats sought(m * m);
    int places = 0;
    for (int i = 0; i < m * m; ++i) {
      sought[i] = 2 * first[i] + 0.5f * second[i];
      places += first[i] != 0 || second[i] != 0;
    }
    expect(expanded(sum) == sought && entries == places, "csrgeam2");
    cudaFree(offsets);
    cudaFree(columns);
    cudaFree(values);
    cudaFree(room);
  }
  for (int *p : {a_offsets, a_columns, b_offsets, b_columns}) cudaFree(p);
  for (float *p : {a_values, b_values, dx, dy, dmany, dresult}) cudaFree(p);
  checkCudaErrors(cusparseDestroyMatDescr(d));
  checkCudaErrors(cusparseDestroy(h));
  std::printf(good ? "blocks: PASSED\n" : "blocks: FAILED\n");
  return good ? 0 : 1;
}
