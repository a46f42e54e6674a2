// SPDX-License-Identifier: Apache-2.0
// The rarer functions of the driver API: the runtime's, or its own more common ones, in other clothes.
#include <cstring>
#include <vector>

#include "driver.hpp"
#include "modules.hpp"

using namespace simt_cuda;

namespace {

CUresult fill_rows(CUdeviceptr p, std::size_t pitch, unsigned value, std::size_t element, std::size_t width,
                   std::size_t height, CUstream s, bool wait) {
  if (p % element != 0 || pitch % element != 0 || (height > 1 && pitch < width * element))
    return CUDA_ERROR_INVALID_VALUE;
  unsigned char bytes[4];
  std::memcpy(bytes, &value, sizeof bytes);
  bool equal = true;
  for (std::size_t i = 0; i < element; ++i) equal = equal && bytes[i] == bytes[0];
  if (equal)
    return as_driver(wait ? cudaMemset2D(as_pointer(p), pitch, bytes[0], width * element, height)
                          : cudaMemset2DAsync(as_pointer(p), pitch, bytes[0], width * element, height, s));
  for (std::size_t row = 0; row < height; ++row) {
    const CUdeviceptr at = p + row * pitch;
    const CUresult e = element == 2 ? (wait ? cuMemsetD16(at, static_cast<unsigned short>(value), width)
                                            : cuMemsetD16Async(at, static_cast<unsigned short>(value), width, s))
                                    : (wait ? cuMemsetD32(at, value, width) : cuMemsetD32Async(at, value, width, s));
    if (e != CUDA_SUCCESS) return e;
  }
  return CUDA_SUCCESS;
}

// A side of a copy of a box: memory with its pitch, or an array.
bool side_of_box(CUmemorytype type, const void* host, CUdeviceptr device, CUarray array, std::size_t pitch,
                 std::size_t height, const CUDA_MEMCPY3D& c, cudaPitchedPtr& memory, cudaArray_t& in_array) {
  if (type == CU_MEMORYTYPE_ARRAY) {
    in_array = array;
    return array != nullptr;
  }
  if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED) return false;
  memory.ptr = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : as_pointer(device);
  memory.pitch = pitch != 0 ? pitch : c.WidthInBytes;
  memory.xsize = c.WidthInBytes;
  memory.ysize = height != 0 ? height : c.Height;
  return memory.ptr != nullptr;
}
// The runtime counts elements where an array is a side: `width` of them have WidthInBytes.
std::size_t element_of(cudaArray_t a) {
  cudaChannelFormatDesc d;
  if (a == nullptr || cudaArrayGetInfo(&d, nullptr, nullptr, a) != cudaSuccess) return 1;
  return static_cast<std::size_t>(d.x + d.y + d.z + d.w) / 8;
}
CUresult copy_box(const CUDA_MEMCPY3D* c, CUstream s, bool wait) {
  cudaMemcpy3DParms p{};
  if (!runtime_box(c, p)) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(wait ? cudaMemcpy3D(&p) : cudaMemcpy3DAsync(&p, s));
}

CUfunction as_function(CUkernel k) { return reinterpret_cast<CUfunction>(k); }

}  // namespace

bool simt_cuda::runtime_box(const CUDA_MEMCPY3D* c, cudaMemcpy3DParms& p) {
  if (c == nullptr || c->srcLOD != 0 || c->dstLOD != 0) return false;
  if (!side_of_box(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcPitch, c->srcHeight, *c, p.srcPtr,
                   p.srcArray) ||
      !side_of_box(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstPitch, c->dstHeight, *c, p.dstPtr,
                   p.dstArray))
    return false;
  const std::size_t from = element_of(p.srcArray), to = element_of(p.dstArray);
  p.srcPos = {c->srcXInBytes / from, c->srcY, c->srcZ};
  p.dstPos = {c->dstXInBytes / to, c->dstY, c->dstZ};
  p.extent = {c->WidthInBytes / (from > to ? from : to), c->Height, c->Depth};
  p.kind = cudaMemcpyDefault;
  return true;
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction f, void** parameters, void** extra) {
  SIMT_DRIVER_CALL;
  if (c == nullptr || (c->numAttrs != 0 && c->attrs == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  bool cooperative = false;
  for (unsigned i = 0; i < c->numAttrs; ++i) {
    const CUlaunchAttribute& a = c->attrs[i];
    if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) cooperative = a.value.cooperative != 0;
    if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
        a.value.clusterDim.x * a.value.clusterDim.y * a.value.clusterDim.z != 1) {
      complain_of_module("cuLaunchKernelEx: clusters of kernels of modules are not supported by the simulator");
      return CUDA_ERROR_NOT_SUPPORTED;
    }
  }
  return cooperative ? cuLaunchCooperativeKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY,
                                                 c->blockDimZ, c->sharedMemBytes, c->hStream, parameters)
                     : cuLaunchKernel(f, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY,
                                      c->blockDimZ, c->sharedMemBytes, c->hStream, parameters, extra);
}

