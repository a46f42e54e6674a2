// SPDX-License-Identifier: Apache-2.0
// Types of the driver API's entry points, by the version of CUDA that brought each form (PFN_cuInit_v2000). Of a
// function that has one form here, all versions are that form.
#pragma once

#include <cuda.h>

#define SIMT_ENTRY1(f, a) typedef decltype(&f) PFN_##f##_v##a;
#define SIMT_ENTRY2(f, a, b) SIMT_ENTRY1(f, a) SIMT_ENTRY1(f, b)
#define SIMT_ENTRY3(f, a, b, c) SIMT_ENTRY2(f, a, b) SIMT_ENTRY1(f, c)
#define SIMT_ENTRY4(f, a, b, c, d) SIMT_ENTRY3(f, a, b, c) SIMT_ENTRY1(f, d)
// clang-format off
SIMT_ENTRY2(cuArray3DCreate, 2000, 3020) SIMT_ENTRY2(cuArray3DGetDescriptor, 2000, 3020)
SIMT_ENTRY2(cuArrayCreate, 2000, 3020) SIMT_ENTRY1(cuArrayDestroy, 2000) SIMT_ENTRY2(cuArrayGetDescriptor, 2000, 3020)
SIMT_ENTRY1(cuArrayGetMemoryRequirements, 11060) SIMT_ENTRY2(cuCtxDestroy, 2000, 4000)
SIMT_ENTRY1(cuCtxDisablePeerAccess, 4000) SIMT_ENTRY1(cuCtxEnablePeerAccess, 4000)
SIMT_ENTRY1(cuCtxGetApiVersion, 3020) SIMT_ENTRY1(cuCtxGetCacheConfig, 3020) SIMT_ENTRY1(cuCtxGetCurrent, 4000)
SIMT_ENTRY2(cuCtxGetDevice, 2000, 13000) SIMT_ENTRY1(cuCtxGetFlags, 7000) SIMT_ENTRY1(cuCtxGetId, 12000)
SIMT_ENTRY1(cuCtxGetLimit, 3010) SIMT_ENTRY1(cuCtxGetSharedMemConfig, 4020)
SIMT_ENTRY1(cuCtxGetStreamPriorityRange, 5050) SIMT_ENTRY2(cuCtxPopCurrent, 2000, 4000)
SIMT_ENTRY2(cuCtxPushCurrent, 2000, 4000) SIMT_ENTRY1(cuCtxResetPersistingL2Cache, 11000)
SIMT_ENTRY1(cuCtxSetCacheConfig, 3020) SIMT_ENTRY1(cuCtxSetCurrent, 4000) SIMT_ENTRY1(cuCtxSetFlags, 12010)
SIMT_ENTRY1(cuCtxSetLimit, 3010) SIMT_ENTRY1(cuCtxSetSharedMemConfig, 4020) SIMT_ENTRY2(cuCtxSynchronize, 2000, 13000)
SIMT_ENTRY1(cuDeviceCanAccessPeer, 4000) SIMT_ENTRY1(cuDeviceComputeCapability, 2000) SIMT_ENTRY1(cuDeviceGet, 2000)
SIMT_ENTRY1(cuDeviceGetAttribute, 2000) SIMT_ENTRY1(cuDeviceGetByPCIBusId, 4010) SIMT_ENTRY1(cuDeviceGetCount, 2000)
SIMT_ENTRY1(cuDeviceGetDefaultMemPool, 11020) SIMT_ENTRY1(cuDeviceGetGraphMemAttribute, 11040)
SIMT_ENTRY1(cuDeviceGetMemPool, 11020) SIMT_ENTRY1(cuDeviceGetName, 2000) SIMT_ENTRY1(cuDeviceGetP2PAttribute, 8000)
SIMT_ENTRY1(cuDeviceGetPCIBusId, 4010) SIMT_ENTRY1(cuDeviceGetProperties, 2000)
SIMT_ENTRY1(cuDeviceGetTexture1DLinearMaxWidth, 11010) SIMT_ENTRY2(cuDeviceGetUuid, 9020, 11040)
SIMT_ENTRY1(cuDeviceGraphMemTrim, 11040) SIMT_ENTRY1(cuDevicePrimaryCtxGetState, 7000)
SIMT_ENTRY2(cuDevicePrimaryCtxRelease, 7000, 11000) SIMT_ENTRY2(cuDevicePrimaryCtxReset, 7000, 11000)
SIMT_ENTRY1(cuDevicePrimaryCtxRetain, 7000) SIMT_ENTRY2(cuDevicePrimaryCtxSetFlags, 7000, 11000)
SIMT_ENTRY1(cuDeviceSetGraphMemAttribute, 11040) SIMT_ENTRY1(cuDeviceSetMemPool, 11020)
SIMT_ENTRY2(cuDeviceTotalMem, 2000, 3020) SIMT_ENTRY1(cuDriverGetVersion, 2020) SIMT_ENTRY1(cuEventCreate, 2000)
SIMT_ENTRY2(cuEventDestroy, 2000, 4000) SIMT_ENTRY2(cuEventElapsedTime, 2000, 12080) SIMT_ENTRY1(cuEventQuery, 2000)
SIMT_ENTRY2(cuEventRecord, 2000, 7000_ptsz) SIMT_ENTRY2(cuEventRecordWithFlags, 11010, 11010_ptsz)
SIMT_ENTRY1(cuEventSynchronize, 2000) SIMT_ENTRY1(cuFuncGetAttribute, 2020) SIMT_ENTRY1(cuFuncGetModule, 11000)
SIMT_ENTRY1(cuFuncGetName, 12030) SIMT_ENTRY1(cuFuncGetParamInfo, 12040) SIMT_ENTRY1(cuFuncIsLoaded, 12040)
SIMT_ENTRY1(cuFuncLoad, 12040) SIMT_ENTRY1(cuFuncSetAttribute, 9000) SIMT_ENTRY1(cuFuncSetCacheConfig, 3000)
SIMT_ENTRY1(cuFuncSetSharedMemConfig, 4020) SIMT_ENTRY1(cuGetErrorName, 6000) SIMT_ENTRY1(cuGetErrorString, 6000)
SIMT_ENTRY2(cuGetProcAddress, 11030, 12000) SIMT_ENTRY1(cuGraphAddChildGraphNode, 10000)
SIMT_ENTRY1(cuGraphAddEmptyNode, 10000) SIMT_ENTRY1(cuGraphAddEventRecordNode, 11010)
SIMT_ENTRY1(cuGraphAddEventWaitNode, 11010) SIMT_ENTRY1(cuGraphAddHostNode, 10000)
SIMT_ENTRY2(cuGraphAddKernelNode, 10000, 12000) SIMT_ENTRY1(cuGraphAddMemAllocNode, 11040)
SIMT_ENTRY1(cuGraphAddMemFreeNode, 11040) SIMT_ENTRY1(cuGraphAddMemcpyNode, 10000)
SIMT_ENTRY1(cuGraphAddMemsetNode, 10000) SIMT_ENTRY1(cuGraphChildGraphNodeGetGraph, 10000)
SIMT_ENTRY1(cuGraphClone, 10000) SIMT_ENTRY1(cuGraphConditionalHandleCreate, 12030) SIMT_ENTRY1(cuGraphCreate, 10000)
SIMT_ENTRY1(cuGraphDebugDotPrint, 11030) SIMT_ENTRY1(cuGraphDestroy, 10000) SIMT_ENTRY1(cuGraphDestroyNode, 10000)
SIMT_ENTRY1(cuGraphEventRecordNodeGetEvent, 11010) SIMT_ENTRY1(cuGraphEventRecordNodeSetEvent, 11010)
SIMT_ENTRY1(cuGraphEventWaitNodeGetEvent, 11010) SIMT_ENTRY1(cuGraphEventWaitNodeSetEvent, 11010)
SIMT_ENTRY1(cuGraphExecChildGraphNodeSetParams, 11010) SIMT_ENTRY1(cuGraphExecDestroy, 10000)
SIMT_ENTRY1(cuGraphExecEventRecordNodeSetEvent, 11010) SIMT_ENTRY1(cuGraphExecEventWaitNodeSetEvent, 11010)
SIMT_ENTRY1(cuGraphExecGetFlags, 12000) SIMT_ENTRY1(cuGraphExecHostNodeSetParams, 10020)
SIMT_ENTRY2(cuGraphExecKernelNodeSetParams, 10010, 12000) SIMT_ENTRY1(cuGraphExecMemcpyNodeSetParams, 10020)
SIMT_ENTRY1(cuGraphExecMemsetNodeSetParams, 10020) SIMT_ENTRY1(cuGraphExecNodeSetParams, 12020)
SIMT_ENTRY2(cuGraphExecUpdate, 10020, 12000) SIMT_ENTRY1(cuGraphGetNodes, 10000)
SIMT_ENTRY1(cuGraphGetRootNodes, 10000) SIMT_ENTRY1(cuGraphHostNodeGetParams, 10000)
SIMT_ENTRY1(cuGraphHostNodeSetParams, 10000) SIMT_ENTRY2(cuGraphInstantiateWithParams, 12000, 12000_ptsz)
SIMT_ENTRY1(cuGraphKernelNodeCopyAttributes, 11000) SIMT_ENTRY1(cuGraphKernelNodeGetAttribute, 11000)
SIMT_ENTRY2(cuGraphKernelNodeGetParams, 10000, 12000) SIMT_ENTRY1(cuGraphKernelNodeSetAttribute, 11000)
SIMT_ENTRY2(cuGraphKernelNodeSetParams, 10000, 12000) SIMT_ENTRY2(cuGraphLaunch, 10000, 10000_ptsz)
SIMT_ENTRY1(cuGraphMemAllocNodeGetParams, 11040) SIMT_ENTRY1(cuGraphMemFreeNodeGetParams, 11040)
SIMT_ENTRY1(cuGraphMemcpyNodeGetParams, 10000) SIMT_ENTRY1(cuGraphMemcpyNodeSetParams, 10000)
SIMT_ENTRY1(cuGraphMemsetNodeGetParams, 10000) SIMT_ENTRY1(cuGraphMemsetNodeSetParams, 10000)
SIMT_ENTRY1(cuGraphNodeFindInClone, 10000) SIMT_ENTRY1(cuGraphNodeGetEnabled, 11060)
SIMT_ENTRY1(cuGraphNodeGetType, 10000) SIMT_ENTRY1(cuGraphNodeSetEnabled, 11060)
SIMT_ENTRY1(cuGraphNodeSetParams, 12020) SIMT_ENTRY1(cuGraphReleaseUserObject, 11030)
SIMT_ENTRY1(cuGraphRetainUserObject, 11030) SIMT_ENTRY2(cuGraphUpload, 11010, 11010_ptsz) SIMT_ENTRY1(cuInit, 2000)
SIMT_ENTRY1(cuKernelGetAttribute, 12000) SIMT_ENTRY1(cuKernelGetFunction, 12000)
SIMT_ENTRY1(cuKernelGetLibrary, 12050) SIMT_ENTRY1(cuKernelGetName, 12030) SIMT_ENTRY1(cuKernelGetParamInfo, 12040)
SIMT_ENTRY1(cuKernelSetAttribute, 12000) SIMT_ENTRY1(cuKernelSetCacheConfig, 12000)
SIMT_ENTRY2(cuLaunchCooperativeKernel, 9000, 9000_ptsz) SIMT_ENTRY2(cuLaunchHostFunc, 10000, 10000_ptsz)
SIMT_ENTRY2(cuLaunchKernel, 4000, 7000_ptsz) SIMT_ENTRY2(cuLaunchKernelEx, 11060, 11060_ptsz)
SIMT_ENTRY1(cuLibraryGetGlobal, 12000) SIMT_ENTRY1(cuLibraryGetKernel, 12000) SIMT_ENTRY1(cuLibraryGetManaged, 12000)
SIMT_ENTRY1(cuLibraryGetModule, 12000) SIMT_ENTRY1(cuLibraryLoadData, 12000) SIMT_ENTRY1(cuLibraryLoadFromFile, 12000)
SIMT_ENTRY1(cuLibraryUnload, 12000) SIMT_ENTRY2(cuLinkAddData, 5050, 6050) SIMT_ENTRY2(cuLinkAddFile, 5050, 6050)
SIMT_ENTRY1(cuLinkComplete, 5050) SIMT_ENTRY2(cuLinkCreate, 5050, 6050) SIMT_ENTRY1(cuLinkDestroy, 5050)
SIMT_ENTRY1(cuMemAddressFree, 10020) SIMT_ENTRY1(cuMemAddressReserve, 10020) SIMT_ENTRY2(cuMemAlloc, 2000, 3020)
SIMT_ENTRY2(cuMemAllocAsync, 11020, 11020_ptsz) SIMT_ENTRY2(cuMemAllocFromPoolAsync, 11020, 11020_ptsz)
SIMT_ENTRY2(cuMemAllocHost, 2000, 3020) SIMT_ENTRY1(cuMemAllocManaged, 6000) SIMT_ENTRY2(cuMemAllocPitch, 2000, 3020)
SIMT_ENTRY2(cuMemBatchDecompressAsync, 12060, 12060_ptsz)
SIMT_ENTRY1(cuMemCreate, 10020) SIMT_ENTRY2(cuMemFree, 2000, 3020) SIMT_ENTRY2(cuMemFreeAsync, 11020, 11020_ptsz)
SIMT_ENTRY1(cuMemFreeHost, 2000) SIMT_ENTRY1(cuMemGetAccess, 10020) SIMT_ENTRY2(cuMemGetAddressRange, 2000, 3020)
SIMT_ENTRY1(cuMemGetAllocationGranularity, 10020) SIMT_ENTRY1(cuMemGetAllocationPropertiesFromHandle, 10020)
SIMT_ENTRY1(cuMemGetDefaultMemPool, 13000) SIMT_ENTRY2(cuMemGetInfo, 2000, 3020) SIMT_ENTRY1(cuMemGetMemPool, 13000)
SIMT_ENTRY1(cuMemHostAlloc, 2020) SIMT_ENTRY2(cuMemHostGetDevicePointer, 2020, 3020)
SIMT_ENTRY1(cuMemHostGetFlags, 2030) SIMT_ENTRY2(cuMemHostRegister, 4000, 6050) SIMT_ENTRY1(cuMemHostUnregister, 4000)
SIMT_ENTRY1(cuMemMap, 10020) SIMT_ENTRY1(cuMemPoolCreate, 11020) SIMT_ENTRY1(cuMemPoolDestroy, 11020)
SIMT_ENTRY1(cuMemPoolGetAccess, 11020) SIMT_ENTRY1(cuMemPoolGetAttribute, 11020)
SIMT_ENTRY1(cuMemPoolSetAccess, 11020) SIMT_ENTRY1(cuMemPoolSetAttribute, 11020) SIMT_ENTRY1(cuMemPoolTrimTo, 11020)
SIMT_ENTRY2(cuMemPrefetchBatchAsync, 13000, 13000_ptsz) SIMT_ENTRY1(cuMemRangeGetAttribute, 8000)
SIMT_ENTRY1(cuMemRangeGetAttributes, 8000) SIMT_ENTRY1(cuMemRelease, 10020) SIMT_ENTRY1(cuMemSetAccess, 10020)
SIMT_ENTRY1(cuMemSetMemPool, 13000) SIMT_ENTRY1(cuMemUnmap, 10020) SIMT_ENTRY2(cuMemcpy, 4000, 7000_ptds)
SIMT_ENTRY3(cuMemcpy2D, 2000, 3020, 7000_ptds) SIMT_ENTRY3(cuMemcpy2DAsync, 2000, 3020, 7000_ptsz)
SIMT_ENTRY3(cuMemcpy2DUnaligned, 2000, 3020, 7000_ptds) SIMT_ENTRY3(cuMemcpy3D, 2000, 3020, 7000_ptds)
SIMT_ENTRY3(cuMemcpy3DAsync, 2000, 3020, 7000_ptsz) SIMT_ENTRY2(cuMemcpy3DPeer, 4000, 7000_ptds)
SIMT_ENTRY2(cuMemcpy3DPeerAsync, 4000, 7000_ptsz) SIMT_ENTRY2(cuMemcpyAsync, 4000, 7000_ptsz)
SIMT_ENTRY3(cuMemcpyAtoA, 2000, 3020, 7000_ptds) SIMT_ENTRY3(cuMemcpyAtoD, 2000, 3020, 7000_ptds)
SIMT_ENTRY3(cuMemcpyAtoH, 2000, 3020, 7000_ptds) SIMT_ENTRY3(cuMemcpyAtoHAsync, 2000, 3020, 7000_ptsz)
SIMT_ENTRY3(cuMemcpyDtoA, 2000, 3020, 7000_ptds) SIMT_ENTRY3(cuMemcpyDtoD, 2000, 3020, 7000_ptds)
SIMT_ENTRY3(cuMemcpyDtoDAsync, 3000, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemcpyDtoH, 2000, 3020, 7000_ptds)
SIMT_ENTRY3(cuMemcpyDtoHAsync, 2000, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemcpyHtoA, 2000, 3020, 7000_ptds)
SIMT_ENTRY3(cuMemcpyHtoAAsync, 2000, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemcpyHtoD, 2000, 3020, 7000_ptds)
SIMT_ENTRY3(cuMemcpyHtoDAsync, 2000, 3020, 7000_ptsz) SIMT_ENTRY2(cuMemcpyPeer, 4000, 7000_ptds)
SIMT_ENTRY2(cuMemcpyPeerAsync, 4000, 7000_ptsz) SIMT_ENTRY3(cuMemsetD16, 2000, 3020, 7000_ptds)
SIMT_ENTRY2(cuMemsetD16Async, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemsetD2D16, 2000, 3020, 7000_ptds)
SIMT_ENTRY2(cuMemsetD2D16Async, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemsetD2D32, 2000, 3020, 7000_ptds)
SIMT_ENTRY2(cuMemsetD2D32Async, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemsetD2D8, 2000, 3020, 7000_ptds)
SIMT_ENTRY2(cuMemsetD2D8Async, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemsetD32, 2000, 3020, 7000_ptds)
SIMT_ENTRY2(cuMemsetD32Async, 3020, 7000_ptsz) SIMT_ENTRY3(cuMemsetD8, 2000, 3020, 7000_ptds)
SIMT_ENTRY2(cuMemsetD8Async, 3020, 7000_ptsz) SIMT_ENTRY1(cuMipmappedArrayCreate, 5000)
SIMT_ENTRY1(cuMipmappedArrayDestroy, 5000) SIMT_ENTRY1(cuMipmappedArrayGetLevel, 5000)
SIMT_ENTRY1(cuModuleGetFunction, 2000) SIMT_ENTRY2(cuModuleGetGlobal, 2000, 3020)
SIMT_ENTRY1(cuModuleGetLoadingMode, 11070) SIMT_ENTRY1(cuModuleLoad, 2000) SIMT_ENTRY1(cuModuleLoadData, 2000)
SIMT_ENTRY1(cuModuleLoadDataEx, 2010) SIMT_ENTRY1(cuModuleLoadFatBinary, 2000) SIMT_ENTRY1(cuModuleUnload, 2000)
SIMT_ENTRY1(cuOccupancyAvailableDynamicSMemPerBlock, 10020)
SIMT_ENTRY1(cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050)
SIMT_ENTRY1(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000)
SIMT_ENTRY1(cuOccupancyMaxPotentialBlockSize, 6050) SIMT_ENTRY1(cuOccupancyMaxPotentialBlockSizeWithFlags, 7000)
SIMT_ENTRY1(cuPointerGetAttribute, 4000) SIMT_ENTRY1(cuPointerGetAttributes, 7000)
SIMT_ENTRY1(cuPointerSetAttribute, 6000) SIMT_ENTRY2(cuStreamAddCallback, 5000, 7000_ptsz)
SIMT_ENTRY2(cuStreamAttachMemAsync, 6000, 7000_ptsz)
SIMT_ENTRY4(cuStreamBatchMemOp, 8000, 8000_ptsz, 11070, 11070_ptsz)
SIMT_ENTRY4(cuStreamBeginCapture, 10000, 10000_ptsz, 10010, 10010_ptsz)
SIMT_ENTRY2(cuStreamBeginCaptureToGraph, 12030, 12030_ptsz) SIMT_ENTRY2(cuStreamCopyAttributes, 11000, 11000_ptsz)
SIMT_ENTRY1(cuStreamCreate, 2000) SIMT_ENTRY1(cuStreamCreateWithPriority, 5050)
SIMT_ENTRY2(cuStreamDestroy, 2000, 4000) SIMT_ENTRY2(cuStreamEndCapture, 10000, 10000_ptsz)
SIMT_ENTRY2(cuStreamGetAttribute, 11000, 11000_ptsz) SIMT_ENTRY4(cuStreamGetCtx, 9020, 9020_ptsz, 12050, 12050_ptsz)
SIMT_ENTRY2(cuStreamGetDevice, 12080, 12080_ptsz) SIMT_ENTRY2(cuStreamGetFlags, 5050, 7000_ptsz)
SIMT_ENTRY2(cuStreamGetId, 12000, 12000_ptsz) SIMT_ENTRY2(cuStreamGetPriority, 5050, 7000_ptsz)
SIMT_ENTRY2(cuStreamIsCapturing, 10000, 10000_ptsz) SIMT_ENTRY2(cuStreamQuery, 2000, 7000_ptsz)
SIMT_ENTRY2(cuStreamSetAttribute, 11000, 11000_ptsz) SIMT_ENTRY2(cuStreamSynchronize, 2000, 7000_ptsz)
SIMT_ENTRY2(cuStreamWaitEvent, 3020, 7000_ptsz) SIMT_ENTRY4(cuStreamWaitValue32, 8000, 8000_ptsz, 11070, 11070_ptsz)
SIMT_ENTRY4(cuStreamWaitValue64, 9000, 9000_ptsz, 11070, 11070_ptsz)
SIMT_ENTRY4(cuStreamWriteValue32, 8000, 8000_ptsz, 11070, 11070_ptsz)
SIMT_ENTRY4(cuStreamWriteValue64, 9000, 9000_ptsz, 11070, 11070_ptsz) SIMT_ENTRY1(cuSurfObjectCreate, 5000)
SIMT_ENTRY1(cuSurfObjectDestroy, 5000) SIMT_ENTRY1(cuSurfObjectGetResourceDesc, 5000)
SIMT_ENTRY1(cuTensorMapEncodeTiled, 12000) SIMT_ENTRY1(cuTensorMapEncodeIm2col, 12000) SIMT_ENTRY1(cuTensorMapReplaceAddress, 12000)
SIMT_ENTRY1(cuTexObjectCreate, 5000) SIMT_ENTRY1(cuTexObjectDestroy, 5000)
SIMT_ENTRY1(cuTexObjectGetResourceDesc, 5000) SIMT_ENTRY1(cuTexObjectGetResourceViewDesc, 5000)
SIMT_ENTRY1(cuTexObjectGetTextureDesc, 5000) SIMT_ENTRY1(cuThreadExchangeStreamCaptureMode, 10010)
SIMT_ENTRY1(cuUserObjectCreate, 11030) SIMT_ENTRY1(cuUserObjectRelease, 11030) SIMT_ENTRY1(cuUserObjectRetain, 11030)
// clang-format on
#undef SIMT_ENTRY1
#undef SIMT_ENTRY2
#undef SIMT_ENTRY3
#undef SIMT_ENTRY4

    // Functions of two forms.
    typedef CUresult (*PFN_cuCtxCreate_v2000)(CUcontext*, unsigned int, CUdevice);
