// SPDX-License-Identifier: Apache-2.0
// Error checks and the choice of a device as NVIDIA's samples have them. Used where a program brings no helper_cuda.h
// of its own (-I finds that one first).
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include "../simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

inline const char* _cudaGetErrorEnum(cudaError_t e) { return cudaGetErrorName(e); }
#ifdef CUBLAS_API_H_
inline const char* _cudaGetErrorEnum(cublasStatus_t s) { return cublasGetStatusName(s); }
#endif
template <class Status>
const char* _cudaGetErrorEnum(Status) {  // of another library
  return "<unknown>";
}
template <class T>
void check(T result, const char* call, const char* file, int line) {
  if (!result) return;
  std::fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, static_cast<int>(result),
               _cudaGetErrorEnum(result), call);
  std::exit(EXIT_FAILURE);
}
inline void __getLastCudaError(const char* what, const char* file, int line, bool leave = true) {
  const cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, what, static_cast<int>(e),
               cudaGetErrorString(e));
  if (leave) std::exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(what) __getLastCudaError(what, __FILE__, __LINE__)
#define printLastCudaError(what) __getLastCudaError(what, __FILE__, __LINE__, false)

inline int ftoi(float v) { return static_cast<int>(v >= 0 ? v + 0.5f : v - 0.5f); }
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major) {
    case 6:
      return minor == 0 ? 64 : 128;
    case 7:
      return 64;
    case 8:
      return minor == 0 ? 64 : 128;
    default:
      return 128;
  }
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
    case 6:
      return "Pascal";
    case 7:
      return minor < 5 ? "Volta" : "Turing";
    case 8:
      return minor == 9 ? "Ada" : "Ampere";
    case 9:
      return "Hopper";
    default:
      return "Blackwell";
  }
}
inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (device < 0) device = 0;
  if (device >= count) return -device;
  checkCudaErrors(cudaSetDevice(device));
  return device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int argc, const char** argv) {
  const int device =
      gpuDeviceInit(checkCmdLineFlag(argc, argv, "device") ? getCmdLineArgumentInt(argc, argv, "device") : 0);
  if (device < 0) {
    std::fprintf(stderr, "no such device\n");
    std::exit(EXIT_FAILURE);
  }
  cudaDeviceProp p;
  checkCudaErrors(cudaGetDeviceProperties(&p, device));
  std::printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
              _ConvertSMVer2ArchName(p.major, p.minor), p.major, p.minor);
  return device;
}
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp p;
  checkCudaErrors(cudaGetDeviceProperties(&p, 0));
  return p.major > major || (p.major == major && p.minor >= minor);
}

#include "../simt_cuda/restore_names.hpp"

#endif