// Managed memory is nowhere in particular.
CUresult cuMemAdvise(CUdeviceptr p, std::size_t, CUmem_advise, CUmemLocation) {
  SIMT_DRIVER_CALL;
  return simt::frontend::is_device_address(as_pointer(p)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemAdvise(CUdeviceptr p, std::size_t bytes, CUmem_advise advice, CUdevice) {
  return cuMemAdvise(p, bytes, advice, CUmemLocation{});
}
CUresult cuMemPrefetchAsync(CUdeviceptr p, std::size_t, CUmemLocation, unsigned int, CUstream) {
  SIMT_DRIVER_CALL;
  return simt::frontend::is_device_address(as_pointer(p)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemPrefetchAsync(CUdeviceptr p, std::size_t bytes, CUdevice, CUstream s) {
  return cuMemPrefetchAsync(p, bytes, CUmemLocation{}, 0, s);
}
CUresult cuMemGetAddressRange(CUdeviceptr* first, std::size_t* bytes, CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  const simt::frontend::allocation_label a = simt::frontend::label_of(as_pointer(p));
  if (a.begin == nullptr) return CUDA_ERROR_NOT_FOUND;
  if (first != nullptr) *first = as_device(a.begin);
  if (bytes != nullptr) *bytes = a.bytes;
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetFlags(unsigned int* flags, void* p) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaHostGetFlags(flags, p));
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpy(as_pointer(to), as_pointer(from), bytes, cudaMemcpyDeviceToDevice));
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, std::size_t bytes, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemcpyAsync(as_pointer(to), as_pointer(from), bytes, cudaMemcpyDeviceToDevice, s));
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* c) {
  SIMT_DRIVER_CALL;
  return copy_box(c, nullptr, true);
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* c, CUstream s) {
  SIMT_DRIVER_CALL;
  return copy_box(c, s, false);
}
CUresult cuMemsetD2D16(CUdeviceptr p, std::size_t pitch, unsigned short v, std::size_t width, std::size_t height) {
  SIMT_DRIVER_CALL;
  return fill_rows(p, pitch, v, 2, width, height, nullptr, true);
}
CUresult cuMemsetD2D32(CUdeviceptr p, std::size_t pitch, unsigned int v, std::size_t width, std::size_t height) {
  SIMT_DRIVER_CALL;
  return fill_rows(p, pitch, v, 4, width, height, nullptr, true);
}
CUresult cuMemsetD2D8Async(CUdeviceptr p, std::size_t pitch, unsigned char v, std::size_t width, std::size_t height,
                           CUstream s) {
  SIMT_DRIVER_CALL;
  return fill_rows(p, pitch, v, 1, width, height, s, false);
}
CUresult cuMemsetD2D16Async(CUdeviceptr p, std::size_t pitch, unsigned short v, std::size_t width, std::size_t height,
                            CUstream s) {
  SIMT_DRIVER_CALL;
  return fill_rows(p, pitch, v, 2, width, height, s, false);
}
CUresult cuMemsetD2D32Async(CUdeviceptr p, std::size_t pitch, unsigned int v, std::size_t width, std::size_t height,
                            CUstream s) {
  SIMT_DRIVER_CALL;
  return fill_rows(p, pitch, v, 4, width, height, s, false);
}
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data, CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  if (attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i)  // for memory that is not the device's: zeros, and no error
    if (cuPointerGetAttribute(data[i], attributes[i], p) != CUDA_SUCCESS)
      std::memset(data[i], 0,
                  attributes[i] == CU_POINTER_ATTRIBUTE_CONTEXT ||
                          attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_POINTER ||
                          attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER
                      ? sizeof(void*)
                      : sizeof(int));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice d) {
  return pool == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaDeviceGetDefaultMemPool(pool, d));
}
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice d) {
  return pool == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaDeviceGetMemPool(pool, d));
}
CUresult cuDeviceSetMemPool(CUdevice d, CUmemoryPool pool) { return as_driver(cudaDeviceSetMemPool(d, pool)); }
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
  SIMT_DRIVER_CALL;
  if (pool == nullptr || props == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemPoolProps p{};
  p.allocType = static_cast<cudaMemAllocationType>(props->allocType);
  p.location.type = static_cast<cudaMemLocationType>(props->location.type);
  p.location.id = props->location.id;
  return as_driver(cudaMemPoolCreate(pool, &p));
}
CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemPoolDestroy(pool));
}
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute a, void* value) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(a), value));
}
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute a, void* value) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(a), value));
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, std::size_t bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaMemPoolTrimTo(pool, bytes));
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* p, std::size_t bytes, CUmemoryPool pool, CUstream s) {
  const driver_call line(__builtin_return_address(0));
  return pool == nullptr ? CUDA_ERROR_INVALID_VALUE : cuMemAllocAsync(p, bytes, s);
}

