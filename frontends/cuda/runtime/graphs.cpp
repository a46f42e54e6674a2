// SPDX-License-Identifier: Apache-2.0
// Graphs of CUDA programs, node by node: making them, changing them, asking about them. What runs them is in
// graph_runs.cpp.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "state.hpp"
#include "stream_numbers.hpp"

namespace simt_cuda {

namespace {

// The parameters are copied: a node outlives the caller's variables.
cudaError_t make_kernel(node& n, const cudaKernelNodeParams& p) {
  const kernel_calls* const known = known_kernel(p.func);
  if (known == nullptr) return cudaErrorInvalidDeviceFunction;
  if (known->count > 0 && p.kernelParams == nullptr) return cudaErrorInvalidValue;
  struct copies {
    std::vector<std::vector<std::max_align_t>> values;
    std::vector<void*> pointers;
  };
  const auto all = std::make_shared<copies>();
  for (std::size_t i = 0; i < known->count; ++i) {
    const std::size_t bytes = known->parameters[i].bytes;
    all->values.emplace_back(bytes / sizeof(std::max_align_t) + 1);
    std::memcpy(all->values.back().data(), p.kernelParams[i], bytes);
  }
  for (auto& v : all->values) all->pointers.push_back(v.data());
  n.arguments = std::shared_ptr<std::vector<void*>>(all, &all->pointers);
  auto kept = std::make_shared<cudaKernelNodeParams>(p);
  kept->kernelParams = all->pointers.data();
  n.kernel = kept;
  n.work = [all, kept, call = known->call](cudaStream_t s) {
    configure(kept->gridDim, kept->blockDim, kept->sharedMemBytes, s);
    call(kept->func, all->pointers.data());
    return finish_launch();
  };
  return cudaSuccess;
}

// Values of equal bytes are a fill, others a copy of a row that the node keeps.
cudaError_t make_fill(node& n, const cudaMemsetParams& p) {
  if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4) return cudaErrorInvalidValue;
  const std::size_t bytes = p.width * p.elementSize, pitch = std::max(p.pitch, bytes);
  const auto row = std::make_shared<std::vector<char>>(bytes);
  for (std::size_t i = 0; i < p.width; ++i) std::memcpy(row->data() + i * p.elementSize, &p.value, p.elementSize);
  const bool alike = std::all_of(row->begin(), row->end(), [&](char c) { return c == row->front(); });
  n.work = [m = p, bytes, pitch, row, alike](cudaStream_t s) {
    if (alike) return cudaMemset2DAsync(m.dst, pitch, static_cast<int>(m.value & 0xff), bytes, m.height, s);
    return cudaMemcpy2DAsync(m.dst, pitch, row->data(), bytes, bytes, m.height, cudaMemcpyHostToDevice, s);
  };
  return cudaSuccess;
}

cudaError_t make_allocation(node& n, cudaMemAllocNodeParams& p) {
  if (p.bytesize == 0) return cudaErrorInvalidValue;
  if (const cudaError_t e = allocate(&p.dptr, p.bytesize, "", 1, kDeviceMemory); e != cudaSuccess) return e;
  n.memory = make_graph_memory(p.dptr, p.bytesize);
  n.allocation = p;
  n.work = [m = n.memory](cudaStream_t s) {
    m->in_use = m->backed = true;
    return guarded([&] { simt::backend::made_on_stream(m->at(), m->bytes(), stream_number(s)); });
  };
  return cudaSuccess;
}

cudaError_t make_release(node& n, void* p) {
  n.memory = find_graph_memory(p);
  if (n.memory == nullptr) return cudaErrorInvalidValue;
  n.work = [m = n.memory](cudaStream_t) { return release_graph_memory(m->at()) ? cudaSuccess : cudaErrorInvalidValue; };
  return cudaSuccess;
}

cudaError_t make_condition(node& n, cudaConditionalNodeParams& p) {
  const bool one = p.type == cudaGraphCondTypeWhile;
  if (find_condition(p.handle) == nullptr || p.size == 0 || (one && p.size != 1) ||
      (p.type == cudaGraphCondTypeIf && p.size > 2))
    return cudaErrorInvalidValue;
  for (unsigned int i = 0; i < p.size; ++i) {
    n.bodies.push_back(std::make_shared<CUgraph_st>());
    n.handles.push_back(n.bodies.back().get());
  }
  p.phGraph_out = n.handles.data();
  n.when = p;
  return cudaSuccess;
}

cudaGraphNodeParams params_of(cudaGraphNodeType type) {
  cudaGraphNodeParams p{};
  p.type = type;
  return p;
}
cudaGraphNodeParams of_kernel(const cudaKernelNodeParams* k) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeKernel);
  p.kernel = *k;
  return p;
}
cudaGraphNodeParams of_copy(const cudaMemcpy3DParms* c) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeMemcpy);
  p.memcpy.copyParams = *c;
  return p;
}
cudaGraphNodeParams of_fill(const cudaMemsetParams* m) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeMemset);
  p.memset = *m;
  return p;
}
cudaGraphNodeParams of_call(const cudaHostNodeParams* h) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeHost);
  p.host = *h;
  return p;
}
cudaGraphNodeParams of_graph(cudaGraph_t g) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeGraph);
  p.graph.graph = g;
  return p;
}
node plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  node n;
  n.type = cudaGraphNodeTypeMemcpy;
  n.given = params_of(cudaGraphNodeTypeMemcpy);
  cudaMemcpy3DParms& c = n.given.memcpy.copyParams;
  c.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  c.dstPtr = {to, bytes, bytes, 1};
  c.extent = {bytes, 1, 1};
  c.kind = kind;
  n.work = [=](cudaStream_t s) { return cudaMemcpyAsync(to, from, bytes, kind, s); };
  return n;
}

