// SPDX-License-Identifier: Apache-2.0
// cuBLASLt: products of matrices and what is done to their elements before they are stored. One algorithm.
#pragma once

#include "kernels.hpp"
#include "lt_numbers.hpp"

struct cublasLtMatmulAlgo_t {
  std::uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  std::size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

namespace simt_cuda::blas {
// One call, by value: descriptors may be destroyed before its kernel runs.
struct lt_call {
  cublasLtMatmulDescOpaque_t how;
  cublasLtMatrixLayoutOpaque_t la, lb, lc, ld;
  const void *alpha, *a, *b, *beta, *c;
  void* d;
  bool has(unsigned bits) const { return (how.epilogue & bits) != 0; }
  size rows() const { return static_cast<size>(ld.rows); }
  size columns() const { return static_cast<size>(ld.columns); }
  size inner() const { return static_cast<size>(how.a_op == CUBLAS_OP_N ? la.columns : la.rows); }
  int aux_type() const { return how.aux_type >= 0 ? how.aux_type : static_cast<int>(ld.type); }
  int bias_type() const {
    if (how.bias_type >= 0) return how.bias_type;
    if (is_fp8(static_cast<int>(ld.type))) return CUDA_R_16BF;
    return ld.type == CUDA_R_8I ? static_cast<int>(CUDA_R_32F) : static_cast<int>(ld.type);
  }
};
// A factor is of the scale type; of halves, a half.
template <class T>
struct lt_factor {
  int type;
  T value;
  const void* place;
  SIMT_UNWATCHED T get() const {
    T v = value;
    if (place != nullptr) load_row(type, place, 0, 1, &v);
    return v;
  }
};
template <class T>
lt_factor<T> lt_factor_of(const lt_call& call, const void* p) {
  T value{};
  if (call.how.pointers == CUBLASLT_POINTER_MODE_DEVICE) return {call.how.scale, value, p};
  with_number(call.how.scale, [&]<class U>(U) { value = to_wide<T>(*static_cast<const U*>(p)); });
  return {call.how.scale, value, nullptr};
}

// GELU as cuBLASLt has it: by the hyperbolic tangent.
template <class T>
SIMT_UNWATCHED T gelu(T x) {
  return T(0.5) * x * (1 + std::tanh(T(0.7978845608028654) * (x + T(0.044715) * x * x * x)));
}
template <class T>
SIMT_UNWATCHED T gelu_slope(T x) {
  const T t = std::tanh(T(0.7978845608028654) * (x + T(0.044715) * x * x * x));
  return T(0.5) * (1 + t) + T(0.5) * x * (1 - t * t) * T(0.7978845608028654) * (1 + T(0.134145) * x * x);
}
// Column j of the result, of real numbers: bias, function and their gradients. The mask of ReLU is a bit an element.
template <class T>
SIMT_UNWATCHED void finish_column(const lt_call& call, size batch, size j, const T* bias, T* column, T* aux) {
  const size m = call.rows();
  const bool mask = call.has(2 | 8);
  const auto bits = static_cast<unsigned char*>(call.how.aux) + (j * call.how.aux_ld + batch * call.how.aux_step) / 8;
  const size first = j * call.how.aux_ld + batch * call.how.aux_step;
  if (call.has(4))
    for (size i = 0; i < m; ++i) column[i] = column[i] + bias[i];
  if (call.has(8 | 64)) {
    if (mask)
      reads(bits, (m + 7) / 8);
    else
      load_row(call.aux_type(), call.how.aux, first, m, aux);
    for (size i = 0; i < m; ++i) column[i] = column[i] * (mask ? T(bits[i / 8] >> (i % 8) & 1) : gelu_slope(aux[i]));
  } else if (call.has(128)) {
    if (mask) {
      writes(bits, (m + 7) / 8);
      for (size i = 0; i < m; i += 8) bits[i / 8] = 0;
      for (size i = 0; i < m; ++i) bits[i / 8] = static_cast<unsigned char>(bits[i / 8] | (column[i] > 0) << (i % 8));
    } else {
      store_row(call.aux_type(), call.how.aux, first, m, column);
    }
  }
  for (size i = 0; i < m; ++i) {
    if (call.has(2)) column[i] = column[i] > 0 ? column[i] : 0;
    if (call.has(32)) column[i] = gelu(column[i]);
  }
}
// Sums over the columns (or rows) of a matrix without gaps, stored as the bias.
template <class T>
SIMT_UNWATCHED void store_sums(const lt_call& call, size batch, const T* matrix, size rows, size columns,
                               bool of_rows) {
  const size n = of_rows ? rows : columns;
  const scratch<T> sums(n);
  for (size j = 0; j < columns; ++j)
    for (size i = 0; i < rows; ++i) sums[of_rows ? i : j] = sums[of_rows ? i : j] + matrix[j * rows + i];
  store_row(call.bias_type(), call.how.bias, batch * call.how.bias_step, n, sums.get());
}
template <class T>
SIMT_UNWATCHED void finish(const lt_call& call, size batch, const T* a, const T* b, T* d) {
  if constexpr (std::is_floating_point_v<T>) {
    const size m = call.rows(), n = call.columns();
    const scratch<T> bias(m), aux(m);
    if (call.has(4)) load_row(call.bias_type(), call.how.bias, batch * call.how.bias_step, m, bias.get());
    for (size j = 0; j < n; ++j) finish_column(call, batch, j, bias.get(), d + j * m, aux.get());
    if (call.has(16)) store_sums(call, batch, d, m, n, true);
    if (call.has(256))
      store_sums(call, batch, a, static_cast<size>(call.la.rows), static_cast<size>(call.la.columns),
                 call.how.a_op == CUBLAS_OP_N);
    if (call.has(512))
      store_sums(call, batch, b, static_cast<size>(call.lb.rows), static_cast<size>(call.lb.columns),
                 call.how.b_op != CUBLAS_OP_N);
    if (call.how.d_largest != nullptr) {
      float largest = batch == 0 ? 0 : *static_cast<const float*>(call.how.d_largest);
      for (size i = 0; i < m * n; ++i) largest = std::fmax(largest, static_cast<float>(std::fabs(d[i])));
      writes_array(static_cast<float*>(call.how.d_largest), 1);
      *static_cast<float*>(call.how.d_largest) = largest;
    }
    if (call.how.d_scale == nullptr) return;
    const T scale = scale_at<T>(call.how.d_scale);
    for (size i = 0; i < m * n; ++i) d[i] = d[i] * scale;
  }
}
template <class T>
SIMT_UNWATCHED void multiply_described(const lt_call& call, T alpha, T beta) {
  const size m = call.rows(), n = call.columns(), k = call.inner();
  const T one = from_real<T>(1);
  const scratch<T> a(m * k), b(k * n), d(m * n);
  for (size batch = 0; batch < call.ld.count; ++batch) {
    load(call.la, call.a, batch, scale_at<T>(call.how.a_scale), a.get());
    load(call.lb, call.b, batch, scale_at<T>(call.how.b_scale), b.get());
    if (!is_zero(beta)) load(call.lc, call.c, batch, scale_at<T>(call.how.c_scale), d.get());
    multiply_fast<T, T, T>(form_of(static_cast<cublasOperation_t>(call.how.a_op)),
                           form_of(static_cast<cublasOperation_t>(call.how.b_op)), m, n, k, alpha, a.get(),
                           static_cast<size>(call.la.rows), b.get(), static_cast<size>(call.lb.rows), beta, d.get(), m);
    finish(call, batch, a.get(), b.get(), d.get());
    store(call.ld, call.d, batch, d.get());
  }
}
// Whether cublasLtMatmul() can do it; CUBLAS_STATUS_INVALID_VALUE where the sizes do not fit.
inline cublasStatus_t can_multiply(const lt_call& call) {
  const auto fits = [](const cublasLtMatrixLayoutOpaque_t& l, std::uint64_t rows, std::uint64_t columns) {
    return l.rows == rows && l.columns == columns &&
           l.ld >= static_cast<std::int64_t>(l.order == CUBLASLT_ORDER_ROW ? columns : rows);
  };
  const cublasLtMatmulDescOpaque_t& how = call.how;
  const bool a_plain = how.a_op == CUBLAS_OP_N, b_plain = how.b_op == CUBLAS_OP_N;
  const std::uint64_t m = call.ld.rows, n = call.ld.columns, k = a_plain ? call.la.columns : call.la.rows;
  if (!fits(call.la, a_plain ? m : k, a_plain ? k : m) || !fits(call.lb, b_plain ? k : n, b_plain ? n : k) ||
      !fits(call.lc, m, n) || !fits(call.ld, m, n) || call.la.count != call.ld.count || call.lb.count != call.ld.count)
    return CUBLAS_STATUS_INVALID_VALUE;
  bool known = how.pointers <= CUBLASLT_POINTER_MODE_DEVICE && how.c_op == CUBLAS_OP_N &&
               how.fill == CUBLAS_FILL_MODE_FULL && how.aux_scale == nullptr && how.aux_largest == nullptr;
  for (const cublasLtMatrixLayoutOpaque_t* l : {&call.la, &call.lb, &call.lc, &call.ld})
    known = known && l->order <= CUBLASLT_ORDER_ROW &&
            is_complex_type(static_cast<int>(l->type)) == is_complex_type(how.scale) &&
            with_number(static_cast<int>(l->type), [](auto) {});
  // Gradients of biases are sums over k, which are there only where k goes across the operand's rows.
  if (call.la.order != CUBLASLT_ORDER_ROW && call.has(256) && !a_plain) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (call.lb.order != CUBLASLT_ORDER_ROW && call.has(512) && b_plain) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool real_numbers = !is_complex_type(how.scale) && how.scale != CUDA_R_32I;
  if (!known || (!real_numbers && how.epilogue != CUBLASLT_EPILOGUE_DEFAULT)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if ((call.has(4 | 16 | 256 | 512) && how.bias == nullptr) || (call.has(128) && how.aux == nullptr))
    return CUBLAS_STATUS_INVALID_VALUE;
  return CUBLAS_STATUS_SUCCESS;
}
// f(T()) for what a product is computed with. Products of bytes that are scaled by floats are summed exactly.
template <class F>
cublasStatus_t with_computed(const cublasLtMatmulDescOpaque_t& how, F f) {
  if (how.scale == CUDA_R_32I) return f(int());
  if (how.scale == CUDA_R_16F) return f(float());
  if (how.scale == CUDA_R_32F && (how.compute == CUBLAS_COMPUTE_32I || how.compute == CUBLAS_COMPUTE_32I_PEDANTIC))
    return f(double());
  return with_value_type(static_cast<cudaDataType>(how.scale), CUBLAS_STATUS_NOT_SUPPORTED, f);
}
}  // namespace simt_cuda::blas

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* h) {
  cublasHandle_t made;
  const cublasStatus_t s = cublasCreate(&made);
  *h = reinterpret_cast<cublasLtHandle_t>(made);
  return s;
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) { return cublasDestroy(reinterpret_cast<cublasHandle_t>(h)); }
inline std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
inline std::size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
inline const char* cublasLtGetStatusName(cublasStatus_t s) { return cublasGetStatusName(s); }
inline const char* cublasLtGetStatusString(cublasStatus_t s) { return cublasGetStatusString(s); }

// `wanted` results at most, of which there is one.
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t how,
                                                     cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                                     cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                     cublasLtMatmulPreference_t, int wanted,
                                                     cublasLtMatmulHeuristicResult_t* results, int* found) {
  using namespace simt_cuda::blas;
  *found = 0;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wanted <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  const cublasStatus_t s = can_multiply({*how, *a, *b, *c, *d, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr});
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  results[0] = {};
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t, cublasComputeType_t, cudaDataType, cudaDataType,
                                               cudaDataType, cudaDataType, cudaDataType, int wanted, int ids[],
                                               int* found) {
  *found = wanted > 0;
  if (wanted > 0) ids[0] = 0;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t, cublasComputeType_t, cudaDataType, cudaDataType,
                                             cudaDataType, cudaDataType, cudaDataType, int id,
                                             cublasLtMatmulAlgo_t* algo) {
  *algo = {};
  return id == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
[[gnu::noinline]] inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t how, const void* alpha,
                                                       const void* a, cublasLtMatrixLayout_t la, const void* b,
                                                       cublasLtMatrixLayout_t lb, const void* beta, const void* c,
                                                       cublasLtMatrixLayout_t lc, void* d, cublasLtMatrixLayout_t ld,
                                                       const cublasLtMatmulAlgo_t*, void*, std::size_t,
                                                       cudaStream_t stream) {
  using namespace simt_cuda::blas;
  if (h == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (how == nullptr || la == nullptr || lb == nullptr || lc == nullptr || ld == nullptr || alpha == nullptr ||
      beta == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  const lt_call call{*how, *la, *lb, *lc, *ld, alpha, a, b, beta, c, d};
  const cublasStatus_t s = can_multiply(call);
  if (s != CUBLAS_STATUS_SUCCESS) return s;
  const void* const place = SIMT_CALLED_FROM;
  return with_computed(*how, [&]<class T>(T) {
    const bool ran = simt_cuda::libraries::run(
        "cublasLtMatmul()", stream, place, [=, f = lt_factor_of<T>(call, alpha), g = lt_factor_of<T>(call, beta)]() {
          multiply_described<T>(call, f.get(), g.get());
        });
    return ran ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
  });
}