typedef PFN_cuCtxCreate_v2000 PFN_cuCtxCreate_v3020, PFN_cuCtxCreate_v11040;
typedef CUresult (*PFN_cuCtxCreate_v12050)(CUcontext*, CUctxCreateParams*, unsigned int, CUdevice);
typedef CUresult (*PFN_cuGraphAddDependencies_v10000)(CUgraph, const CUgraphNode*, const CUgraphNode*, std::size_t);
typedef CUresult (*PFN_cuGraphAddDependencies_v12030)(CUgraph, const CUgraphNode*, const CUgraphNode*,
                                                      const CUgraphEdgeData*, std::size_t);
typedef PFN_cuGraphAddDependencies_v10000 PFN_cuGraphRemoveDependencies_v10000;
typedef PFN_cuGraphAddDependencies_v12030 PFN_cuGraphRemoveDependencies_v12030;
typedef CUresult (*PFN_cuGraphAddNode_v12020)(CUgraphNode*, CUgraph, const CUgraphNode*, std::size_t,
                                              CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphAddNode_v12030)(CUgraphNode*, CUgraph, const CUgraphNode*, const CUgraphEdgeData*,
                                              std::size_t, CUgraphNodeParams*);
typedef CUresult (*PFN_cuGraphInstantiate_v10000)(CUgraphExec*, CUgraph, CUgraphNode*, char*, std::size_t);
typedef PFN_cuGraphInstantiate_v10000 PFN_cuGraphInstantiate_v11000;
typedef CUresult (*PFN_cuGraphInstantiateWithFlags_v11040)(CUgraphExec*, CUgraph, unsigned long long);
typedef CUresult (*PFN_cuMemAdvise_v8000)(CUdeviceptr, std::size_t, CUmem_advise, CUdevice);
typedef CUresult (*PFN_cuMemAdvise_v12020)(CUdeviceptr, std::size_t, CUmem_advise, CUmemLocation);
typedef CUresult (*PFN_cuMemPrefetchAsync_v8000)(CUdeviceptr, std::size_t, CUdevice, CUstream);
typedef CUresult (*PFN_cuMemPrefetchAsync_v12020)(CUdeviceptr, std::size_t, CUmemLocation, unsigned int, CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v12080)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t,
                                                  CUmemcpyAttributes*, std::size_t*, std::size_t, std::size_t*,
                                                  CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v13000)(CUdeviceptr*, CUdeviceptr*, std::size_t*, std::size_t,
                                                  CUmemcpyAttributes*, std::size_t*, std::size_t, CUstream);
