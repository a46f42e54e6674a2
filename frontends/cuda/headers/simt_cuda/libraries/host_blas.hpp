// SPDX-License-Identifier: Apache-2.0
// Products of matrices by OpenBLAS, through the C interface of BLAS. Included, and linked with, where OpenBLAS is
// installed; declared here, so that a program may include another <cblas.h>.
#pragma once

#include "numbers.hpp"

extern "C" void cblas_sgemm(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                            int);
extern "C" void cblas_dgemm(int, int, int, int, int, int, double, const double*, int, const double*, int, double,
                            double*, int);
extern "C" void cblas_cgemm(int, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*,
                            void*, int);
extern "C" void cblas_zgemm(int, int, int, int, int, int, const void*, const void*, int, const void*, int, const void*,
                            void*, int);

namespace simt_cuda::libraries {

// op: 0 as it is, 1 transposed, 2 conjugated too. Matrices in columns.
template <class T>
struct host_product {
  int op_a, op_b, m, n, k;
  T alpha;
  const T* a;
  int lda;
  const T* b;
  int ldb;
  T beta;
  T* c;
  int ldc;

  SIMT_UNWATCHED void operator()() const {
    const int by_columns = 102, ta = 111 + op_a, tb = 111 + op_b;
    if constexpr (std::is_same_v<T, float>)
      cblas_sgemm(by_columns, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    else if constexpr (std::is_same_v<T, double>)
      cblas_dgemm(by_columns, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    else if constexpr (std::is_same_v<T, cuComplex>)
      cblas_cgemm(by_columns, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
    else
      cblas_zgemm(by_columns, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }
};

}  // namespace simt_cuda::libraries
