// SPDX-License-Identifier: Apache-2.0
// Sparse systems of cuSOLVER that are solved in steps: the matrix that an object keeps from its setup or factorisation
// to the solutions. Each solution factorises again, as a band (cusolverSp.h); only who asks for L and U has them made.
#pragma once

#include <cstdio>
#include <vector>

#include <cusolver_common.h>
#include <cusparse.h>

#include "sparse_bands.hpp"

namespace simt_cuda::libraries {

// In CSR or CSC, counted from 0.
struct kept_matrix {
  int n = 0;
  bool by_columns = false, has_values = false;
  std::vector<int> offsets, columns;
  std::vector<unsigned char> values;

  template <class T>
  sparse_matrix as_matrix() const {
    sparse_matrix m = older_matrix<T>(n, n, static_cast<int>(columns.size()), CUSPARSE_INDEX_BASE_ZERO,
                                      reinterpret_cast<const T*>(values.data()), offsets.data(), columns.data());
    if (by_columns) m.format = sparse_format::columns;
    return m;
  }
  template <class T>
  void make_room(int rows, int entries) {
    n = rows;
    offsets.resize(static_cast<std::size_t>(rows) + 1);
    columns.resize(static_cast<std::size_t>(entries));
    values.resize(static_cast<std::size_t>(entries) * sizeof(T));
    has_values = true;
  }
};

template <class T>
SIMT_UNWATCHED void copy_array(const T* from, size n, T less, T* to) {
  for (size i = 0; i < n; ++i) to[i] = minus(from[i], less);
}

// Whether the matrix was read: by the host, or by a kernel on the stream.
template <class T>
bool keep_matrix(kept_matrix& k, const char* name, const void* place, cudaStream_t stream, bool on_host, int n,
                 int entries, int base, const T* values, const int* offsets, const int* columns) {
  k.make_room<T>(n, entries);
  const auto copy = [=, to_offsets = k.offsets.data(), to_columns = k.columns.data(),
                     to_values = reinterpret_cast<T*>(k.values.data())]() SIMT_UNWATCHED {
    copy_array(offsets, n + 1, base, to_offsets);
    copy_array(columns, entries, base, to_columns);
    copy_array(values, entries, from_real<T>(0), to_values);
  };
  if (on_host) {
    copy();
    return true;
  }
  const bool ran = run(name, stream, place, [=]() {
    reads_array(offsets, n + 1);
    reads_array(columns, entries);
    reads_array(values, entries);
    copy();
  });
  return ran && cudaStreamSynchronize(stream) == cudaSuccess;
}

// x = A^-1 b for `count` right sides, `step_b` and `step_x` elements apart. b may be x.
template <class T>
cusolverStatus_t solve_kept(const kept_matrix& k, const char* name, const void* place, cudaStream_t stream,
                            bool on_host, bool definite, int count, const T* b, int step_b, T* x, int step_x) {
  if (!k.has_values) return CUSOLVER_STATUS_INVALID_VALUE;
  const sparse_matrix m = k.as_matrix<T>();
  band_result result;
  band_result* const to = &result;
  const int n = k.n;
  const auto solve = [=]() SIMT_UNWATCHED {
    for (int i = 0; i < count && to->fits; ++i)
      solve_as_band(m, definite, real<T>(0), b + static_cast<size>(i) * step_b, x + static_cast<size>(i) * step_x, to);
  };
  if (on_host) {
    solve();
  } else {
    const bool ran = run(name, stream, place, [=]() {
      reads(b, n * static_cast<size>(sizeof(T)), count, step_b * static_cast<size>(sizeof(T)));
      writes(x, n * static_cast<size>(sizeof(T)), count, step_x * static_cast<size>(sizeof(T)));
      solve();
    });
    if (!ran || cudaStreamSynchronize(stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  }
  if (!result.fits) {
    std::fprintf(stderr, "simt: %s: the band of this matrix is too wide for the simulator\n", name);
    return CUSOLVER_STATUS_NOT_SUPPORTED;
  }
  return CUSOLVER_STATUS_SUCCESS;
}

// The row whose pivot is not larger than the tolerance, or -1.
template <class T>
int zero_pivot_of(const kept_matrix& k, bool definite, real<T> tolerance) {
  const std::vector<T> b(static_cast<std::size_t>(k.n), from_real<T>(0));
  std::vector<T> x(b);
  band_result result;
  solve_as_band(k.as_matrix<T>(), definite, tolerance, b.data(), x.data(), &result);
  return result.singular;
}

// Programs allocate it; nothing is put there.
inline cusolverStatus_t little_room(std::size_t* internal, std::size_t* work) {
  *internal = 0;
  *work = 512;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace simt_cuda::libraries
