// SPDX-License-Identifier: Apache-2.0
// Functions of the driver API by name, as cuGetProcAddress and cudaGetDriverEntryPoint give them. The suffix of a
// version ("_v2") means nothing here: there is one form of each.
#include <map>
#include <string>
#include <string_view>

#include "driver.hpp"

namespace simt_cuda {
namespace {

// clang-format off
#define SIMT_DRIVER_FUNCTIONS(X) \
  X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString) X(cuDeviceGetCount) X(cuDeviceGet) \
  X(cuDeviceGetName) X(cuDeviceGetUuid) X(cuDeviceTotalMem) X(cuDeviceGetAttribute) X(cuDeviceGetProperties) \
  X(cuDeviceComputeCapability) X(cuDeviceGetPCIBusId) X(cuDeviceGetByPCIBusId) X(cuDeviceCanAccessPeer) \
  X(cuCtxDestroy) X(cuCtxGetCurrent) X(cuCtxSetCurrent) X(cuCtxPushCurrent) X(cuCtxPopCurrent) X(cuCtxGetDevice) \
  X(cuCtxGetFlags) X(cuCtxGetApiVersion) X(cuCtxGetLimit) X(cuCtxSetLimit) X(cuCtxGetCacheConfig) \
  X(cuCtxSetCacheConfig) X(cuCtxGetStreamPriorityRange) X(cuCtxSynchronize) X(cuDevicePrimaryCtxRetain) \
  X(cuDevicePrimaryCtxRelease) X(cuDevicePrimaryCtxSetFlags) X(cuDevicePrimaryCtxGetState) X(cuMemGetInfo) \
  X(cuMemAlloc) X(cuMemAllocPitch) X(cuMemAllocManaged) X(cuMemAllocAsync) X(cuMemAllocHost) X(cuMemHostAlloc) \
  X(cuMemFree) X(cuMemFreeAsync) X(cuMemFreeHost) X(cuMemHostGetDevicePointer) X(cuMemHostRegister) \
  X(cuMemHostUnregister) X(cuPointerGetAttribute) X(cuMemcpy) X(cuMemcpyAsync) X(cuMemcpyHtoD) X(cuMemcpyDtoH) \
  X(cuMemcpyDtoD) X(cuMemcpyHtoDAsync) X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync) X(cuMemcpy2D) \
  X(cuMemcpy2DUnaligned) X(cuMemcpy2DAsync) X(cuMemsetD8) X(cuMemsetD16) X(cuMemsetD32) X(cuMemsetD8Async) \
  X(cuMemsetD16Async) X(cuMemsetD32Async) X(cuMemsetD2D8) X(cuMemGetAllocationGranularity) X(cuMemAddressReserve) \
  X(cuMemAddressFree) X(cuMemCreate) X(cuMemGetAllocationPropertiesFromHandle) X(cuMemRelease) X(cuMemMap) \
  X(cuMemUnmap) X(cuMemSetAccess) X(cuStreamCreate) X(cuStreamCreateWithPriority) X(cuStreamDestroy) \
  X(cuStreamSynchronize) X(cuStreamQuery) X(cuStreamWaitEvent) X(cuStreamAddCallback) X(cuLaunchHostFunc) \
  X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventSynchronize) X(cuEventQuery) X(cuEventElapsedTime) \
  X(cuModuleLoad) X(cuModuleLoadData) X(cuModuleLoadDataEx) X(cuModuleLoadFatBinary) X(cuModuleUnload) \
  X(cuModuleGetFunction) X(cuModuleGetGlobal) X(cuLibraryLoadData) X(cuLibraryLoadFromFile) X(cuLibraryUnload) \
  X(cuLibraryGetKernel) X(cuLibraryGetModule) X(cuLibraryGetGlobal) X(cuKernelGetFunction) X(cuLinkCreate) \
  X(cuLinkAddData) X(cuLinkAddFile) X(cuLinkComplete) X(cuLinkDestroy) X(cuLaunchKernel) \
  X(cuLaunchCooperativeKernel) X(cuFuncGetAttribute) X(cuFuncSetAttribute) X(cuFuncSetCacheConfig) X(cuFuncGetName) \
  X(cuFuncGetModule) X(cuOccupancyMaxActiveBlocksPerMultiprocessor) X(cuOccupancyMaxPotentialBlockSize) \
  X(cuLaunchKernelEx) X(cuMemGetAddressRange) X(cuMemHostGetFlags) X(cuMemcpyPeer) X(cuMemcpyPeerAsync) \
  X(cuMemcpy3D) X(cuMemcpy3DAsync) X(cuMemsetD2D16) X(cuMemsetD2D32) X(cuMemsetD2D8Async) X(cuMemsetD2D16Async) \
  X(cuMemsetD2D32Async) X(cuPointerGetAttributes) X(cuDeviceGetDefaultMemPool) X(cuDeviceGetMemPool) \
  X(cuDeviceSetMemPool) X(cuMemPoolCreate) X(cuMemPoolDestroy) X(cuMemPoolSetAttribute) X(cuMemPoolGetAttribute) \
  X(cuMemPoolTrimTo) X(cuMemAllocFromPoolAsync) X(cuStreamGetFlags) X(cuStreamGetPriority) X(cuStreamGetId) \
  X(cuStreamGetDevice) X(cuStreamGetCtx) X(cuStreamAttachMemAsync) X(cuEventRecordWithFlags) \
  X(cuCtxEnablePeerAccess) X(cuCtxDisablePeerAccess) X(cuCtxResetPersistingL2Cache) X(cuFuncGetParamInfo) \
  X(cuFuncLoad) X(cuFuncIsLoaded) X(cuModuleGetLoadingMode) X(cuKernelGetAttribute) X(cuKernelSetAttribute) \
  X(cuKernelGetName) X(cuKernelSetCacheConfig) X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) \
  X(cuOccupancyMaxPotentialBlockSizeWithFlags) X(cuOccupancyAvailableDynamicSMemPerBlock) X(cuStreamBeginCapture) \
  X(cuStreamEndCapture) X(cuStreamIsCapturing) X(cuThreadExchangeStreamCaptureMode) X(cuGraphCreate) X(cuGraphClone) \
  X(cuGraphDestroy) X(cuGraphUpload) X(cuGraphLaunch) X(cuGraphExecDestroy) \
  X(cuGraphAddEmptyNode) X(cuGraphGetNodes) X(cuGetProcAddress) X(cuArrayCreate) X(cuArray3DCreate) \
  X(cuArrayGetDescriptor) X(cuArray3DGetDescriptor) X(cuArrayDestroy) X(cuMipmappedArrayCreate) \
  X(cuMipmappedArrayGetLevel) X(cuMipmappedArrayDestroy) X(cuMemcpyHtoA) X(cuMemcpyAtoH) \
  X(cuMemcpyDtoA) X(cuMemcpyAtoD) X(cuTexObjectCreate) X(cuTexObjectDestroy) X(cuSurfObjectCreate) \
  X(cuSurfObjectDestroy) X(cuGraphExecUpdate) X(cuGraphDebugDotPrint) X(cuGraphAddKernelNode) \
  X(cuGraphAddMemcpyNode) X(cuGraphAddMemsetNode) X(cuGraphAddHostNode) X(cuGraphAddChildGraphNode) \
  X(cuGraphAddEventRecordNode) X(cuGraphAddEventWaitNode) X(cuGraphDestroyNode) X(cuGraphKernelNodeGetParams) \
  X(cuGraphKernelNodeSetParams) X(cuGraphExecKernelNodeSetParams) X(cuGraphExecMemcpyNodeSetParams) \
  X(cuGraphExecMemsetNodeSetParams) X(cuGraphExecHostNodeSetParams) X(cuGraphNodeSetEnabled) \
  X(cuGraphNodeGetEnabled) X(cuGraphNodeGetType) X(cuGraphNodeFindInClone) X(cuGraphChildGraphNodeGetGraph) \
  X(cuGraphGetRootNodes) \
  X(cuStreamWriteValue32) X(cuStreamWriteValue64) X(cuStreamWaitValue32) X(cuStreamWaitValue64) \
  X(cuTensorMapEncodeTiled) X(cuTensorMapEncodeIm2col) X(cuTensorMapReplaceAddress) \
  X(cuArrayGetMemoryRequirements) X(cuCtxGetId) X(cuCtxGetSharedMemConfig) X(cuCtxSetFlags) \
  X(cuCtxSetSharedMemConfig) X(cuDeviceGetGraphMemAttribute) X(cuDeviceGetP2PAttribute) \
  X(cuDeviceGetTexture1DLinearMaxWidth) X(cuDeviceGraphMemTrim) X(cuDevicePrimaryCtxReset) \
  X(cuDeviceSetGraphMemAttribute) X(cuFuncSetSharedMemConfig) X(cuGraphAddMemAllocNode) X(cuGraphAddMemFreeNode) \
  X(cuGraphConditionalHandleCreate) X(cuGraphEventRecordNodeGetEvent) X(cuGraphEventRecordNodeSetEvent) \
  X(cuGraphEventWaitNodeGetEvent) X(cuGraphEventWaitNodeSetEvent) X(cuGraphExecChildGraphNodeSetParams) \
  X(cuGraphExecEventRecordNodeSetEvent) X(cuGraphExecEventWaitNodeSetEvent) X(cuGraphExecGetFlags) \
  X(cuGraphExecNodeSetParams) X(cuGraphHostNodeGetParams) X(cuGraphHostNodeSetParams) \
  X(cuGraphInstantiateWithParams) X(cuGraphKernelNodeCopyAttributes) X(cuGraphKernelNodeGetAttribute) \
  X(cuGraphKernelNodeSetAttribute) X(cuGraphMemAllocNodeGetParams) X(cuGraphMemFreeNodeGetParams) \
  X(cuGraphMemcpyNodeGetParams) X(cuGraphMemcpyNodeSetParams) X(cuGraphMemsetNodeGetParams) \
  X(cuGraphMemsetNodeSetParams) X(cuGraphNodeSetParams) X(cuGraphReleaseUserObject) X(cuGraphRetainUserObject) \
  X(cuKernelGetLibrary) X(cuKernelGetParamInfo) X(cuLibraryGetManaged) X(cuMemGetAccess) X(cuMemGetDefaultMemPool) \
  X(cuMemGetMemPool) X(cuMemPoolGetAccess) X(cuMemPoolSetAccess) X(cuMemPrefetchBatchAsync) \
  X(cuMemRangeGetAttribute) X(cuMemRangeGetAttributes) X(cuMemSetMemPool) X(cuMemcpy3DPeer) X(cuMemcpy3DPeerAsync) \
  X(cuMemcpyAtoA) X(cuMemcpyAtoHAsync) X(cuMemcpyHtoAAsync) X(cuPointerSetAttribute) X(cuStreamBeginCaptureToGraph) \
  X(cuStreamCopyAttributes) X(cuStreamGetAttribute) X(cuStreamSetAttribute) X(cuSurfObjectGetResourceDesc) \
  X(cuTexObjectGetResourceDesc) X(cuTexObjectGetResourceViewDesc) X(cuTexObjectGetTextureDesc) \
  X(cuUserObjectCreate) X(cuUserObjectRelease) X(cuUserObjectRetain)
