// SPDX-License-Identifier: Apache-2.0
// cuBLAS on bands and packed triangles, against the same matrices stored whole; updates of rank two and with two
// factors; batches of vectors; Cholesky batches of cuSOLVER.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(e)                                             \
  do {                                                       \
    if ((e) != 0) {                                          \
      std::printf("line %d: %d\n", __LINE__, int(e));        \
      return 1;                                              \
    }                                                        \
  } while (0)

constexpr int n = 7, k = 2;
using vec = std::vector<double>;

static double* device(const vec& v) {
  double* p = nullptr;
  cudaMalloc(&p, v.size() * sizeof(double));
  cudaMemcpy(p, v.data(), v.size() * sizeof(double), cudaMemcpyHostToDevice);
  return p;
}
static vec host(const double* p, std::size_t count) {
  vec v(count);
  cudaMemcpy(v.data(), p, count * sizeof(double), cudaMemcpyDeviceToHost);
  return v;
}
static bool near(const vec& a, const vec& b, const char* what) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::fabs(a[i] - b[i]) > 1e-9 * (1 + std::fabs(b[i]))) {
      std::printf("%s: [%zu] is %g, not %g\n", what, i, a[i], b[i]);
      return false;
    }
  return true;
}
static double value(int i, int j) { return i == j ? 9 + i : 1.0 / (1 + 2 * i + 3 * j); }

// y = 2 A x + 3 y of a whole matrix (column by column).
static vec product(const vec& a, const vec& x, const vec& y, bool transposed = false) {
  vec out(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) out[i] += 2 * (transposed ? a[i * n + j] : a[j * n + i]) * x[j];
    out[i] += 3 * y[i];
  }
  return out;
}

