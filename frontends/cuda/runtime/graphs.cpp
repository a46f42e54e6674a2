// SPDX-License-Identifier: Apache-2.0
// Graphs of CUDA programs: captured from streams, or made node by node. The backend keeps and replays captured work; a
// graph of nodes is captured when it is instantiated, each node on a stream of its own that waits for what it depends
// on. So checks judge by the graph's edges alone.
#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "state.hpp"
#include "stream_numbers.hpp"

using namespace simt_cuda;

struct CUgraphNode_st {
  std::vector<CUgraphNode_st*> after;
  std::function<cudaError_t(cudaStream_t)> work;
  const void* function = nullptr;  // of a kernel
};

namespace {
struct captured_graph {
  simt::backend::graph_handle handle;
  explicit captured_graph(simt::backend::graph_handle h) : handle(h) {}
  ~captured_graph() {
    try {
      simt::backend::destroy_graph(handle);
    } catch (const simt::error&) {  // the run has ended
    }
  }
  captured_graph(const captured_graph&) = delete;
  captured_graph& operator=(const captured_graph&) = delete;
};
using node = CUgraphNode_st;
}  // namespace

struct CUgraph_st {
  std::shared_ptr<captured_graph> captured;  // null: made of nodes
  std::vector<std::shared_ptr<node>> nodes;
};
struct CUgraphExec_st {
  simt::backend::graph_exec_handle handle = 0;
  CUgraph_st of;                     // to make it again with other parameters; the nodes are its own
  std::map<const node*, node*> own;  // by the graph's
};

namespace {

struct kernel_entry {
  void (*call)(const void* kernel, void** arguments);
  std::vector<std::size_t> sizes;
};
std::mutex kernels_mutex;
std::map<const void*, kernel_entry>& kernels() {
  static auto* all = new std::map<const void*, kernel_entry>;
  return *all;
}

// The parameters are copied: a node outlives the caller's variables.
cudaError_t make_kernel_work(node& n, const cudaKernelNodeParams& p) {
  kernel_entry entry;
  {
    std::lock_guard lock(kernels_mutex);
    const auto it = kernels().find(p.func);
    if (it == kernels().end()) return cudaErrorInvalidDeviceFunction;
    entry = it->second;
  }
  if (!entry.sizes.empty() && p.kernelParams == nullptr) return cudaErrorInvalidValue;
  auto values = std::make_shared<std::vector<std::vector<std::max_align_t>>>();
  for (std::size_t i = 0; i < entry.sizes.size(); ++i) {
    values->emplace_back(entry.sizes[i] / sizeof(std::max_align_t) + 1);
    std::memcpy(values->back().data(), p.kernelParams[i], entry.sizes[i]);
  }
  n.function = p.func;
  n.work = [=, grid = p.gridDim, block = p.blockDim, shared = p.sharedMemBytes, function = p.func](cudaStream_t s) {
    std::vector<void*> pointers;
    for (auto& v : *values) pointers.push_back(v.data());
    configure(grid, block, shared, s);
    entry.call(function, pointers.data());
    return cudaPeekAtLastError();
  };
  return cudaSuccess;
}

cudaError_t add(cudaGraphNode_t* to, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                std::function<cudaError_t(cudaStream_t)> work) {
  if (to == nullptr || g == nullptr || (after == nullptr && count > 0)) return fail(cudaErrorInvalidValue);
  if (g->captured != nullptr) return fail(cudaErrorNotSupported);  // nodes beside captured work
  auto made = std::make_shared<node>();
  made->after.assign(after, after + count);
  made->work = std::move(work);
  g->nodes.push_back(made);
  *to = made.get();
  return cudaSuccess;
}

// Before whatever depends on them; null where there is a circle.
std::vector<node*> in_order(const CUgraph_st& g) {
  std::vector<node*> order;
  const auto done = [&](node* n) { return std::find(order.begin(), order.end(), n) != order.end(); };
  while (order.size() < g.nodes.size()) {
    const std::size_t before = order.size();
    for (const auto& n : g.nodes)
      if (!done(n.get()) && std::all_of(n->after.begin(), n->after.end(), done)) order.push_back(n.get());
    if (order.size() == before) return {};
  }
  return order;
}

// Runs the nodes on streams that begin after `s` and are waited for by `s`; while `s` is captured they are kept.
cudaError_t run_nodes(const CUgraph_st& g, cudaStream_t s) {
  const std::vector<node*> order = in_order(g);
  if (order.empty() && !g.nodes.empty()) return cudaErrorInvalidValue;
  struct place {
    cudaStream_t stream;
    cudaEvent_t done;
  };
  std::map<const node*, place> places;
  cudaEvent_t begun;
  cudaError_t failed = cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
  const auto must = [&](cudaError_t e) {
    if (failed == cudaSuccess) failed = e;
  };
  must(cudaEventRecord(begun, s));
  for (node* n : order) {
    place p{};
    must(cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking));
    must(cudaEventCreateWithFlags(&p.done, cudaEventDisableTiming));
    must(cudaStreamWaitEvent(p.stream, begun, 0));
    for (const node* before : n->after) must(cudaStreamWaitEvent(p.stream, places[before].done, 0));
    if (failed == cudaSuccess && n->work) must(n->work(p.stream));
    must(cudaEventRecord(p.done, p.stream));
    must(cudaStreamWaitEvent(s, p.done, 0));
    places[n] = p;
  }
  return failed;
}

