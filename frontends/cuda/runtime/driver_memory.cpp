// SPDX-License-Identifier: Apache-2.0
// Memory of the driver API: that of the runtime API under other names.
#include <cstring>
#include <vector>

#include "driver.hpp"
#include "stream_numbers.hpp"

using namespace simt_cuda;

namespace {

CUresult copy_now(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return as_driver(cudaMemcpy(to, from, bytes, kind));
}
CUresult copy_on_stream(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, CUstream s) {
  return as_driver(cudaMemcpyAsync(to, from, bytes, kind, s));
}

// A fill by values of several bytes is a node of the graph that `s` captures.
CUresult fill_in_capture(CUdeviceptr p, unsigned value, unsigned bytes, std::size_t count, CUstream s) {
  cudaStreamCaptureStatus status{};
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* after = nullptr;
  std::size_t befores = 0;
  cudaGraphNode_t node = nullptr;
  const cudaMemsetParams fill{as_pointer(p), count * bytes, value, bytes, count, 1};
  if (const cudaError_t e = cudaStreamGetCaptureInfo(s, &status, nullptr, &graph, &after, &befores); e != cudaSuccess)
    return as_driver(e);
  if (const cudaError_t e = cudaGraphAddMemsetNode(&node, graph, after, befores, &fill); e != cudaSuccess)
    return as_driver(e);
  return as_driver(cudaStreamUpdateCaptureDependencies(s, &node, 1, cudaStreamSetCaptureDependencies));
}

// `p` points to `count` values; values of equal bytes are a fill, others a copy from the host.
template <class T>
CUresult fill_values(CUdeviceptr p, T value, std::size_t count, CUstream s, bool wait) {
  if (p % sizeof(T) != 0) return CUDA_ERROR_INVALID_VALUE;
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  bool equal = true;
  for (const unsigned char b : bytes) equal = equal && b == bytes[0];
  if (equal) {
    if (wait) return as_driver(cudaMemset(as_pointer(p), bytes[0], count * sizeof(T)));
    return as_driver(cudaMemsetAsync(as_pointer(p), bytes[0], count * sizeof(T), s));
  }
  if (count == 0) return CUDA_SUCCESS;
  if (simt::backend::capturing(static_cast<simt::backend::stream_handle>(stream_number(s))))
    return wait ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : fill_in_capture(p, value, sizeof(T), count, s);
  // Copies are done where they are enqueued. Only the forms that wait may order what the host does next.
  const std::vector<T> values(count, value);
  if (const CUresult e = copy_on_stream(as_pointer(p), values.data(), count * sizeof(T), cudaMemcpyHostToDevice, s);
      e != CUDA_SUCCESS || !wait)
    return e;
  return as_driver(cudaStreamSynchronize(s));
}

CUresult allocate_memory(CUdeviceptr* p, std::size_t bytes, int kind) {
  if (p == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  void* memory = nullptr;
  const cudaError_t e = allocate_for(&memory, bytes, kind);
  *p = as_device(memory);
  return as_driver(e);
}

// A side of a copy of rows; null where it is an array (which the runtime finds by itself), or of no known kind.
const char* side_of_copy(CUmemorytype type, const void* host, CUdeviceptr device, std::size_t x, std::size_t y,
                         std::size_t pitch) {
  const char* const begin = type == CU_MEMORYTYPE_HOST ? static_cast<const char*>(host)
                            : type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED
                                ? static_cast<const char*>(as_pointer(device))
                                : nullptr;
  return begin == nullptr ? nullptr : begin + y * pitch + x;
}

CUresult copy_planes(const CUDA_MEMCPY2D& c, CUstream s, bool wait) {
  const bool from_array = c.srcMemoryType == CU_MEMORYTYPE_ARRAY, to_array = c.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  const std::size_t from_pitch = c.srcPitch != 0 ? c.srcPitch : c.srcXInBytes + c.WidthInBytes;
  const std::size_t to_pitch = c.dstPitch != 0 ? c.dstPitch : c.dstXInBytes + c.WidthInBytes;
  const char* const from = side_of_copy(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcXInBytes, c.srcY, from_pitch);
  const char* const to = side_of_copy(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstXInBytes, c.dstY, to_pitch);
  if ((from == nullptr && !from_array) || (to == nullptr && !to_array)) return CUDA_ERROR_INVALID_VALUE;
  char* const target = const_cast<char*>(to);
  if (from_array && to_array)
    return as_driver(cudaMemcpy2DArrayToArray(c.dstArray, c.dstXInBytes, c.dstY, c.srcArray, c.srcXInBytes, c.srcY,
                                              c.WidthInBytes, c.Height, cudaMemcpyDeviceToDevice));
  if (to_array)
    return as_driver(wait ? cudaMemcpy2DToArray(c.dstArray, c.dstXInBytes, c.dstY, from, from_pitch, c.WidthInBytes,
                                                c.Height, cudaMemcpyDefault)
                          : cudaMemcpy2DToArrayAsync(c.dstArray, c.dstXInBytes, c.dstY, from, from_pitch,
                                                     c.WidthInBytes, c.Height, cudaMemcpyDefault, s));
  if (from_array)
    return as_driver(wait ? cudaMemcpy2DFromArray(target, to_pitch, c.srcArray, c.srcXInBytes, c.srcY, c.WidthInBytes,
                                                  c.Height, cudaMemcpyDefault)
                          : cudaMemcpy2DFromArrayAsync(target, to_pitch, c.srcArray, c.srcXInBytes, c.srcY,
                                                       c.WidthInBytes, c.Height, cudaMemcpyDefault, s));
  return as_driver(
      wait ? cudaMemcpy2D(target, to_pitch, from, from_pitch, c.WidthInBytes, c.Height, cudaMemcpyDefault)
           : cudaMemcpy2DAsync(target, to_pitch, from, from_pitch, c.WidthInBytes, c.Height, cudaMemcpyDefault, s));
}

}  // namespace

CUresult cuMemGetInfo(std::size_t* left, std::size_t* all) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemGetInfo(left, all));
}
CUresult cuMemAlloc(CUdeviceptr* p, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return allocate_memory(p, bytes, kDeviceMemory);
}
CUresult cuMemAllocPitch(CUdeviceptr* p, std::size_t* pitch, std::size_t width, std::size_t height, unsigned int) {
  SIMT_DRIVER_CALL;
  if (pitch == nullptr || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
  constexpr std::size_t kPitchAlignment = 512;
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  return allocate_memory(p, *pitch * height, kDeviceMemory);
}
CUresult cuMemAllocManaged(CUdeviceptr* p, std::size_t bytes, unsigned int flags) {
  SIMT_DRIVER_CALL;
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST) return CUDA_ERROR_INVALID_VALUE;
  return allocate_memory(p, bytes, kManagedMemory);
}
CUresult cuMemAllocAsync(CUdeviceptr* p, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  const CUresult e = allocate_memory(p, bytes, kDeviceMemory);
  return e != CUDA_SUCCESS ? e : as_driver(make_on_stream(as_pointer(*p), bytes, s));
}
CUresult cuMemHostAlloc(void** p, std::size_t bytes, unsigned int) {
  SIMT_DRIVER_CALL;
  CUdeviceptr memory = 0;
  const CUresult e = p == nullptr ? CUDA_ERROR_INVALID_VALUE : allocate_memory(&memory, bytes, kPinnedMemory);
  if (e == CUDA_SUCCESS) *p = as_pointer(memory);
  return e;
}
CUresult cuMemAllocHost(void** p, std::size_t bytes) {
  const driver_call line(__builtin_return_address(0));
  return cuMemHostAlloc(p, bytes, 0);
}
CUresult cuMemFree(CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaFree(as_pointer(p)));
}
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaFreeAsync(as_pointer(p), s));
}
CUresult cuMemFreeHost(void* p) {
  SIMT_DRIVER_CALL;
  return p == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaFreeHost(p));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* p, void* host, unsigned int flags) {
  SIMT_DRIVER_CALL;
  void* device = nullptr;
  const cudaError_t e = cudaHostGetDevicePointer(&device, host, flags);
  *p = as_device(device);
  return as_driver(e);
}
CUresult cuMemHostRegister(void* p, std::size_t bytes, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaHostRegister(p, bytes, flags));
}
CUresult cuMemHostUnregister(void* p) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaHostUnregister(p));
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  cudaPointerAttributes a;
  cudaPointerGetAttributes(&a, as_pointer(p));
  if (value == nullptr || a.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return cuCtxGetCurrent(static_cast<CUcontext*>(value));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = a.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = as_device(a.devicePointer);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      *static_cast<void**>(value) = a.hostPointer;
      return a.hostPointer != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(value) = a.type == cudaMemoryTypeManaged ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return cuMemGetAddressRange(static_cast<CUdeviceptr*>(value), nullptr, p);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return cuMemGetAddressRange(nullptr, static_cast<std::size_t*>(value), p);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: {
      CUdeviceptr first = 0;  // an address is one buffer's, as long as that lives
      const CUresult e = cuMemGetAddressRange(&first, nullptr, p);
      *static_cast<unsigned long long*>(value) = first;
      return e;
    }
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<int*>(value) = 1;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      *static_cast<unsigned*>(value) = CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      *static_cast<int*>(value) = 0;
      return CUDA_SUCCESS;
    default:
      break;
  }
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return copy_now(as_pointer(to), as_pointer(from), bytes, cudaMemcpyDefault);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return copy_on_stream(as_pointer(to), as_pointer(from), bytes, cudaMemcpyDefault, s);
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return copy_now(as_pointer(to), from, bytes, cudaMemcpyHostToDevice);
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return copy_now(to, as_pointer(from), bytes, cudaMemcpyDeviceToHost);
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return copy_now(as_pointer(to), as_pointer(from), bytes, cudaMemcpyDeviceToDevice);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return copy_on_stream(as_pointer(to), from, bytes, cudaMemcpyHostToDevice, s);
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return copy_on_stream(to, as_pointer(from), bytes, cudaMemcpyDeviceToHost, s);
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return copy_on_stream(as_pointer(to), as_pointer(from), bytes, cudaMemcpyDeviceToDevice, s);
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* c) {
  SIMT_DRIVER_CALL;
  return c == nullptr ? CUDA_ERROR_INVALID_VALUE : copy_planes(*c, nullptr, true);
}
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) {
  SIMT_DRIVER_CALL;
  return c == nullptr ? CUDA_ERROR_INVALID_VALUE : copy_planes(*c, nullptr, true);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream s) {
  SIMT_DRIVER_CALL;
  return c == nullptr ? CUDA_ERROR_INVALID_VALUE : copy_planes(*c, s, false);
}
CUresult cuMemsetD8(CUdeviceptr p, unsigned char value, std::size_t count) {
  SIMT_DRIVER_CALL;
  return fill_values(p, value, count, nullptr, true);
}
CUresult cuMemsetD16(CUdeviceptr p, unsigned short value, std::size_t count) {
  SIMT_DRIVER_CALL;
  return fill_values(p, value, count, nullptr, true);
}
CUresult cuMemsetD32(CUdeviceptr p, unsigned int value, std::size_t count) {
  SIMT_DRIVER_CALL;
  return fill_values(p, value, count, nullptr, true);
}
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, std::size_t count, CUstream s) {
  SIMT_DRIVER_CALL;
  return fill_values(p, value, count, s, false);
}
CUresult cuMemsetD16Async(CUdeviceptr p, unsigned short value, std::size_t count, CUstream s) {
  SIMT_DRIVER_CALL;
  return fill_values(p, value, count, s, false);
}
CUresult cuMemsetD32Async(CUdeviceptr p, unsigned int value, std::size_t count, CUstream s) {
  SIMT_DRIVER_CALL;
  return fill_values(p, value, count, s, false);
}
CUresult cuMemsetD2D8(CUdeviceptr p, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemset2D(as_pointer(p), pitch, value, width, height));
}
