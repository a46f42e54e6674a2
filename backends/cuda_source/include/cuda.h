// SPDX-License-Identifier: Apache-2.0
// What runtime API programs use of the driver API's header.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>

typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUdeviceptr;
enum CUresult : int { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101 };
inline CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* v) {
  cudaDriverGetVersion(v);
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetCount(int* n) {
  cudaGetDeviceCount(n);
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGet(CUdevice* d, int ordinal) {
  *d = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
inline CUresult cuDeviceGetName(char* text, int length, CUdevice d) {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, d) != cudaSuccess) return CUDA_ERROR_INVALID_DEVICE;
  int i = 0;
  for (; i + 1 < length && p.name[i] != 0; ++i) text[i] = p.name[i];
  text[i] = 0;
  return CUDA_SUCCESS;
}

#include "simt_cuda/restore_names.hpp"