cudaError_t instantiate(CUgraphExec_st& e) {
  if (e.of.captured != nullptr) return guarded([&] { e.handle = simt::backend::instantiate(e.of.captured->handle); });
  cudaStream_t s;
  if (const cudaError_t made = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); made != cudaSuccess) return made;
  return guarded([&] {
    simt::backend::begin_capture(stream_number(s));
    const cudaError_t ran = run_nodes(e.of, s);
    const captured_graph captured(simt::backend::end_capture(stream_number(s)));
    if (ran != cudaSuccess)
      throw simt::error(simt::error_kind::invalid_argument,
                        std::string("a node of the graph cannot be run: ") + cudaGetErrorString(ran));
    e.handle = simt::backend::instantiate(captured.handle);
  });
}

// The same nodes with the same edges, apart from the original.
CUgraph_st copy_of(const CUgraph_st& g, std::map<const node*, node*>& twins) {
  CUgraph_st copy;
  copy.captured = g.captured;
  for (const auto& n : g.nodes) {
    copy.nodes.push_back(std::make_shared<node>(*n));
    twins[n.get()] = copy.nodes.back().get();
  }
  for (const auto& n : copy.nodes)
    for (node*& before : n->after) before = twins[before];
  return copy;
}
}  // namespace

void simt_cuda::know_kernel(const void* kernel, void (*call)(const void*, void**), std::vector<std::size_t> sizes) {
  std::lock_guard lock(kernels_mutex);
  kernels()[kernel] = {call, std::move(sizes)};
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  return guarded([&] { simt::backend::begin_capture(stream_number(s)); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph) {
  *graph = nullptr;
  return guarded([&] {
    auto captured = std::make_shared<captured_graph>(simt::backend::end_capture(stream_number(s)));
    *graph = new CUgraph_st{std::move(captured), {}};
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  return guarded([&] {
    *status = simt::backend::capturing(stream_number(s)) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  if (graph->captured != nullptr) {
    if (nodes != nullptr) return fail(cudaErrorNotSupported);
    return guarded([&] { *count = simt::backend::graph_nodes(graph->captured->handle); });
  }
  if (nodes != nullptr)
    for (std::size_t i = 0; i < std::min(*count, graph->nodes.size()); ++i) nodes[i] = graph->nodes[i].get();
  *count = graph->nodes.size();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = nullptr;
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  auto e = std::make_unique<CUgraphExec_st>();
  e->of = copy_of(*graph, e->own);
  if (const cudaError_t failed = instantiate(*e); failed != cudaSuccess) return failed;
  *exec = e.release();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = 0;
  return cudaGraphInstantiate(exec, graph, 0ull);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return cudaGraphInstantiate(exec, graph, 0ull);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  if (exec == nullptr) return fail(cudaErrorInvalidValue);
  return guarded([&] {
    try {
      simt::backend::launch_graph(exec->handle, stream_number(s));
    } catch (const simt::sim::kernel_fault& e) {
      kernel_died(error_of(e.why()));
    }
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (exec == nullptr) return fail(cudaErrorInvalidValue);
  const cudaError_t e = guarded([&] { simt::backend::destroy_graph_exec(exec->handle); });
  delete exec;
  return e;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
  *graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  std::map<const node*, node*> twins;
  *clone = new CUgraph_st(copy_of(*graph, twins));
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                                   const cudaKernelNodeParams* p) {
  node made;
  if (const cudaError_t e = make_kernel_work(made, *p); e != cudaSuccess) return fail(e);
  const cudaError_t e = add(n, g, after, count, made.work);
  if (e == cudaSuccess) (*n)->function = made.function;
  return e;
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemcpy3DParms* p) {
  return add(n, g, after, count, [params = *p](cudaStream_t s) { return cudaMemcpy3DAsync(&params, s); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                                     void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return add(n, g, after, count, [=](cudaStream_t s) { return cudaMemcpyAsync(to, from, bytes, kind, s); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                                   const cudaMemsetParams* p) {
  const unsigned byte = p->value & 0xff;
  const unsigned alike = p->elementSize == 1 ? byte : p->elementSize == 2 ? byte * 0x0101u : byte * 0x01010101u;
  if (p->value != alike) {
    std::fprintf(stderr, "simt: a memset node whose bytes differ is not supported\n");
    return fail(cudaErrorNotSupported);
  }
  return add(n, g, after, count, [m = *p, byte](cudaStream_t s) {
    return cudaMemset2DAsync(m.dst, std::max(m.pitch, m.width * m.elementSize), static_cast<int>(byte),
                             m.width * m.elementSize, m.height, s);
  });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count,
                                 const cudaHostNodeParams* p) {
  return add(n, g, after, count, [h = *p](cudaStream_t s) { return cudaLaunchHostFunc(s, h.fn, h.userData); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after, std::size_t count) {
  return add(n, g, after, count, {});
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* n, cudaGraph_t g, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
  if (child == nullptr || child->captured != nullptr) return fail(cudaErrorNotSupported);
  std::map<const node*, node*> twins;
  auto own = std::make_shared<CUgraph_st>(copy_of(*child, twins));
  return add(n, g, after, count, [own](cudaStream_t s) { return run_nodes(*own, s); });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n, const cudaKernelNodeParams* p) {
  const cudaError_t e = make_kernel_work(*n, *p);
  return e == cudaSuccess ? e : fail(e);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t n, const cudaKernelNodeParams* p) {
  const auto it = exec->own.find(n);
  if (it == exec->own.end()) return fail(cudaErrorInvalidValue);
  if (const cudaError_t e = make_kernel_work(*it->second, *p); e != cudaSuccess) return fail(e);
  const cudaError_t dropped = guarded([&] { simt::backend::destroy_graph_exec(exec->handle); });
  return dropped != cudaSuccess ? dropped : instantiate(*exec);
}
