// SPDX-License-Identifier: Apache-2.0
// The rest of the driver API: what is asked about nodes, streams, ranges, textures and functions, nodes of every kind
// by one structure, objects of the host that graphs keep. Part of driver_api.hpp.
#pragma once

#include "driver_arrays.hpp"
#include "driver_graphs.hpp"

// ---- names of forms ----
typedef CUdevice CUdevice_v1;
typedef CUdeviceptr CUdeviceptr_v2;
typedef CUtexObject CUtexObject_v1;
typedef CUsurfObject CUsurfObject_v1;
typedef CUdevprop CUdevprop_v1;
typedef CUmemGenericAllocationHandle CUmemGenericAllocationHandle_v1;
typedef CUmemAccessDesc CUmemAccessDesc_v1;
typedef CUmemAllocationProp CUmemAllocationProp_v1;
typedef CUmemLocation CUmemLocation_v1;
typedef CUmemPoolProps CUmemPoolProps_v1;
typedef CUDA_MEMCPY2D CUDA_MEMCPY2D_v2;
typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_v2;
typedef CUDA_ARRAY_DESCRIPTOR CUDA_ARRAY_DESCRIPTOR_v2;
typedef CUDA_ARRAY3D_DESCRIPTOR CUDA_ARRAY3D_DESCRIPTOR_v2;
typedef CUDA_RESOURCE_DESC CUDA_RESOURCE_DESC_v1;
typedef CUDA_TEXTURE_DESC CUDA_TEXTURE_DESC_v1;
typedef CUDA_RESOURCE_VIEW_DESC CUDA_RESOURCE_VIEW_DESC_v1;
typedef CUstreamBatchMemOpParams CUstreamBatchMemOpParams_v1;
typedef CUgraphExecUpdateResultInfo CUgraphExecUpdateResultInfo_v1;
typedef CUaccessPolicyWindow CUaccessPolicyWindow_v1;
typedef CUlaunchAttributeID CUkernelNodeAttrID, CUstreamAttrID;
typedef CUlaunchAttributeValue CUkernelNodeAttrValue, CUkernelNodeAttrValue_v1, CUstreamAttrValue, CUstreamAttrValue_v1;
#define CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE CU_LAUNCH_ATTRIBUTE_COOPERATIVE
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE \
  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
#define CU_KERNEL_NODE_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
#define CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP

// ---- nodes of every kind by one structure ----
typedef cudaGraphConditionalHandle CUgraphConditionalHandle;
typedef cudaUserObject_t CUuserObject;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v1, CUDA_KERNEL_NODE_PARAMS_v3;
typedef CUDA_MEMSET_NODE_PARAMS CUDA_MEMSET_NODE_PARAMS_v1;
typedef CUDA_HOST_NODE_PARAMS CUDA_HOST_NODE_PARAMS_v1, CUDA_HOST_NODE_PARAMS_v2;
typedef struct CUDA_MEMSET_NODE_PARAMS_v2_st {
  CUdeviceptr dst;
  std::size_t pitch;
  unsigned int value, elementSize;
  std::size_t width, height;
  CUcontext ctx;
} CUDA_MEMSET_NODE_PARAMS_v2;
typedef struct CUDA_MEMCPY_NODE_PARAMS_st {
  int flags, reserved;
  CUcontext copyCtx;
  CUDA_MEMCPY3D copyParams;
} CUDA_MEMCPY_NODE_PARAMS;
typedef struct CUDA_CHILD_GRAPH_NODE_PARAMS_st {
  CUgraph graph;
} CUDA_CHILD_GRAPH_NODE_PARAMS;
typedef struct CUDA_EVENT_RECORD_NODE_PARAMS_st {
  CUevent event;
} CUDA_EVENT_RECORD_NODE_PARAMS;
typedef struct CUDA_EVENT_WAIT_NODE_PARAMS_st {
  CUevent event;
} CUDA_EVENT_WAIT_NODE_PARAMS;
typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_st {
  CUmemPoolProps poolProps;
  const CUmemAccessDesc* accessDescs;
  std::size_t accessDescCount, bytesize;
  CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS;
typedef CUDA_MEM_ALLOC_NODE_PARAMS CUDA_MEM_ALLOC_NODE_PARAMS_v1, CUDA_MEM_ALLOC_NODE_PARAMS_v2;
typedef struct CUDA_MEM_FREE_NODE_PARAMS_st {
  CUdeviceptr dptr;
} CUDA_MEM_FREE_NODE_PARAMS;
typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
  CUgraphConditionalHandle handle;
  CUgraphConditionalNodeType type;
  unsigned int size;
  CUgraph* phGraph_out;
  CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;
typedef struct CUgraphNodeParams_st {
  CUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_KERNEL_NODE_PARAMS_v3 kernel;
    CUDA_MEMCPY_NODE_PARAMS memcpy;
    CUDA_MEMSET_NODE_PARAMS_v2 memset;
    CUDA_HOST_NODE_PARAMS_v2 host;
    CUDA_CHILD_GRAPH_NODE_PARAMS graph;
    CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
    CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 alloc;
    CUDA_MEM_FREE_NODE_PARAMS free;
    CUDA_CONDITIONAL_NODE_PARAMS conditional;
  };
  long long reserved2;
} CUgraphNodeParams;
CUresult cuGraphAddNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, CUgraphNodeParams*);
CUresult cuGraphAddNode(CUgraphNode*, CUgraph, const CUgraphNode* after, const CUgraphEdgeData*, std::size_t,
                        CUgraphNodeParams*);
