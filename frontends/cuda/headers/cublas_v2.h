// SPDX-License-Identifier: Apache-2.0
// cuBLAS: levels 1 to 3 for the four types, batches, products of named types. Matrices are in columns. Each call is a
// kernel of one thread on the handle's stream.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include "simt_cuda/blas/grouped_products.hpp"
#include "simt_cuda/blas/least_squares.hpp"
#include "simt_cuda/blas/matrices.hpp"
#include "simt_cuda/blas/names_64.hpp"
#include "simt_cuda/blas/packed_matrices.hpp"
#include "simt_cuda/blas/typed_products.hpp"
#include "simt_cuda/blas/typed_vectors.hpp"
#include "simt_cuda/blas/vectors.hpp"

// The names that the Toolkit's header maps to.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasSaxpy_v2 cublasSaxpy
#define cublasSscal_v2 cublasSscal
#define cublasScopy_v2 cublasScopy
#define cublasSswap_v2 cublasSswap
#define cublasStrsm_v2 cublasStrsm
#define cublasStrmm_v2 cublasStrmm
#define cublasSsymm_v2 cublasSsymm
#define cublasSsyrk_v2 cublasSsyrk
#define cublasSsyr2k_v2 cublasSsyr2k
#define cublasStrsv_v2 cublasStrsv
#define cublasStrmv_v2 cublasStrmv
#define cublasDgemm_v2 cublasDgemm
#define cublasDgemv_v2 cublasDgemv
#define cublasDaxpy_v2 cublasDaxpy
#define cublasDscal_v2 cublasDscal
#define cublasDcopy_v2 cublasDcopy
#define cublasDswap_v2 cublasDswap
#define cublasDtrsm_v2 cublasDtrsm
#define cublasDtrmm_v2 cublasDtrmm
#define cublasDsymm_v2 cublasDsymm
#define cublasDsyrk_v2 cublasDsyrk
#define cublasDsyr2k_v2 cublasDsyr2k
#define cublasDtrsv_v2 cublasDtrsv
#define cublasDtrmv_v2 cublasDtrmv
#define cublasCgemm_v2 cublasCgemm
#define cublasCgemv_v2 cublasCgemv
#define cublasCaxpy_v2 cublasCaxpy
#define cublasCscal_v2 cublasCscal
#define cublasCcopy_v2 cublasCcopy
#define cublasCswap_v2 cublasCswap
#define cublasCtrsm_v2 cublasCtrsm
#define cublasCtrmm_v2 cublasCtrmm
#define cublasCsymm_v2 cublasCsymm
#define cublasCsyrk_v2 cublasCsyrk
#define cublasCsyr2k_v2 cublasCsyr2k
#define cublasCtrsv_v2 cublasCtrsv
#define cublasCtrmv_v2 cublasCtrmv
#define cublasZgemm_v2 cublasZgemm
#define cublasZgemv_v2 cublasZgemv
#define cublasZaxpy_v2 cublasZaxpy
#define cublasZscal_v2 cublasZscal
#define cublasZcopy_v2 cublasZcopy
#define cublasZswap_v2 cublasZswap
#define cublasZtrsm_v2 cublasZtrsm
#define cublasZtrmm_v2 cublasZtrmm
#define cublasZsymm_v2 cublasZsymm
#define cublasZsyrk_v2 cublasZsyrk
#define cublasZsyr2k_v2 cublasZsyr2k
#define cublasZtrsv_v2 cublasZtrsv
#define cublasZtrmv_v2 cublasZtrmv
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasSnrm2_v2 cublasSnrm2
#define cublasDnrm2_v2 cublasDnrm2
#define cublasSasum_v2 cublasSasum
#define cublasDasum_v2 cublasDasum
#define cublasIsamax_v2 cublasIsamax
#define cublasIdamax_v2 cublasIdamax
#define cublasIsamin_v2 cublasIsamin
#define cublasIdamin_v2 cublasIdamin
#define cublasSger_v2 cublasSger
#define cublasDger_v2 cublasDger
#define cublasSsymv_v2 cublasSsymv
#define cublasDsymv_v2 cublasDsymv
#define cublasSsyr_v2 cublasSsyr
#define cublasDsyr_v2 cublasDsyr
#define cublasCdotc_v2 cublasCdotc
#define cublasCdotu_v2 cublasCdotu
#define cublasZdotc_v2 cublasZdotc
#define cublasZdotu_v2 cublasZdotu
#define cublasScnrm2_v2 cublasScnrm2
#define cublasDznrm2_v2 cublasDznrm2
#define cublasSrot_v2 cublasSrot
#define cublasDrot_v2 cublasDrot
#define cublasCherk_v2 cublasCherk
#define cublasZherk_v2 cublasZherk
// Fewer multiplications on a GPU, the same product.
#define cublasCgemm3m cublasCgemm
#define cublasZgemm3m cublasZgemm

#include "simt_cuda/restore_names.hpp"
