// SPDX-License-Identifier: Apache-2.0
// For the programs that call NVIDIA's libraries: vectors of the host on the device, and back.
#pragma once

#include <cuda_runtime.h>
#include <helper_cuda.h>

#include <vector>

template <class T>
static T *on_device(const std::vector<T> &v) {
  T *d;
  checkCudaErrors(cudaMalloc((void **)&d, v.size() * sizeof(T)));
  checkCudaErrors(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return d;
}
template <class T>
static std::vector<T> on_host(const T *d, size_t n) {
  std::vector<T> v(n);
  checkCudaErrors(cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
  return v;
}