CUresult cuStreamGetFlags(CUstream s, unsigned int* flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamGetFlags(s, flags));
}
CUresult cuStreamGetPriority(CUstream s, int* priority) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamGetPriority(s, priority));
}
CUresult cuStreamGetId(CUstream s, unsigned long long* id) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamGetId(s, id));
}
CUresult cuStreamGetDevice(CUstream s, CUdevice* d) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamGetDevice(s, d));
}
CUresult cuStreamGetCtx(CUstream, CUcontext* c) {
  SIMT_DRIVER_CALL;
  return cuCtxGetCurrent(c);  // all share one device
}
CUresult cuStreamAttachMemAsync(CUstream s, CUdeviceptr p, std::size_t bytes, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamAttachMemAsync(s, as_pointer(p), bytes, flags));
}
CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaEventRecordWithFlags(e, s, flags));
}
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned int) {
  SIMT_DRIVER_CALL;
  return CUDA_ERROR_INVALID_DEVICE;  // of the same device, as every context here
}
CUresult cuCtxDisablePeerAccess(CUcontext) {
  SIMT_DRIVER_CALL;
  return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}
CUresult cuCtxResetPersistingL2Cache() {
  SIMT_DRIVER_CALL;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction f, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  SIMT_DRIVER_CALL;
  if (f == nullptr || offset == nullptr || index >= f->calls.count) return CUDA_ERROR_INVALID_VALUE;
  std::size_t at = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    const parameter_size& p = f->calls.parameters[i];
    at = (at + p.alignment - 1) / p.alignment * p.alignment;
    *offset = at;
    if (bytes != nullptr) *bytes = p.bytes;
    at += p.bytes;
  }
  return CUDA_SUCCESS;
}
CUresult cuFuncLoad(CUfunction f) { return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; }
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction f) {
  if (state == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = CU_FUNCTION_LOADING_STATE_LOADED;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute a, CUkernel k, CUdevice) {
  return cuFuncGetAttribute(value, a, as_function(k));
}
CUresult cuKernelSetAttribute(CUfunction_attribute a, int value, CUkernel k, CUdevice) {
  return cuFuncSetAttribute(as_function(k), a, value);
}
CUresult cuKernelGetName(const char** name, CUkernel k) { return cuFuncGetName(name, as_function(k)); }
CUresult cuKernelSetCacheConfig(CUkernel k, CUfunc_cache config, CUdevice) {
  return cuFuncSetCacheConfig(as_function(k), config);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction f, int size, std::size_t shared,
                                                              unsigned int) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, size, shared);
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction f, CUoccupancyB2DSize of_block,
                                                   std::size_t shared, int limit, unsigned int) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, f, of_block, shared, limit);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction f, int blocks, int size) {
  SIMT_DRIVER_CALL;
  if (f == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(cudaOccupancyAvailableDynamicSMemPerBlock(bytes, f->calls.kernel, blocks, size));
}
