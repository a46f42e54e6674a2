// SPDX-License-Identifier: Apache-2.0
// The runtime API (cuda_runtime_api.h), as far as docs/cuda_source.md lists it. Defined in frontends/cuda/runtime.
#pragma once

#include "known_kernels.hpp"
#include "launch.hpp"
#include "runtime_api_arrays.hpp"
#include "runtime_api_graphs.hpp"
#include "runtime_api_libraries.hpp"
#include "runtime_api_memory.hpp"
#include "runtime_types.hpp"

// ---- errors ----
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);

// ---- devices ----
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int flags, unsigned int device_flags);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t);
cudaError_t cudaDeviceGetLimit(std::size_t*, cudaLimit);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();

// ---- streams and events ----
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
typedef void (*cudaHostFn_t)(void*);
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
// The null stream of this program is that of each host thread.
namespace simt_cuda {
void use_stream_per_thread();
inline const bool stream_per_thread = (use_stream_per_thread(), true);
}  // namespace simt_cuda
#endif
cudaError_t cudaStreamCreate(cudaStream_t* s);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned int flags = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t call, void* data, unsigned int flags);
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* priority);
cudaError_t cudaStreamGetDevice(cudaStream_t s, int* device);
cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long* id);
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID attribute, const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID attribute, cudaStreamAttrValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void* p, std::size_t bytes = 0,
                                     unsigned int flags = cudaMemAttachSingle);
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t call, void* data);
cudaError_t cudaEventCreate(cudaEvent_t* e);
cudaError_t cudaEventCreate(cudaEvent_t* e, unsigned int flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s = nullptr, unsigned int flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventQuery(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t stop);

// ---- functions ----
namespace simt_cuda {
cudaError_t function_attributes(cudaFuncAttributes* a, const void* f);
cudaError_t set_function_attribute(const void* f, const char* signature, cudaFuncAttribute attribute, int value);
int resident_blocks(int block_size, std::size_t dynamic_shared);
cudaError_t finish_launch();
cudaError_t check_configuration(const void* f);
template <class F>
const void* address_of_function(F* f) {
  return reinterpret_cast<const void*>(f);
}
}  // namespace simt_cuda
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, F* f) {
  return simt_cuda::function_attributes(a, simt_cuda::address_of_function(f));
}
template <class F>
cudaError_t cudaFuncSetAttribute(F* f, cudaFuncAttribute attribute, int value) {
  return simt_cuda::set_function_attribute(simt_cuda::address_of_function(f), simt_cuda::signature_of(f), attribute,
                                           value);
}
template <class F>
cudaError_t cudaFuncSetCacheConfig(F*, cudaFuncCache) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaFuncSetSharedMemConfig(F*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F*, int block_size, std::size_t dynamic_shared) {
  *blocks = simt_cuda::resident_blocks(block_size, dynamic_shared);
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F*, int block_size,
                                                                   std::size_t dynamic_shared, unsigned int) {
  *blocks = simt_cuda::resident_blocks(block_size, dynamic_shared);
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_size, F*, std::size_t dynamic_shared = 0,
                                               int limit = 0) {
  *block_size = limit > 0 && limit < 1024 ? limit : 1024;
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  *min_grid = processors * simt_cuda::resident_blocks(*block_size, dynamic_shared);
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_size, F* f,
                                                        std::size_t dynamic_shared = 0, int limit = 0,
                                                        unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(min_grid, block_size, f, dynamic_shared, limit);
}
// The dynamic shared memory that is left for each of so many blocks on a multiprocessor.
template <class F>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, F*, int blocks, int) {
  cudaDeviceProp p;
  if (const cudaError_t e = cudaGetDeviceProperties(&p, 0); e != cudaSuccess) return e;
  if (bytes == nullptr || blocks <= 0) return cudaErrorInvalidValue;
  const std::size_t share = p.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
  *bytes = share <= p.reservedSharedMemPerBlock
               ? 0
               : std::min(share - p.reservedSharedMemPerBlock, p.sharedMemPerBlockOptin);
  return cudaSuccess;
}
// The largest block that leaves no multiprocessor emptier than another size would.
template <class F, class S>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_size, F*, S shared_of_block,
                                                           int limit = 0) {
  int processors = 0, most = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  for (int size = limit > 0 && limit < 1024 ? limit : 1024; size > 0;
       size = size % 32 != 0 ? size - size % 32 : size - 32) {
    const int blocks = simt_cuda::resident_blocks(size, static_cast<std::size_t>(shared_of_block(size)));
    if (blocks * size <= most) continue;
    most = blocks * size;
    *block_size = size;
    *min_grid = processors * blocks;
  }
  return most > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}
