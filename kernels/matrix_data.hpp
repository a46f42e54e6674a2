// SPDX-License-Identifier: Apache-2.0
// Sizes, data and the host's reference of the matrix programs.
#pragma once

#include <random>
#include <simt/program.hpp>
#include <vector>

// C (m x n) = A (m x k) B (k x n).
struct matrix_sizes {
  std::int64_t m, k, n;
};

inline matrix_sizes sizes_of(const simt::run& r) {
  const matrix_sizes s{r.option("m"), r.option("k"), r.option("n")};
  r.elements({s.m, s.k});
  r.elements({s.k, s.n});
  r.elements({s.m, s.n});
  return s;
}

inline std::vector<simt::option_declaration> matrix_options(std::int64_t m, std::int64_t k, std::int64_t n) {
  return {{"m", "rows of A and C", m, 1}, {"k", "columns of A, rows of B", k, 1}, {"n", "columns of B and C", n, 1}};
}

// The three matrices of a run and the values that the first two hold.
template <class T>
struct matrices {
  std::vector<T> a_values, b_values;
  simt::buffer<T> a, b, c;

  matrices(simt::run& r, matrix_sizes s, std::vector<T> a_host, std::vector<T> b_host)
      : a_values(std::move(a_host)),
        b_values(std::move(b_host)),
        a(r.input("a", a_values, {s.m, s.k})),
        b(r.input("b", b_values, {s.k, s.n})),
        c(r.template output<T>("c", {s.m, s.n})) {}
  // All of A is a, all of B is b.
  matrices(simt::run& r, matrix_sizes s, T a_value, T b_value)
      : matrices(r, s, std::vector<T>(s.m * s.k, a_value), std::vector<T>(s.k * s.n, b_value)) {}
};

// C = A B on the host, in the kernels' order of summation: for each element, k ascending, in T.
template <class T>
std::vector<T> reference_product(const std::vector<T>& a, const std::vector<T>& b, matrix_sizes s) {
  std::vector<T> c(s.m * s.n);
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t i = 0; i < s.k; ++i) {
      const T left = a[row * s.k + i];
      for (std::int64_t column = 0; column < s.n; ++column) c[row * s.n + column] += left * b[i * s.n + column];
    }
  return c;
}

// Uniform values in [0, 1), the same every time for one seed.
template <class T>
std::vector<T> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> uniform(0, 1);
  std::vector<T> v(n);
  for (T& x : v) x = uniform(engine);
  return v;
}
