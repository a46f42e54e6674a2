// SPDX-License-Identifier: Apache-2.0
// What benchmarks share in which each kernel has its own loop by hand: the two take turns, and what they leave is
// compared.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "against_hand.hpp"

constexpr int kRounds = 9;
inline bool wrong = false;
inline bool shows_results = false;  // and no times: for runs whose results are to be the same
inline const char* only = "";       // a kernel's name, or none

// What main is given: a word, or none, and perhaps a kernel's name, which then runs alone.
inline void take_words(int argc, char** argv) {
  processor_time = argc > 1 && std::strcmp(argv[1], "cpu") == 0;
  shows_results = argc > 1 && std::strcmp(argv[1], "results") == 0;
  if (argc > 2) only = argv[2];
  if (!shows_results) std::printf("%-22s %8s %8s %6s\n", "kernel", "ms", "hand ms", "ratio");
}

template <class T>
void show_result(const char* name, const T* result, std::size_t count) {
  std::uint64_t sum = 14695981039346656037u;  // FNV-1a
  for (std::size_t i = 0; i < count * sizeof(T); ++i)
    sum = (sum ^ reinterpret_cast<const unsigned char*>(result)[i]) * 1099511628211u;
  std::printf("%-22s %016llx\n", name, static_cast<unsigned long long>(sum));
}

inline double milliseconds_behind(const work& begin, const work& w) {
  begin();
  return milliseconds([&] {
    w();
    cudaDeviceSynchronize();
  });
}

// `begin` sets what the work changes. Results may differ by rounding.
template <class T>
void show(const char* name, const T* result, std::size_t count, const work& begin, const work& kernel,
          const work& hand) {
  if (*only != '\0' && std::strcmp(name, only) != 0) return;
  if (shows_results) {
    begin(), kernel(), cudaDeviceSynchronize();
    return show_result(name, result, count);
  }
  std::vector<double> ours, theirs, ratios;
  for (int round = -1; round < kRounds; ++round) {
    const double k = milliseconds_behind(begin, kernel), h = milliseconds_behind(begin, hand);
    if (round >= 0) ours.push_back(k), theirs.push_back(h), ratios.push_back(k / h);
  }
  begin(), kernel(), cudaDeviceSynchronize();
  const std::vector<T> first(result, result + count);
  begin(), hand();
  double apart = 0, size = 0;
  for (std::size_t i = 0; i < count; ++i)
    apart = std::max(apart, std::abs(static_cast<double>(first[i]) - static_cast<double>(result[i]))),
    size = std::max(size, std::abs(static_cast<double>(result[i])));
  const bool same = apart <= 1e-4 * size;
  wrong |= !same;
  std::printf("%-22s %8.3f %8.3f %6.2f%s\n", name, median(ours), median(theirs), median(ratios), same ? "" : "  WRONG");
}

template <class F>
void by_hand(int n, const F& one) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int>& r) {
    for (int i = r.begin(); i < r.end(); ++i) one(i);
  });
}
template <class T>
T* managed(std::size_t n) {
  T* made = nullptr;
  cudaMallocManaged(&made, n * sizeof(T));
  std::memset(static_cast<void*>(made), 0, n * sizeof(T));
  return made;
}
