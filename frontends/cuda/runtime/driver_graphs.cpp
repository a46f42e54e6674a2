// SPDX-License-Identifier: Apache-2.0
// Graphs of the driver API: the runtime's. A kernel of a module becomes one that the runtime's graphs know.
#include <vector>

#include "driver.hpp"
#include "modules.hpp"

using namespace simt_cuda;

namespace {

struct kernel_of_module {
  cudaKernelNodeParams params{};
  std::vector<void*> arguments;
};
CUresult as_runtime(const CUDA_KERNEL_NODE_PARAMS* p, kernel_of_module& k) {
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUfunction f = p->func;
  if (f == nullptr && p->kern != nullptr)
    if (const CUresult e = cuKernelGetFunction(&f, p->kern); e != CUDA_SUCCESS) return e;
  if (const CUresult e = arguments_of(f, p->kernelParams, p->extra, k.arguments); e != CUDA_SUCCESS) return e;
  kernel_calls calls = f->calls;
  calls.kernel = f;
  calls.call = [](const void* function, void** arguments) {
    const kernel_calls& of_module = static_cast<const CUfunc_st*>(function)->calls;
    of_module.call(of_module.kernel, arguments);
  };
  know_kernel(calls);
  k.params.func = f;
  k.params.gridDim = ::dim3(p->gridDimX, p->gridDimY, p->gridDimZ);
  k.params.blockDim = ::dim3(p->blockDimX, p->blockDimY, p->blockDimZ);
  k.params.sharedMemBytes = p->sharedMemBytes;
  k.params.kernelParams = k.arguments.data();
  return CUDA_SUCCESS;
}
cudaMemsetParams as_runtime(const CUDA_MEMSET_NODE_PARAMS& p) {
  return {as_pointer(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}
cudaHostNodeParams as_runtime(const CUDA_HOST_NODE_PARAMS& p) { return {p.fn, p.userData}; }

}  // namespace

CUresult cuStreamBeginCapture(CUstream s, CUstreamCaptureMode mode) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamBeginCapture(s, static_cast<cudaStreamCaptureMode>(mode)));
}
CUresult cuStreamEndCapture(CUstream s, CUgraph* g) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaStreamEndCapture(s, g));
}
CUresult cuStreamIsCapturing(CUstream s, CUstreamCaptureStatus* status) {
  SIMT_DRIVER_CALL;
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaStreamCaptureStatus is{};
  const cudaError_t e = cudaStreamIsCapturing(s, &is);
  *status = static_cast<CUstreamCaptureStatus>(is);
  return as_driver(e);
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto m = static_cast<cudaStreamCaptureMode>(*mode);
  const cudaError_t e = cudaThreadExchangeStreamCaptureMode(&m);
  *mode = static_cast<CUstreamCaptureMode>(m);
  return as_driver(e);
}

CUresult cuGraphCreate(CUgraph* g, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return g == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaGraphCreate(g, flags));
}
CUresult cuGraphClone(CUgraph* clone, CUgraph g) {
  SIMT_DRIVER_CALL;
  return clone == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaGraphClone(clone, g));
}
CUresult cuGraphDestroy(CUgraph g) {
  SIMT_DRIVER_CALL;
  return g == nullptr ? CUDA_ERROR_INVALID_VALUE : as_driver(cudaGraphDestroy(g));
}
CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph g, unsigned long long flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphInstantiate(exec, g, flags));
}
CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph g, CUgraphNode* error_node, char* log, std::size_t log_bytes) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphInstantiate(exec, g, error_node, log, log_bytes));
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphUpload(exec, s));
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream s) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphLaunch(exec, s));
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphExecDestroy(exec));
}
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph g, CUgraphExecUpdateResultInfo* info) {
  SIMT_DRIVER_CALL;
  if (info == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaGraphExecUpdateResultInfo found{};
  const CUresult e = as_driver(cudaGraphExecUpdate(exec, g, &found));
  *info = {static_cast<CUgraphExecUpdateResult>(found.result), found.errorNode, found.errorFromNode};
  return e;
}
CUresult cuGraphDebugDotPrint(CUgraph g, const char* path, unsigned int flags) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphDebugDotPrint(g, path, flags));
}