// clang-format on

const std::map<std::string_view, void*>& driver_functions() {
#define SIMT_ENTRY(name) {#name, reinterpret_cast<void*>(&name)},
  static const auto* const all = new std::map<std::string_view, void*>{
      SIMT_DRIVER_FUNCTIONS(SIMT_ENTRY)
      // Of two forms, CUDA 13's.
      {"cuGraphInstantiate",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUgraphExec*, CUgraph, unsigned long long)>(&cuGraphInstantiate))},
      {"cuGraphAddDependencies",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUgraph, const CUgraphNode*, const CUgraphNode*, const CUgraphEdgeData*,
                                    std::size_t)>(&cuGraphAddDependencies))},
      {"cuCtxCreate", reinterpret_cast<void*>(
                          static_cast<CUresult (*)(CUcontext*, CUctxCreateParams*, unsigned, CUdevice)>(&cuCtxCreate))},
      {"cuMemAdvise",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUdeviceptr, std::size_t, CUmem_advise, CUmemLocation)>(&cuMemAdvise))},
      {"cuMemPrefetchAsync",
       reinterpret_cast<void*>(static_cast<CUresult (*)(CUdeviceptr, std::size_t, CUmemLocation, unsigned, CUstream)>(
           &cuMemPrefetchAsync))},
      {"cuGraphAddNode", reinterpret_cast<void*>(
                             static_cast<CUresult (*)(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*,
                                                      std::size_t, CUgraphNodeParams*)>(&cuGraphAddNode))},
      {"cuStreamGetCaptureInfo",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**,
                                    const CUgraphEdgeData**, std::size_t*)>(&cuStreamGetCaptureInfo))},
      {"cuStreamUpdateCaptureDependencies",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUstream, CUgraphNode*, const CUgraphEdgeData*, std::size_t, unsigned)>(
               &cuStreamUpdateCaptureDependencies))},
      {"cuMemcpyBatchAsync",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t, CUmemcpyAttributes*,
                                    std::size_t*, std::size_t, CUstream)>(&cuMemcpyBatchAsync))},
      {"cuGraphRemoveDependencies",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUgraph, const CUgraphNode*, const CUgraphNode*, const CUgraphEdgeData*,
                                    std::size_t)>(&cuGraphRemoveDependencies))},
      {"cuGraphGetEdges",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUgraph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData*, std::size_t*)>(
               &cuGraphGetEdges))},
      {"cuGraphNodeGetDependencies",
       reinterpret_cast<void*>(static_cast<CUresult (*)(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, std::size_t*)>(
           &cuGraphNodeGetDependencies))},
      {"cuGraphNodeGetDependentNodes",
       reinterpret_cast<void*>(static_cast<CUresult (*)(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, std::size_t*)>(
           &cuGraphNodeGetDependentNodes))},
      {"cuStreamBatchMemOp", reinterpret_cast<void*>(&cuStreamBatchMemOp)},
      {"cuGraphInstantiateWithFlags",
       reinterpret_cast<void*>(
           static_cast<CUresult (*)(CUgraphExec*, CUgraph, unsigned long long)>(&cuGraphInstantiate))}};
#undef SIMT_ENTRY
  return *all;
}

void* function_by_name(const char* name) {
  std::string_view n = name;
  for (const std::string_view suffix : {"_v2", "_v3"})
    if (n.ends_with(suffix)) n.remove_suffix(suffix.size());
  const auto it = driver_functions().find(n);
  return it == driver_functions().end() ? nullptr : it->second;
}

}  // namespace
}  // namespace simt_cuda

using namespace simt_cuda;

CUresult cuGetProcAddress(const char* name, void** function, int, cuuint64_t, CUdriverProcAddressQueryResult* result) {
  if (name == nullptr || function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *function = function_by_name(name);
  if (result != nullptr)
    *result = *function != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *function != nullptr || result != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
// A name that nobody knows is no error, but a result and a null pointer.
cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* result) {
  if (name == nullptr || *name == 0 || function == nullptr) return fail(cudaErrorInvalidValue);
  *function = function_by_name(name);
  if (result != nullptr)
    *result = *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPoint(name, function, flags, result);
}