cudaError_t add(cudaGraphNode_t* to, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                cudaGraphNodeParams& p) {
  node made;
  if (const cudaError_t e = make_node(made, p); e != cudaSuccess) return fail(e);
  const cudaError_t e = add_node(to, g, after, count, std::move(made));
  if (e == cudaSuccess && p.type == cudaGraphNodeTypeConditional) p.conditional.phGraph_out = (*to)->handles.data();
  return e;
}
cudaError_t add(cudaGraphNode_t* to, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                cudaGraphNodeParams&& p) {
  return add(to, g, after, count, p);
}

cudaError_t change(node* n, const node& made) {
  if (n == nullptr || n->type != made.type) return fail(cudaErrorInvalidValue);
  replace_node(*n, made);
  for (const auto& body : n->bodies)
    if (!make_plan(*body)) return fail(cudaErrorInvalidValue);
  return cudaSuccess;
}
cudaError_t change(node* n, cudaGraphNodeParams p) {
  node made;
  if (const cudaError_t e = make_node(made, p); e != cudaSuccess) return fail(e);
  return change(n, made);
}
}  // namespace

node* in_exec(cudaGraphExec_t exec, cudaGraphNode_t n) {
  if (exec == nullptr) return nullptr;
  const auto it = exec->own->twins.find(n);
  return it == exec->own->twins.end() ? nullptr : it->second;
}

cudaError_t make_node(node& n, cudaGraphNodeParams& p) {
  n.type = p.type;
  n.given = p;
  switch (p.type) {
    case cudaGraphNodeTypeKernel:
      return make_kernel(n, p.kernel);
    case cudaGraphNodeTypeMemcpy:
      n.work = [c = p.memcpy.copyParams](cudaStream_t s) { return cudaMemcpy3DAsync(&c, s); };
      return cudaSuccess;
    case cudaGraphNodeTypeMemset:
      return make_fill(n, p.memset);
    case cudaGraphNodeTypeHost:
      n.work = [h = p.host](cudaStream_t s) { return cudaLaunchHostFunc(s, h.fn, h.userData); };
      return cudaSuccess;
    case cudaGraphNodeTypeGraph:
      if (p.graph.graph == nullptr) return cudaErrorInvalidValue;
      n.bodies.push_back(copy_of(*p.graph.graph));
      n.handles.push_back(n.bodies.back().get());
      return cudaSuccess;
    case cudaGraphNodeTypeEmpty:
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      n.work = [e = p.eventWait.event](cudaStream_t s) { return cudaStreamWaitEvent(s, e, 0); };
      return cudaSuccess;
    case cudaGraphNodeTypeEventRecord:
      n.work = [e = p.eventRecord.event](cudaStream_t s) { return cudaEventRecord(e, s); };
      return cudaSuccess;
    case cudaGraphNodeTypeMemAlloc:
      return make_allocation(n, p.alloc);
    case cudaGraphNodeTypeMemFree:
      return make_release(n, p.free.dptr);
    case cudaGraphNodeTypeConditional:
      return make_condition(n, p.conditional);
    default:
      std::fprintf(stderr, "simt: graph nodes of external semaphores are not supported by the simulator\n");
      return cudaErrorNotSupported;
  }
}

