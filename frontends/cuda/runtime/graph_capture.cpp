// SPDX-License-Identifier: Apache-2.0
// Graphs captured from streams: what the backend has kept becomes nodes whenever the program looks.
#include <mutex>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "state.hpp"
#include "stream_numbers.hpp"

using namespace simt_cuda;
using simt::backend::captured_kind;
using simt::backend::stream_handle;

namespace {
struct stream_capture {
  cudaGraph_t graph = nullptr;
  bool is_new = true;            // the graph is made by this capture
  std::vector<node*> by_number;  // the backend's
  std::vector<node*> frontier;   // what the program was last told
};
std::recursive_mutex captures_mutex;
std::map<std::uintptr_t, stream_capture>& captures() {
  static auto* all = new std::map<std::uintptr_t, stream_capture>;
  return *all;
}

cudaGraphNodeType type_of(captured_kind kind) {
  switch (kind) {
    case captured_kind::kernel:
      return cudaGraphNodeTypeKernel;
    case captured_kind::copy:
      return cudaGraphNodeTypeMemcpy;
    case captured_kind::fill:
      return cudaGraphNodeTypeMemset;
    case captured_kind::host_call:
      return cudaGraphNodeTypeHost;
    case captured_kind::allocation:
      return cudaGraphNodeTypeMemAlloc;
    case captured_kind::release:
      return cudaGraphNodeTypeMemFree;
    case captured_kind::graph:
      return cudaGraphNodeTypeGraph;  // its nodes are inside the work
  }
  return cudaGraphNodeTypeEmpty;
}

void take_over(stream_capture& c, const std::vector<simt::backend::captured_node>& nodes) {
  for (const simt::backend::captured_node& n : nodes) {
    auto made = std::make_shared<node>();
    made->type = type_of(n.kind);
    made->pc = n.pc;
    made->owner = c.graph;
    made->memory = std::static_pointer_cast<graph_memory>(n.about);
    made->work = [work = n.work](cudaStream_t s) {
      work(stream_number(s));
      return cudaSuccess;
    };
    for (const std::size_t before : n.after) made->after.push_back(c.by_number[before]);
    c.by_number.push_back(made.get());
    c.graph->nodes.push_back(std::move(made));
  }
}

stream_capture* find_capture(stream_handle s) {
  const auto it = captures().find(simt::backend::capture_of(s));
  if (it == captures().end()) return nullptr;
  take_over(it->second, simt::backend::captured_since(s, it->second.by_number.size()));
  return &it->second;
}

// The backend's numbers of nodes, which those that the program has added get now.
std::vector<std::size_t> numbers_of(stream_capture& c, stream_handle s, const cudaGraphNode_t* nodes,
                                    std::size_t count) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t n = 0;
    while (n < c.by_number.size() && c.by_number[n] != nodes[i]) ++n;
    if (n == c.by_number.size()) {
      simt::backend::reserve_captured(s);
      c.by_number.push_back(nodes[i]);
    }
    numbers.push_back(n);
  }
  return numbers;
}
}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  std::lock_guard lock(captures_mutex);
  return guarded([&] {
    simt::backend::begin_capture(stream_number(s));
    captures()[simt::backend::capture_of(stream_number(s))].graph = new CUgraph_st;
  });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData*, std::size_t count, cudaStreamCaptureMode) {
  if (graph == nullptr || (after == nullptr && count > 0)) return fail(cudaErrorInvalidValue);
  std::lock_guard lock(captures_mutex);
  return guarded([&] {
    const stream_handle on = stream_number(s);
    simt::backend::begin_capture(on);
    stream_capture& c = captures()[simt::backend::capture_of(on)];
    c.graph = graph;
    c.is_new = false;
    simt::backend::change_capture_frontier(on, numbers_of(c, on, after, count), false);
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph) {
  if (graph != nullptr) *graph = nullptr;
  std::lock_guard lock(captures_mutex);
  std::uintptr_t id = 0;
  const cudaError_t e = guarded([&] {
    id = simt::backend::capture_of(stream_number(s));
    const simt::backend::graph_handle h = simt::backend::end_capture(stream_number(s));
    stream_capture& c = captures()[id];
    take_over(c, simt::backend::nodes_of(h, c.by_number.size()));
    simt::backend::destroy_graph(h);
    if (graph != nullptr) *graph = c.graph;
  });
  if (const auto it = captures().find(id);
      it != captures().end() && simt::backend::capture_of(stream_number(s)) != id) {
    if (e != cudaSuccess && it->second.is_new) delete it->second.graph;
    captures().erase(it);
  }
  return e;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  return guarded([&] {
    *status = simt::backend::capturing(stream_number(s)) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, std::size_t* count) {
  std::lock_guard lock(captures_mutex);
  return guarded([&] {
    const stream_handle on = stream_number(s);
    stream_capture* c = find_capture(on);
    *status = c != nullptr ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (c == nullptr) return;
    c->frontier.clear();
    for (const std::size_t n : simt::backend::capture_frontier(on)) c->frontier.push_back(c->by_number[n]);
    if (id != nullptr) *id = simt::backend::capture_of(on);
    if (graph != nullptr) *graph = c->graph;
    if (after != nullptr) *after = c->frontier.data();
    if (count != nullptr) *count = c->frontier.size();
  });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return cudaStreamGetCaptureInfo(s, status, id, graph, after, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t* nodes, std::size_t count,
                                                unsigned int flags) {
  std::lock_guard lock(captures_mutex);
  cudaError_t e = cudaSuccess;
  const cudaError_t failed = guarded([&] {
    const stream_handle on = stream_number(s);
    if (stream_capture* c = find_capture(on); c == nullptr)
      e = cudaErrorIllegalState;
    else
      simt::backend::change_capture_frontier(on, numbers_of(*c, on, nodes, count),
                                             flags != cudaStreamSetCaptureDependencies);
  });
  return failed != cudaSuccess ? failed : e != cudaSuccess ? fail(e) : e;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t* nodes, const cudaGraphEdgeData*,
                                                std::size_t count, unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(s, nodes, count, flags);
}
