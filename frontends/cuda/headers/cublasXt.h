// SPDX-License-Identifier: Apache-2.0
// cublasXt: products of matrices that lie in memory of the host, on the one device: copies there, cuBLAS, a copy back.
// Calls return when the result is there. How blocks are cut and shared out means nothing here.
#pragma once

#include <cublas_v2.h>

#include "simt_cuda/hide_names.hpp"

#include <cstddef>

#define CUBLAS_XT_H_

struct cublasXtContext {
  cublasHandle_t blas = nullptr;
  int block = 1024;
  int pinning = 0;
};
typedef cublasXtContext* cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum {
  CUBLASXT_FLOAT = 0,
  CUBLASXT_DOUBLE = 1,
  CUBLASXT_COMPLEX = 2,
  CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
  CUBLASXT_GEMM = 0,
  CUBLASXT_SYRK = 1,
  CUBLASXT_HERK = 2,
  CUBLASXT_SYMM = 3,
  CUBLASXT_HEMM = 4,
  CUBLASXT_TRSM = 5,
  CUBLASXT_SYR2K = 6,
  CUBLASXT_HER2K = 7,
  CUBLASXT_SPMM = 8,
  CUBLASXT_SYRKX = 9,
  CUBLASXT_HERKX = 10,
  CUBLASXT_TRMM = 11,
  CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

inline cublasStatus_t cublasXtCreate(cublasXtHandle_t* h) {
  *h = new cublasXtContext;
  return cublasCreate(&(*h)->blas);
}
inline cublasStatus_t cublasXtDestroy(cublasXtHandle_t h) {
  const cublasStatus_t s = cublasDestroy(h->blas);
  delete h;
  return s;
}
inline cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t, int count, int* devices) {
  if (count < 1 || devices == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  for (int i = 0; i < count; ++i)
    if (devices[i] != 0) return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtMaxBoards(int* count) {
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetNumBoards(int, int[], int* count) { return cublasXtMaxBoards(count); }
inline cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t h, int block) {
  if (block <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  h->block = block;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t h, int* block) {
  *block = h->block;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t h, cublasXtPinnedMemMode_t mode) {
  h->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t h, cublasXtPinnedMemMode_t* mode) {
  *mode = static_cast<cublasXtPinnedMemMode_t>(h->pinning);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, void*) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, float) {
  return CUBLAS_STATUS_SUCCESS;
}

namespace simt_cuda::blas {
// A matrix in memory of the device for one call, packed.
template <class T>
class moved_matrix {
 public:
  moved_matrix(const T* from, std::size_t rows, std::size_t cols, std::size_t leading)
      : rows_(rows), cols_(cols), leading_(leading) {
    if (rows == 0 || cols == 0) return;
    here_ = cudaMalloc(&at_, rows * cols * sizeof(T)) == cudaSuccess &&
            cudaMemcpy2D(at_, rows * sizeof(T), from, leading * sizeof(T), rows * sizeof(T), cols, cudaMemcpyDefault) ==
                cudaSuccess;
  }
  ~moved_matrix() { cudaFree(at_); }
  moved_matrix(const moved_matrix&) = delete;
  moved_matrix& operator=(const moved_matrix&) = delete;
  T* at() const { return at_; }
  int leading() const { return rows_ == 0 ? 1 : static_cast<int>(rows_); }
  // `done`: what the product said.
  cublasStatus_t back_to(T* to, cublasStatus_t done) const {
    if (done != CUBLAS_STATUS_SUCCESS || rows_ == 0 || cols_ == 0) return done;
    if (!here_) return CUBLAS_STATUS_ALLOC_FAILED;
    return cudaMemcpy2D(to, leading_ * sizeof(T), at_, rows_ * sizeof(T), rows_ * sizeof(T), cols_,
                        cudaMemcpyDefault) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
  }

 private:
  std::size_t rows_, cols_, leading_;
  T* at_ = nullptr;
  bool here_ = true;
};
}  // namespace simt_cuda::blas

#define SIMT_CUBLAS_XT(X, T)                                                                                          \
  inline cublasStatus_t cublasXt##X##gemm(cublasXtHandle_t h, cublasOperation_t oa, cublasOperation_t ob,             \
                                          std::size_t m, std::size_t n, std::size_t k, const T* alpha, const T* a,    \
                                          std::size_t lda, const T* b, std::size_t ldb, const T* beta, T* c,          \
                                          std::size_t ldc) {                                                          \
    const bool plain_a = oa == CUBLAS_OP_N, plain_b = ob == CUBLAS_OP_N;                                              \
    const simt_cuda::blas::moved_matrix<T> ma(a, plain_a ? m : k, plain_a ? k : m, lda),                              \
        mb(b, plain_b ? k : n, plain_b ? n : k, ldb), mc(c, m, n, ldc);                                               \
    return mc.back_to(                                                                                                \
        c, cublas##X##gemm(h->blas, oa, ob, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), alpha,     \
                           ma.at(), ma.leading(), mb.at(), mb.leading(), beta, mc.at(), mc.leading()));               \
  }                                                                                                                   \
  inline cublasStatus_t cublasXt##X##symm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,           \
                                          std::size_t m, std::size_t n, const T* alpha, const T* a, std::size_t lda,  \
                                          const T* b, std::size_t ldb, const T* beta, T* c, std::size_t ldc) {        \
    const std::size_t rows = side == CUBLAS_SIDE_LEFT ? m : n;                                                        \
    const simt_cuda::blas::moved_matrix<T> ma(a, rows, rows, lda), mb(b, m, n, ldb), mc(c, m, n, ldc);                \
    return mc.back_to(c, cublas##X##symm(h->blas, side, fill, static_cast<int>(m), static_cast<int>(n), alpha,        \
                                         ma.at(), ma.leading(), mb.at(), mb.leading(), beta, mc.at(), mc.leading())); \
  }                                                                                                                   \
  inline cublasStatus_t cublasXt##X##syrk(cublasXtHandle_t h, cublasFillMode_t fill, cublasOperation_t op,            \
                                          std::size_t n, std::size_t k, const T* alpha, const T* a, std::size_t lda,  \
                                          const T* beta, T* c, std::size_t ldc) {                                     \
    const bool plain = op == CUBLAS_OP_N;                                                                             \
    const simt_cuda::blas::moved_matrix<T> ma(a, plain ? n : k, plain ? k : n, lda), mc(c, n, n, ldc);                \
    return mc.back_to(c, cublas##X##syrk(h->blas, fill, op, static_cast<int>(n), static_cast<int>(k), alpha, ma.at(), \
                                         ma.leading(), beta, mc.at(), mc.leading()));                                 \
  }                                                                                                                   \
  inline cublasStatus_t cublasXt##X##trsm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,           \
                                          cublasOperation_t op, cublasDiagType_t diagonal, std::size_t m,             \
                                          std::size_t n, const T* alpha, const T* a, std::size_t lda, T* b,           \
                                          std::size_t ldb) {                                                          \
    const std::size_t rows = side == CUBLAS_SIDE_LEFT ? m : n;                                                        \
    const simt_cuda::blas::moved_matrix<T> ma(a, rows, rows, lda), mb(b, m, n, ldb);                                  \
    return mb.back_to(b, cublas##X##trsm(h->blas, side, fill, op, diagonal, static_cast<int>(m), static_cast<int>(n), \
                                         alpha, ma.at(), ma.leading(), mb.at(), mb.leading()));                       \
  }
SIMT_CUBLAS_XT(S, float)
SIMT_CUBLAS_XT(D, double)
SIMT_CUBLAS_XT(C, cuComplex)
SIMT_CUBLAS_XT(Z, cuDoubleComplex)
#undef SIMT_CUBLAS_XT

#include "simt_cuda/restore_names.hpp"