cudaError_t add_node(cudaGraphNode_t* to, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count, node made) {
  if (to == nullptr || g == nullptr || (after == nullptr && count > 0)) return fail(cudaErrorInvalidValue);
  made.after.assign(after, after + count);
  made.owner = g;
  g->nodes.push_back(std::make_shared<node>(std::move(made)));
  *to = g->nodes.back().get();
  return cudaSuccess;
}
}  // namespace simt_cuda

using namespace simt_cuda;
using node_list = const cudaGraphNode_t*;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
  *graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  // The user's own: destroyed by cudaGraphDestroy, so it must not be shared. Its nodes know where they are.
  *clone = new CUgraph_st(std::move(*copy_of(*graph)));
  for (const auto& n : (*clone)->nodes) n->owner = *clone;
  return cudaSuccess;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                             cudaGraphNodeParams* p) {
  return p == nullptr ? fail(cudaErrorInvalidValue) : add(n, g, after, count, *p);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, const cudaGraphEdgeData*,
                             std::size_t count, cudaGraphNodeParams* p) {
  return cudaGraphAddNode(n, g, after, count, p);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                   const cudaKernelNodeParams* p) {
  return add(n, g, after, count, of_kernel(p));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                   const cudaMemcpy3DParms* p) {
  return add(n, g, after, count, of_copy(p));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count, void* to,
                                     const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return add_node(n, g, after, count, plain_copy(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                   const cudaMemsetParams* p) {
  return add(n, g, after, count, of_fill(p));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                 const cudaHostNodeParams* p) {
  return add(n, g, after, count, of_call(p));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count) {
  return add_node(n, g, after, count, {});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                       cudaGraph_t child) {
  return add(n, g, after, count, of_graph(child));
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                        cudaEvent_t e) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeEventRecord);
  p.eventRecord.event = e;
  return add(n, g, after, count, p);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                      cudaEvent_t e) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeWaitEvent);
  p.eventWait.event = e;
  return add(n, g, after, count, p);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count,
                                     cudaMemAllocNodeParams* a) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeMemAlloc);
  p.alloc = *a;
  const cudaError_t e = add(n, g, after, count, p);
  a->dptr = p.alloc.dptr;
  return e;
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* n, cudaGraph_t g, node_list after, std::size_t count, void* at) {
  cudaGraphNodeParams p = params_of(cudaGraphNodeTypeMemFree);
  p.free.dptr = at;
  return add(n, g, after, count, p);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t n) {
  if (n == nullptr || n->owner == nullptr) return fail(cudaErrorInvalidValue);
  auto& nodes = n->owner->nodes;
  for (const auto& other : nodes) std::erase(other->after, n);
  std::erase_if(nodes, [&](const auto& x) { return x.get() == n; });
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t n, cudaGraphNodeParams* p) { return change(n, *p); }
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n, const cudaKernelNodeParams* p) {
  return change(n, of_kernel(p));
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t n, const cudaMemcpy3DParms* p) {
  return change(n, of_copy(p));
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t n, void* to, const void* from, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  return change(n, plain_copy(to, from, bytes, kind));
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t n, const cudaMemsetParams* p) { return change(n, of_fill(p)); }
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t n, const cudaHostNodeParams* p) { return change(n, of_call(p)); }

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraphNodeParams* p) {
  return change(in_exec(exec, n), *p);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaKernelNodeParams* p) {
  return change(in_exec(exec, n), of_kernel(p));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaMemcpy3DParms* p) {
  return change(in_exec(exec, n), of_copy(p));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t n, void* to, const void* from,
                                               std::size_t bytes, cudaMemcpyKind kind) {
  return change(in_exec(exec, n), plain_copy(to, from, bytes, kind));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaMemsetParams* p) {
  return change(in_exec(exec, n), of_fill(p));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaHostNodeParams* p) {
  return change(in_exec(exec, n), of_call(p));
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, cudaGraph_t child) {
  return change(in_exec(exec, n), of_graph(child));
}