int main() {
  cublasHandle_t h;
  CHECK(cublasCreate(&h));
  const double two = 2, three = 3;
  vec x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i - 2.5, y[i] = 0.5 * i;
  bool good = true;
  for (const bool upper : {false, true}) {
    const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    vec packed(n * (n + 1) / 2), banded(n * (k + 1), -1), whole(n * n), narrow(n * n), general(n * (k + 2), -1),
        around(n * n);
    for (int j = 0, at = 0; j < n; ++j)
      for (int i = upper ? 0 : j; i < (upper ? j + 1 : n); ++i) {
        packed[at++] = whole[j * n + i] = value(i, j);
        if (std::abs(i - j) <= k) banded[j * (k + 1) + (upper ? k : 0) + i - j] = narrow[j * n + i] = value(i, j);
      }
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (j - i <= 1 && i - j <= k) general[j * (k + 2) + 1 + i - j] = around[j * n + i] = value(i, j);
    auto both = [](vec a) {
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          if (a[j * n + i] == 0) a[j * n + i] = a[i * n + j];
      return a;
    };
    double *dx = device(x), *dy = device(y), *dp = device(packed), *db = device(banded), *dg = device(general);
    CHECK(cublasDspmv(h, fill, n, &two, dp, dx, 1, &three, dy, 1));
    good &= near(host(dy, n), product(both(whole), x, y), "spmv");
    CHECK(cudaMemcpy(dy, y.data(), n * 8, cudaMemcpyHostToDevice));
    CHECK(cublasDsbmv(h, fill, n, k, &two, db, k + 1, dx, 1, &three, dy, 1));
    good &= near(host(dy, n), product(both(narrow), x, y), "sbmv");
    for (const bool transposed : {false, true}) {
      const cublasOperation_t op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
      CHECK(cudaMemcpy(dy, y.data(), n * 8, cudaMemcpyHostToDevice));
      CHECK(cublasDgbmv(h, op, n, n, k, 1, &two, dg, k + 2, dx, 1, &three, dy, 1));
      good &= near(host(dy, n), product(around, x, y, transposed), "gbmv");
      vec twice = product(whole, x, vec(n), transposed);
      for (double& v : twice) v /= 2;
      CHECK(cublasDtpmv(h, fill, op, CUBLAS_DIAG_NON_UNIT, n, dp, dx, 1));
      good &= near(host(dx, n), twice, "tpmv");
      CHECK(cublasDtpsv(h, fill, op, CUBLAS_DIAG_NON_UNIT, n, dp, dx, 1));
      good &= near(host(dx, n), x, "tpsv");
      CHECK(cublasDtbmv(h, fill, op, CUBLAS_DIAG_UNIT, n, k, db, k + 1, dx, 1));
      CHECK(cublasDtbsv(h, fill, op, CUBLAS_DIAG_UNIT, n, k, db, k + 1, dx, 1));
      good &= near(host(dx, n), x, "tbsv");
    }
    // A += 2 x x^T + 2 (x y^T + y x^T), packed and whole.
    double *dw = device(whole), *dv = device(y);
    CHECK(cublasDspr(h, fill, n, &two, dx, 1, dp));
    CHECK(cublasDspr2(h, fill, n, &two, dx, 1, dv, 1, dp));
    CHECK(cublasDsyr(h, fill, n, &two, dx, 1, dw, n));
    CHECK(cublasDsyr2(h, fill, n, &two, dx, 1, dv, 1, dw, n));
    double* dq = device(packed);
    CHECK(cublasDtrttp(h, fill, n, dw, n, dq));
    good &= near(host(dp, packed.size()), host(dq, packed.size()), "spr2, syr2, trttp");
    double* du = device(vec(n * n));
    CHECK(cublasDtpttr(h, fill, n, dq, du, n));
    good &= near(host(du, n * n), host(dw, n * n), "tpttr");
    for (double* p : {dx, dy, dp, db, dg, dw, dv, dq, du}) cudaFree(p);
  }
  // C = 2 A B^T of a triangle, and a batch of two vectors.
  vec a(n * k), b(n * k), c(n * n);
  for (int i = 0; i < n * k; ++i) a[i] = i - 3, b[i] = 1.0 / (1 + i);
  vec expected(n * n);
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i)
      for (int p = 0; p < k; ++p) expected[j * n + i] += 2 * a[p * n + i] * b[p * n + j];
  double *da = device(a), *db = device(b), *dc = device(c), *dx = device(x);
  const double zero = 0;
  CHECK(cublasDsyrkx(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &two, da, n, db, n, &zero, dc, n));
  good &= near(host(dc, n * n), expected, "syrkx");
  const double* matrices[2] = {da, db};
  const double* vectors[2] = {dx, dx};
  double* outs[2] = {dc, dc + n};
  const double **dm, **dv;
  double** dout;
  CHECK(cudaMalloc(&dm, sizeof matrices));
  CHECK(cudaMalloc(&dv, sizeof vectors));
  CHECK(cudaMalloc(&dout, sizeof outs));
  CHECK(cudaMemcpy(dm, matrices, sizeof matrices, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dv, vectors, sizeof vectors, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dout, outs, sizeof outs, cudaMemcpyHostToDevice));
  CHECK(cublasDgemvBatched(h, CUBLAS_OP_N, n, k, &two, dm, n, dv, 1, &zero, dout, 1, 2));
  vec twice(2 * n);
  for (int i = 0; i < n; ++i)
    for (int p = 0; p < k; ++p) twice[i] += 2 * a[p * n + i] * x[p], twice[n + i] += 2 * b[p * n + i] * x[p];
  good &= near(host(dc, 2 * n), twice, "gemvBatched");
  // Two positive definite matrices in one batch.
  cusolverDnHandle_t s;
  CHECK(cusolverDnCreate(&s));
  vec spd(n * n), sum(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) spd[j * n + i] = i == j ? 20 + i : 1.0 / (1 + i + j), sum[i] += spd[j * n + i];
  double* systems[2] = {device(spd), device(spd)};
  double* sides[2] = {device(sum), device(sum)};
  double **dsystems, **dsides;
  int *info, infos[2];
  CHECK(cudaMalloc(&dsystems, sizeof systems));
  CHECK(cudaMalloc(&dsides, sizeof sides));
  CHECK(cudaMalloc(&info, sizeof infos));
  CHECK(cudaMemcpy(dsystems, systems, sizeof systems, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(dsides, sides, sizeof sides, cudaMemcpyHostToDevice));
  CHECK(cusolverDnDpotrfBatched(s, CUBLAS_FILL_MODE_LOWER, n, dsystems, n, info, 2));
  CHECK(cudaMemcpy(infos, info, sizeof infos, cudaMemcpyDeviceToHost));
  CHECK(infos[0] != 0 || infos[1] != 0);
  CHECK(cusolverDnDpotrsBatched(s, CUBLAS_FILL_MODE_LOWER, n, 1, dsystems, n, dsides, n, info, 2));
  for (double* p : sides) good &= near(host(p, n), vec(n, 1), "potrsBatched");
  for (double* p : {da, db, dc, dx, systems[0], systems[1], sides[0], sides[1]}) cudaFree(p);
  for (void* p : {(void*)dm, (void*)dv, (void*)dout, (void*)dsystems, (void*)dsides, (void*)info}) cudaFree(p);
  CHECK(cusolverDnDestroy(s));
  CHECK(cublasDestroy(h));
  std::printf(good ? "packed and banded: PASSED\n" : "packed and banded: FAILED\n");
  return good ? 0 : 1;
}
