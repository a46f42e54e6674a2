// SPDX-License-Identifier: Apache-2.0
// What is asked of the driver API more seldom about captures, memory, devices, contexts and functions.
#include <vector>

#include "driver.hpp"
#include "modules.hpp"

using namespace simt_cuda;

namespace {

cudaMemLocation place_as_runtime(const CUmemLocation& l) { return {static_cast<cudaMemLocationType>(l.type), l.id}; }
CUDA_MEMCPY3D without_contexts(const CUDA_MEMCPY3D_PEER& p) {
  CUDA_MEMCPY3D c{};
  c.srcXInBytes = p.srcXInBytes;
  c.srcY = p.srcY;
  c.srcZ = p.srcZ;
  c.srcLOD = p.srcLOD;
  c.srcMemoryType = p.srcMemoryType;
  c.srcHost = p.srcHost;
  c.srcDevice = p.srcDevice;
  c.srcArray = p.srcArray;
  c.srcPitch = p.srcPitch;
  c.srcHeight = p.srcHeight;
  c.dstXInBytes = p.dstXInBytes;
  c.dstY = p.dstY;
  c.dstZ = p.dstZ;
  c.dstLOD = p.dstLOD;
  c.dstMemoryType = p.dstMemoryType;
  c.dstHost = p.dstHost;
  c.dstDevice = p.dstDevice;
  c.dstArray = p.dstArray;
  c.dstPitch = p.dstPitch;
  c.dstHeight = p.dstHeight;
  c.WidthInBytes = p.WidthInBytes;
  c.Height = p.Height;
  c.Depth = p.Depth;
  return c;
}
template <class F>
CUresult with_location(CUmemLocation* where, F&& ask) {
  if (where == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemLocation l = place_as_runtime(*where);
  return as_driver(ask(&l));
}

}  // namespace

CUresult cuStreamBeginCaptureToGraph(CUstream s, CUgraph g, const CUgraphNode* after, const CUgraphEdgeData* edges,
                                     std::size_t count, CUstreamCaptureMode mode) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamBeginCaptureToGraph(s, g, after, edges, count, static_cast<cudaStreamCaptureMode>(mode)));
}
CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* g,
                                const CUgraphNode** after, std::size_t* count) {
  return cuStreamGetCaptureInfo(s, status, id, g, after, nullptr, count);
}
CUresult cuStreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* g,
                                const CUgraphNode** after, const CUgraphEdgeData** edges, std::size_t* count) {
  SIMT_DRIVER_CALL;
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaStreamCaptureStatus is{};
  unsigned long long number = 0;
  const CUresult e = as_driver(cudaStreamGetCaptureInfo(s, &is, &number, g, after, edges, count));
  *status = static_cast<CUstreamCaptureStatus>(is);
  if (id != nullptr) *id = number;
  return e;
}
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode* nodes, std::size_t count, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamUpdateCaptureDependencies(s, nodes, count, flags));
}
CUresult cuStreamUpdateCaptureDependencies(CUstream s, CUgraphNode* nodes, const CUgraphEdgeData*, std::size_t count,
                                           unsigned int flags) {
  return cuStreamUpdateCaptureDependencies(s, nodes, count, flags);
}

CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t count,
                            CUmemcpyAttributes* attributes, std::size_t* first, std::size_t attribute_count,
                            CUstream s) {
  SIMT_DRIVER_CALL;
  if (to == nullptr || from == nullptr || (attributes == nullptr && attribute_count != 0))
    return CUDA_ERROR_INVALID_VALUE;
  std::vector<void*> targets;
  std::vector<const void*> sources;
  for (std::size_t i = 0; i < count; ++i) {
    targets.push_back(as_pointer(to[i]));
    sources.push_back(as_pointer(from[i]));
  }
  std::vector<cudaMemcpyAttributes> how;
  for (std::size_t i = 0; i < attribute_count; ++i)
    how.push_back({static_cast<cudaMemcpySrcAccessOrder>(attributes[i].srcAccessOrder),
                   place_as_runtime(attributes[i].srcLocHint), place_as_runtime(attributes[i].dstLocHint),
                   attributes[i].flags});
  return as_driver(copy_batch(targets.data(), sources.data(), bytes, count, how.data(), first, attribute_count, s));
}
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t count,
                            CUmemcpyAttributes* attributes, std::size_t* first, std::size_t attribute_count,
                            std::size_t* failed, CUstream s) {
  if (failed != nullptr) *failed = ~std::size_t{0};  // none of its own
  return cuMemcpyBatchAsync(to, from, bytes, count, attributes, first, attribute_count, s);
}
CUresult cuMemPrefetchBatchAsync(CUdeviceptr* p, std::size_t* bytes, std::size_t count, CUmemLocation* where,
                                 std::size_t* first, std::size_t where_count, unsigned long long flags, CUstream s) {
  SIMT_DRIVER_CALL;
  if (p == nullptr || where == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::vector<void*> memory;
  for (std::size_t i = 0; i < count; ++i) memory.push_back(as_pointer(p[i]));
  std::vector<cudaMemLocation> places;
  for (std::size_t i = 0; i < where_count; ++i) places.push_back(place_as_runtime(where[i]));
  return as_driver(cudaMemPrefetchBatchAsync(memory.data(), bytes, count, places.data(), first, where_count, flags, s));
}
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* p) {
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D c = without_contexts(*p);
  return cuMemcpy3D(&c);
}
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* p, CUstream s) {
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMCPY3D c = without_contexts(*p);
  return cuMemcpy3DAsync(&c, s);
}
CUresult cuMemcpyAtoA(CUarray to, std::size_t to_x, CUarray from, std::size_t from_x, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyArrayToArray(to, to_x, 0, from, from_x, 0, bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyHtoAAsync(CUarray to, std::size_t x, const void* from, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyToArrayAsync(to, x, 0, from, bytes, cudaMemcpyHostToDevice, s));
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, std::size_t x, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyFromArrayAsync(to, from, x, 0, bytes, cudaMemcpyDeviceToHost, s));
}
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* r, CUarray a, CUdevice d) {
  SIMT_DRIVER_CALL;
  if (r == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaArrayMemoryRequirements of{};
  const CUresult e = as_driver(cudaArrayGetMemoryRequirements(&of, a, d));
  *r = {of.size, of.alignment, {}};
  return e;
}
// What is mapped may be read and written: cuMemSetAccess takes nothing else.
CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* where, CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  if (flags == nullptr || where == nullptr || !simt::frontend::is_device_address(as_pointer(p)))
    return CUDA_ERROR_INVALID_VALUE;
  *flags =
      where->type == CU_MEM_LOCATION_TYPE_DEVICE ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* where) {
  SIMT_DRIVER_CALL;
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemAccessFlags f{};
  const CUresult e = with_location(where, [&](cudaMemLocation* l) { return cudaMemPoolGetAccess(&f, pool, l); });
  *flags = static_cast<CUmemAccess_flags>(f);
  return e;
}
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* access, std::size_t count) {
  SIMT_DRIVER_CALL;
  if (access == nullptr && count != 0) return CUDA_ERROR_INVALID_VALUE;
  std::vector<cudaMemAccessDesc> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({place_as_runtime(access[i].location), static_cast<cudaMemAccessFlags>(access[i].flags)});
  return as_driver(cudaMemPoolSetAccess(pool, all.data(), count));
}
CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* where, CUmemAllocationType type) {
  SIMT_DRIVER_CALL;
  return with_location(where, [&](cudaMemLocation* l) {
    return cudaMemGetDefaultMemPool(pool, l, static_cast<cudaMemAllocationType>(type));
  });
}
CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* where, CUmemAllocationType type) {
  SIMT_DRIVER_CALL;
  return with_location(
      where, [&](cudaMemLocation* l) { return cudaMemGetMemPool(pool, l, static_cast<cudaMemAllocationType>(type)); });
}
CUresult cuMemSetMemPool(CUmemLocation* where, CUmemAllocationType type, CUmemoryPool pool) {
  SIMT_DRIVER_CALL;
  return with_location(
      where, [&](cudaMemLocation* l) { return cudaMemSetMemPool(l, static_cast<cudaMemAllocationType>(type), pool); });
}
CUresult cuMemRangeGetAttribute(void* data, std::size_t size, CUmem_range_attribute a, CUdeviceptr p,
                                std::size_t count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemRangeGetAttribute(data, size, static_cast<cudaMemRangeAttribute>(a), as_pointer(p), count));
}
CUresult cuMemRangeGetAttributes(void** data, std::size_t* sizes, CUmem_range_attribute* attributes, std::size_t number,
                                 CUdeviceptr p, std::size_t count) {
  SIMT_DRIVER_CALL;
  if (data == nullptr || sizes == nullptr || attributes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < number; ++i)
    if (const CUresult e = cuMemRangeGetAttribute(data[i], sizes[i], attributes[i], p, count); e != CUDA_SUCCESS)
      return e;
  return CUDA_SUCCESS;
}
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams*, std::size_t, unsigned int, std::size_t*, CUstream) {
  SIMT_DRIVER_CALL;
  return CUDA_ERROR_NOT_SUPPORTED;
}
// Copies wait where they have to; there is nothing else to set.
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute a, CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  return value != nullptr && a == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS && simt::frontend::is_device_address(as_pointer(p))
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetGraphMemAttribute(CUdevice d, CUgraphMem_attribute a, void* value) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceGetGraphMemAttribute(d, static_cast<cudaGraphMemAttributeType>(a), value));
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice d, CUgraphMem_attribute a, void* value) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceSetGraphMemAttribute(d, static_cast<cudaGraphMemAttributeType>(a), value));
}
CUresult cuDeviceGraphMemTrim(CUdevice d) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaDeviceGraphMemTrim(d));
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute a, CUdevice from, CUdevice to) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(a), from, to));
}
CUresult cuDevicePrimaryCtxReset(CUdevice d) {
  return d == 0 ? as_driver(cudaDeviceReset()) : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuCtxGetDevice_v2(CUdevice* d, CUcontext) { return cuCtxGetDevice(d); }  // there is one
CUresult cuCtxSynchronize_v2(CUcontext) { return cuCtxSynchronize(); }
CUresult cuCtxGetId(CUcontext c, unsigned long long* id) {
  SIMT_DRIVER_CALL;
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (c == nullptr)
    if (const CUresult e = cuCtxGetCurrent(&c); e != CUDA_SUCCESS) return e;
  *id = reinterpret_cast<std::uintptr_t>(c);
  return CUDA_SUCCESS;
}
CUresult cuCtxSetFlags(unsigned int flags) {
  SIMT_DRIVER_CALL;
  return (flags & ~static_cast<unsigned int>(CU_CTX_FLAGS_MASK)) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  SIMT_DRIVER_CALL;
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;  // the only one since Maxwell
  return CUDA_SUCCESS;
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) {
  SIMT_DRIVER_CALL;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetSharedMemConfig(CUfunction f, CUsharedconfig) {
  SIMT_DRIVER_CALL;
  return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
CUresult cuKernelGetLibrary(CUlibrary* l, CUkernel k) {
  CUfunction f = nullptr;
  if (l == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult e = cuKernelGetFunction(&f, k); e != CUDA_SUCCESS) return e;
  *l = reinterpret_cast<CUlibrary>(f->module);
  return CUDA_SUCCESS;
}
CUresult cuKernelGetParamInfo(CUkernel k, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  CUfunction f = nullptr;
  if (const CUresult e = cuKernelGetFunction(&f, k); e != CUDA_SUCCESS) return e;
  return cuFuncGetParamInfo(f, index, offset, bytes);
}
CUresult cuLibraryGetManaged(CUdeviceptr* p, std::size_t* bytes, CUlibrary l, const char* name) {
  return cuLibraryGetGlobal(p, bytes, l, name);
}