CUresult cuGraphAddEmptyNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphAddEmptyNode(n, g, after, count));
}
CUresult cuGraphAddKernelNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  kernel_of_module k;
  if (const CUresult e = as_runtime(p, k); e != CUDA_SUCCESS) return e;
  return as_driver(cudaGraphAddKernelNode(n, g, after, count, &k.params));
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                              const CUDA_MEMCPY3D* c, CUcontext) {
  SIMT_DRIVER_CALL;
  cudaMemcpy3DParms p{};
  if (!runtime_box(c, p)) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(cudaGraphAddMemcpyNode(n, g, after, count, &p));
}
CUresult cuGraphAddMemsetNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* p, CUcontext) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemsetParams m = as_runtime(*p);
  return as_driver(cudaGraphAddMemsetNode(n, g, after, count, &m));
}
CUresult cuGraphAddHostNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                            const CUDA_HOST_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaHostNodeParams h = as_runtime(*p);
  return as_driver(cudaGraphAddHostNode(n, g, after, count, &h));
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                                  CUgraph child) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphAddChildGraphNode(n, g, after, count, child));
}
CUresult cuGraphAddEventRecordNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                                   CUevent event) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphAddEventRecordNode(n, g, after, count, event));
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* n, CUgraph g, const CUgraphNode* after, std::size_t count,
                                 CUevent event) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphAddEventWaitNode(n, g, after, count, event));
}
CUresult cuGraphDestroyNode(CUgraphNode n) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphDestroyNode(n));
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode n, CUDA_KERNEL_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cudaKernelNodeParams k{};
  if (const CUresult e = as_driver(cudaGraphKernelNodeGetParams(n, &k)); e != CUDA_SUCCESS) return e;
  *p = {};
  p->func = static_cast<CUfunction>(k.func);
  p->gridDimX = k.gridDim.x, p->gridDimY = k.gridDim.y, p->gridDimZ = k.gridDim.z;
  p->blockDimX = k.blockDim.x, p->blockDimY = k.blockDim.y, p->blockDimZ = k.blockDim.z;
  p->sharedMemBytes = k.sharedMemBytes;
  p->kernelParams = k.kernelParams;
  return CUDA_SUCCESS;
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  kernel_of_module k;
  if (const CUresult e = as_runtime(p, k); e != CUDA_SUCCESS) return e;
  return as_driver(cudaGraphKernelNodeSetParams(n, &k.params));
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode n, const CUDA_KERNEL_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  kernel_of_module k;
  if (const CUresult e = as_runtime(p, k); e != CUDA_SUCCESS) return e;
  return as_driver(cudaGraphExecKernelNodeSetParams(exec, n, &k.params));
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode n, const CUDA_MEMCPY3D* c, CUcontext) {
  SIMT_DRIVER_CALL;
  cudaMemcpy3DParms p{};
  if (!runtime_box(c, p)) return CUDA_ERROR_INVALID_VALUE;
  return as_driver(cudaGraphExecMemcpyNodeSetParams(exec, n, &p));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode n, const CUDA_MEMSET_NODE_PARAMS* p, CUcontext) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaMemsetParams m = as_runtime(*p);
  return as_driver(cudaGraphExecMemsetNodeSetParams(exec, n, &m));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode n, const CUDA_HOST_NODE_PARAMS* p) {
  SIMT_DRIVER_CALL;
  if (p == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaHostNodeParams h = as_runtime(*p);
  return as_driver(cudaGraphExecHostNodeSetParams(exec, n, &h));
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode n, unsigned int enabled) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeSetEnabled(exec, n, enabled));
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode n, unsigned int* enabled) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeGetEnabled(exec, n, enabled));
}
CUresult cuGraphNodeGetType(CUgraphNode n, CUgraphNodeType* type) {
  SIMT_DRIVER_CALL;
  cudaGraphNodeType found{};
  const CUresult e = as_driver(cudaGraphNodeGetType(n, &found));
  if (e == CUDA_SUCCESS) *type = static_cast<CUgraphNodeType>(found);
  return e;
}
CUresult cuGraphNodeFindInClone(CUgraphNode* n, CUgraphNode original, CUgraph clone) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeFindInClone(n, original, clone));
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode n, CUgraph* child) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphChildGraphNodeGetGraph(n, child));
}

CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode* from, const CUgraphNode* to, std::size_t count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphAddDependencies(g, from, to, count));
}
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData*,
                                std::size_t count) {
  return cuGraphAddDependencies(g, from, to, count);
}
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode* from, const CUgraphNode* to, std::size_t count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphRemoveDependencies(g, from, to, count));
}
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode* from, const CUgraphNode* to, const CUgraphEdgeData*,
                                   std::size_t count) {
  return cuGraphRemoveDependencies(g, from, to, count);
}
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode* nodes, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphGetNodes(g, nodes, count));
}
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode* nodes, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphGetRootNodes(g, nodes, count));
}
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphGetEdges(g, from, to, count));
}
CUresult cuGraphNodeGetDependencies(CUgraphNode n, CUgraphNode* nodes, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeGetDependencies(n, nodes, count));
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode n, CUgraphNode* nodes, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeGetDependentNodes(n, nodes, count));
}
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphGetEdges(g, from, to, edges, count));
}
CUresult cuGraphNodeGetDependencies(CUgraphNode n, CUgraphNode* nodes, CUgraphEdgeData* edges, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeGetDependencies(n, nodes, edges, count));
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode n, CUgraphNode* nodes, CUgraphEdgeData* edges, std::size_t* count) {
  SIMT_DRIVER_CALL;
  return as_driver(cudaGraphNodeGetDependentNodes(n, nodes, edges, count));
}