typedef CUresult (*PFN_cuGraphGetEdges_v10000)(CUgraph, CUgraphNode*, CUgraphNode*, std::size_t*);
typedef CUresult (*PFN_cuGraphGetEdges_v12030)(CUgraph, CUgraphNode*, CUgraphNode*, CUgraphEdgeData*, std::size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v10000)(CUgraphNode, CUgraphNode*, std::size_t*);
typedef CUresult (*PFN_cuGraphNodeGetDependencies_v12030)(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, std::size_t*);
typedef PFN_cuGraphNodeGetDependencies_v10000 PFN_cuGraphNodeGetDependentNodes_v10000;
typedef PFN_cuGraphNodeGetDependencies_v12030 PFN_cuGraphNodeGetDependentNodes_v12030;
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v10010)(CUstream, CUstreamCaptureStatus*, cuuint64_t*);
typedef PFN_cuStreamGetCaptureInfo_v10010 PFN_cuStreamGetCaptureInfo_v10010_ptsz;
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v11030)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                                      const CUgraphNode**, std::size_t*);
typedef CUresult (*PFN_cuStreamGetCaptureInfo_v12030)(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*,
                                                      const CUgraphNode**, const CUgraphEdgeData**, std::size_t*);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v11030)(CUstream, CUgraphNode*, std::size_t, unsigned int);
