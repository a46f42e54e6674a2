// SPDX-License-Identifier: Apache-2.0
// cuSOLVER: systems that a GPU factors in narrower numbers and refines (gesv, gels, IRSX...). Here they are solved in
// the matrix's own numbers at once, so no iteration is told. Part of cusolverDn.h.
#pragma once

#include "solvers_by_type.hpp"

typedef int cusolver_int_t;
typedef enum {
  CUSOLVER_R_8I = 1201,
  CUSOLVER_R_8U = 1202,
  CUSOLVER_R_64F = 1203,
  CUSOLVER_R_32F = 1204,
  CUSOLVER_R_16F = 1205,
  CUSOLVER_R_16BF = 1206,
  CUSOLVER_R_TF32 = 1207,
  CUSOLVER_R_AP = 1208,
  CUSOLVER_C_8I = 1211,
  CUSOLVER_C_8U = 1212,
  CUSOLVER_C_64F = 1213,
  CUSOLVER_C_32F = 1214,
  CUSOLVER_C_16F = 1215,
  CUSOLVER_C_16BF = 1216,
  CUSOLVER_C_TF32 = 1217,
  CUSOLVER_C_AP = 1218
} cusolverPrecType_t;
typedef enum {
  CUSOLVER_IRS_REFINE_NOT_SET = 1100,
  CUSOLVER_IRS_REFINE_NONE = 1101,
  CUSOLVER_IRS_REFINE_CLASSICAL = 1102,
  CUSOLVER_IRS_REFINE_CLASSICAL_GMRES = 1103,
  CUSOLVER_IRS_REFINE_GMRES = 1104,
  CUSOLVER_IRS_REFINE_GMRES_GMRES = 1105,
  CUSOLVER_IRS_REFINE_GMRES_NOPCOND = 1106
} cusolverIRSRefinement_t;

struct cusolverDnIRSParams {
  cusolverPrecType_t main = CUSOLVER_R_64F;
  bool is_set = false;
  int most = 50;
};
struct cusolverDnIRSInfos {};
typedef cusolverDnIRSParams* cusolverDnIRSParams_t;
typedef cusolverDnIRSInfos* cusolverDnIRSInfos_t;

inline cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t* made) {
  *made = new cusolverDnIRSParams;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t p) {
  delete p;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t* made) {
  *made = new cusolverDnIRSInfos;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t i) {
  delete i;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t p, cusolverPrecType_t main) {
  p->main = main;
  p->is_set = true;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t, cusolverPrecType_t) {
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t p, cusolverPrecType_t main,
                                                               cusolverPrecType_t) {
  return cusolverDnIRSParamsSetSolverMainPrecision(p, main);
}
inline cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t, cusolverIRSRefinement_t) {
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t, double) { return CUSOLVER_STATUS_SUCCESS; }
inline cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t, double) {
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t p, cusolver_int_t most) {
  p->most = most;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t p, cusolver_int_t* most) {
  *most = p->most;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t, cusolver_int_t) {
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t) { return CUSOLVER_STATUS_SUCCESS; }
inline cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t) { return CUSOLVER_STATUS_SUCCESS; }
inline cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t, cusolver_int_t* n) {
  *n = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t, cusolver_int_t* n) {
  *n = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t, cusolver_int_t* most) {
  *most = 50;
  return CUSOLVER_STATUS_SUCCESS;
}

