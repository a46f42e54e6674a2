// SPDX-License-Identifier: Apache-2.0
// cuSOLVER: eigenvalues of two matrices, in a range, of batches and of a matrix that is not symmetric; singular values
// of batches; the calls that are told their types.
// needs: lapacke.h of liblapacke-dev
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <helper_cuda.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "vectors_on_device.hpp"

typedef std::vector<double> doubles;
static const int n = 8;
static cusolverDnHandle_t handle;
static bool good = true;

static void expect(bool right, const char *what) {
  if (!right) std::printf("%s is wrong\n", what);
  good = good && right;
}
static bool near(double a, double b) { return std::fabs(a - b) < 1e-9 * (1 + std::fabs(b)); }
template <class T = double>
static T *room_for(size_t count) {
  T *d;
  checkCudaErrors(cudaMalloc((void **)&d, (count + 1) * sizeof(T)));
  return d;
}
static double dot(const double *x, const double *y, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}
static doubles times(const doubles &a, const double *x) {
  doubles y(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) y[i] += a[j * n + i] * x[j];
  return y;
}
// The largest |A x - w B x| of all columns x.
static double residual(const doubles &a, const doubles &b, const double *x, const double *w, int columns) {
  double worst = 0;
  for (int k = 0; k < columns; ++k) {
    const doubles left = times(a, x + k * n), right = times(b, x + k * n);
    for (int i = 0; i < n; ++i) worst = std::max(worst, std::fabs(left[i] - w[k] * right[i]));
  }
  return worst;
}

