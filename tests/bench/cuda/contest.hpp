// SPDX-License-Identifier: Apache-2.0
// One algorithm in two hands: with the API, and in CUDA as one writes it without the API (same algorithm, same
// geometry, 32-bit indices, __restrict__). measure.cu times them in turns.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include <cuda_runtime.h>

#include <simt/simt.hpp>

struct contest {
  std::string name;
  const void* hand_entry;  // the __global__ functions, for registers and shared memory
  const void* api_entry;
  std::function<void()> by_hand;  // enqueue one launch each
  std::function<void()> by_api;
  std::function<bool()> same;  // after one of each on equal inputs: equal results
};

// Sizes are divided by `shrink`. Buffers live as long as the contest's functions.
contest saxpy_contest(int shrink);
contest reduction_contest(int shrink);
contest matmul_contest(int shrink);
contest histogram_global_contest(int shrink);
contest histogram_shared_contest(int shrink);
contest transpose_contest(int shrink);
contest stencil_contest(int shrink);

template <auto Kernel, class... P>
const void* api_entry(void (*)(simt::thread, P...)) {
  return reinterpret_cast<const void*>(&simt::gpu::entry<Kernel, std::remove_cv_t<P>...>);
}

inline void must(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e));
  std::exit(1);
}

// Values in [0, 1) that repeat nowhere soon, the same every time.
inline std::vector<float> mixed_values(std::int64_t n, std::uint32_t seed) {
  std::vector<float> v(static_cast<std::size_t>(n));
  std::uint32_t state = seed;
  for (float& x : v) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) * 0x1p-24f;
  }
  return v;
}

template <class T>
bool same_contents(const simt::buffer<T>& a, const simt::buffer<T>& b) {
  return a.to_host() == b.to_host();
}
