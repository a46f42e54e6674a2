// SPDX-License-Identifier: Apache-2.0
// Functions of the driver API that fewer programs call: launches by a structure, advice, ranges, fills of rows, boxes,
// pools, graphs, functions by name. Part of driver_api.hpp.
#pragma once

#include "driver_types.hpp"

typedef cudaGraph_t CUgraph;
typedef cudaGraphExec_t CUgraphExec;
typedef cudaGraphNode_t CUgraphNode;
typedef cudaMemPool_t CUmemoryPool;
typedef unsigned int cuuint32_t;
typedef std::uint64_t cuuint64_t;

// ---- launches by a structure ----
typedef enum CUlaunchAttributeID_enum {
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
  CU_LAUNCH_ATTRIBUTE_PRIORITY = 8,
  CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP = 9,
  CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN = 10,
  CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION = 11,
  CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 14
} CUlaunchAttributeID;
typedef struct CUaccessPolicyWindow_st {
  void* base_ptr;
  std::size_t num_bytes;
  float hitRatio;
  CUaccessProperty hitProp, missProp;
} CUaccessPolicyWindow;
typedef struct CUlaunchMemSyncDomainMap_st {
  unsigned char default_, remote;
} CUlaunchMemSyncDomainMap;
typedef union CUlaunchAttributeValue_union {
  char pad[64];
  CUaccessPolicyWindow accessPolicyWindow;
  int cooperative;
  CUsynchronizationPolicy syncPolicy;
  struct {
    unsigned int x, y, z;
  } clusterDim, preferredClusterDim;
  CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
  int programmaticStreamSerializationAllowed;
  int priority;
  CUlaunchMemSyncDomainMap memSyncDomainMap;
  CUlaunchMemSyncDomain memSyncDomain;
  unsigned int sharedMemCarveout;
} CUlaunchAttributeValue;
typedef struct CUlaunchAttribute_st {
  CUlaunchAttributeID id;
  char pad[8 - sizeof(CUlaunchAttributeID)];
  CUlaunchAttributeValue value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig_st {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned int numAttrs;
} CUlaunchConfig;
CUresult cuLaunchKernelEx(const CUlaunchConfig*, CUfunction, void**, void**);

// ---- memory ----
typedef enum CUmem_advise_enum {
  CU_MEM_ADVISE_SET_READ_MOSTLY = 1,
  CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2,
  CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3,
  CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
  CU_MEM_ADVISE_SET_ACCESSED_BY = 5,
  CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
CUresult cuMemAdvise(CUdeviceptr, std::size_t, CUmem_advise, CUmemLocation);
CUresult cuMemAdvise(CUdeviceptr, std::size_t, CUmem_advise, CUdevice);
CUresult cuMemPrefetchAsync(CUdeviceptr, std::size_t, CUmemLocation, unsigned int, CUstream);
CUresult cuMemPrefetchAsync(CUdeviceptr, std::size_t, CUdevice, CUstream);
CUresult cuMemGetAddressRange(CUdeviceptr*, std::size_t*, CUdeviceptr);
CUresult cuMemHostGetFlags(unsigned int*, void*);
CUresult cuMemcpyPeer(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, std::size_t);
CUresult cuMemcpyPeerAsync(CUdeviceptr, CUcontext, CUdeviceptr, CUcontext, std::size_t, CUstream);
typedef struct CUDA_MEMCPY3D_st {
  std::size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void* reserved0;
  std::size_t srcPitch, srcHeight;
  std::size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void* reserved1;
  std::size_t dstPitch, dstHeight;
  std::size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
CUresult cuMemcpy3D(const CUDA_MEMCPY3D*);
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D*, CUstream);
CUresult cuMemsetD2D16(CUdeviceptr, std::size_t, unsigned short, std::size_t, std::size_t);
CUresult cuMemsetD2D32(CUdeviceptr, std::size_t, unsigned int, std::size_t, std::size_t);
CUresult cuMemsetD2D8Async(CUdeviceptr, std::size_t, unsigned char, std::size_t, std::size_t, CUstream);
CUresult cuMemsetD2D16Async(CUdeviceptr, std::size_t, unsigned short, std::size_t, std::size_t, CUstream);
CUresult cuMemsetD2D32Async(CUdeviceptr, std::size_t, unsigned int, std::size_t, std::size_t, CUstream);
CUresult cuPointerGetAttributes(unsigned int, CUpointer_attribute*, void**, CUdeviceptr);

typedef enum CUmemPool_attribute_enum {
  CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
  CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
  CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES,
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD,
  CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
  CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH,
  CU_MEMPOOL_ATTR_USED_MEM_CURRENT,
  CU_MEMPOOL_ATTR_USED_MEM_HIGH
} CUmemPool_attribute;
typedef struct CUmemPoolProps_st {
  CUmemAllocationType allocType;
  CUmemAllocationHandleType handleTypes;
  CUmemLocation location;
  void* win32SecurityAttributes;
  std::size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
} CUmemPoolProps;
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool*, CUdevice);
CUresult cuDeviceGetMemPool(CUmemoryPool*, CUdevice);
CUresult cuDeviceSetMemPool(CUdevice, CUmemoryPool);
CUresult cuMemPoolCreate(CUmemoryPool*, const CUmemPoolProps*);
CUresult cuMemPoolDestroy(CUmemoryPool);
CUresult cuMemPoolSetAttribute(CUmemoryPool, CUmemPool_attribute, void*);
CUresult cuMemPoolGetAttribute(CUmemoryPool, CUmemPool_attribute, void*);
CUresult cuMemPoolTrimTo(CUmemoryPool, std::size_t);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr*, std::size_t, CUmemoryPool, CUstream);

