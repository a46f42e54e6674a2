// SPDX-License-Identifier: Apache-2.0
// The conjugate gradient method on cuSPARSE and cuBLAS as samples have it: plain, and with incomplete factors ILU(0)
// and IC(0) as a preconditioner.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <helper_cuda.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

// The five-point stencil on side x side points, by rows.
static void laplace(int side, std::vector<int> &offsets, std::vector<int> &columns, std::vector<double> &values) {
  offsets.assign(1, 0);
  for (int i = 0; i < side * side; ++i) {
    const int x = i % side, y = i / side;
    const struct {
      bool there;
      int column;
      double value;
    } row[] = {{y > 0, i - side, -1}, {x > 0, i - 1, -1}, {true, i, 4}, {x + 1 < side, i + 1, -1}, {y + 1 < side, i + side, -1}};
    for (auto &e : row)
      if (e.there) {
        columns.push_back(e.column);
        values.push_back(e.value);
      }
    offsets.push_back((int)columns.size());
  }
}

// One triangular factor, ready to be solved with.
struct triangle {
  cusparseSpMatDescr_t matrix;
  cusparseSpSVDescr_t work;
  cusparseOperation_t op;
  void *buffer = nullptr;
  triangle(cusparseHandle_t h, int n, int nnz, int *offsets, int *columns, double *values, cusparseFillMode_t fill, cusparseDiagType_t diagonal,
           cusparseOperation_t op, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y)
      : op(op) {
    checkCudaErrors(cusparseCreateCsr(&matrix, n, n, nnz, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    checkCudaErrors(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    checkCudaErrors(cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    checkCudaErrors(cusparseSpSV_createDescr(&work));
    const double one = 1;
    size_t bytes = 0;
    checkCudaErrors(cusparseSpSV_bufferSize(h, op, &one, matrix, x, y, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, work, &bytes));
    checkCudaErrors(cudaMalloc(&buffer, bytes));
    checkCudaErrors(cusparseSpSV_analysis(h, op, &one, matrix, x, y, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, work, buffer));
  }
  void solve(cusparseHandle_t h, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y) {
    const double one = 1;
    checkCudaErrors(cusparseSpSV_solve(h, op, &one, matrix, x, y, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, work));
  }
  ~triangle() {
    cusparseSpSV_destroyDescr(work);
    cusparseDestroySpMat(matrix);
    cudaFree(buffer);
  }
};

int main() {
  const int side = 16, n = side * side;
  std::vector<int> offsets, columns;
  std::vector<double> values;
  laplace(side, offsets, columns, values);
  const int nnz = (int)values.size();
  int *d_offsets = on_device(offsets), *d_columns = on_device(columns);
  double *d_values = on_device(values), *d_factors = on_device(values);
  double *d_x = on_device(std::vector<double>(n)), *d_r = on_device(std::vector<double>(n)), *d_p = on_device(std::vector<double>(n));
  double *d_q = on_device(std::vector<double>(n)), *d_z = on_device(std::vector<double>(n)), *d_t = on_device(std::vector<double>(n));
  cublasHandle_t blas;
  cusparseHandle_t sparse;
  checkCudaErrors(cublasCreate(&blas));
  checkCudaErrors(cusparseCreate(&sparse));
  cusparseSpMatDescr_t a;
  checkCudaErrors(cusparseCreateCsr(&a, n, n, nnz, d_offsets, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  cusparseDnVecDescr_t r, p, q, z, t;
  cusparseCreateDnVec(&r, n, d_r, CUDA_R_64F);
  cusparseCreateDnVec(&p, n, d_p, CUDA_R_64F);
  cusparseCreateDnVec(&q, n, d_q, CUDA_R_64F);
  cusparseCreateDnVec(&z, n, d_z, CUDA_R_64F);
  cusparseCreateDnVec(&t, n, d_t, CUDA_R_64F);
  const double one = 1, zero = 0;
  size_t bytes = 0;
  void *buffer = nullptr;
  checkCudaErrors(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, p, &zero, q, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  checkCudaErrors(cudaMalloc(&buffer, bytes + 1));

  const char *const names[] = {"plain", "ILU(0)", "IC(0)"};
  int plain_steps = 0;
  for (int kind = 0; kind < 3; ++kind) {
    triangle *lower = nullptr, *upper = nullptr;
    if (kind > 0) {
      checkCudaErrors(cudaMemcpy(d_factors, d_values, nnz * sizeof(double), cudaMemcpyDeviceToDevice));
      cusparseMatDescr_t descriptor;
      checkCudaErrors(cusparseCreateMatDescr(&descriptor));
      cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_GENERAL);
      cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ZERO);
      csrilu02Info_t lu;
      csric02Info_t cholesky;
      int small = 0, pivot = 7;
      cusparseStatus_t zero_pivot;
      void *room = nullptr;
      checkCudaErrors(cusparseCreateCsrilu02Info(&lu));
      checkCudaErrors(cusparseCreateCsric02Info(&cholesky));
      if (kind == 1)
        checkCudaErrors(cusparseDcsrilu02_bufferSize(sparse, n, nnz, descriptor, d_factors, d_offsets, d_columns, lu, &small));
      else
        checkCudaErrors(cusparseDcsric02_bufferSize(sparse, n, nnz, descriptor, d_factors, d_offsets, d_columns, cholesky, &small));
      checkCudaErrors(cudaMalloc(&room, small));
      if (kind == 1) {
        checkCudaErrors(cusparseDcsrilu02_analysis(sparse, n, nnz, descriptor, d_factors, d_offsets, d_columns, lu, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room));
        checkCudaErrors(cusparseDcsrilu02(sparse, n, nnz, descriptor, d_factors, d_offsets, d_columns, lu, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room));
        zero_pivot = cusparseXcsrilu02_zeroPivot(sparse, lu, &pivot);
      } else {
        checkCudaErrors(cusparseDcsric02_analysis(sparse, n, nnz, descriptor, d_factors, d_offsets, d_columns, cholesky, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room));
        checkCudaErrors(cusparseDcsric02(sparse, n, nnz, descriptor, d_factors, d_offsets, d_columns, cholesky, CUSPARSE_SOLVE_POLICY_USE_LEVEL, room));
        zero_pivot = cusparseXcsric02_zeroPivot(sparse, cholesky, &pivot);
      }
      std::printf("%s: pivot %d %d\n", names[kind], (int)zero_pivot, pivot);
      cudaFree(room);
      cusparseDestroyCsrilu02Info(lu);
      cusparseDestroyCsric02Info(cholesky);
      cusparseDestroyMatDescr(descriptor);
      lower = new triangle(sparse, n, nnz, d_offsets, d_columns, d_factors, CUSPARSE_FILL_MODE_LOWER, kind == 1 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT,
                           CUSPARSE_OPERATION_NON_TRANSPOSE, r, t);
      upper = new triangle(sparse, n, nnz, d_offsets, d_columns, d_factors, kind == 1 ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_NON_UNIT,
                           kind == 1 ? CUSPARSE_OPERATION_NON_TRANSPOSE : CUSPARSE_OPERATION_TRANSPOSE, t, z);
    }
    std::vector<double> b(n);
    for (int i = 0; i < n; ++i) b[i] = 1 + i % 3;
    checkCudaErrors(cudaMemcpy(d_r, b.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemset(d_x, 0, n * sizeof(double)));
    double rz = 0, before = 0, norm = 1;
    int steps = 0;
    while (norm > 1e-10 && steps < 200) {
      if (kind > 0) {
        lower->solve(sparse, r, t);
        upper->solve(sparse, t, z);
      } else {
        checkCudaErrors(cublasDcopy(blas, n, d_r, 1, d_z, 1));
      }
      before = rz;
      checkCudaErrors(cublasDdot(blas, n, d_r, 1, d_z, 1, &rz));
      if (steps++ == 0) {
        checkCudaErrors(cublasDcopy(blas, n, d_z, 1, d_p, 1));
      } else {
        const double beta = rz / before;
        checkCudaErrors(cublasDscal(blas, n, &beta, d_p, 1));
        checkCudaErrors(cublasDaxpy(blas, n, &one, d_z, 1, d_p, 1));
      }
      checkCudaErrors(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, p, &zero, q, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
      double pq;
      checkCudaErrors(cublasDdot(blas, n, d_p, 1, d_q, 1, &pq));
      const double alpha = rz / pq, negative = -alpha;
      checkCudaErrors(cublasDaxpy(blas, n, &alpha, d_p, 1, d_x, 1));
      checkCudaErrors(cublasDaxpy(blas, n, &negative, d_q, 1, d_r, 1));
      checkCudaErrors(cublasDnrm2(blas, n, d_r, 1, &norm));
    }
    std::vector<double> x(n);
    checkCudaErrors(cudaMemcpy(x.data(), d_x, n * sizeof(double), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      double sum = -b[i];
      for (int k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
      worst = std::max(worst, std::fabs(sum));
    }
    if (kind == 0) plain_steps = steps;
    std::printf("%s: few steps %d, x[100] %.6f, right %d\n", names[kind], steps < (kind == 0 ? 100 : plain_steps / 2), x[100], worst < 1e-9);
    delete lower;
    delete upper;
  }
  for (cusparseDnVecDescr_t v : {r, p, q, z, t}) cusparseDestroyDnVec(v);
  cusparseDestroySpMat(a);
  cusparseDestroy(sparse);
  cublasDestroy(blas);
  cudaFree(buffer);
  cudaFree(d_offsets);
  cudaFree(d_columns);
  for (double *v : {d_values, d_factors, d_x, d_r, d_p, d_q, d_z, d_t}) cudaFree(v);
  return 0;
}
