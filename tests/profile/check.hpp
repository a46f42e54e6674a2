// SPDX-License-Identifier: Apache-2.0
// What every program here shares: memory with known contents, and a launch that is looked at. For nvcc and simrun.
#pragma once

#include <cstdio>
#include <cstdlib>

#define LOOK(call)                                                \
  do {                                                            \
    const cudaError_t looked = (call);                            \
    if (looked != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(looked)); \
      std::exit(1);                                               \
    }                                                             \
  } while (false)

// n elements, each a small number that depends on its index: the same on every machine.
template <class T>
T* filled(int n) {
  T* host = static_cast<T*>(std::malloc(sizeof(T) * n));
  unsigned state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    host[i] = static_cast<T>(state >> 16 & 1023);
  }
  T* device = nullptr;
  LOOK(cudaMalloc(&device, sizeof(T) * n));
  LOOK(cudaMemcpy(device, host, sizeof(T) * n, cudaMemcpyHostToDevice));
  std::free(host);
  return device;
}

template <class T>
T* zeroed(int n) {
  T* device = nullptr;
  LOOK(cudaMalloc(&device, sizeof(T) * n));
  LOOK(cudaMemset(device, 0, sizeof(T) * n));
  return device;
}

#define RUN(kernel, grid, block, ...)     \
  do {                                    \
    kernel<<<grid, block>>>(__VA_ARGS__); \
    LOOK(cudaGetLastError());             \
    LOOK(cudaDeviceSynchronize());        \
  } while (false)
