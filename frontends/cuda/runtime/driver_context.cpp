// SPDX-License-Identifier: Apache-2.0
// The driver API's start, devices and contexts. All contexts share the one device and its memory; each is a number on
// the stacks of the threads that it is current to.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

#include "driver.hpp"

struct CUctx_st {
  unsigned flags = 0;
  bool alive = true;
};

namespace simt_cuda {
namespace {

bool initialized = false;
std::mutex primary_mutex;
CUctx_st primary_context;
int primary_users = 0;
thread_local std::vector<CUcontext> context_stack;

const char* driver_error_name(int code) {
  switch (code) {
#define SIMT_CUDA_RESULT(name, number) \
  case number:                         \
    return #name;
    SIMT_CUDA_RESULTS(SIMT_CUDA_RESULT)
#undef SIMT_CUDA_RESULT
  }
  return nullptr;
}

bool is_started() { return initialized || runtime_used; }

// Null: none. The runtime API makes the primary_context context current where the thread has none.
CUcontext current() {
  if (!context_stack.empty()) return context_stack.back();
  return runtime_used ? &primary_context : nullptr;
}

CUresult check_device(CUdevice d) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  return d == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

CUresult as_driver(cudaError_t e) {
  return driver_error_name(e) != nullptr ? static_cast<CUresult>(e) : CUDA_ERROR_INVALID_VALUE;
}

driver_call::driver_call(const void* caller)
    : line_(caller), pc_(reinterpret_cast<std::uintptr_t>(caller)), outer_(in_driver) {
  in_driver = true;
}
driver_call::~driver_call() { in_driver = outer_; }
CUresult driver_call::ready() const {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  const CUcontext c = current();
  if (c == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return c->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

}  // namespace simt_cuda

using namespace simt_cuda;

CUresult cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  initialized = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  return version == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaDriverGetVersion(version));
}
CUresult cuGetErrorName(CUresult e, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = driver_error_name(e);
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult e, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = driver_error_name(e) != nullptr ? cudaGetErrorString(static_cast<cudaError_t>(e)) : nullptr;
  return *text != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int* count) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  return count == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaGetDeviceCount(count));
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult e = check_device(ordinal); e != CUDA_SUCCESS) return e;
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* text, int length, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (text == nullptr || length < 1) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, d);
  const std::size_t size = std::min(std::strlen(p.name), static_cast<std::size_t>(length) - 1);
  std::memcpy(text, p.name, size);
  text[size] = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid(CUuuid* id, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, d);
  std::memcpy(id->bytes, &p.uuid, sizeof id->bytes);
  return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, d);
  *bytes = p.totalGlobalMem;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute a, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (a == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) {  // the runtime API has no name for it
    *value = 1;
    return CUDA_SUCCESS;
  }
  const driver_call quiet(__builtin_return_address(0));
  return as_driver(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(a), d));
}
CUresult cuDeviceGetProperties(CUdevprop* out, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, d);
  *out = {};
  out->maxThreadsPerBlock = p.maxThreadsPerBlock;
  std::copy_n(p.maxThreadsDim, 3, out->maxThreadsDim);
  std::copy_n(p.maxGridSize, 3, out->maxGridSize);
  out->sharedMemPerBlock = static_cast<int>(p.sharedMemPerBlock);
  out->totalConstantMemory = static_cast<int>(p.totalConstMem);
  out->SIMDWidth = p.warpSize;
  out->memPitch = static_cast<int>(p.memPitch);
  out->regsPerBlock = p.regsPerBlock;
  out->clockRate = p.clockRate;
  out->textureAlign = static_cast<int>(p.textureAlignment);
  return CUDA_SUCCESS;
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice d) {
  const CUresult e = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d);
  return e != CUDA_SUCCESS ? e : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d);
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  return as_driver(cudaDeviceGetPCIBusId(text, length, d));
}
CUresult cuDeviceGetByPCIBusId(CUdevice* d, const char* text) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  return as_driver(cudaDeviceGetByPCIBusId(d, text));
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice d, CUdevice peer) {
  if (check_device(d) != CUDA_SUCCESS) return check_device(d);
  if (check_device(peer) != CUDA_SUCCESS) return check_device(peer);
  *can = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext* c, unsigned int flags, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (c == nullptr || (flags & ~static_cast<unsigned>(CU_CTX_FLAGS_MASK)) != 0) return CUDA_ERROR_INVALID_VALUE;
  *c = new CUctx_st{flags};
  context_stack.push_back(*c);
  return CUDA_SUCCESS;
}
CUresult cuCtxCreate(CUcontext* c, CUctxCreateParams* p, unsigned int flags, CUdevice d) {
  return p == nullptr ? cuCtxCreate(c, flags, d) : CUDA_ERROR_NOT_SUPPORTED;
}
// What it held stays in memory until the program frees it or ends; it is marked, so that a later use is an error.
CUresult cuCtxDestroy(CUcontext c) {
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (c == &primary_context) return CUDA_ERROR_INVALID_CONTEXT;
  if (!c->alive) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  const driver_call waits(__builtin_return_address(0));
  const cudaError_t e = cudaDeviceSynchronize();
  c->alive = false;
  if (!context_stack.empty() && context_stack.back() == c) context_stack.pop_back();
  return as_driver(e);
}
CUresult cuCtxGetCurrent(CUcontext* c) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *c = current();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext c) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!context_stack.empty()) context_stack.pop_back();
  if (c != nullptr) context_stack.push_back(c);
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext c) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  if (c == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  context_stack.push_back(c);
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* c) {
  if (!is_started()) return CUDA_ERROR_NOT_INITIALIZED;
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (c != nullptr) *c = current();
  if (!context_stack.empty()) context_stack.pop_back();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* d) {
  SIMT_DRIVER_CALL;
  *d = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetFlags(unsigned int* flags) {
  SIMT_DRIVER_CALL;
  *flags = current()->flags;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetApiVersion(CUcontext, unsigned int* version) {
  SIMT_DRIVER_CALL;
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  SIMT_DRIVER_CALL;
  *config = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  SIMT_DRIVER_CALL;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceGetStreamPriorityRange(least, greatest));
}
CUresult cuCtxSynchronize() {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceSynchronize());
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* c, CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(primary_mutex);
  ++primary_users;
  *c = &primary_context;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice d) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  std::lock_guard lock(primary_mutex);
  if (primary_users == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --primary_users;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice d, unsigned int flags) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  primary_context.flags = flags;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned int* flags, int* active) {
  if (const CUresult e = check_device(d); e != CUDA_SUCCESS) return e;
  *flags = primary_context.flags;
  *active = primary_users > 0 || runtime_used ? 1 : 0;
  return CUDA_SUCCESS;
}