CUresult cuGraphNodeSetParams(CUgraphNode, CUgraphNodeParams*);
CUresult cuGraphExecNodeSetParams(CUgraphExec, CUgraphNode, CUgraphNodeParams*);
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle*, CUgraph, CUcontext, unsigned int value,
                                        unsigned int flags);

// ---- nodes: what they are made of ----
CUresult cuGraphAddMemAllocNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t,
                                CUDA_MEM_ALLOC_NODE_PARAMS*);
CUresult cuGraphAddMemFreeNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, CUdeviceptr);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS*);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode, CUdeviceptr*);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode, CUDA_MEMCPY3D*);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode, const CUDA_MEMCPY3D*);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode, CUDA_MEMSET_NODE_PARAMS*);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode, const CUDA_MEMSET_NODE_PARAMS*);
CUresult cuGraphHostNodeGetParams(CUgraphNode, CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphHostNodeSetParams(CUgraphNode, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode, CUevent*);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode, CUevent);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode, CUevent*);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode, CUevent);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec, CUgraphNode, CUevent);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec, CUgraphNode, CUevent);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec, CUgraphNode, CUgraph child);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode, CUkernelNodeAttrID, CUkernelNodeAttrValue*);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode, CUkernelNodeAttrID, const CUkernelNodeAttrValue*);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from);

// ---- graphs ----
typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS_st {
  cuuint64_t flags;
  CUstream hUploadStream;
  CUgraphNode hErrNode_out;
  CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;
CUresult cuGraphInstantiateWithParams(CUgraphExec*, CUgraph, CUDA_GRAPH_INSTANTIATE_PARAMS*);
CUresult cuGraphExecGetFlags(CUgraphExec, cuuint64_t*);
CUresult cuDeviceGetGraphMemAttribute(CUdevice, CUgraphMem_attribute, void*);
CUresult cuDeviceSetGraphMemAttribute(CUdevice, CUgraphMem_attribute, void*);
CUresult cuDeviceGraphMemTrim(CUdevice);
CUresult cuUserObjectCreate(CUuserObject*, void*, CUhostFn destroy, unsigned int references, unsigned int flags);
CUresult cuUserObjectRetain(CUuserObject, unsigned int);
CUresult cuUserObjectRelease(CUuserObject, unsigned int);
CUresult cuGraphRetainUserObject(CUgraph, CUuserObject, unsigned int, unsigned int flags);
CUresult cuGraphReleaseUserObject(CUgraph, CUuserObject, unsigned int);

// ---- streams ----
CUresult cuStreamBeginCaptureToGraph(CUstream, CUgraph, const CUgraphNode* after, const CUgraphEdgeData*, std::size_t,
                                     CUstreamCaptureMode);
CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus*, cuuint64_t* id = nullptr, CUgraph* = nullptr,
                                const CUgraphNode** = nullptr, std::size_t* = nullptr);
CUresult cuStreamGetCaptureInfo(CUstream, CUstreamCaptureStatus*, cuuint64_t* id, CUgraph*, const CUgraphNode**,
                                const CUgraphEdgeData**, std::size_t*);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUgraphNode*, std::size_t, unsigned int flags);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUgraphNode*, const CUgraphEdgeData*, std::size_t,
                                           unsigned int flags);
CUresult cuStreamGetAttribute(CUstream, CUstreamAttrID, CUstreamAttrValue*);
CUresult cuStreamSetAttribute(CUstream, CUstreamAttrID, const CUstreamAttrValue*);
CUresult cuStreamCopyAttributes(CUstream to, CUstream from);

// ---- memory ----
typedef struct CUmemcpyAttributes_st {
  CUmemcpySrcAccessOrder srcAccessOrder;
  CUmemLocation srcLocHint, dstLocHint;
  unsigned int flags;
} CUmemcpyAttributes;
typedef CUmemcpyAttributes CUmemcpyAttributes_v1;
typedef struct CUDA_MEMCPY3D_PEER_st {
  std::size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  CUcontext srcContext;
  std::size_t srcPitch, srcHeight;
  std::size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  CUcontext dstContext;
  std::size_t dstPitch, dstHeight;
  std::size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D_PEER;
typedef CUDA_MEMCPY3D_PEER CUDA_MEMCPY3D_PEER_v1;
typedef struct CUDA_ARRAY_MEMORY_REQUIREMENTS_st {
  std::size_t size, alignment;
  unsigned int reserved[4];
} CUDA_ARRAY_MEMORY_REQUIREMENTS;
typedef CUDA_ARRAY_MEMORY_REQUIREMENTS CUDA_ARRAY_MEMORY_REQUIREMENTS_v1;
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t, CUmemcpyAttributes*,
                            std::size_t* first, std::size_t attributes, CUstream);