int main() {
  doubles symmetric(n * n), definite(n * n), unit(n * n), general(n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      symmetric[j * n + i] = (i * j + i + j) % 5 + (i == j ? i : 0);
      definite[j * n + i] = 1.0 / (1 + std::abs(i - j)) + (i == j ? 2 : 0);
      unit[j * n + i] = i == j;
      general[j * n + i] = (i * 7 + j * 2) % 9 - 3;
    }
  checkCudaErrors(cusolverDnCreate(&handle));
  int *info = room_for<int>(4), ok = 7, count = 0;
  doubles all;  // the eigenvalues of the symmetric matrix
  syevjInfo_t rotations;
  gesvdjInfo_t svd_rotations;
  checkCudaErrors(cusolverDnCreateSyevjInfo(&rotations));
  checkCudaErrors(cusolverDnCreateGesvdjInfo(&svd_rotations));
  checkCudaErrors(cusolverDnXsyevjSetSortEig(rotations, 1));
  const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER, lower = CUBLAS_FILL_MODE_LOWER;
  for (int jacobi = 0; jacobi < 2; ++jacobi) {
    double *a = on_device(symmetric), *b = on_device(definite), *w = room_for(n);
    if (jacobi)
      checkCudaErrors(cusolverDnDsygvj_bufferSize(handle, CUSOLVER_EIG_TYPE_1, vectors, upper, n, a, n, b, n, w, &count, rotations));
    else
      checkCudaErrors(cusolverDnDsygvd_bufferSize(handle, CUSOLVER_EIG_TYPE_1, vectors, upper, n, a, n, b, n, w, &count));
    double *room = room_for(count);
    if (jacobi)
      checkCudaErrors(cusolverDnDsygvj(handle, CUSOLVER_EIG_TYPE_1, vectors, upper, n, a, n, b, n, w, room, count, info, rotations));
    else
      checkCudaErrors(cusolverDnDsygvd(handle, CUSOLVER_EIG_TYPE_1, vectors, upper, n, a, n, b, n, w, room, count, info));
    const doubles values = on_host(w, n), x = on_host(a, n * n);
    checkCudaErrors(cudaMemcpy(&ok, info, sizeof ok, cudaMemcpyDeviceToHost));
    expect(ok == 0 && residual(symmetric, definite, x.data(), values.data(), n) < 1e-9, jacobi ? "sygvj" : "sygvd");
    for (double *p : {a, b, w, room}) cudaFree(p);
  }
  {
    // All, then those from the second to the fourth, then those in an interval.
    double *a = on_device(symmetric), *w = room_for(n);
    int found = 0;
    checkCudaErrors(cusolverDnDsyevdx_bufferSize(handle, vectors, CUSOLVER_EIG_RANGE_ALL, lower, n, a, n, 0, 0, 0, 0, &found, w, &count));
    double *room = room_for(count);
    checkCudaErrors(cusolverDnDsyevdx(handle, vectors, CUSOLVER_EIG_RANGE_ALL, lower, n, a, n, 0, 0, 0, 0, &found, w, room, count, info));
    all = on_host(w, n);
    doubles x = on_host(a, n * n);
    expect(found == n && residual(symmetric, unit, x.data(), all.data(), n) < 1e-9, "syevdx, all");
    checkCudaErrors(cudaMemcpy(a, symmetric.data(), sizeof(double) * n * n, cudaMemcpyHostToDevice));
    checkCudaErrors(cusolverDnDsyevdx(handle, vectors, CUSOLVER_EIG_RANGE_I, lower, n, a, n, 0, 0, 2, 4, &found, w, room, count, info));
    doubles some = on_host(w, 3);
    x = on_host(a, n * 3);
    expect(found == 3 && near(some[0], all[1]) && near(some[2], all[3]), "syevdx, by number");
    expect(residual(symmetric, unit, x.data(), some.data(), 3) < 1e-9, "vectors of syevdx");
    const double middle = (all[3] + all[4]) / 2;
    checkCudaErrors(cudaMemcpy(a, symmetric.data(), sizeof(double) * n * n, cudaMemcpyHostToDevice));
    checkCudaErrors(cusolverDnDsyevdx(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_RANGE_V, lower, n, a, n, middle, 1e9, 0, 0, &found, w, room, count, info));
    some = on_host(w, 4);
    expect(found == 4 && near(some[0], all[4]), "syevdx, by value");
    double *b = on_device(unit);
    checkCudaErrors(cudaMemcpy(a, symmetric.data(), sizeof(double) * n * n, cudaMemcpyHostToDevice));
    checkCudaErrors(cusolverDnDsygvdx(handle, CUSOLVER_EIG_TYPE_1, vectors, CUSOLVER_EIG_RANGE_I, lower, n, a, n, b, n, 0, 0, n, n, &found, w, room, count, info));
    some = on_host(w, 1);
    expect(found == 1 && near(some[0], all[n - 1]), "sygvdx");
    for (double *p : {a, b, w, room}) cudaFree(p);
  }
  {
    doubles two = symmetric;
    two.insert(two.end(), definite.begin(), definite.end());
    double *a = on_device(two), *w = room_for(2 * n);
    checkCudaErrors(cusolverDnDsyevjBatched_bufferSize(handle, vectors, lower, n, a, n, w, &count, rotations, 2));
    double *room = room_for(count);
    checkCudaErrors(cusolverDnDsyevjBatched(handle, vectors, lower, n, a, n, w, room, count, info, rotations, 2));
    const doubles values = on_host(w, 2 * n), x = on_host(a, 2 * n * n);
    expect(near(values[0], all[0]) && residual(definite, unit, x.data() + n * n, values.data() + n, n) < 1e-9, "syevjBatched");
    for (double *p : {a, w, room}) cudaFree(p);

    double *s = room_for(2 * n), *u = room_for(2 * n * n), *v = room_for(2 * n * n);
    a = on_device(two);
    checkCudaErrors(cusolverDnDgesvdjBatched_bufferSize(handle, vectors, n, n, a, n, s, u, n, v, n, &count, svd_rotations, 2));
    room = room_for(count);
    checkCudaErrors(cusolverDnDgesvdjBatched(handle, vectors, n, n, a, n, s, u, n, v, n, room, count, info, svd_rotations, 2));
    cudaFree(room);
    cudaFree(a);
    const doubles sizes = on_host(s, 2 * n), left = on_host(u, 2 * n * n), right = on_host(v, 2 * n * n);
    // A v = s u, for the first of the second matrix.
    doubles image = times(definite, right.data() + n * n);
    expect(near(dot(image.data(), left.data() + n * n, n), sizes[n]), "gesvdjBatched");
    a = on_device(two);
    double residuals[2] = {1, 1};
    checkCudaErrors(cusolverDnDgesvdaStridedBatched_bufferSize(handle, vectors, 2, n, n, a, n, n * n, s, n, u, n, n * n, v, n, n * n, &count, 2));
    room = room_for(count);
    checkCudaErrors(cusolverDnDgesvdaStridedBatched(handle, vectors, 2, n, n, a, n, n * n, s, n, u, n, n * n, v, n, n * n, room, count, info, residuals, 2));
    const doubles largest = on_host(s, 2), second = on_host(s + n, 2);
    expect(near(largest[0], sizes[0]) && near(second[1], sizes[n + 1]), "gesvdaStridedBatched");
    for (double *p : {a, s, u, v, room}) cudaFree(p);
  }
  cusolverDnParams_t params;
  checkCudaErrors(cusolverDnCreateParams(&params));
  const cudaDataType real = CUDA_R_64F;
  size_t bytes = 0, host_bytes = 0;
  {
    double *a = on_device(general), *s = room_for(n), *u = room_for(n * n), *vt = room_for(n * n);
    checkCudaErrors(cusolverDnXgesvd_bufferSize(handle, params, 'A', 'A', n, n, real, a, n, real, s, real, u, n, real, vt, n, real, &bytes, &host_bytes));
    char *room = room_for<char>(bytes);
    checkCudaErrors(cusolverDnXgesvd(handle, params, 'A', 'A', n, n, real, a, n, real, s, real, u, n, real, vt, n, real, room, bytes, nullptr, host_bytes, info));
    const doubles sizes = on_host(s, n);
    double change = 5;
    checkCudaErrors(cudaMemcpy(a, general.data(), sizeof(double) * n * n, cudaMemcpyHostToDevice));
    checkCudaErrors(cusolverDnXgesvdp(handle, params, vectors, 0, n, n, real, a, n, real, s, real, u, n, real, vt, n, real, room, bytes, nullptr, host_bytes, info, &change));
    const doubles again = on_host(s, n), left = on_host(u, n * n), right = on_host(vt, n * n);
    const doubles image = times(general, right.data());
    expect(near(sizes[3], again[3]) && near(dot(image.data(), left.data(), n), again[0]) && change == 0, "Xgesvd and Xgesvdp");
    checkCudaErrors(cudaMemcpy(a, general.data(), sizeof(double) * n * n, cudaMemcpyHostToDevice));
    checkCudaErrors(cusolverDnXgesvdr(handle, params, 'S', 'S', n, n, 3, 2, 2, real, a, n, real, s, real, u, n, real, vt, n, real, room, bytes, nullptr, host_bytes, info));
    const doubles few = on_host(s, 3);
    expect(near(few[2], sizes[2]), "Xgesvdr");
    for (double *p : {a, s, u, vt}) cudaFree(p);
    cudaFree(room);
  }
  {
    // R of A = Q R, inverted.
    double *a = on_device(definite), *tau = room_for(n);
    checkCudaErrors(cusolverDnXgeqrf_bufferSize(handle, params, n, n, real, a, n, real, tau, real, &bytes, &host_bytes));
    char *room = room_for<char>(bytes);
    checkCudaErrors(cusolverDnXgeqrf(handle, params, n, n, real, a, n, real, tau, real, room, bytes, nullptr, host_bytes, info));
    const doubles r = on_host(a, n * n);
    checkCudaErrors(cusolverDnXtrtri_bufferSize(handle, upper, CUBLAS_DIAG_NON_UNIT, n, real, a, n, &bytes, &host_bytes));
    checkCudaErrors(cusolverDnXtrtri(handle, upper, CUBLAS_DIAG_NON_UNIT, n, real, a, n, room, bytes, nullptr, host_bytes, info));
    const doubles inverse = on_host(a, n * n);
    double sum = 0;
    for (int k = 0; k <= 5; ++k) sum += r[k * n + 0] * inverse[5 * n + k];
    expect(near(r[0] * inverse[0], 1) && std::fabs(sum) < 1e-9 && r[1] == inverse[1], "Xgeqrf and Xtrtri");
    cudaFree(a);
    cudaFree(tau);
    cudaFree(room);
  }
  {
    double *a = on_device(symmetric), *w = room_for(2 * n), *x = room_for(n * n);
    int64_t found = 0;
    checkCudaErrors(cusolverDnXsyevdx_bufferSize(handle, params, vectors, CUSOLVER_EIG_RANGE_I, lower, n, real, a, n, nullptr, nullptr, 1, 2, &found, real, w, real, &bytes, &host_bytes));
    char *room = room_for<char>(bytes);
    checkCudaErrors(cusolverDnXsyevdx(handle, params, vectors, CUSOLVER_EIG_RANGE_I, lower, n, real, a, n, nullptr, nullptr, 1, 2, &found, real, w, real, room, bytes, nullptr, host_bytes, info));
    expect(found == 2 && near(on_host(w, 2)[1], all[1]), "Xsyevdx");
    checkCudaErrors(cudaMemcpy(a, general.data(), sizeof(double) * n * n, cudaMemcpyHostToDevice));
    checkCudaErrors(cusolverDnXgeev(handle, params, CUSOLVER_EIG_MODE_NOVECTOR, vectors, n, real, a, n, CUDA_C_64F, w, real, nullptr, 1, real, x, n, real, room, bytes, nullptr, host_bytes, info));
    const doubles values = on_host(w, 2 * n), right = on_host(x, n * n);
    double re = 0, im = 0, trace = 0;
    for (int i = 0; i < n; ++i) re += values[2 * i], im += values[2 * i + 1], trace += general[i * n + i];
    expect(near(re, trace) && std::fabs(im) < 1e-9, "Xgeev");
    for (int i = 0; i < n; ++i)
      if (values[2 * i + 1] == 0) expect(residual(general, unit, right.data() + i * n, &values[2 * i], 1) < 1e-8, "a vector of Xgeev");
    for (double *p : {a, w, x}) cudaFree(p);
    cudaFree(room);
  }
  cudaFree(info);
  cusolverDnDestroyParams(params);
  cusolverDnDestroySyevjInfo(rotations);
  cusolverDnDestroyGesvdjInfo(svd_rotations);
  cusolverDnDestroy(handle);
  std::printf("eigenvalues %.6f to %.6f: %s\n", all[0], all[n - 1], good ? "PASSED" : "FAILED");
  return good ? 0 : 1;
}