typedef CUresult (*PFN_cuStreamUpdateCaptureDependencies_v12030)(CUstream, CUgraphNode*, const CUgraphEdgeData*,
                                                                 std::size_t, unsigned int);
typedef PFN_cuMemPrefetchAsync_v8000 PFN_cuMemPrefetchAsync_v8000_ptsz;
typedef PFN_cuMemPrefetchAsync_v12020 PFN_cuMemPrefetchAsync_v12020_ptsz;
typedef PFN_cuMemcpyBatchAsync_v12080 PFN_cuMemcpyBatchAsync_v12080_ptsz;
typedef PFN_cuMemcpyBatchAsync_v13000 PFN_cuMemcpyBatchAsync_v13000_ptsz;
typedef PFN_cuStreamGetCaptureInfo_v11030 PFN_cuStreamGetCaptureInfo_v11030_ptsz;
typedef PFN_cuStreamGetCaptureInfo_v12030 PFN_cuStreamGetCaptureInfo_v12030_ptsz;
typedef PFN_cuStreamUpdateCaptureDependencies_v11030 PFN_cuStreamUpdateCaptureDependencies_v11030_ptsz;
typedef PFN_cuStreamUpdateCaptureDependencies_v12030 PFN_cuStreamUpdateCaptureDependencies_v12030_ptsz;
typedef CUresult (*PFN_cuProfilerStart_v4000)();
typedef CUresult (*PFN_cuProfilerStop_v4000)();
