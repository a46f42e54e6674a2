// SPDX-License-Identifier: Apache-2.0
// Pairs of kernels, or of host code, that differ in one line: D is the defective twin. Without arguments the program
// prints its pairs' names; `NAME defective` and `NAME clean` run one twin (run_pairs.py).
#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <vector>

struct entry {
  const char* name;
  void (*run)(bool defective);
};
inline std::vector<entry>& entries() {
  static std::vector<entry> all;
  return all;
}
struct add_entry {
  add_entry(const char* name, void (*run)(bool)) { entries().push_back({name, run}); }
};

inline std::vector<void*>& made() {
  static std::vector<void*> all;
  return all;
}
// n elements of zero, freed at the program's end.
template <class T>
T* dev(int n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  cudaMemset(p, 0, n * sizeof(T));
  made().push_back(p);
  return p;
}

// A pair of host code: its body follows, with D.
#define HOST(name)                  \
  template <bool D>                 \
  void run_##name();                \
  static void both_##name(bool d) { \
    if (d)                          \
      run_##name<true>();           \
    else                            \
      run_##name<false>();          \
  }                                 \
  static add_entry add_##name(#name, both_##name); \
  template <bool D>                 \
  void run_##name()
// A pair of kernels, launched with two arrays of so many words.
#define KERNEL(name, blocks, threads, words)        \
  template <bool D>                                 \
  __global__ void k_##name(int* x, int* y);         \
  HOST(name) {                                      \
    int* x = dev<int>(words);                       \
    int* y = dev<int>(words);                       \
    k_##name<D><<<blocks, threads>>>(x, y);         \
  }                                                 \
  template <bool D>                                 \
  __global__ void k_##name(int* x, int* y)

int main(int argc, char** argv) {
  if (argc < 3) {
    for (const entry& e : entries()) std::printf("%s\n", e.name);
    return 0;
  }
  for (const entry& e : entries())
    if (std::strcmp(e.name, argv[1]) == 0) {
      e.run(std::strcmp(argv[2], "defective") == 0);
      cudaDeviceSynchronize();
      for (void* p : made()) cudaFree(p);
      return 0;
    }
  return 9;
}