namespace simt_cuda::libraries {

template <class T>
SIMT_UNWATCHED void copy_columns(const T* from, size rows, size cols, size from_step, T* to, size to_step) {
  for (size j = 0; j < cols; ++j)
    for (size i = 0; i < rows; ++i) to[j * to_step + i] = from[j * from_step + i];
}
// X = A^-1 B; A and B stay.
template <class T>
SIMT_UNWATCHED void solve_square(int n, int sides, const T* a, int lda, int* pivots, const T* b, int ldb, T* x, int ldx,
                                 int* info) {
  reads_matrix(a, n, n, lda);
  reads_matrix(b, n, sides, ldb);
  writes_matrix(x, n, sides, ldx);
  if (pivots != nullptr) writes_array(pivots, n);
  const scratch<T> factors(static_cast<size>(n) * n);
  const scratch<int> order(n);
  T* const f = factors.get();
  int* const p = order.get();
  copy_columns(a, n, n, lda, f, n);
  copy_columns(b, n, sides, ldb, x, ldx);
  report(info, by_lapack([=]() SIMT_UNWATCHED {
           const int broken = lapack<T>::getrf(kByColumns, n, n, f, n, p);
           return broken != 0 ? broken : lapack<T>::getrs(kByColumns, 'N', n, sides, f, n, p, x, ldx);
         }));
  for (int i = 0; pivots != nullptr && i < n; ++i) pivots[i] = p[i];
}
// X such that A X is nearest to B.
template <class T>
SIMT_UNWATCHED void solve_least_squares(int m, int n, int sides, const T* a, int lda, const T* b, int ldb, T* x,
                                        int ldx, int* info) {
  reads_matrix(a, m, n, lda);
  reads_matrix(b, m, sides, ldb);
  writes_matrix(x, n, sides, ldx);
  const scratch<T> factors(static_cast<size>(m) * n), both(static_cast<size>(m) * sides);
  T *const f = factors.get(), *const r = both.get();
  copy_columns(a, m, n, lda, f, m);
  copy_columns(b, m, sides, ldb, r, m);
  report(info, by_lapack([=]() SIMT_UNWATCHED { return lapack<T>::gels(kByColumns, 'N', m, n, sides, f, m, r, m); }));
  copy_columns(static_cast<const T*>(r), n, sides, m, x, ldx);
}

// The number of iterations is told to the host, so these calls wait.
inline cusolverStatus_t tell_no_iteration(cusolverDnHandle_t h, cusolverStatus_t s, int* iterations) {
  if (s != CUSOLVER_STATUS_SUCCESS) return s;
  if (cudaStreamSynchronize(h->stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  if (iterations != nullptr) *iterations = 0;
  return s;
}
template <class T>
cusolverStatus_t refined_square(cusolverDnHandle_t h, const char* name, const void* place, int n, int sides, T* a,
                                int lda, int* pivots, T* b, int ldb, T* x, int ldx, void* room, std::size_t bytes,
                                int* iterations, int* info) {
  const bool valid = n >= 0 && sides >= 0 && lda >= n && ldb >= n && ldx >= n;
  const cusolverStatus_t s = solver_call(h, name, place, valid, static_cast<char*>(room), static_cast<int>(bytes),
                                         [=]() { solve_square<T>(n, sides, a, lda, pivots, b, ldb, x, ldx, info); });
  return tell_no_iteration(h, s, iterations);
}
template <class T>
cusolverStatus_t refined_least_squares(cusolverDnHandle_t h, const char* name, const void* place, int m, int n,
                                       int sides, T* a, int lda, T* b, int ldb, T* x, int ldx, void* room,
                                       std::size_t bytes, int* iterations, int* info) {
  const bool valid = m >= n && n >= 0 && sides >= 0 && lda >= m && ldb >= m && ldx >= n;
  const cusolverStatus_t s = solver_call(h, name, place, valid, static_cast<char*>(room), static_cast<int>(bytes),
                                         [=]() { solve_least_squares<T>(m, n, sides, a, lda, b, ldb, x, ldx, info); });
  return tell_no_iteration(h, s, iterations);
}
inline cusolverStatus_t refined_work(int m, int n, std::size_t* bytes) {
  std::size_t none = 0;
  return solver_work(m, n, bytes, &none);
}
template <class F>
cusolverStatus_t with_precision(const cusolverDnIRSParams* p, F f) {
  if (!p->is_set) return CUSOLVER_STATUS_INVALID_VALUE;
  switch (p->main) {
    case CUSOLVER_R_32F:
      return f(float());
    case CUSOLVER_R_64F:
      return f(double());
    case CUSOLVER_C_32F:
      return f(cuComplex());
    case CUSOLVER_C_64F:
      return f(cuDoubleComplex());
    default:
      return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
}
}  // namespace simt_cuda::libraries

// XY: the letters of the matrix's numbers and of those that a GPU factors in.
#define SIMT_CUSOLVER_REFINED(XY, T)                                                                                   \
  inline cusolverStatus_t cusolverDn##XY##gesv_bufferSize(cusolverDnHandle_t, int n, int, T*, int, int*, T*, int, T*,  \
                                                          int, void*, std::size_t* bytes) {                            \
    return simt_cuda::libraries::refined_work(n, n, bytes);                                                            \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##XY##gesv(cusolverDnHandle_t h, int n, int sides, T* a, int lda,       \
                                                          int* pivots, T* b, int ldb, T* x, int ldx, void* room,       \
                                                          std::size_t bytes, int* iterations, int* info) {             \
    return simt_cuda::libraries::refined_square<T>(h, "cusolverDn" #XY "gesv()", SIMT_CALLED_FROM, n, sides, a, lda,   \
                                                   pivots, b, ldb, x, ldx, room, bytes, iterations, info);             \
  }                                                                                                                    \
  inline cusolverStatus_t cusolverDn##XY##gels_bufferSize(cusolverDnHandle_t, int m, int n, int, T*, int, T*, int, T*, \
                                                          int, void*, std::size_t* bytes) {                            \
    return simt_cuda::libraries::refined_work(m, n, bytes);                                                            \
  }                                                                                                                    \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverDn##XY##gels(cusolverDnHandle_t h, int m, int n, int sides, T* a,         \
                                                          int lda, T* b, int ldb, T* x, int ldx, void* room,           \
                                                          std::size_t bytes, int* iterations, int* info) {             \
    return simt_cuda::libraries::refined_least_squares<T>(h, "cusolverDn" #XY "gels()", SIMT_CALLED_FROM, m, n, sides, \
                                                          a, lda, b, ldb, x, ldx, room, bytes, iterations, info);      \
  }