// ---- streams, contexts, functions ----
CUresult cuStreamGetFlags(CUstream, unsigned int*);
CUresult cuStreamGetPriority(CUstream, int*);
CUresult cuStreamGetId(CUstream, unsigned long long*);
CUresult cuStreamGetDevice(CUstream, CUdevice*);
CUresult cuStreamGetCtx(CUstream, CUcontext*);
CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr, std::size_t, unsigned int);
CUresult cuEventRecordWithFlags(CUevent, CUstream, unsigned int);
CUresult cuCtxEnablePeerAccess(CUcontext, unsigned int);
CUresult cuCtxDisablePeerAccess(CUcontext);
CUresult cuCtxResetPersistingL2Cache();
CUresult cuFuncGetParamInfo(CUfunction, std::size_t, std::size_t*, std::size_t*);
typedef enum CUfunctionLoadingState_enum {
  CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
  CU_FUNCTION_LOADING_STATE_LOADED = 1,
  CU_FUNCTION_LOADING_STATE_MAX
} CUfunctionLoadingState;
CUresult cuFuncLoad(CUfunction);
CUresult cuFuncIsLoaded(CUfunctionLoadingState*, CUfunction);
typedef enum CUmoduleLoadingMode_enum { CU_MODULE_EAGER_LOADING = 1, CU_MODULE_LAZY_LOADING = 2 } CUmoduleLoadingMode;
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode*);
CUresult cuKernelGetAttribute(int*, CUfunction_attribute, CUkernel, CUdevice);
CUresult cuKernelSetAttribute(CUfunction_attribute, int, CUkernel, CUdevice);
CUresult cuKernelGetName(const char**, CUkernel);
CUresult cuKernelSetCacheConfig(CUkernel, CUfunc_cache, CUdevice);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, CUfunction, int, std::size_t, unsigned int);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int*, int*, CUfunction, CUoccupancyB2DSize, std::size_t, int,
                                                   unsigned int);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t*, CUfunction, int, int);

// ---- functions by name ----
typedef enum CUdriverProcAddressQueryResult_enum {
  CU_GET_PROC_ADDRESS_SUCCESS = 0,
  CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} CUdriverProcAddressQueryResult;
CUresult cuGetProcAddress(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult* = nullptr);

// The names that older sources and tables of entry points have.
#define cuMemAdvise_v2 cuMemAdvise
#define cuMemPrefetchAsync_v2 cuMemPrefetchAsync
#define cuMemGetAddressRange_v2 cuMemGetAddressRange
#define cuMemcpy3D_v2 cuMemcpy3D
#define cuMemcpy3DAsync_v2 cuMemcpy3DAsync
#define cuMemcpy2D_v2 cuMemcpy2D
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync
#define cuMemcpyHtoDAsync_v2 cuMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 cuMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 cuMemcpyDtoDAsync
#define cuMemsetD8_v2 cuMemsetD8
#define cuMemsetD16_v2 cuMemsetD16
#define cuMemsetD32_v2 cuMemsetD32
#define cuCtxCreate_v2 cuCtxCreate
#define cuGetProcAddress_v2 cuGetProcAddress
