// SPDX-License-Identifier: Apache-2.0
// cusolverRf: systems that are solved again and again with new values in an old pattern. Factors that a program gives
// are not needed here: each solution is one of the matrix itself (simt_cuda/libraries/sparse_steps.hpp).
#pragma once

#include <cusolverSp.h>

#include "simt_cuda/hide_names.hpp"

#include "simt_cuda/libraries/sparse_steps.hpp"

#define CUSOLVERRF_H_

typedef enum {
  CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
  CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} cusolverRfResetValuesFastMode_t;
typedef enum { CUSOLVERRF_MATRIX_FORMAT_CSR = 0, CUSOLVERRF_MATRIX_FORMAT_CSC = 1 } cusolverRfMatrixFormat_t;
typedef enum {
  CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
  CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum {
  CUSOLVERRF_FACTORIZATION_ALG0 = 0,
  CUSOLVERRF_FACTORIZATION_ALG1 = 1,
  CUSOLVERRF_FACTORIZATION_ALG2 = 2
} cusolverRfFactorization_t;
typedef enum {
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum {
  CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
  CUSOLVERRF_NUMERIC_BOOST_USED = 1
} cusolverRfNumericBoostReport_t;

struct cusolverRfCommon {
  simt_cuda::libraries::kept_matrix kept;
  cusolverRfMatrixFormat_t format = CUSOLVERRF_MATRIX_FORMAT_CSR;
  cusolverRfUnitDiagonal_t diagonal = CUSOLVERRF_UNIT_DIAGONAL_STORED_L;
  cusolverRfResetValuesFastMode_t fast_mode = CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF;
  cusolverRfFactorization_t factorization = CUSOLVERRF_FACTORIZATION_ALG0;
  cusolverRfTriangularSolve_t triangular_solve = CUSOLVERRF_TRIANGULAR_SOLVE_ALG1;
  double zero = 0, boost = 0;
  bool factorised = false;
};
typedef cusolverRfCommon* cusolverRfHandle_t;

inline cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* h) {
  *h = new cusolverRfCommon;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t h) {
  delete h;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t format,
                                                  cusolverRfUnitDiagonal_t diagonal) {
  h->format = format;
  h->diagonal = diagonal;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t h, cusolverRfMatrixFormat_t* format,
                                                  cusolverRfUnitDiagonal_t* diagonal) {
  *format = h->format;
  *diagonal = h->diagonal;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t h, double zero, double boost) {
  h->zero = zero;
  h->boost = boost;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t h, double* zero, double* boost) {
  *zero = h->zero;
  *boost = h->boost;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t, cusolverRfNumericBoostReport_t* report) {
  *report = CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t factorization,
                                          cusolverRfTriangularSolve_t solve) {
  h->factorization = factorization;
  h->triangular_solve = solve;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t h, cusolverRfFactorization_t* factorization,
                                          cusolverRfTriangularSolve_t* solve) {
  *factorization = h->factorization;
  *solve = h->triangular_solve;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t h, cusolverRfResetValuesFastMode_t mode) {
  h->fast_mode = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t h, cusolverRfResetValuesFastMode_t* mode) {
  *mode = h->fast_mode;
  return CUSOLVER_STATUS_SUCCESS;
}

namespace simt_cuda::libraries {
inline cusolverStatus_t take_system(cusolverRfHandle_t h, const char* name, const void* place, bool on_host, int n,
                                    int entries, const int* offsets, const int* columns, const double* values) {
  if (h == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  h->factorised = false;
  h->kept.by_columns = h->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
  return keep_matrix(h->kept, name, place, nullptr, on_host, n, entries, 0, values, offsets, columns)
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_EXECUTION_FAILED;
}
}  // namespace simt_cuda::libraries

// The pattern of A, and A = P^T L U Q; all in memory of the host, or all in that of the device.
#define SIMT_CUSOLVER_SETUP(where, on_host)                                                                            \
  SIMT_LIBRARY_CALL cusolverStatus_t cusolverRfSetup##where(int n, int entries, int* offsets, int* columns,            \
                                                            double* values, int, int*, int*, double*, int, int*, int*, \
                                                            double*, int*, int*, cusolverRfHandle_t h) {               \
    return simt_cuda::libraries::take_system(h, "cusolverRfSetup" #where "()", SIMT_CALLED_FROM, on_host, n, entries,  \
                                             offsets, columns, values);                                                \
  }
SIMT_CUSOLVER_SETUP(Host, true)
SIMT_CUSOLVER_SETUP(Device, false)
#undef SIMT_CUSOLVER_SETUP
SIMT_LIBRARY_CALL cusolverStatus_t cusolverRfResetValues(int n, int entries, int* offsets, int* columns, double* values,
                                                         int*, int*, cusolverRfHandle_t h) {
  return simt_cuda::libraries::take_system(h, "cusolverRfResetValues()", SIMT_CALLED_FROM, false, n, entries, offsets,
                                           columns, values);
}
inline cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t h) {
  return h->kept.has_values ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}
inline cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t h) {
  if (!h->kept.has_values) return CUSOLVER_STATUS_INVALID_VALUE;
  if (simt_cuda::libraries::zero_pivot_of<double>(h->kept, false, h->zero) >= 0) return CUSOLVER_STATUS_ZERO_PIVOT;
  h->factorised = true;
  return CUSOLVER_STATUS_SUCCESS;
}
// `x`: right sides, then solutions.
SIMT_LIBRARY_CALL cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t h, int*, int*, int count, double*, int, double* x,
                                                   int leading) {
  if (!h->factorised) return CUSOLVER_STATUS_INVALID_VALUE;
  return simt_cuda::libraries::solve_kept<double>(h->kept, "cusolverRfSolve()", SIMT_CALLED_FROM, nullptr, false, false,
                                                  count, x, leading, x, leading);
}

#include "simt_cuda/restore_names.hpp"
