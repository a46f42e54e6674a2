// SPDX-License-Identifier: Apache-2.0
// cuSPARSE: triangular systems of the older interface after an incomplete factorization, and tridiagonal systems: many
// right sides, with and without pivots, batches one behind the other and interleaved.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(e)                                      \
  do {                                                \
    if (const int r = (e)) {                          \
      std::printf("line %d: %d\n", __LINE__, r);      \
      return 1;                                       \
    }                                                 \
  } while (0)

template <class T>
static T* device(const std::vector<T>& v) {
  T* p = nullptr;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
static std::vector<T> host(const T* p, std::size_t count) {
  std::vector<T> v(count);
  cudaMemcpy(v.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class T>
static bool near(const std::vector<T>& a, const std::vector<T>& b, double by, const char* what) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::fabs(a[i] - b[i]) <= by * (1 + std::fabs(b[i])))) {
      std::printf("%s: [%zu] is %g, not %g\n", what, i, double(a[i]), double(b[i]));
      return false;
    }
  return true;
}

int main() {
  cusparseHandle_t h;
  CHECK(cusparseCreate(&h));
  bool good = true;

  // L U x = b, both factors in one matrix of five diagonals, counted from 1: A is dense enough for an exact ILU(0).
  constexpr int n = 6;
  std::vector<int> offsets{1}, columns;
  std::vector<double> values, x(n), b(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i - 2;
    for (int j = 0; j < n; ++j)
      if (std::abs(i - j) <= 1) columns.push_back(j + 1), values.push_back(i == j ? 5 + i : 1 + 0.5 * j);
    offsets.push_back(int(columns.size()) + 1);
  }
  for (int i = 0; i < n; ++i)
    for (int k = offsets[i] - 1; k < offsets[i + 1] - 1; ++k) b[i] += values[k] * x[columns[k] - 1];
  const int entries = int(values.size());
  int *doff = device(offsets), *dcol = device(columns);
  double *dval = device(values), *db = device(b), *dy = device(b), *dx = device(b);
  cusparseMatDescr_t whole, lower, upper;
  for (cusparseMatDescr_t* d : {&whole, &lower, &upper}) {
    CHECK(cusparseCreateMatDescr(d));
    CHECK(cusparseSetMatType(*d, CUSPARSE_MATRIX_TYPE_GENERAL));
    CHECK(cusparseSetMatIndexBase(*d, CUSPARSE_INDEX_BASE_ONE));
  }
  CHECK(cusparseSetMatFillMode(lower, CUSPARSE_FILL_MODE_LOWER));
  CHECK(cusparseSetMatDiagType(lower, CUSPARSE_DIAG_TYPE_UNIT));
  CHECK(cusparseSetMatFillMode(upper, CUSPARSE_FILL_MODE_UPPER));
  CHECK(cusparseSetMatDiagType(upper, CUSPARSE_DIAG_TYPE_NON_UNIT));
  csrilu02Info_t lu;
  csrsv2Info_t below, above;
  CHECK(cusparseCreateCsrilu02Info(&lu));
  CHECK(cusparseCreateCsrsv2Info(&below));
  CHECK(cusparseCreateCsrsv2Info(&above));
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
  int bytes = 0, most = 1;
  CHECK(cusparseDcsrilu02_bufferSize(h, n, entries, whole, dval, doff, dcol, lu, &bytes));
  most = bytes > most ? bytes : most;
  CHECK(cusparseDcsrsv2_bufferSize(h, plain, n, entries, lower, dval, doff, dcol, below, &bytes));
  most = bytes > most ? bytes : most;
  CHECK(cusparseDcsrsv2_bufferSize(h, plain, n, entries, upper, dval, doff, dcol, above, &bytes));
  most = bytes > most ? bytes : most;
  void* room;
  CHECK(cudaMalloc(&room, most));
  CHECK(cusparseDcsrilu02_analysis(h, n, entries, whole, dval, doff, dcol, lu, policy, room));
  CHECK(cusparseDcsrilu02(h, n, entries, whole, dval, doff, dcol, lu, policy, room));
  CHECK(cusparseDcsrsv2_analysis(h, plain, n, entries, lower, dval, doff, dcol, below, policy, room));
  CHECK(cusparseDcsrsv2_analysis(h, plain, n, entries, upper, dval, doff, dcol, above, policy, room));
  const double one = 1;
  CHECK(cusparseDcsrsv2_solve(h, plain, n, entries, &one, lower, dval, doff, dcol, below, db, dy, policy, room));
  CHECK(cusparseDcsrsv2_solve(h, plain, n, entries, &one, upper, dval, doff, dcol, above, dy, dx, policy, room));
  int position = 0;
  CHECK(cusparseXcsrsv2_zeroPivot(h, above, &position));
  good &= position == -1 && near(host(dx, n), x, 1e-12, "csrsv2");
  CHECK(cusparseDestroyCsrilu02Info(lu));
  CHECK(cusparseDestroyCsrsv2Info(below));
  CHECK(cusparseDestroyCsrsv2Info(above));
  for (cusparseMatDescr_t d : {whole, lower, upper}) CHECK(cusparseDestroyMatDescr(d));
  for (void* p : {(void*)doff, (void*)dcol, (void*)dval, (void*)db, (void*)dy, (void*)dx, room}) cudaFree(p);

  // Tridiagonal systems, of which the first needs pivots.
  constexpr int m = 9, sides = 2;
  for (const bool weak : {true, false}) {
    std::vector<float> l(m), d(m), u(m), sought(m * sides), right(m * sides);
    for (int i = 0; i < m; ++i) {
      l[i] = i == 0 ? 0 : 2.f + i % 3;
      d[i] = weak ? 0.25f * (i % 2) + (i == 8) : 9;
      u[i] = i == m - 1 ? 0 : 1.f + i % 2;
      for (int s = 0; s < sides; ++s) sought[s * m + i] = float(i + s * 3 - 4);
    }
    for (int s = 0; s < sides; ++s)
      for (int i = 0; i < m; ++i)
        right[s * m + i] = d[i] * sought[s * m + i] + (i > 0 ? l[i] * sought[s * m + i - 1] : 0) +
                           (i + 1 < m ? u[i] * sought[s * m + i + 1] : 0);
    float *dl = device(l), *dd = device(d), *du = device(u), *dr = device(right);
    std::size_t size = 0;
    CHECK(cusparseSgtsv2_bufferSizeExt(h, m, sides, dl, dd, du, dr, m, &size));
    CHECK(cudaMalloc(&room, size + 1));
    CHECK(cusparseSgtsv2(h, m, sides, dl, dd, du, dr, m, room));
    good &= near(host(dr, right.size()), sought, 1e-3, "gtsv2");
    CHECK(cudaFree(room));
    if (!weak) {
      CHECK(cudaMemcpy(dr, right.data(), right.size() * 4, cudaMemcpyHostToDevice));
      CHECK(cusparseSgtsv2_nopivot_bufferSizeExt(h, m, sides, dl, dd, du, dr, m, &size));
      CHECK(cudaMalloc(&room, size + 1));
      CHECK(cusparseSgtsv2_nopivot(h, m, sides, dl, dd, du, dr, m, room));
      good &= near(host(dr, right.size()), sought, 1e-3, "gtsv2_nopivot");
      CHECK(cudaFree(room));
      // The same system twice, with its two right sides.
      auto twice = [](std::vector<float> v) {
        const std::vector<float> once = v;
        v.insert(v.end(), once.begin(), once.end());
        return v;
      };
      auto interleaved = [](const std::vector<float>& v) {
        std::vector<float> to(v.size());
        for (int i = 0; i < m; ++i) to[2 * i] = v[i], to[2 * i + 1] = v[m + i];
        return to;
      };
      float *dl2 = device(twice(l)), *dd2 = device(twice(d)), *du2 = device(twice(u));
      CHECK(cudaMemcpy(dr, right.data(), right.size() * 4, cudaMemcpyHostToDevice));
      CHECK(cusparseSgtsv2StridedBatch_bufferSizeExt(h, m, dl2, dd2, du2, dr, 2, m, &size));
      CHECK(cudaMalloc(&room, size + 1));
      CHECK(cusparseSgtsv2StridedBatch(h, m, dl2, dd2, du2, dr, 2, m, room));
      good &= near(host(dr, right.size()), sought, 1e-3, "gtsv2StridedBatch");
      CHECK(cudaFree(room));
      for (float* p : {dl2, dd2, du2}) cudaFree(p);
      dl2 = device(interleaved(twice(l))), dd2 = device(interleaved(twice(d))), du2 = device(interleaved(twice(u)));
      float* dr2 = device(interleaved(right));
      CHECK(cusparseSgtsvInterleavedBatch_bufferSizeExt(h, 1, m, dl2, dd2, du2, dr2, 2, &size));
      CHECK(cudaMalloc(&room, size + 1));
      CHECK(cusparseSgtsvInterleavedBatch(h, 1, m, dl2, dd2, du2, dr2, 2, room));
      good &= near(host(dr2, right.size()), interleaved(sought), 1e-3, "gtsvInterleavedBatch");
      CHECK(cudaFree(room));
      for (float* p : {dl2, dd2, du2, dr2}) cudaFree(p);
    }
    for (float* p : {dl, dd, du, dr}) cudaFree(p);
  }
  CHECK(cusparseDestroy(h));
  std::printf(good ? "systems: PASSED\n" : "systems: FAILED\n");
  return good ? 0 : 1;
}
