// SPDX-License-Identifier: Apache-2.0
// Devices and their properties: the simulated one's.
#include <cstdio>
#include <cstring>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <simt/backend.hpp>

#include "state.hpp"

using namespace simt_cuda;

namespace {
std::size_t limits[8] = {1024, 1 << 20, 8 << 20, 2, 2048};
constexpr int kVersion = 13000;

cudaError_t need_device(int device) {
  ensure_started();
  return device == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice);
}
}  // namespace

cudaError_t cudaGetDeviceCount(int* count) {
  *count = simt::backend::device_count();
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  runtime_used = true;
  return need_device(device);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return need_device(device); }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
  if (const cudaError_t e = need_device(device); e != cudaSuccess) return e;
  const simt::device_properties p = simt::backend::properties(0);
  cudaDeviceProp& o = *out;
  std::memset(&o, 0, sizeof o);
  std::snprintf(o.name, sizeof o.name, "%s", p.name.c_str());
  o.totalGlobalMem = static_cast<std::size_t>(p.global_bytes);
  o.sharedMemPerBlock = static_cast<std::size_t>(p.shared_bytes_per_block);
  o.sharedMemPerBlockOptin = static_cast<std::size_t>(p.shared_bytes_per_block_optin);
  o.sharedMemPerMultiprocessor = static_cast<std::size_t>(p.shared_bytes_per_multiprocessor);
  o.reservedSharedMemPerBlock = 1024;
  o.regsPerBlock = o.regsPerMultiprocessor = static_cast<int>(p.registers_per_block);
  o.warpSize = p.warp_size;
  o.memPitch = 2147483647;
  o.maxThreadsPerBlock = static_cast<int>(p.max_threads_per_block);
  o.maxThreadsPerMultiProcessor = static_cast<int>(p.max_threads_per_multiprocessor);
  o.maxBlocksPerMultiProcessor = static_cast<int>(p.max_blocks_per_multiprocessor);
  const simt::dim3 b = p.max_block, g = p.max_grid;
  const std::int64_t block[] = {b.x, b.y, b.z}, grid[] = {g.x, g.y, g.z};
  for (int i = 0; i < 3; ++i) {
    o.maxThreadsDim[i] = static_cast<int>(block[i]);
    o.maxGridSize[i] = static_cast<int>(grid[i]);
  }
  o.totalConstMem = static_cast<std::size_t>(p.constant_bytes);
  o.major = p.compute_major;
  o.minor = p.compute_minor;
  // Of images, those of an H200.
  o.maxTexture1DLayered[0] = o.maxSurface1D = o.maxSurface1DLayered[0] = 32768;
  o.maxTexture1D = 131072;
  o.maxTexture1DMipmap = 32768;
  o.maxTexture1DLinear = 1 << 28;
  for (int i = 0; i < 2; ++i) {
    o.maxTexture2D[i] = o.maxSurface2D[i] = i == 0 ? 131072 : 65536;
    o.maxTexture2DMipmap[i] = o.maxTexture2DGather[i] = 32768;
    o.maxTexture2DLinear[i] = i == 0 ? 131072 : 65000;
    o.maxTexture2DLayered[i] = o.maxSurface2DLayered[i] = 32768;
  }
  o.maxTexture2DLinear[2] = 2097120;
  o.maxTexture1DLayered[1] = o.maxTexture2DLayered[2] = o.maxSurface1DLayered[1] = o.maxSurface2DLayered[2] = 2048;
  for (int i = 0; i < 3; ++i) o.maxTexture3D[i] = o.maxSurface3D[i] = o.maxTexture3DAlt[i] = 16384;
  o.maxTexture3DAlt[0] = o.maxTexture3DAlt[1] = 8192;
  o.maxTexture3DAlt[2] = 32768;
  o.maxTextureCubemap = o.maxSurfaceCubemap = o.maxTextureCubemapLayered[0] = o.maxSurfaceCubemapLayered[0] = 32768;
  o.maxTextureCubemapLayered[1] = o.maxSurfaceCubemapLayered[1] = 2046;
  o.surfaceAlignment = 512;
  o.hostNumaId = o.deviceNumaId = -1;
  o.hostRegisterReadOnlySupported = 1;
  o.textureAlignment = 512;
  o.texturePitchAlignment = 32;
  o.multiProcessorCount = p.multiprocessors;
  o.canMapHostMemory = o.concurrentKernels = o.unifiedAddressing = o.managedMemory = o.concurrentManagedAccess = 1;
  o.streamPrioritiesSupported = o.globalL1CacheSupported = o.localL1CacheSupported = o.cooperativeLaunch =
      o.hostRegisterSupported = 1;
  o.memoryPoolsSupported = o.computePreemptionSupported = 1;
  o.clusterLaunch = p.cluster_launch;
  o.asyncEngineCount = 1;
  o.memoryBusWidth = 6144;
  o.l2CacheSize = static_cast<int>(p.l2_bytes);
  o.clockRate = p.clock_khz;
  o.memoryClockRate = 3'201'000;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (const cudaError_t e = cudaGetDeviceProperties(&p, device); e != cudaSuccess) return e;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = p.maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimX:
      *value = p.maxThreadsDim[0];
      break;
    case cudaDevAttrMaxBlockDimY:
      *value = p.maxThreadsDim[1];
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = p.maxThreadsDim[2];
      break;
    case cudaDevAttrMaxGridDimX:
      *value = p.maxGridSize[0];
      break;
    case cudaDevAttrMaxGridDimY:
      *value = p.maxGridSize[1];
      break;
    case cudaDevAttrMaxGridDimZ:
      *value = p.maxGridSize[2];
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(p.sharedMemPerBlock);
      break;
    case cudaDevAttrTotalConstantMemory:
      *value = static_cast<int>(p.totalConstMem);
      break;
    case cudaDevAttrWarpSize:
      *value = p.warpSize;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      *value = p.regsPerBlock;
      break;
    case cudaDevAttrClockRate:
      *value = p.clockRate;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = p.multiProcessorCount;
      break;
    case cudaDevAttrIntegrated:
      *value = p.integrated;
      break;
    case cudaDevAttrCanMapHostMemory:
      *value = p.canMapHostMemory;
      break;
    case cudaDevAttrConcurrentKernels:
      *value = p.concurrentKernels;
      break;
    case cudaDevAttrMemoryClockRate:
      *value = p.memoryClockRate;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      *value = p.memoryBusWidth;
      break;
    case cudaDevAttrL2CacheSize:
      *value = p.l2CacheSize;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = p.maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrAsyncEngineCount:
      *value = p.asyncEngineCount;
      break;
    case cudaDevAttrUnifiedAddressing:
      *value = p.unifiedAddressing;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p.major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p.minor;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(p.sharedMemPerMultiprocessor);
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = p.regsPerMultiprocessor;
      break;
    case cudaDevAttrManagedMemory:
      *value = p.managedMemory;
      break;
    case cudaDevAttrPageableMemoryAccess:
      *value = p.pageableMemoryAccess;
      break;
    case cudaDevAttrConcurrentManagedAccess:
      *value = p.concurrentManagedAccess;
      break;
    case cudaDevAttrCooperativeLaunch:
      *value = p.cooperativeLaunch;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(p.sharedMemPerBlockOptin);
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = p.maxBlocksPerMultiProcessor;
      break;
    case cudaDevAttrMemoryPoolsSupported:
      *value = p.memoryPoolsSupported;
      break;
    case cudaDevAttrClusterLaunch:
      *value = p.clusterLaunch;
      break;
    case cudaDevAttrMaxPitch:
      *value = static_cast<int>(p.memPitch);
      break;
    case cudaDevAttrTextureAlignment:
      *value = static_cast<int>(p.textureAlignment);
      break;
    case cudaDevAttrTexturePitchAlignment:
      *value = static_cast<int>(p.texturePitchAlignment);
      break;
    case cudaDevAttrGpuOverlap:
      *value = p.asyncEngineCount > 0;
      break;
    case cudaDevAttrStreamPrioritiesSupported:
      *value = p.streamPrioritiesSupported;
      break;
    case cudaDevAttrGlobalL1CacheSupported:
      *value = p.globalL1CacheSupported;
      break;
    case cudaDevAttrLocalL1CacheSupported:
      *value = p.localL1CacheSupported;
      break;
    case cudaDevAttrComputePreemptionSupported:
      *value = p.computePreemptionSupported;
      break;
    case cudaDevAttrHostRegisterSupported:
      *value = p.hostRegisterSupported;
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = static_cast<int>(p.reservedSharedMemPerBlock);
      break;
    default:
      if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute > cudaDevAttrOnlyPartialHostNativeAtomicSupported)
        return fail(cudaErrorInvalidValue);
      *value = 0;  // textures, peers, error correction and the like: not on this device
  }
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  return after_wait(guarded([] { simt::backend::synchronize_device(); }));
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return fail(cudaErrorInvalidValue);
  limits[limit] = value;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  if (limit < 0 || limit > cudaLimitPersistingL2CacheSize) return fail(cudaErrorInvalidValue);
  *value = limits[limit];
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = 0;
  return device == 0 && peer == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return fail(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return fail(cudaErrorPeerAccessNotEnabled); }
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (const cudaError_t e = need_device(device); e != cudaSuccess) return e;
  std::snprintf(text, static_cast<std::size_t>(length), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  if (device == nullptr || std::strcmp(text, "0000:00:00.0") != 0) return fail(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) { return fail(cudaErrorInvalidDevice); }
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  *flags = cudaDeviceMapHost;
  return cudaSuccess;
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  for (int i = 0; i < count; ++i)
    if (devices[i] != 0) return fail(cudaErrorInvalidDevice);
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
