// SPDX-License-Identifier: Apache-2.0
// Sizes and the host's reference of the matrix programs.
#pragma once

#include <random>
#include <vector>

#include <simt/program.hpp>

struct matrix_sizes {
  std::int64_t m, k, n;
};

inline matrix_sizes sizes_of(const simt::run& r) { return {r.option("m"), r.option("k"), r.option("n")}; }

// C = A B on the host, in the kernels' order of summation: for each element, k ascending, in T.
template <class T>
std::vector<T> reference_product(const std::vector<T>& a, const std::vector<T>& b, matrix_sizes s) {
  std::vector<T> c(static_cast<std::size_t>(s.m * s.n));
  for (std::int64_t row = 0; row < s.m; ++row)
    for (std::int64_t i = 0; i < s.k; ++i) {
      const T left = a[static_cast<std::size_t>(row * s.k + i)];
      for (std::int64_t column = 0; column < s.n; ++column)
        c[static_cast<std::size_t>(row * s.n + column)] += left * b[static_cast<std::size_t>(i * s.n + column)];
    }
  return c;
}

// Uniform values in [0, 1), the same every time for one seed.
template <class T>
std::vector<T> random_values(std::int64_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<T> uniform(0, 1);
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) x = uniform(engine);
  return v;
}
