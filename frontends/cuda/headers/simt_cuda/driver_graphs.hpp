// SPDX-License-Identifier: Apache-2.0
// Graphs of the driver API: the runtime's graphs by other names, with kernels of modules; and a stream's waits for
// values. Part of driver_api.hpp.
#pragma once

#include "driver_rarer.hpp"

typedef enum CUstreamCaptureMode_enum {
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2
} CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum {
  CU_STREAM_CAPTURE_STATUS_NONE = 0,
  CU_STREAM_CAPTURE_STATUS_ACTIVE = 1,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED = 2
} CUstreamCaptureStatus;
typedef enum CUgraphNodeType_enum {
  CU_GRAPH_NODE_TYPE_KERNEL = 0,
  CU_GRAPH_NODE_TYPE_MEMCPY = 1,
  CU_GRAPH_NODE_TYPE_MEMSET = 2,
  CU_GRAPH_NODE_TYPE_HOST = 3,
  CU_GRAPH_NODE_TYPE_GRAPH = 4,
  CU_GRAPH_NODE_TYPE_EMPTY = 5,
  CU_GRAPH_NODE_TYPE_WAIT_EVENT = 6,
  CU_GRAPH_NODE_TYPE_EVENT_RECORD = 7,
  CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL = 8,
  CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT = 9,
  CU_GRAPH_NODE_TYPE_MEM_ALLOC = 10,
  CU_GRAPH_NODE_TYPE_MEM_FREE = 11,
  CU_GRAPH_NODE_TYPE_BATCH_MEM_OP = 12,
  CU_GRAPH_NODE_TYPE_CONDITIONAL = 13
} CUgraphNodeType;
typedef enum CUgraphInstantiate_flags_enum {
  CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH = 1,
  CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD = 2,
  CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH = 4,
  CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY = 8
} CUgraphInstantiate_flags;
typedef enum CUgraphExecUpdateResult_enum {
  CU_GRAPH_EXEC_UPDATE_SUCCESS = 0,
  CU_GRAPH_EXEC_UPDATE_ERROR = 1,
  CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED = 2,
  CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED = 3,
  CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED = 4,
  CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED = 5,
  CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED = 6,
  CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7,
  CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED = 8
} CUgraphExecUpdateResult;
typedef struct CUgraphExecUpdateResultInfo_st {
  CUgraphExecUpdateResult result;
  CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;
typedef struct CUDA_KERNEL_NODE_PARAMS_st {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra;
  CUkernel kern;
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v2;
typedef struct CUDA_MEMSET_NODE_PARAMS_st {
  CUdeviceptr dst;
  std::size_t pitch;
  unsigned int value, elementSize;
  std::size_t width, height;
} CUDA_MEMSET_NODE_PARAMS;
typedef struct CUDA_HOST_NODE_PARAMS_st {
  CUhostFn fn;
  void* userData;
} CUDA_HOST_NODE_PARAMS;
typedef cudaGraphEdgeData CUgraphEdgeData;

// ---- capture ----
CUresult cuStreamBeginCapture(CUstream, CUstreamCaptureMode);
CUresult cuStreamEndCapture(CUstream, CUgraph*);
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus*);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode*);

// ---- graphs ----
CUresult cuGraphCreate(CUgraph*, unsigned int);
CUresult cuGraphClone(CUgraph*, CUgraph);
CUresult cuGraphDestroy(CUgraph);
CUresult cuGraphInstantiate(CUgraphExec*, CUgraph, unsigned long long);
CUresult cuGraphInstantiate(CUgraphExec*, CUgraph, CUgraphNode* error_node, char* log, std::size_t log_bytes);
CUresult cuGraphUpload(CUgraphExec, CUstream);
CUresult cuGraphLaunch(CUgraphExec, CUstream);
CUresult cuGraphExecDestroy(CUgraphExec);
CUresult cuGraphExecUpdate(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo*);
CUresult cuGraphDebugDotPrint(CUgraph, const char* path, unsigned int flags);
#define cuGraphInstantiateWithFlags cuGraphInstantiate

// ---- nodes ----
CUresult cuGraphAddEmptyNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t);
CUresult cuGraphAddKernelNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t,
                              const CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphAddMemcpyNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, const CUDA_MEMCPY3D*,
                              CUcontext);
CUresult cuGraphAddMemsetNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t,
                              const CUDA_MEMSET_NODE_PARAMS*, CUcontext);
CUresult cuGraphAddHostNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphAddChildGraphNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, CUgraph child);
CUresult cuGraphAddEventRecordNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, CUevent);
CUresult cuGraphAddEventWaitNode(CUgraphNode*, CUgraph, const CUgraphNode* after, std::size_t, CUevent);
CUresult cuGraphDestroyNode(CUgraphNode);
CUresult cuGraphKernelNodeGetParams(CUgraphNode, CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphKernelNodeSetParams(CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS*);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D*, CUcontext);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS*, CUcontext);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_HOST_NODE_PARAMS*);
CUresult cuGraphNodeSetEnabled(CUgraphExec, CUgraphNode, unsigned int);
CUresult cuGraphNodeGetEnabled(CUgraphExec, CUgraphNode, unsigned int*);
CUresult cuGraphNodeGetType(CUgraphNode, CUgraphNodeType*);
CUresult cuGraphNodeFindInClone(CUgraphNode*, CUgraphNode original, CUgraph clone);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode, CUgraph*);