CUresult cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t, CUmemcpyAttributes*,
                            std::size_t* first, std::size_t attributes, std::size_t* failed, CUstream);
CUresult cuMemPrefetchBatchAsync(CUdeviceptr*, std::size_t* bytes, std::size_t, CUmemLocation*, std::size_t* first,
                                 std::size_t locations, unsigned long long flags, CUstream);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER*);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER*, CUstream);
CUresult cuMemcpyAtoA(CUarray, std::size_t, CUarray, std::size_t, std::size_t);
CUresult cuMemcpyHtoAAsync(CUarray, std::size_t, const void*, std::size_t, CUstream);
CUresult cuMemcpyAtoHAsync(void*, CUarray, std::size_t, std::size_t, CUstream);
CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS*, CUarray, CUdevice);
CUresult cuMemGetAccess(unsigned long long*, const CUmemLocation*, CUdeviceptr);
CUresult cuMemPoolGetAccess(CUmemAccess_flags*, CUmemoryPool, CUmemLocation*);
CUresult cuMemPoolSetAccess(CUmemoryPool, const CUmemAccessDesc*, std::size_t);
CUresult cuMemGetDefaultMemPool(CUmemoryPool*, CUmemLocation*, CUmemAllocationType);
CUresult cuMemGetMemPool(CUmemoryPool*, CUmemLocation*, CUmemAllocationType);
CUresult cuMemSetMemPool(CUmemLocation*, CUmemAllocationType, CUmemoryPool);
CUresult cuMemRangeGetAttribute(void*, std::size_t, CUmem_range_attribute, CUdeviceptr, std::size_t);
CUresult cuMemRangeGetAttributes(void**, std::size_t*, CUmem_range_attribute*, std::size_t, CUdeviceptr, std::size_t);
typedef struct CUmemDecompressParams_st {
  std::size_t srcNumBytes, dstNumBytes;
  cuuint32_t* dstActBytes;
  const void* src;
  void* dst;
  CUmemDecompressAlgorithm algo;
  unsigned char padding[20];
} CUmemDecompressParams;
// There is no such hardware: the device's mask of algorithms is 0, and the call is CUDA_ERROR_NOT_SUPPORTED.
CUresult cuMemBatchDecompressAsync(CUmemDecompressParams*, std::size_t, unsigned int flags, std::size_t* failed,
                                   CUstream);
CUresult cuPointerSetAttribute(const void*, CUpointer_attribute, CUdeviceptr);

// ---- devices, contexts, functions, textures ----
CUresult cuDeviceGetP2PAttribute(int*, CUdevice_P2PAttribute, CUdevice, CUdevice);
CUresult cuDeviceGetTexture1DLinearMaxWidth(std::size_t*, CUarray_format, unsigned int channels, CUdevice);
CUresult cuDevicePrimaryCtxReset(CUdevice);
CUresult cuCtxGetDevice_v2(CUdevice*, CUcontext);
CUresult cuCtxSynchronize_v2(CUcontext);
CUresult cuCtxGetId(CUcontext, unsigned long long*);
CUresult cuCtxSetFlags(unsigned int);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig*);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig);
CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig);
CUresult cuKernelGetParamInfo(CUkernel, std::size_t, std::size_t*, std::size_t*);
CUresult cuLibraryGetManaged(CUdeviceptr*, std::size_t*, CUlibrary, const char*);
CUresult cuKernelGetLibrary(CUlibrary*, CUkernel);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUtexObject);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC*, CUtexObject);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC*, CUtexObject);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC*, CUsurfObject);

#define cuDevicePrimaryCtxReset_v2 cuDevicePrimaryCtxReset
#define cuGraphAddNode_v2 cuGraphAddNode
#define cuStreamGetCaptureInfo_v2 cuStreamGetCaptureInfo
#define cuStreamGetCaptureInfo_v3 cuStreamGetCaptureInfo
#define cuStreamUpdateCaptureDependencies_v2 cuStreamUpdateCaptureDependencies
#define cuMemcpyBatchAsync_v2 cuMemcpyBatchAsync
#define cuMemcpyAtoA_v2 cuMemcpyAtoA
#define cuMemcpyHtoAAsync_v2 cuMemcpyHtoAAsync
#define cuMemcpyAtoHAsync_v2 cuMemcpyAtoHAsync
