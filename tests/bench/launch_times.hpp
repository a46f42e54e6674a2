// SPDX-License-Identifier: Apache-2.0
// What benchmarks of checked kernels share: the processor time of launches, and vectors in device memory.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

// Prints the milliseconds of a launch: the median of five after one that is not counted.
template <class F>
void measure(const char* name, F launch) {
  std::vector<double> ms;
  for (int i = 0; i < 6; ++i) {
    const std::clock_t from = std::clock();
    launch();
    cudaDeviceSynchronize();
    ms.push_back(1000.0 * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC);
  }
  std::sort(ms.begin() + 1, ms.end());
  std::printf("%-18s %10.3f ms\n", name, ms[3]);
}
template <class T>
T* device(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
// The sum of what `value` makes of each element.
template <class T, class F>
double sum(const T* p, std::size_t n, F value) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  double s = 0;
  for (const T& x : v) s += static_cast<double>(value(x));
  return s;
}