// ---- edges; a list of null asks for its length ----
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode* from, const CUgraphNode* to, std::size_t);
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData*,
                                std::size_t);
CUresult cuGraphRemoveDependencies(CUgraph, const CUgraphNode* from, const CUgraphNode* to, std::size_t);
CUresult cuGraphRemoveDependencies(CUgraph, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData*,
                                   std::size_t);
CUresult cuGraphGetNodes(CUgraph, CUgraphNode*, std::size_t*);
CUresult cuGraphGetRootNodes(CUgraph, CUgraphNode*, std::size_t*);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode* from, CUgraphNode* to, std::size_t*);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData*, std::size_t*);
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode*, std::size_t*);
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, std::size_t*);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode, CUgraphNode*, std::size_t*);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode, CUgraphNode*, CUgraphEdgeData*, std::size_t*);

// ---- values that streams write and wait for ----
typedef enum CUstreamWaitValue_flags_enum {
  CU_STREAM_WAIT_VALUE_GEQ = 0,
  CU_STREAM_WAIT_VALUE_EQ = 1,
  CU_STREAM_WAIT_VALUE_AND = 2,
  CU_STREAM_WAIT_VALUE_NOR = 3,
  CU_STREAM_WAIT_VALUE_FLUSH = 1 << 30
} CUstreamWaitValue_flags;
typedef enum CUstreamWriteValue_flags_enum {
  CU_STREAM_WRITE_VALUE_DEFAULT = 0,
  CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER = 1
} CUstreamWriteValue_flags;
CUresult cuStreamWriteValue32(CUstream, CUdeviceptr, cuuint32_t, unsigned int flags);
CUresult cuStreamWriteValue64(CUstream, CUdeviceptr, cuuint64_t, unsigned int flags);
CUresult cuStreamWaitValue32(CUstream, CUdeviceptr, cuuint32_t, unsigned int flags);
CUresult cuStreamWaitValue64(CUstream, CUdeviceptr, cuuint64_t, unsigned int flags);

typedef enum CUstreamBatchMemOpType_enum {
  CU_STREAM_MEM_OP_WAIT_VALUE_32 = 1,
  CU_STREAM_MEM_OP_WRITE_VALUE_32 = 2,
  CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES = 3,
  CU_STREAM_MEM_OP_WAIT_VALUE_64 = 4,
  CU_STREAM_MEM_OP_WRITE_VALUE_64 = 5,
  CU_STREAM_MEM_OP_BARRIER = 6
} CUstreamBatchMemOpType;
typedef union CUstreamBatchMemOpParams_union {
  CUstreamBatchMemOpType operation;
  struct CUstreamMemOpWaitValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    union {
      cuuint32_t value;
      cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
  } waitValue;
  struct CUstreamMemOpWriteValueParams_st {
    CUstreamBatchMemOpType operation;
    CUdeviceptr address;
    union {
      cuuint32_t value;
      cuuint64_t value64;
    };
    unsigned int flags;
    CUdeviceptr alias;
  } writeValue;
  struct CUstreamMemOpMemoryBarrierParams_st {
    CUstreamBatchMemOpType operation;
    unsigned int flags;
  } memoryBarrier;
  cuuint64_t pad[6];
} CUstreamBatchMemOpParams;
// One after the other, so barriers and flushes have nothing to do.
[[gnu::always_inline]] inline CUresult cuStreamBatchMemOp(CUstream s, unsigned int count, CUstreamBatchMemOpParams* all,
                                                          unsigned int flags) {
  if (flags != 0 || count > 256 || (count > 0 && all == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  CUresult r = CUDA_SUCCESS;
  for (unsigned int i = 0; i < count && r == CUDA_SUCCESS; ++i) {
    const auto& wait = all[i].waitValue;
    const auto& write = all[i].writeValue;
    switch (all[i].operation) {
      case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        r = cuStreamWaitValue32(s, wait.address, wait.value, wait.flags);
        break;
      case CU_STREAM_MEM_OP_WAIT_VALUE_64:
        r = cuStreamWaitValue64(s, wait.address, wait.value64, wait.flags);
        break;
      case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        r = cuStreamWriteValue32(s, write.address, write.value, write.flags);
        break;
      case CU_STREAM_MEM_OP_WRITE_VALUE_64:
        r = cuStreamWriteValue64(s, write.address, write.value64, write.flags);
        break;
      case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      case CU_STREAM_MEM_OP_BARRIER:
        break;
      default:
        r = CUDA_ERROR_INVALID_VALUE;
    }
  }
  return r;
}

#define cuStreamBeginCapture_v2 cuStreamBeginCapture
#define cuGraphAddKernelNode_v2 cuGraphAddKernelNode
#define cuGraphKernelNodeGetParams_v2 cuGraphKernelNodeGetParams
#define cuGraphKernelNodeSetParams_v2 cuGraphKernelNodeSetParams
#define cuGraphExecKernelNodeSetParams_v2 cuGraphExecKernelNodeSetParams
#define cuGraphExecUpdate_v2 cuGraphExecUpdate
#define cuStreamWriteValue32_v2 cuStreamWriteValue32
#define cuStreamWriteValue64_v2 cuStreamWriteValue64
#define cuStreamWaitValue32_v2 cuStreamWaitValue32
#define cuStreamWaitValue64_v2 cuStreamWaitValue64
#define cuStreamBatchMemOp_v2 cuStreamBatchMemOp
