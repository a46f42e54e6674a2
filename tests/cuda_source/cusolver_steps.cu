// SPDX-License-Identifier: Apache-2.0
// Sparse systems of cuSOLVER in steps (csrlu, csrqr, csrchol), again with new values (cusolverRf), and several of one
// pattern at once (csrqrsvBatched). The matrix is a Laplacian of 2 dimensions with a drift, so it is not symmetric, or
// without, so it is definite.
// needs: lapacke.h of liblapacke-dev
#include <cuda_runtime.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(e)                                                           \
  do {                                                                     \
    if (const int r = static_cast<int>(e)) {                               \
      std::printf("line %d: error %d\n", __LINE__, r);                     \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

constexpr int kSide = 8, kRows = kSide * kSide, kBatch = 3;

struct csr {
  std::vector<int> offsets{0}, columns;
  std::vector<double> values;
};
csr laplacian(double drift) {
  csr a;
  for (int i = 0; i < kRows; ++i) {
    const auto put = [&](int j, double v) {
      a.columns.push_back(j);
      a.values.push_back(v);
    };
    if (i >= kSide) put(i - kSide, -1);
    if (i % kSide > 0) put(i - 1, -1 - drift);
    put(i, 4.5);
    if (i % kSide + 1 < kSide) put(i + 1, -1 + drift);
    if (i + kSide < kRows) put(i + kSide, -1);
    a.offsets.push_back(static_cast<int>(a.columns.size()));
  }
  return a;
}
// The largest |b - A x|.
double residual(const csr& a, const double* values, const double* x, const double* b) {
  double most = 0;
  for (int i = 0; i < kRows; ++i) {
    double left = b[i];
    for (int k = a.offsets[i]; k < a.offsets[i + 1]; ++k) left -= values[k] * x[a.columns[k]];
    most = std::fmax(most, std::fabs(left));
  }
  return most;
}
void say(const char* what, double r) { std::printf("%s: %s\n", what, r < 1e-12 ? "solved" : "WRONG"); }

template <class T>
T* on_device(const std::vector<T>& v) {
  T* p;
  CHECK(cudaMalloc(&p, v.size() * sizeof(T)));
  CHECK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

__global__ void scale(double* values, int n, double by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= by;
}

int main() {
  const csr a = laplacian(0.25), s = laplacian(0);
  const int entries = static_cast<int>(a.values.size());
  std::vector<double> b(kRows), x(kRows), work(1 << 20);
  for (int i = 0; i < kRows; ++i) b[i] = 1 + i % 5;

  cusolverSpHandle_t h;
  cusparseMatDescr_t d;
  cudaStream_t stream;
  CHECK(cusolverSpCreate(&h));
  CHECK(cusparseCreateMatDescr(&d));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cusolverSpSetStream(h, stream));
  size_t internal = 0, bytes = 0;
  int at = 0;

  csrluInfoHost_t lu;
  CHECK(cusolverSpCreateCsrluInfoHost(&lu));
  CHECK(cusolverSpXcsrluAnalysisHost(h, kRows, entries, d, a.offsets.data(), a.columns.data(), lu));
  CHECK(cusolverSpDcsrluBufferInfoHost(h, kRows, entries, d, a.values.data(), a.offsets.data(), a.columns.data(), lu,
                                       &internal, &bytes));
  work.resize(bytes / sizeof(double) + 1);
  CHECK(cusolverSpDcsrluFactorHost(h, kRows, entries, d, a.values.data(), a.offsets.data(), a.columns.data(), lu, 1.0,
                                   work.data()));
  CHECK(cusolverSpDcsrluZeroPivotHost(h, lu, 1e-14, &at));
  CHECK(cusolverSpDcsrluSolveHost(h, kRows, b.data(), x.data(), lu, work.data()));
  std::printf("zero pivot: %d\n", at);
  say("csrlu", residual(a, a.values.data(), x.data(), b.data()));
  int lower = 0, upper = 0;
  CHECK(cusolverSpXcsrluNnzHost(h, &lower, &upper, lu));
  csr l, u;
  std::vector<int> p(kRows), q(kRows);
  for (csr* f : {&l, &u}) {
    f->offsets.resize(kRows + 1);
    f->columns.resize(f == &l ? lower : upper);
    f->values.resize(f->columns.size());
  }
  CHECK(cusolverSpDcsrluExtractHost(h, p.data(), q.data(), d, l.values.data(), l.offsets.data(), l.columns.data(), d,
                                    u.values.data(), u.offsets.data(), u.columns.data(), lu, work.data()));
  // P A Q^T - L U, with the ones of L's diagonal where they are left out.
  std::vector<double> rest(kRows * kRows), low(kRows * kRows), up(kRows * kRows);
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kRows; ++j)
      for (int k = a.offsets[p[i]]; k < a.offsets[p[i] + 1]; ++k)
        if (a.columns[k] == q[j]) rest[i * kRows + j] = a.values[k];
    for (int k = l.offsets[i]; k < l.offsets[i + 1]; ++k) low[i * kRows + l.columns[k]] = l.values[k];
    for (int k = u.offsets[i]; k < u.offsets[i + 1]; ++k) up[i * kRows + u.columns[k]] = u.values[k];
    low[i * kRows + i] = 1;
  }
  double most = 0;
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kRows; ++j) {
      double r = rest[i * kRows + j];
      for (int k = 0; k < kRows; ++k) r -= low[i * kRows + k] * up[k * kRows + j];
      most = std::fmax(most, std::fabs(r));
    }
  say("P A Q^T = L U", most);

  int* const offsets = on_device(a.offsets);
  int* const columns = on_device(a.columns);
  double* const values = on_device(a.values);
  double* const right = on_device(b);
  double *to, *room;
  CHECK(cudaMalloc(&to, kRows * sizeof(double)));
  const auto show = [&](const char* what, const csr& m) {
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(x.data(), to, kRows * sizeof(double), cudaMemcpyDeviceToHost));
    say(what, residual(m, m.values.data(), x.data(), b.data()));
  };
  csrqrInfo_t qr;
  CHECK(cusolverSpCreateCsrqrInfo(&qr));
  CHECK(cusolverSpXcsrqrAnalysis(h, kRows, kRows, entries, d, offsets, columns, qr));
  CHECK(cusolverSpDcsrqrBufferInfo(h, kRows, kRows, entries, d, values, offsets, columns, qr, &internal, &bytes));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cusolverSpDcsrqrSetup(h, kRows, kRows, entries, d, values, offsets, columns, 0.0, qr));
  CHECK(cusolverSpDcsrqrFactor(h, kRows, kRows, entries, nullptr, nullptr, qr, room));
  CHECK(cusolverSpDcsrqrZeroPivot(h, qr, 1e-14, &at));
  CHECK(cusolverSpDcsrqrSolve(h, kRows, kRows, right, to, qr, room));
  std::printf("zero pivot: %d\n", at);
  show("csrqr", a);
  CHECK(cudaFree(room));

  double* const symmetric = on_device(s.values);
  csrcholInfo_t chol;
  CHECK(cusolverSpCreateCsrcholInfo(&chol));
  CHECK(cusolverSpXcsrcholAnalysis(h, kRows, entries, d, offsets, columns, chol));
  CHECK(cusolverSpDcsrcholBufferInfo(h, kRows, entries, d, symmetric, offsets, columns, chol, &internal, &bytes));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cusolverSpDcsrcholFactor(h, kRows, entries, d, symmetric, offsets, columns, chol, room));
  CHECK(cusolverSpDcsrcholZeroPivot(h, chol, 1e-14, &at));
  CHECK(cusolverSpDcsrcholSolve(h, kRows, right, to, chol, room));
  std::printf("zero pivot: %d\n", at);
  show("csrchol", s);
  CHECK(cudaFree(room));

  // Twice the values: half the solution.
  cusolverRfHandle_t rf;
  CHECK(cusolverRfCreate(&rf));
  CHECK(cusolverRfSetNumericProperties(rf, 0.0, 0.0));
  CHECK(cusolverRfSetAlgs(rf, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
  CHECK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  csr again = a;
  CHECK(cusolverRfSetupHost(kRows, entries, again.offsets.data(), again.columns.data(), again.values.data(), lower,
                            l.offsets.data(), l.columns.data(), l.values.data(), upper, u.offsets.data(),
                            u.columns.data(), u.values.data(), p.data(), q.data(), rf));
  CHECK(cudaDeviceSynchronize());
  CHECK(cusolverRfAnalyze(rf));
  int* const rows_at = on_device(p);
  int* const columns_at = on_device(q);
  double* room_of_rf;
  CHECK(cudaMalloc(&room_of_rf, kRows * sizeof(double)));
  scale<<<(entries + 127) / 128, 128>>>(values, entries, 2);
  for (double& v : again.values) v *= 2;
  CHECK(cusolverRfResetValues(kRows, entries, offsets, columns, values, rows_at, columns_at, rf));
  CHECK(cusolverRfRefactor(rf));
  CHECK(cudaMemcpy(to, right, kRows * sizeof(double), cudaMemcpyDeviceToDevice));
  CHECK(cusolverRfSolve(rf, rows_at, columns_at, 1, room_of_rf, kRows, to, kRows));
  CHECK(cudaDeviceSynchronize());
  show("cusolverRf", again);

  // Three matrices of one pattern; the third is made on the stream of the handle.
  std::vector<double> all, rights, solutions(kBatch * kRows);
  for (int i = 0; i < kBatch; ++i) {
    for (const double v : a.values) all.push_back(v * (1 + i % 2));
    for (const double v : b) rights.push_back(v + i);
  }
  double* const batch = on_device(all);
  double* const batch_rights = on_device(rights);
  double* batch_to;
  CHECK(cudaMalloc(&batch_to, solutions.size() * sizeof(double)));
  CHECK(cudaDeviceSynchronize());
  scale<<<(entries + 127) / 128, 128, 0, stream>>>(batch + 2 * entries, entries, 4);
  for (int k = 0; k < entries; ++k) all[2 * entries + k] *= 4;
  csrqrInfo_t many;
  CHECK(cusolverSpCreateCsrqrInfo(&many));
  CHECK(cusolverSpXcsrqrAnalysisBatched(h, kRows, kRows, entries, d, offsets, columns, many));
  CHECK(cusolverSpDcsrqrBufferInfoBatched(h, kRows, kRows, entries, d, batch, offsets, columns, kBatch, many, &internal,
                                          &bytes));
  CHECK(cudaMalloc(&room, bytes));
  CHECK(cusolverSpDcsrqrsvBatched(h, kRows, kRows, entries, d, batch, offsets, columns, batch_rights, batch_to, kBatch,
                                  many, room));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(solutions.data(), batch_to, solutions.size() * sizeof(double), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kBatch; ++i)
    say("csrqrsvBatched", residual(a, &all[i * entries], &solutions[i * kRows], &rights[i * kRows]));

  CHECK(cusolverSpDestroyCsrluInfoHost(lu));
  CHECK(cusolverSpDestroyCsrqrInfo(qr));
  CHECK(cusolverSpDestroyCsrqrInfo(many));
  CHECK(cusolverSpDestroyCsrcholInfo(chol));
  CHECK(cusolverRfDestroy(rf));
  CHECK(cusparseDestroyMatDescr(d));
  CHECK(cusolverSpDestroy(h));
  CHECK(cudaStreamDestroy(stream));
  for (void* m : {static_cast<void*>(offsets), static_cast<void*>(columns), static_cast<void*>(values),
                  static_cast<void*>(right), static_cast<void*>(to), static_cast<void*>(room),
                  static_cast<void*>(symmetric), static_cast<void*>(rows_at), static_cast<void*>(columns_at),
                  static_cast<void*>(room_of_rf), static_cast<void*>(batch), static_cast<void*>(batch_rights),
                  static_cast<void*>(batch_to)})
    CHECK(cudaFree(m));
  return 0;
}
