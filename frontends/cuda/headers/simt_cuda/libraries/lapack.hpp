// SPDX-License-Identifier: Apache-2.0
// LAPACK through LAPACKE, by one name for the four types. Declared here with CUDA's complex numbers, which lie in
// memory as C's do; <lapacke.h> would bring macros for those.
#pragma once

#include "numbers.hpp"

#define SIMT_LAPACK(x, T, R, orthogonal, symmetric)                                                                \
  extern "C" int LAPACKE_##x##potrf(int, char, int, T*, int);                                                      \
  extern "C" int LAPACKE_##x##potrs(int, char, int, int, const T*, int, T*, int);                                  \
  extern "C" int LAPACKE_##x##potri(int, char, int, T*, int);                                                      \
  extern "C" int LAPACKE_##x##getrf(int, int, int, T*, int, int*);                                                 \
  extern "C" int LAPACKE_##x##getrs(int, char, int, int, const T*, int, const int*, T*, int);                      \
  extern "C" int LAPACKE_##x##geqrf(int, int, int, T*, int, T*);                                                   \
  extern "C" int LAPACKE_##x##orthogonal##mqr(int, char, char, int, int, int, const T*, int, const T*, T*, int);   \
  extern "C" int LAPACKE_##x##orthogonal##gqr(int, int, int, int, T*, int, const T*);                              \
  extern "C" int LAPACKE_##x##gesvd(int, char, char, int, int, T*, int, R*, T*, int, T*, int, R*);                 \
  extern "C" int LAPACKE_##x##symmetric##evd(int, char, char, int, T*, int, R*);                                   \
  extern "C" int LAPACKE_##x##symmetric##gvd(int, int, char, char, int, T*, int, T*, int, R*);                     \
  extern "C" int LAPACKE_##x##symmetric##evx(int, char, char, char, int, T*, int, R, R, int, int, R, int*, R*, T*, \
                                             int, int*);                                                           \
  extern "C" int LAPACKE_##x##symmetric##gvx(int, int, char, char, char, int, T*, int, T*, int, R, R, int, int, R, \
                                             int*, R*, T*, int, int*);                                             \
  extern "C" int LAPACKE_##x##trtri(int, char, char, int, T*, int);                                                \
  extern "C" int LAPACKE_##x##gbsv(int, int, int, int, int, T*, int, int*, T*, int);                               \
  extern "C" int LAPACKE_##x##gels(int, char, int, int, int, T*, int, T*, int);                                    \
  extern "C" int LAPACKE_##x##pbsv(int, char, int, int, int, T*, int, T*, int);                                    \
  namespace simt_cuda::libraries {                                                                                 \
  template <>                                                                                                      \
  struct lapack<T> {                                                                                               \
    static constexpr auto potrf = &LAPACKE_##x##potrf;                                                             \
    static constexpr auto potrs = &LAPACKE_##x##potrs;                                                             \
    static constexpr auto potri = &LAPACKE_##x##potri;                                                             \
    static constexpr auto getrf = &LAPACKE_##x##getrf;                                                             \
    static constexpr auto getrs = &LAPACKE_##x##getrs;                                                             \
    static constexpr auto geqrf = &LAPACKE_##x##geqrf;                                                             \
    static constexpr auto multiply_q = &LAPACKE_##x##orthogonal##mqr;                                              \
    static constexpr auto make_q = &LAPACKE_##x##orthogonal##gqr;                                                  \
    static constexpr auto gesvd = &LAPACKE_##x##gesvd;                                                             \
    static constexpr auto eigen = &LAPACKE_##x##symmetric##evd;                                                    \
    static constexpr auto eigen_of_two = &LAPACKE_##x##symmetric##gvd;                                             \
    static constexpr auto eigen_range = &LAPACKE_##x##symmetric##evx;                                              \
    static constexpr auto eigen_range_of_two = &LAPACKE_##x##symmetric##gvx;                                       \
    static constexpr auto trtri = &LAPACKE_##x##trtri;                                                             \
    static constexpr auto solve_band = &LAPACKE_##x##gbsv;                                                         \
    static constexpr auto gels = &LAPACKE_##x##gels;                                                               \
    static constexpr auto solve_definite_band = &LAPACKE_##x##pbsv;                                                \
  };                                                                                                               \
  }
namespace simt_cuda::libraries {
template <class T>
struct lapack;
template <class T>
struct lapack_general;
inline constexpr int kByColumns = 102;  // LAPACK_COL_MAJOR
}  // namespace simt_cuda::libraries
extern "C" void LAPACKE_set_nancheck(int);
SIMT_LAPACK(s, float, float, or, sy)
SIMT_LAPACK(d, double, double, or, sy)
SIMT_LAPACK(c, cuComplex, float, un, he)
SIMT_LAPACK(z, cuDoubleComplex, double, un, he)
#undef SIMT_LAPACK

// Eigenvalues of any matrix: of a real one in two arrays.
#define SIMT_LAPACK_GENERAL(x, T, values)                                                    \
  extern "C" int LAPACKE_##x##geev(int, char, char, int, T*, int, values, T*, int, T*, int); \
  namespace simt_cuda::libraries {                                                           \
  template <>                                                                                \
  struct lapack_general<T> {                                                                 \
    static constexpr auto eigen = &LAPACKE_##x##geev;                                        \
  };                                                                                         \
  }
#define SIMT_PARTS(R) R*, R*
SIMT_LAPACK_GENERAL(s, float, SIMT_PARTS(float))
SIMT_LAPACK_GENERAL(d, double, SIMT_PARTS(double))
SIMT_LAPACK_GENERAL(c, cuComplex, cuComplex*)
SIMT_LAPACK_GENERAL(z, cuDoubleComplex, cuDoubleComplex*)
#undef SIMT_PARTS
#undef SIMT_LAPACK_GENERAL
