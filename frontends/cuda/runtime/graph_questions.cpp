// SPDX-License-Identifier: Apache-2.0
// What programs ask nodes of graphs for and rarely change: parameters, attributes, events, followers; and the objects
// of the host that graphs keep.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "state.hpp"

namespace simt_cuda {
namespace {

// What the node was given, where it is of that kind and was not captured.
const cudaGraphNodeParams* given_of(cudaGraphNode_t n, cudaGraphNodeType type) {
  if (n == nullptr || n->type != type) return nullptr;
  if (n->given.type == type) return &n->given;
  std::fprintf(stderr, "simt: the parameters of captured nodes cannot be asked for in the simulator\n");
  return nullptr;
}
cudaError_t set_event(node* n, cudaGraphNodeType type, cudaEvent_t e) {
  if (n == nullptr || n->type != type) return fail(cudaErrorInvalidValue);
  cudaGraphNodeParams p{};
  p.type = type;
  p.eventRecord.event = e;  // a wait's lies in the same place
  node made;
  if (const cudaError_t error = make_node(made, p); error != cudaSuccess) return fail(error);
  replace_node(*n, made);
  return cudaSuccess;
}

}  // namespace
}  // namespace simt_cuda

using namespace simt_cuda;

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t n, cudaMemcpy3DParms* p) {
  const cudaGraphNodeParams* given = given_of(n, cudaGraphNodeTypeMemcpy);
  if (given == nullptr || p == nullptr) return fail(cudaErrorInvalidValue);
  *p = given->memcpy.copyParams;
  return cudaSuccess;
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t n, cudaMemsetParams* p) {
  const cudaGraphNodeParams* given = given_of(n, cudaGraphNodeTypeMemset);
  if (given == nullptr || p == nullptr) return fail(cudaErrorInvalidValue);
  *p = given->memset;
  return cudaSuccess;
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t n, cudaHostNodeParams* p) {
  const cudaGraphNodeParams* given = given_of(n, cudaGraphNodeTypeHost);
  if (given == nullptr || p == nullptr) return fail(cudaErrorInvalidValue);
  *p = given->host;
  return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t n, cudaEvent_t* e) {
  const cudaGraphNodeParams* given = given_of(n, cudaGraphNodeTypeEventRecord);
  if (given == nullptr || e == nullptr) return fail(cudaErrorInvalidValue);
  *e = given->eventRecord.event;
  return cudaSuccess;
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t n, cudaEvent_t* e) {
  const cudaGraphNodeParams* given = given_of(n, cudaGraphNodeTypeWaitEvent);
  if (given == nullptr || e == nullptr) return fail(cudaErrorInvalidValue);
  *e = given->eventWait.event;
  return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t n, cudaEvent_t e) {
  return set_event(n, cudaGraphNodeTypeEventRecord, e);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t n, cudaEvent_t e) {
  return set_event(n, cudaGraphNodeTypeWaitEvent, e);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t n, cudaEvent_t e) {
  return set_event(in_exec(exec, n), cudaGraphNodeTypeEventRecord, e);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t n, cudaEvent_t e) {
  return set_event(in_exec(exec, n), cudaGraphNodeTypeWaitEvent, e);
}
// Attributes are hints here, and none but the defaults is kept.
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t n, cudaKernelNodeAttrID, cudaKernelNodeAttrValue* value) {
  if (n == nullptr || value == nullptr || n->type != cudaGraphNodeTypeKernel) return fail(cudaErrorInvalidValue);
  *value = {};
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
  for (const cudaGraphNode_t n : {from, to})
    if (n == nullptr || n->type != cudaGraphNodeTypeKernel) return fail(cudaErrorInvalidValue);
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t n, cudaGraphNode_t* nodes, std::size_t* count) {
  if (n == nullptr || n->owner == nullptr || count == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<node*> all;
  for (const auto& other : n->owner->nodes)
    if (std::find(other->after.begin(), other->after.end(), n) != other->after.end()) all.push_back(other.get());
  if (nodes != nullptr)
    for (std::size_t i = 0; i < *count; ++i) nodes[i] = i < all.size() ? all[i] : nullptr;
  *count = nodes != nullptr ? std::min(*count, all.size()) : all.size();
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t n, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                           std::size_t* count) {
  const cudaError_t e = cudaGraphNodeGetDependentNodes(n, nodes, count);
  if (e == cudaSuccess && edges != nullptr && nodes != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return e;
}

// The handle is one share of the object for each of the program's references.
namespace simt_cuda {
namespace {
struct owned_object {
  std::shared_ptr<CUuserObject_st> object;
  unsigned int references;
};
std::mutex user_objects_mutex;
std::map<cudaUserObject_t, owned_object>& user_objects() {
  static auto* all = new std::map<cudaUserObject_t, owned_object>;
  return *all;
}
// Takes references away; the share that is given back dies outside of the lock.
std::shared_ptr<CUuserObject_st> take(cudaUserObject_t object, unsigned int count, cudaError_t& e) {
  std::lock_guard lock(user_objects_mutex);
  const auto it = user_objects().find(object);
  e = it == user_objects().end() || count == 0 || count > it->second.references ? cudaErrorInvalidValue : cudaSuccess;
  if (e != cudaSuccess) return nullptr;
  std::shared_ptr<CUuserObject_st> share = it->second.object;
  it->second.references -= count;
  if (it->second.references == 0) user_objects().erase(it);
  return share;
}
}  // namespace
}  // namespace simt_cuda

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* what, void (*destroy)(void*), unsigned int references,
                                 unsigned int flags) {
  if (object == nullptr || destroy == nullptr || references == 0 || flags != cudaUserObjectNoDestructorSync)
    return fail(cudaErrorInvalidValue);
  auto made = std::make_shared<CUuserObject_st>();
  made->what = what;
  made->destroy = destroy;
  *object = made.get();
  std::lock_guard lock(user_objects_mutex);
  user_objects()[*object] = {std::move(made), references};
  return cudaSuccess;
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  std::lock_guard lock(user_objects_mutex);
  const auto it = user_objects().find(object);
  if (it == user_objects().end() || count == 0) return fail(cudaErrorInvalidValue);
  it->second.references += count;
  return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  cudaError_t e = cudaSuccess;
  (void)take(object, count, e);
  return e == cudaSuccess ? e : fail(e);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  std::shared_ptr<CUuserObject_st> share;
  if (flags == cudaGraphUserObjectMove) {  // the program's own references go over
    cudaError_t e = cudaSuccess;
    share = take(object, count, e);
    if (e != cudaSuccess) return fail(e);
  } else {
    std::lock_guard lock(user_objects_mutex);
    const auto it = user_objects().find(object);
    if (it == user_objects().end() || count == 0) return fail(cudaErrorInvalidValue);
    share = it->second.object;
  }
  graph->kept.insert(graph->kept.end(), count, share);
  return cudaSuccess;
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  for (unsigned int i = 0; i < count; ++i) {
    const auto it =
        std::find_if(graph->kept.begin(), graph->kept.end(), [&](const auto& share) { return share.get() == object; });
    if (it == graph->kept.end()) return fail(cudaErrorInvalidValue);
    graph->kept.erase(it);
  }
  return cudaSuccess;
}
