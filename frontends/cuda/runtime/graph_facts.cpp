// SPDX-License-Identifier: Apache-2.0
// What programs ask of graphs and nodes: kinds, parameters, edges, conditions, a picture for Graphviz.
#include <algorithm>
#include <cstdio>
#include <mutex>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "state.hpp"

namespace simt_cuda {
namespace {
std::mutex conditions_mutex;
std::vector<std::unique_ptr<condition>>& conditions() {
  static auto* all = new std::vector<std::unique_ptr<condition>>;
  return *all;
}

// A list that programs ask for twice: its length first.
cudaError_t give(const std::vector<node*>& all, cudaGraphNode_t* to, std::size_t* count) {
  if (count == nullptr) return fail(cudaErrorInvalidValue);
  if (to != nullptr)
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < all.size() ? all[i] : nullptr;
  *count = to != nullptr ? std::min(*count, all.size()) : all.size();
  return cudaSuccess;
}
const char* name_of(cudaGraphNodeType type) {
  static constexpr const char* kNames[] = {"kernel", "memcpy", "memset", "host",  "graph", "empty", "wait",
                                           "record", "signal", "wait",   "alloc", "free",  "",      "condition"};
  return kNames[static_cast<int>(type)];
}
}  // namespace

condition* find_condition(cudaGraphConditionalHandle handle) {
  std::lock_guard lock(conditions_mutex);
  return handle == 0 || handle > conditions().size() ? nullptr : conditions()[handle - 1].get();
}
}  // namespace simt_cuda

using namespace simt_cuda;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph, unsigned int value,
                                             unsigned int flags) {
  if (handle == nullptr || graph == nullptr) return fail(cudaErrorInvalidValue);
  std::lock_guard lock(conditions_mutex);
  conditions().push_back(
      std::make_unique<condition>(condition{value, value, (flags & cudaGraphCondAssignDefault) != 0}));
  *handle = conditions().size();
  graph->conditions.push_back(*handle);
  return cudaSuccess;
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  const simt::frontend::uninterrupted whole;
  if (condition* c = find_condition(handle); c != nullptr) __atomic_store_n(&c->value, value, __ATOMIC_RELAXED);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, cudaGraphNodeType* type) {
  if (n == nullptr || type == nullptr) return fail(cudaErrorInvalidValue);
  *type = n->type;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, cudaKernelNodeParams* p) {
  if (n == nullptr || n->type != cudaGraphNodeTypeKernel) return fail(cudaErrorInvalidValue);
  if (n->kernel == nullptr) {
    std::fprintf(stderr, "simt: the parameters of captured kernels cannot be asked for in the simulator\n");
    return fail(cudaErrorNotSupported);
  }
  *p = *n->kernel;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t n, cudaKernelNodeAttrID id,
                                            const cudaKernelNodeAttrValue*) {
  if (n == nullptr || n->type != cudaGraphNodeTypeKernel) return fail(cudaErrorInvalidValue);
  if (id == cudaLaunchAttributeCooperative || id == cudaLaunchAttributeClusterDimension) {
    std::fprintf(stderr, "simt: cooperative kernels and clusters as graph nodes are not supported by the simulator\n");
    return fail(cudaErrorNotSupported);
  }
  return cudaSuccess;  // hints
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t n, cudaMemAllocNodeParams* p) {
  if (n == nullptr || n->type != cudaGraphNodeTypeMemAlloc) return fail(cudaErrorInvalidValue);
  *p = n->allocation;
  return cudaSuccess;
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t n, void* address) {
  if (n == nullptr || n->type != cudaGraphNodeTypeMemFree || n->memory == nullptr) return fail(cudaErrorInvalidValue);
  *static_cast<void**>(address) = n->memory->at();
  return cudaSuccess;
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t n, cudaGraph_t* child) {
  if (n == nullptr || n->type != cudaGraphNodeTypeGraph || n->bodies.empty()) return fail(cudaErrorInvalidValue);
  *child = n->bodies[0].get();
  return cudaSuccess;
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t n, unsigned int enabled) {
  node* own = in_exec(exec, n);
  if (own == nullptr || own->type > cudaGraphNodeTypeMemset) return fail(cudaErrorInvalidValue);
  own->enabled = enabled != 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t n, unsigned int* enabled) {
  const node* own = in_exec(exec, n);
  if (own == nullptr) return fail(cudaErrorInvalidValue);
  *enabled = own->enabled ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* n, cudaGraphNode_t original, cudaGraph_t clone) {
  const auto it = clone->twins.find(original);
  if (it == clone->twins.end()) return fail(cudaErrorInvalidValue);
  *n = it->second;
  return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
  return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, std::size_t count) {
  return cudaGraphAddDependencies(g, from, to, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (std::erase(to[i]->after, from[i]) == 0) return fail(cudaErrorInvalidValue);
  return cudaSuccess;
}
// Edges are plain ones: what they carry is always the same.
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData*, std::size_t count) {
  return cudaGraphRemoveDependencies(g, from, to, count);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<node*> all;
  for (const auto& n : graph->nodes) all.push_back(n.get());
  return give(all, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<node*> roots;
  for (const auto& n : graph->nodes)
    if (n->after.empty()) roots.push_back(n.get());
  return give(roots, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) return fail(cudaErrorInvalidValue);
  std::vector<node*> begins, ends;
  for (const auto& n : graph->nodes)
    for (node* before : n->after) {
      begins.push_back(before);
      ends.push_back(n.get());
    }
  std::size_t same = *count;
  give(begins, from, &same);
  return give(ends, to, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                              std::size_t* count) {
  const cudaError_t e = cudaGraphGetEdges(graph, from, to, count);
  if (e == cudaSuccess && edges != nullptr && from != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return e;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t n, cudaGraphNode_t* nodes, std::size_t* count) {
  return n == nullptr ? fail(cudaErrorInvalidValue) : give(n->after, nodes, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t n, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                         std::size_t* count) {
  const cudaError_t e = cudaGraphNodeGetDependencies(n, nodes, count);
  if (e == cudaSuccess && edges != nullptr && nodes != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return e;
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  std::FILE* f = graph == nullptr ? nullptr : std::fopen(path, "w");
  if (f == nullptr) return fail(cudaErrorInvalidValue);
  std::fputs("digraph graph_1 {\n", f);
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
    const node& n = *graph->nodes[i];
    std::fprintf(f, "  n%zu [label=\"%zu %s\"];\n", i, i, name_of(n.type));
    for (std::size_t j = 0; j < graph->nodes.size(); ++j)
      if (std::find(n.after.begin(), n.after.end(), graph->nodes[j].get()) != n.after.end())
        std::fprintf(f, "  n%zu -> n%zu;\n", j, i);
  }
  std::fputs("}\n", f);
  std::fclose(f);
  return cudaSuccess;
}