template <class F, class S>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* min_grid, int* block_size, F* f,
                                                                    S shared_of_block, int limit = 0,
                                                                    unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block_size, f, shared_of_block, limit);
}
// Clusters of 8 blocks are what every device takes.
template <class F>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, F*, const cudaLaunchConfig_t*) {
  *size = 8;
  return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, F*, const cudaLaunchConfig_t* c) {
  unsigned int size = 1;
  for (unsigned int i = 0; i < c->numAttrs; ++i)
    if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
      size = c->attrs[i].val.clusterDim.x * c->attrs[i].val.clusterDim.y * c->attrs[i].val.clusterDim.z;
  int processors = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks =
      simt_cuda::resident_blocks(static_cast<int>(c->blockDim.x * c->blockDim.y * c->blockDim.z), c->dynamicSmemBytes);
  *clusters = size == 0 ? 0 : processors * blocks / static_cast<int>(size);
  return cudaSuccess;
}
template <class... P>
cudaError_t cudaLaunchKernel(void (*f)(P...), dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                             cudaStream_t s = nullptr) {
  simt_cuda::configure(grid, block, shared, s);
  simt_cuda::call_with(f, arguments);
  return simt_cuda::finish_launch();
}
inline cudaError_t cudaLaunchKernel(const void* f, dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                                    cudaStream_t s = nullptr) {
  return simt_cuda::launch_known_kernel(f, grid, block, arguments, shared, s, false);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 grid, dim3 block, void** arguments,
                                               std::size_t shared = 0, cudaStream_t s = nullptr) {
  return simt_cuda::launch_known_kernel(f, grid, block, arguments, shared, s, true);
}
template <class... P>
cudaError_t cudaLaunchCooperativeKernel(void (*f)(P...), dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared = 0, cudaStream_t s = nullptr) {
  simt_cuda::configure(grid, block, shared, s, true);
  simt_cuda::call_with(f, arguments);
  return simt_cuda::finish_launch();
}
namespace simt_cuda {
inline void configure(const cudaLaunchConfig_t& c) {
  bool cooperative = false;
  dim3 cluster(1, 1, 1);
  for (unsigned i = 0; i < c.numAttrs; ++i) {
    if (c.attrs[i].id == cudaLaunchAttributeCooperative) cooperative = c.attrs[i].val.cooperative != 0;
    if (c.attrs[i].id == cudaLaunchAttributeClusterDimension)
      cluster = dim3(c.attrs[i].val.clusterDim.x, c.attrs[i].val.clusterDim.y, c.attrs[i].val.clusterDim.z);
  }
  configure(c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream, cooperative, cluster);
}
}  // namespace simt_cuda
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* c, void (*f)(P...), A&&... a) {
  simt_cuda::configure(*c);
  f(static_cast<P>(a)...);
  return simt_cuda::finish_launch();
}
template <class... P>
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, void (*f)(P...), void** arguments) {
  simt_cuda::configure(*c);
  simt_cuda::call_with(f, arguments);
  return simt_cuda::finish_launch();
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** arguments) {
  return simt_cuda::launch_known_kernel(f, *c, arguments);
}
