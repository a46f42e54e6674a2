// SPDX-License-Identifier: Apache-2.0
// What runtime API programs use of the driver API: devices, contexts, memory, streams and events. No modules.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cstdint>

#include <cuda_runtime.h>

typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUdeviceptr;
typedef cudaDeviceAttr CUdevice_attribute;
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK cudaDevAttrMaxThreadsPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK cudaDevAttrMaxSharedMemoryPerBlock
#define CU_DEVICE_ATTRIBUTE_WARP_SIZE cudaDevAttrWarpSize
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT cudaDevAttrMultiProcessorCount
#define CU_DEVICE_ATTRIBUTE_CLOCK_RATE cudaDevAttrClockRate
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR cudaDevAttrComputeCapabilityMajor
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR cudaDevAttrComputeCapabilityMinor

// Errors have the numbers of the runtime's, where the driver has them.
// clang-format off
#define SIMT_CUDA_RESULTS(X) \
  X(CUDA_SUCCESS, 0) \
  X(CUDA_ERROR_INVALID_VALUE, 1) \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2) \
  X(CUDA_ERROR_NOT_INITIALIZED, 3) \
  X(CUDA_ERROR_DEINITIALIZED, 4) \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46) \
  X(CUDA_ERROR_NO_DEVICE, 100) \
  X(CUDA_ERROR_INVALID_DEVICE, 101) \
  X(CUDA_ERROR_INVALID_IMAGE, 200) \
  X(CUDA_ERROR_INVALID_CONTEXT, 201) \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209) \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217) \
  X(CUDA_ERROR_INVALID_PTX, 218) \
  X(CUDA_ERROR_INVALID_SOURCE, 300) \
  X(CUDA_ERROR_FILE_NOT_FOUND, 301) \
  X(CUDA_ERROR_OPERATING_SYSTEM, 304) \
  X(CUDA_ERROR_INVALID_HANDLE, 400) \
  X(CUDA_ERROR_ILLEGAL_STATE, 401) \
  X(CUDA_ERROR_NOT_FOUND, 500) \
  X(CUDA_ERROR_NOT_READY, 600) \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700) \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701) \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702) \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704) \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705) \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709) \
  X(CUDA_ERROR_ASSERT, 710) \
  X(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712) \
  X(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713) \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715) \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716) \
  X(CUDA_ERROR_LAUNCH_FAILED, 719) \
  X(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720) \
  X(CUDA_ERROR_NOT_PERMITTED, 800) \
  X(CUDA_ERROR_NOT_SUPPORTED, 801) \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900) \
  X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901) \
  X(CUDA_ERROR_STREAM_CAPTURE_MERGE, 902) \
  X(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, 903) \
  X(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, 904) \
  X(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, 905) \
  X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906) \
  X(CUDA_ERROR_CAPTURED_EVENT, 907) \
  X(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, 908) \
  X(CUDA_ERROR_TIMEOUT, 909) \
  X(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, 910) \
  X(CUDA_ERROR_INVALID_CLUSTER_SIZE, 912) \
  X(CUDA_ERROR_UNKNOWN, 999)
// clang-format on
enum CUresult : int {
#define SIMT_CUDA_RESULT(name, number) name = number,
  SIMT_CUDA_RESULTS(SIMT_CUDA_RESULT)
#undef SIMT_CUDA_RESULT
};

namespace simt_cuda {
// Null: no result of the driver.
inline const char* result_name(int code) {
  switch (code) {
#define SIMT_CUDA_RESULT(name, number) \
  case number:                         \
    return #name;
    SIMT_CUDA_RESULTS(SIMT_CUDA_RESULT)
#undef SIMT_CUDA_RESULT
  }
  return nullptr;
}
// The runtime's own errors (pitches, symbols, directions) are wrong values to the driver.
inline CUresult as_driver(cudaError_t e) {
  return result_name(e) != nullptr ? static_cast<CUresult>(e) : CUDA_ERROR_INVALID_VALUE;
}
inline void* as_pointer(CUdeviceptr p) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(p)); }
inline CUcontext the_context() { return reinterpret_cast<CUcontext>(std::uintptr_t{1}); }
}  // namespace simt_cuda

inline CUresult cuInit(unsigned int) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* v) { return simt_cuda::as_driver(cudaDriverGetVersion(v)); }
inline CUresult cuGetErrorName(CUresult e, const char** text) {
  *text = simt_cuda::result_name(e);
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
inline CUresult cuGetErrorString(CUresult e, const char** text) {
  *text = simt_cuda::result_name(e) != nullptr ? cudaGetErrorString(static_cast<cudaError_t>(e)) : nullptr;
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

inline CUresult cuDeviceGetCount(int* n) { return simt_cuda::as_driver(cudaGetDeviceCount(n)); }
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
inline CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice d) {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, d) != cudaSuccess) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = p.totalGlobalMem;
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute a, CUdevice d) {
  return simt_cuda::as_driver(cudaDeviceGetAttribute(value, a, d));
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice d) {
  const CUresult e = cuDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, d);
  return e != CUDA_SUCCESS ? e : cuDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, d);
}

