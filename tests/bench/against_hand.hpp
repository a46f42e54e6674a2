// SPDX-License-Identifier: Apache-2.0
// What benchmarks of kernels against loops by hand share. (Not the loops: how their index is typed is a part of what is
// compared.)
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <vector>

using work = std::function<void()>;

// Counts processor time instead of wall time, for machines that others use.
inline bool processor_time = false;

inline double now_ms() {
  if (processor_time) return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline double milliseconds(const work& w) {
  const double start = now_ms();
  w();
  return now_ms() - start;
}
inline double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
  return v[v.size() / 2];
}