SIMT_CUSOLVER_REFINED(ZZ, cuDoubleComplex)
SIMT_CUSOLVER_REFINED(ZC, cuDoubleComplex)
SIMT_CUSOLVER_REFINED(ZK, cuDoubleComplex)
SIMT_CUSOLVER_REFINED(ZE, cuDoubleComplex)
SIMT_CUSOLVER_REFINED(ZY, cuDoubleComplex)
SIMT_CUSOLVER_REFINED(CC, cuComplex)
SIMT_CUSOLVER_REFINED(CK, cuComplex)
SIMT_CUSOLVER_REFINED(CE, cuComplex)
SIMT_CUSOLVER_REFINED(CY, cuComplex)
SIMT_CUSOLVER_REFINED(DD, double)
SIMT_CUSOLVER_REFINED(DS, double)
SIMT_CUSOLVER_REFINED(DH, double)
SIMT_CUSOLVER_REFINED(DB, double)
SIMT_CUSOLVER_REFINED(DX, double)
SIMT_CUSOLVER_REFINED(SS, float)
SIMT_CUSOLVER_REFINED(SH, float)
SIMT_CUSOLVER_REFINED(SB, float)
SIMT_CUSOLVER_REFINED(SX, float)
#undef SIMT_CUSOLVER_REFINED

inline cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolver_int_t n,
                                                      cusolver_int_t, std::size_t* bytes) {
  return simt_cuda::libraries::refined_work(n, n, bytes);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t h, cusolverDnIRSParams_t p,
                                                      cusolverDnIRSInfos_t, cusolver_int_t n, cusolver_int_t sides,
                                                      void* a, cusolver_int_t lda, void* b, cusolver_int_t ldb, void* x,
                                                      cusolver_int_t ldx, void* room, std::size_t bytes,
                                                      cusolver_int_t* iterations, cusolver_int_t* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_precision(p, [&]<class T>(T) {
    return refined_square<T>(h, "cusolverDnIRSXgesv()", place, n, sides, static_cast<T*>(a), lda, nullptr,
                             static_cast<T*>(b), ldb, static_cast<T*>(x), ldx, room, bytes, iterations, info);
  });
}
inline cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolver_int_t m,
                                                      cusolver_int_t n, cusolver_int_t, std::size_t* bytes) {
  return simt_cuda::libraries::refined_work(m, n, bytes);
}
SIMT_LIBRARY_CALL cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t h, cusolverDnIRSParams_t p,
                                                      cusolverDnIRSInfos_t, cusolver_int_t m, cusolver_int_t n,
                                                      cusolver_int_t sides, void* a, cusolver_int_t lda, void* b,
                                                      cusolver_int_t ldb, void* x, cusolver_int_t ldx, void* room,
                                                      std::size_t bytes, cusolver_int_t* iterations,
                                                      cusolver_int_t* info) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  return with_precision(p, [&]<class T>(T) {
    return refined_least_squares<T>(h, "cusolverDnIRSXgels()", place, m, n, sides, static_cast<T*>(a), lda,
                                    static_cast<T*>(b), ldb, static_cast<T*>(x), ldx, room, bytes, iterations, info);
  });
}
