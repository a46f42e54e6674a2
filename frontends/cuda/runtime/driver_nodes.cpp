// SPDX-License-Identifier: Apache-2.0
// Nodes of the driver API's graphs: what they are made of, nodes of every kind by one structure, what graphs keep.
#include <cstring>

#include "driver.hpp"

using namespace simt_cuda;

namespace {

// A side of a box as the driver has it. Of memory it is asked whose it is.
void side_as_driver(const cudaPitchedPtr& memory, cudaArray_t array, CUmemorytype& type, CUdeviceptr& device,
                    const void*& host, CUarray& in_array, std::size_t& pitch, std::size_t& height) {
  in_array = array;
  if (array != nullptr) {
    type = CU_MEMORYTYPE_ARRAY;
    return;
  }
  cudaPointerAttributes a{};
  cudaPointerGetAttributes(&a, memory.ptr);
  const bool of_host = a.type == cudaMemoryTypeUnregistered || a.type == cudaMemoryTypeHost;
  type = of_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (of_host)
    host = memory.ptr;
  else
    device = as_device(memory.ptr);
  pitch = memory.pitch;
  height = memory.ysize;
}
std::size_t bytes_of_element(cudaArray_t a) {
  cudaChannelFormatDesc d{};
  if (a == nullptr || cudaArrayGetInfo(&d, nullptr, nullptr, a) != cudaSuccess) return 1;
  return static_cast<std::size_t>(d.x + d.y + d.z + d.w) / 8;
}
CUDA_MEMCPY3D box_as_driver(const cudaMemcpy3DParms& p) {
  CUDA_MEMCPY3D c{};
  const void* target = nullptr;
  side_as_driver(p.srcPtr, p.srcArray, c.srcMemoryType, c.srcDevice, c.srcHost, c.srcArray, c.srcPitch, c.srcHeight);
  side_as_driver(p.dstPtr, p.dstArray, c.dstMemoryType, c.dstDevice, target, c.dstArray, c.dstPitch, c.dstHeight);
  c.dstHost = const_cast<void*>(target);
  const std::size_t from = bytes_of_element(p.srcArray), to = bytes_of_element(p.dstArray);
  c.srcXInBytes = p.srcPos.x * from;
  c.srcY = p.srcPos.y;
  c.srcZ = p.srcPos.z;
  c.dstXInBytes = p.dstPos.x * to;
  c.dstY = p.dstPos.y;
  c.dstZ = p.dstPos.z;
  c.WidthInBytes = p.extent.width * (from > to ? from : to);
  c.Height = p.extent.height;
  c.Depth = p.extent.depth;
  return c;
}
cudaMemsetParams fill_as_runtime(const CUDA_MEMSET_NODE_PARAMS& p) {
  return {as_pointer(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}
cudaMemPoolProps pool_as_runtime(const CUmemPoolProps& p) {
  cudaMemPoolProps r{};
  r.allocType = static_cast<cudaMemAllocationType>(p.allocType);
  r.handleTypes = static_cast<cudaMemAllocationHandleType>(p.handleTypes);
  r.location.type = static_cast<cudaMemLocationType>(p.location.type);
  r.location.id = p.location.id;
  return r;
}
CUDA_MEMSET_NODE_PARAMS without_context(const CUDA_MEMSET_NODE_PARAMS_v2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}

// The attributes of both interfaces are the same numbers in the same places.
static_assert(sizeof(CUlaunchAttributeValue) == sizeof(cudaLaunchAttributeValue));
cudaLaunchAttributeValue value_as_runtime(const CUlaunchAttributeValue& v) {
  cudaLaunchAttributeValue r{};
  std::memcpy(&r, &v, sizeof r);
  return r;
}
template <class F>
CUresult get_attribute(CUlaunchAttributeValue* to, F&& ask) {
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaLaunchAttributeValue v{};
  const CUresult e = as_driver(ask(&v));
  if (e == CUDA_SUCCESS) std::memcpy(to, &v, sizeof v);
  return e;
}

}  // namespace

CUresult cuGraphAddNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count, CUgraphNodeParams* p) {
  SIMT_DRIVER_CALL;
  if (n == nullptr || p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return cuGraphAddKernelNode(n, g, after, count, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphAddMemcpyNode(n, g, after, count, &p->memcpy.copyParams, p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const CUDA_MEMSET_NODE_PARAMS fill = without_context(p->memset);
      return cuGraphAddMemsetNode(n, g, after, count, &fill, p->memset.ctx);
    }
    case CU_GRAPH_NODE_TYPE_HOST:
      return cuGraphAddHostNode(n, g, after, count, &p->host);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return cuGraphAddChildGraphNode(n, g, after, count, p->graph.graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return cuGraphAddEmptyNode(n, g, after, count);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return cuGraphAddEventWaitNode(n, g, after, count, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return cuGraphAddEventRecordNode(n, g, after, count, p->eventRecord.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return cuGraphAddMemAllocNode(n, g, after, count, &p->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return cuGraphAddMemFreeNode(n, g, after, count, p->free.dptr);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: {
      cudaGraphNodeParams r{};
      r.type = cudaGraphNodeTypeConditional;
      r.conditional.handle = p->conditional.handle;
      r.conditional.type = static_cast<cudaGraphConditionalNodeType>(p->conditional.type);
      r.conditional.size = p->conditional.size;
      const CUresult e = as_driver(cudaGraphAddNode(n, g, after, count, &r));
      p->conditional.phGraph_out = r.conditional.phGraph_out;
      return e;
    }
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}
CUresult cuGraphAddNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, const CUgraphEdgeData*, std::size_t count,
                        CUgraphNodeParams* p) {
  return cuGraphAddNode(n, g, after, count, p);
}
CUresult cuGraphNodeSetParams(CUgraphNode n, CUgraphNodeParams* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMSET_NODE_PARAMS fill = without_context(p->memset);
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return cuGraphKernelNodeSetParams(n, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphMemcpyNodeSetParams(n, &p->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return cuGraphMemsetNodeSetParams(n, &fill);
    case CU_GRAPH_NODE_TYPE_HOST:
      return cuGraphHostNodeSetParams(n, &p->host);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return cuGraphEventWaitNodeSetEvent(n, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return cuGraphEventRecordNodeSetEvent(n, p->eventRecord.event);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode n, CUgraphNodeParams* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_MEMSET_NODE_PARAMS fill = without_context(p->memset);
  switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return cuGraphExecKernelNodeSetParams(exec, n, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return cuGraphExecMemcpyNodeSetParams(exec, n, &p->memcpy.copyParams, p->memcpy.copyCtx);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return cuGraphExecMemsetNodeSetParams(exec, n, &fill, p->memset.ctx);
    case CU_GRAPH_NODE_TYPE_HOST:
      return cuGraphExecHostNodeSetParams(exec, n, &p->host);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return cuGraphExecChildGraphNodeSetParams(exec, n, p->graph.graph);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return cuGraphExecEventWaitNodeSetEvent(exec, n, p->eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return cuGraphExecEventRecordNodeSetEvent(exec, n, p->eventRecord.event);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* h, CUgraph g, CUcontext, unsigned int value,
                                        unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphConditionalHandleCreate(h, g, value, flags));
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemAllocNodeParams r{};
  r.poolProps = pool_as_runtime(p->poolProps);
  r.bytesize = p->bytesize;
  const CUresult e = as_driver(cudaGraphAddMemAllocNode(n, g, after, count, &r));
  p->dptr = as_device(r.dptr);
  return e;
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count, CUdeviceptr p) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphAddMemFreeNode(n, g, after, count, as_pointer(p)));
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode n, CUDA_MEM_ALLOC_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemAllocNodeParams r{};
  const CUresult e = as_driver(cudaGraphMemAllocNodeGetParams(n, &r));
  *p = {};
  p->poolProps.allocType = static_cast<CUmemAllocationType>(r.poolProps.allocType);
  p->poolProps.location = {static_cast<CUmemLocationType>(r.poolProps.location.type), r.poolProps.location.id};
  p->bytesize = r.bytesize;
  p->dptr = as_device(r.dptr);
  return e;
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode n, CUdeviceptr* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  void* memory = nullptr;
  const CUresult e = as_driver(cudaGraphMemFreeNodeGetParams(n, &memory));
  *p = as_device(memory);
  return e;
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode n, CUDA_MEMCPY3D* c) {
  SIMT_DRIVER_CALL;
  if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemcpy3DParms p{};
  const CUresult e = as_driver(cudaGraphMemcpyNodeGetParams(n, &p));
  if (e == CUDA_SUCCESS) *c = box_as_driver(p);
  return e;
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode n, const CUDA_MEMCPY3D* c) {
  SIMT_DRIVER_CALL;
  cudaMemcpy3DParms p{};
  if (!runtime_box(c, p)) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(cudaGraphMemcpyNodeSetParams(n, &p));
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode n, CUDA_MEMSET_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaMemsetParams r{};
  const CUresult e = as_driver(cudaGraphMemsetNodeGetParams(n, &r));
  if (e == CUDA_SUCCESS) *p = {as_device(r.dst), r.pitch, r.value, r.elementSize, r.width, r.height};
  return e;
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemsetParams r = fill_as_runtime(*p);
  return as_driver(cudaGraphMemsetNodeSetParams(n, &r));
}
CUresult cuGraphHostNodeGetParams(CUgraphNode n, CUDA_HOST_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaHostNodeParams r{};
  const CUresult e = as_driver(cudaGraphHostNodeGetParams(n, &r));
  if (e == CUDA_SUCCESS) *p = {r.fn, r.userData};
  return e;
}
CUresult cuGraphHostNodeSetParams(CUgraphNode n, const CUDA_HOST_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaHostNodeParams r{p->fn, p->userData};
  return as_driver(cudaGraphHostNodeSetParams(n, &r));
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode n, CUevent* e) {
  SIMT_DRIVER_CALL;
  return e == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaGraphEventRecordNodeGetEvent(n, e));
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode n, CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphEventRecordNodeSetEvent(n, e));
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode n, CUevent* e) {
  SIMT_DRIVER_CALL;
  return e == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaGraphEventWaitNodeGetEvent(n, e));
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode n, CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphEventWaitNodeSetEvent(n, e));
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode n, CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphExecEventRecordNodeSetEvent(exec, n, e));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode n, CUevent e) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphExecEventWaitNodeSetEvent(exec, n, e));
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode n, CUgraph child) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphExecChildGraphNodeSetParams(exec, n, child));
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode n, CUkernelNodeAttrID id, CUkernelNodeAttrValue* value) {
  SIMT_DRIVER_CALL;
  return get_attribute(value, [&](cudaLaunchAttributeValue* v) {
    return cudaGraphKernelNodeGetAttribute(n, static_cast<cudaLaunchAttributeID>(id), v);
  });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode n, CUkernelNodeAttrID id, const CUkernelNodeAttrValue* value) {
  SIMT_DRIVER_CALL;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaLaunchAttributeValue v = value_as_runtime(*value);
  return as_driver(cudaGraphKernelNodeSetAttribute(n, static_cast<cudaLaunchAttributeID>(id), &v));
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphKernelNodeCopyAttributes(from, to));
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaGraphInstantiateParams r{p->flags, p->hUploadStream, nullptr, cudaGraphInstantiateSuccess};
  const CUresult e = as_driver(cudaGraphInstantiateWithParams(exec, g, &r));
  p->hErrNode_out = r.errNode_out;
  p->result_out = static_cast<CUgraphInstantiateResult>(r.result_out);
  return e;
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  SIMT_DRIVER_CALL;
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  unsigned long long f = 0;
  const CUresult e = as_driver(cudaGraphExecGetFlags(exec, &f));
  *flags = f;
  return e;
}
CUresult cuUserObjectCreate(CUuserObject* object, void* what, CUhostFn destroy, unsigned int references,
                            unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaUserObjectCreate(object, what, destroy, references, flags));
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaUserObjectRetain(object, count));
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaUserObjectRelease(object, count));
}
CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject object, unsigned int count, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphRetainUserObject(g, object, count, flags));
}
CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject object, unsigned int count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphReleaseUserObject(g, object, count));
}

CUresult cuStreamGetAttribute(CUstream s, CUstreamAttrID id, CUstreamAttrValue* value) {
  SIMT_DRIVER_CALL;
  return get_attribute(value, [&](cudaLaunchAttributeValue* v) {
    return cudaStreamGetAttribute(s, static_cast<cudaLaunchAttributeID>(id), v);
  });
}
CUresult cuStreamSetAttribute(CUstream s, CUstreamAttrID id, const CUstreamAttrValue* value) {
  SIMT_DRIVER_CALL;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaLaunchAttributeValue v = value_as_runtime(*value);
  return as_driver(cudaStreamSetAttribute(s, static_cast<cudaLaunchAttributeID>(id), &v));
}
CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamCopyAttributes(to, from));
}
