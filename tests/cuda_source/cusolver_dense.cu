// SPDX-License-Identifier: Apache-2.0
// cuSOLVER: systems by Cholesky, LU and QR, eigenvalues, singular values, and a sparse system.
// needs: lapacke.h of liblapacke-dev
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <cusparse.h>
#include <helper_cuda.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

typedef std::vector<double> doubles;

static double *room_for(int n) {
  double *d;
  checkCudaErrors(cudaMalloc((void **)&d, (n + 1) * sizeof(double)));
  return d;
}
// max |A x - b|, A in columns
static double residual(const doubles &a, int n, const doubles &x, const doubles &b) {
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double sum = -b[i];
    for (int j = 0; j < n; ++j) sum += a[j * n + i] * x[j];
    worst = std::max(worst, std::fabs(sum));
  }
  return worst;
}

int main() {
  const int n = 24;
  doubles general(n * n), definite(n * n), b(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      general[j * n + i] = (i * 5 + j * 3) % 11 - 5 + (i == j ? 0.5 : 0);
      definite[j * n + i] = 1.0 / (1 + std::abs(i - j)) + (i == j ? 2 : 0);
    }
  for (int i = 0; i < n; ++i) b[i] = i % 4 - 1;
  cusolverDnHandle_t handle;
  checkCudaErrors(cusolverDnCreate(&handle));
  int *info, *pivots, count = 0, ok = 7;
  checkCudaErrors(cudaMalloc((void **)&info, sizeof(int)));
  checkCudaErrors(cudaMalloc((void **)&pivots, n * sizeof(int)));
  {
    double *a = on_device(definite), *x = on_device(b);
    checkCudaErrors(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, a, n, &count));
    double *room = room_for(count);
    checkCudaErrors(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, a, n, room, count, info));
    checkCudaErrors(cudaMemcpy(&ok, info, sizeof ok, cudaMemcpyDeviceToHost));
    checkCudaErrors(cusolverDnDpotrs(handle, CUBLAS_FILL_MODE_LOWER, n, 1, a, n, x, n, info));
    const doubles solved = on_host(x, n), l = on_host(a, n * n);
    std::printf("Cholesky %d, %.6f %.6f, right %d, the other side kept %d\n", ok, l[0], solved[5], residual(definite, n, solved, b) < 1e-12, l[3 * n] == definite[3 * n]);
    cudaFree(a);
    cudaFree(x);
    cudaFree(room);
    // One that is not positive definite.
    doubles indefinite = definite;
    indefinite[2 * n + 2] = -1;
    a = on_device(indefinite);
    room = room_for(count);
    checkCudaErrors(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_UPPER, n, a, n, room, count, info));
    checkCudaErrors(cudaMemcpy(&ok, info, sizeof ok, cudaMemcpyDeviceToHost));
    std::printf("indefinite at %d\n", ok);
    cudaFree(a);
    cudaFree(room);
  }
  for (int with_pivots = 1; with_pivots >= 0; --with_pivots) {
    const doubles &from = with_pivots ? general : definite;
    double *a = on_device(from), *x = on_device(b);
    checkCudaErrors(cusolverDnDgetrf_bufferSize(handle, n, n, a, n, &count));
    double *room = room_for(count);
    checkCudaErrors(cusolverDnDgetrf(handle, n, n, a, n, room, with_pivots ? pivots : nullptr, info));
    checkCudaErrors(cudaMemcpy(&ok, info, sizeof ok, cudaMemcpyDeviceToHost));
    checkCudaErrors(cusolverDnDgetrs(handle, CUBLAS_OP_N, n, 1, a, n, with_pivots ? pivots : nullptr, x, n, info));
    const doubles solved = on_host(x, n);
    std::printf("LU %d, %.6f, right %d\n", ok, solved[7], residual(from, n, solved, b) < 1e-10);
    cudaFree(a);
    cudaFree(x);
    cudaFree(room);
  }
  {
    // A = Q R; x = R^-1 Q^T b, with cuBLAS for R.
    double *a = on_device(general), *x = on_device(b), *tau = room_for(n);
    checkCudaErrors(cusolverDnDgeqrf_bufferSize(handle, n, n, a, n, &count));
    double *room = room_for(count);
    checkCudaErrors(cusolverDnDgeqrf(handle, n, n, a, n, tau, room, count, info));
    cudaFree(room);
    checkCudaErrors(cusolverDnDormqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, 1, n, a, n, tau, x, n, &count));
    room = room_for(count);
    checkCudaErrors(cusolverDnDormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, 1, n, a, n, tau, x, n, room, count, info));
    cublasHandle_t blas;
    const double one = 1;
    checkCudaErrors(cublasCreate(&blas));
    checkCudaErrors(cublasDtrsm(blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, 1, &one, a, n, x, n));
    const doubles solved = on_host(x, n);
    cudaFree(room);
    checkCudaErrors(cusolverDnDorgqr_bufferSize(handle, n, n, n, a, n, tau, &count));
    room = room_for(count);
    checkCudaErrors(cusolverDnDorgqr(handle, n, n, n, a, n, tau, room, count, info));
    const doubles q = on_host(a, n * n);
    double worst = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = i == j ? -1 : 0;
        for (int p = 0; p < n; ++p) sum += q[i * n + p] * q[j * n + p];
        worst = std::max(worst, std::fabs(sum));
      }
    std::printf("QR %.6f, right %d, orthogonal %d\n", solved[7], residual(general, n, solved, b) < 1e-10, worst < 1e-12);
    cublasDestroy(blas);
    cudaFree(a);
    cudaFree(x);
    cudaFree(tau);
    cudaFree(room);
  }
  for (int jacobi = 0; jacobi < 2; ++jacobi) {
    double *a = on_device(definite), *w = room_for(n);
    syevjInfo_t how;
    checkCudaErrors(cusolverDnCreateSyevjInfo(&how));
    checkCudaErrors(cusolverDnXsyevjSetTolerance(how, 1e-13));
    const cusolverEigMode_t with = CUSOLVER_EIG_MODE_VECTOR;
    if (jacobi)
      checkCudaErrors(cusolverDnDsyevj_bufferSize(handle, with, CUBLAS_FILL_MODE_UPPER, n, a, n, w, &count, how));
    else
      checkCudaErrors(cusolverDnDsyevd_bufferSize(handle, with, CUBLAS_FILL_MODE_UPPER, n, a, n, w, &count));
    double *room = room_for(count);
    if (jacobi)
      checkCudaErrors(cusolverDnDsyevj(handle, with, CUBLAS_FILL_MODE_UPPER, n, a, n, w, room, count, info, how));
    else
      checkCudaErrors(cusolverDnDsyevd(handle, with, CUBLAS_FILL_MODE_UPPER, n, a, n, w, room, count, info));
    const doubles values = on_host(w, n), vectors = on_host(a, n * n);
    double worst = 0;
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i) {
        double sum = -values[k] * vectors[k * n + i];
        for (int j = 0; j < n; ++j) sum += definite[j * n + i] * vectors[k * n + j];
        worst = std::max(worst, std::fabs(sum));
      }
    std::printf("eigenvalues %.6f to %.6f, right %d\n", values[0], values[n - 1], worst < 1e-9);
    cusolverDnDestroySyevjInfo(how);
    cudaFree(a);
    cudaFree(w);
    cudaFree(room);
  }
  {
    const int m = 30, k = 10;
    doubles tall(m * k);
    for (int i = 0; i < m * k; ++i) tall[i] = (i * 7) % 13 - 6;
    double *a = on_device(tall), *s = room_for(k), *u = room_for(m * m), *vt = room_for(k * k);
    checkCudaErrors(cusolverDnDgesvd_bufferSize(handle, m, k, &count));
    double *room = room_for(count);
    checkCudaErrors(cusolverDnDgesvd(handle, 'A', 'A', m, k, a, m, s, u, m, vt, k, room, count, nullptr, info));
    const doubles values = on_host(s, k), left = on_host(u, m * m), right = on_host(vt, k * k);
    double worst = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j) {
        double sum = -tall[j * m + i];
        for (int p = 0; p < k; ++p) sum += left[p * m + i] * values[p] * right[j * k + p];
        worst = std::max(worst, std::fabs(sum));
      }
    std::printf("singular values %.6f to %.6f, right %d\n", values[0], values[k - 1], worst < 1e-10);
    cudaFree(a);
    cudaFree(room);
    a = on_device(tall);
    gesvdjInfo_t how;
    checkCudaErrors(cusolverDnCreateGesvdjInfo(&how));
    checkCudaErrors(cusolverDnDgesvdj_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, 1, m, k, a, m, s, u, m, vt, k, &count, how));
    room = room_for(count);
    checkCudaErrors(cusolverDnDgesvdj(handle, CUSOLVER_EIG_MODE_VECTOR, 1, m, k, a, m, s, u, m, vt, k, room, count, info, how));
    const doubles again = on_host(s, k), u2 = on_host(u, m * k), v2 = on_host(vt, k * k);
    worst = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < k; ++j) {
        double sum = -tall[j * m + i];
        for (int p = 0; p < k; ++p) sum += u2[p * m + i] * again[p] * v2[p * k + j];
        worst = std::max(worst, std::fabs(sum));
      }
    std::printf("by rotations %.6f, right %d\n", again[0], worst < 1e-9);
    cusolverDnDestroyGesvdjInfo(how);
    for (double *p : {a, s, u, vt, room}) cudaFree(p);
  }
  {
    // The five-point stencil, sparse.
    const int side = 12, all = side * side;
    std::vector<int> offsets(1, 0), columns;
    doubles values, right(all);
    for (int i = 0; i < all; ++i) {
      right[i] = 1 + i % 5;
      for (int j : {i - side, i - 1, i, i + 1, i + side}) {
        if (j < 0 || j >= all || (std::abs(i - j) == 1 && i / side != j / side)) continue;
        columns.push_back(j);
        values.push_back(i == j ? 4 : -1);
      }
      offsets.push_back((int)columns.size());
    }
    int *o = on_device(offsets), *c = on_device(columns), singular = 7;
    double *v = on_device(values), *r = on_device(right), *x = on_device(doubles(all));
    cusolverSpHandle_t sparse;
    cusparseMatDescr_t d;
    checkCudaErrors(cusolverSpCreate(&sparse));
    checkCudaErrors(cusparseCreateMatDescr(&d));
    checkCudaErrors(cusolverSpDcsrlsvqr(sparse, all, (int)values.size(), d, v, o, c, r, 1e-12, 0, x, &singular));
    const doubles by_qr = on_host(x, all);
    std::printf("sparse %d %.6f", singular, by_qr[40]);
    checkCudaErrors(cusolverSpDcsrlsvchol(sparse, all, (int)values.size(), d, v, o, c, r, 1e-12, 0, x, &singular));
    const doubles by_cholesky = on_host(x, all);
    std::printf(", %d %.6f\n", singular, by_cholesky[40]);
    cusolverSpDestroy(sparse);
    cusparseDestroyMatDescr(d);
    cudaFree(o);
    cudaFree(c);
    for (double *p : {v, r, x}) cudaFree(p);
  }
  cusolverDnDestroy(handle);
  cudaFree(info);
  cudaFree(pivots);
  return 0;
}
