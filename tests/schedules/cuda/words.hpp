// SPDX-License-Identifier: Apache-2.0
// What the programs here share: words of device memory, all zero at first, which threads of a block each read and write
// with an order; and eight answers behind them, which alone are copied to the host. With -DTWIN a program is right.
#pragma once

#include <cstdio>
#include <cuda/atomic>

constexpr int kWords = 64, kAnswers = 8;

using word = cuda::atomic_ref<int, cuda::thread_scope_device>;
__device__ int load(int& x) { return word(x).load(cuda::memory_order_relaxed); }
__device__ int load_acquire(int& x) { return word(x).load(cuda::memory_order_acquire); }
__device__ void store(int& x, int v) { word(x).store(v, cuda::memory_order_relaxed); }
__device__ void store_release(int& x, int v) { word(x).store(v, cuda::memory_order_release); }
__device__ int add(int& x, int v) { return word(x).fetch_add(v, cuda::memory_order_acq_rel); }
__device__ int exchange(int& x, int v) { return word(x).exchange(v, cuda::memory_order_acq_rel); }
__device__ bool swap_if(int& x, int expected, int v) {
  return word(x).compare_exchange_strong(expected, v, cuda::memory_order_acq_rel);
}
__device__ void fence(cuda::memory_order o = cuda::memory_order_seq_cst) {
  cuda::atomic_thread_fence(o, cuda::thread_scope_device);
}

struct answers {
  int of[kAnswers] = {};
};

// Runs `blocks` blocks of one thread: kernel(words, answers).
inline answers run(void (*kernel)(int*, int*), int blocks) {
  answers out;
  int* device = nullptr;
  cudaMalloc(&device, (kWords + kAnswers) * sizeof(int));
  cudaMemset(device, 0, (kWords + kAnswers) * sizeof(int));
  kernel<<<blocks, 1>>>(device, device + kWords);
  cudaMemcpy(out.of, device + kWords, sizeof out.of, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return out;
}

// The program's exit code.
inline int verdict(bool right) {
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