// One context, that of the runtime.
inline CUresult cuCtxCreate(CUcontext* c, unsigned int, CUdevice) {
  *c = simt_cuda::the_context();
  return CUDA_SUCCESS;
}
struct CUctxCreateParams;
inline CUresult cuCtxCreate(CUcontext* c, CUctxCreateParams*, unsigned int flags, CUdevice d) {
  return cuCtxCreate(c, flags, d);
}
inline CUresult cuCtxDestroy(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuDevicePrimaryCtxRetain(CUcontext* c, CUdevice d) { return cuCtxCreate(c, 0, d); }
inline CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
inline CUresult cuCtxGetCurrent(CUcontext* c) { return cuCtxCreate(c, 0, 0); }
inline CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
inline CUresult cuCtxPopCurrent(CUcontext* c) { return cuCtxCreate(c, 0, 0); }
inline CUresult cuCtxGetDevice(CUdevice* d) { return simt_cuda::as_driver(cudaGetDevice(d)); }
inline CUresult cuCtxSynchronize() { return simt_cuda::as_driver(cudaDeviceSynchronize()); }

inline CUresult cuMemGetInfo(std::size_t* left, std::size_t* all) {
  return simt_cuda::as_driver(cudaMemGetInfo(left, all));
}
inline CUresult cuMemAlloc(CUdeviceptr* p, std::size_t bytes) {
  void* memory = nullptr;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t e = cudaMalloc(&memory, bytes);
  *p = reinterpret_cast<std::uintptr_t>(memory);
  return simt_cuda::as_driver(e);
}
inline CUresult cuMemFree(CUdeviceptr p) { return simt_cuda::as_driver(cudaFree(simt_cuda::as_pointer(p))); }
inline CUresult cuMemAllocHost(void** p, std::size_t bytes) { return simt_cuda::as_driver(cudaMallocHost(p, bytes)); }
inline CUresult cuMemFreeHost(void* p) { return simt_cuda::as_driver(cudaFreeHost(p)); }
inline CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return simt_cuda::as_driver(cudaMemcpy(simt_cuda::as_pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
inline CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return simt_cuda::as_driver(cudaMemcpy(to, simt_cuda::as_pointer(from), bytes, cudaMemcpyDeviceToHost));
}
inline CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  return simt_cuda::as_driver(
      cudaMemcpy(simt_cuda::as_pointer(to), simt_cuda::as_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
inline CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream s) {
  return simt_cuda::as_driver(cudaMemcpyAsync(simt_cuda::as_pointer(to), from, bytes, cudaMemcpyHostToDevice, s));
}
inline CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream s) {
  return simt_cuda::as_driver(cudaMemcpyAsync(to, simt_cuda::as_pointer(from), bytes, cudaMemcpyDeviceToHost, s));
}
inline CUresult cuMemsetD8(CUdeviceptr to, unsigned char byte, std::size_t count) {
  return simt_cuda::as_driver(cudaMemset(simt_cuda::as_pointer(to), byte, count));
}

inline CUresult cuStreamCreate(CUstream* s, unsigned int flags) {
  return simt_cuda::as_driver(cudaStreamCreateWithFlags(s, flags));
}
inline CUresult cuStreamDestroy(CUstream s) { return simt_cuda::as_driver(cudaStreamDestroy(s)); }
inline CUresult cuStreamSynchronize(CUstream s) { return simt_cuda::as_driver(cudaStreamSynchronize(s)); }
inline CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned int flags) {
  return simt_cuda::as_driver(cudaStreamWaitEvent(s, e, flags));
}
inline CUresult cuEventCreate(CUevent* e, unsigned int flags) {
  return simt_cuda::as_driver(cudaEventCreateWithFlags(e, flags));
}
inline CUresult cuEventDestroy(CUevent e) { return simt_cuda::as_driver(cudaEventDestroy(e)); }
inline CUresult cuEventRecord(CUevent e, CUstream s) { return simt_cuda::as_driver(cudaEventRecord(e, s)); }
inline CUresult cuEventSynchronize(CUevent e) { return simt_cuda::as_driver(cudaEventSynchronize(e)); }
inline CUresult cuEventElapsedTime(float* ms, CUevent from, CUevent to) {
  return simt_cuda::as_driver(cudaEventElapsedTime(ms, from, to));
}

#include "simt_cuda/restore_names.hpp"
