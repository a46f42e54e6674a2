// SPDX-License-Identifier: Apache-2.0
// Executable graphs: how their nodes are put on streams, launches, updates.
#include <algorithm>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <backends/sim/frontend.hpp>

#include "graph_parts.hpp"
#include "state.hpp"
#include "stream_numbers.hpp"

namespace simt_cuda {

plan::~plan() {
  try {
    for (const simt::backend::stream_handle s : streams) simt::backend::destroy_stream(s);
    for (const simt::backend::event_handle e : events) simt::backend::destroy_event(e);
  } catch (const simt::error&) {  // the run has ended
  }
}

std::shared_ptr<CUgraph_st> copy_of(const CUgraph_st& g) {
  auto copy = std::make_shared<CUgraph_st>();
  copy->conditions = g.conditions;
  copy->kept = g.kept;
  for (const auto& n : g.nodes) {
    auto twin = std::make_shared<node>(*n);
    replace_node(*twin, *n);
    twin->owner = copy.get();
    copy->twins[n.get()] = twin.get();
    copy->nodes.push_back(std::move(twin));
  }
  for (const auto& n : copy->nodes)
    for (node*& before : n->after) before = copy->twins.at(before);
  return copy;
}

void replace_node(node& to, const node& from) {
  std::vector<node*> after = std::move(to.after);
  const cudaGraph_t owner = to.owner;
  to = from;
  to.after = std::move(after);
  to.owner = owner;
  for (std::size_t i = 0; i < to.bodies.size(); ++i) {
    to.bodies[i] = copy_of(*from.bodies[i]);
    if (i < to.handles.size()) to.handles[i] = to.bodies[i].get();
  }
}

namespace {
// Before whatever depends on them, in the order in which they were added; too few where there is a circle.
std::vector<node*> in_order(const CUgraph_st& g) {
  std::map<const node*, std::size_t> missing;
  std::map<const node*, std::vector<node*>> followers;
  std::vector<node*> order;
  for (const auto& n : g.nodes) {
    missing[n.get()] = n->after.size();
    for (const node* before : n->after) followers[before].push_back(n.get());
  }
  for (const auto& n : g.nodes)
    if (n->after.empty()) order.push_back(n.get());
  for (std::size_t i = 0; i < order.size(); ++i)
    for (node* f : followers[order[i]])
      if (--missing[f] == 0) order.push_back(f);
  return order;
}
}  // namespace

// A node goes on in the lane of a node that it depends on, where no other has done so; else it begins a lane.
bool make_plan(CUgraph_st& g) {
  auto p = std::make_unique<plan>();
  const std::vector<node*> order = in_order(g);
  if (order.size() != g.nodes.size()) return false;
  std::map<const node*, std::size_t> places;
  std::vector<std::size_t> tails;  // the last step of each lane
  for (node* n : order) {
    plan::step step;
    step.what = n;
    step.lane = tails.size();
    for (const node* before : n->after)
      if (const std::size_t at = places.at(before); tails[p->steps[at].lane] == at) {
        step.lane = p->steps[at].lane;
        break;
      }
    step.begins = step.lane == tails.size() && step.lane != 0;
    if (step.lane == tails.size()) tails.emplace_back();
    for (const node* before : n->after)
      if (plan::step& b = p->steps[places.at(before)]; b.lane != step.lane) {
        b.event = 1;  // some event: they are numbered below
        step.waits.push_back(places.at(before));
      }
    places[n] = p->steps.size();
    tails[step.lane] = p->steps.size();
    p->steps.push_back(std::move(step));
    for (const auto& body : n->bodies)
      if (!make_plan(*body)) return false;
  }
  std::size_t events = 0;
  for (plan::step& s : p->steps)
    if (s.event != 0 || (s.lane != 0 && tails[s.lane] == places[s.what])) s.event = ++events;
  for (std::size_t lane = 1; lane < tails.size(); ++lane) p->last_events.push_back(p->steps[tails[lane]].event);
  for (std::size_t lane = 1; lane < tails.size(); ++lane) p->streams.push_back(simt::backend::create_graph_branch());
  for (std::size_t e = 0; e <= events; ++e) p->events.push_back(simt::backend::create_event(false));
  g.how = std::move(p);
  return true;
}

namespace {
cudaError_t run_node(node& n, simt::backend::stream_handle s) {
  if (!n.enabled) return cudaSuccess;
  if (n.type == cudaGraphNodeTypeGraph && !n.bodies.empty()) return run_graph(*n.bodies[0], s);
  if (n.type == cudaGraphNodeTypeConditional) {
    const condition* c = find_condition(n.when.handle);
    if (n.when.type == cudaGraphCondTypeWhile) {
      while (c->value != 0)
        if (const cudaError_t e = run_graph(*n.bodies[0], s); e != cudaSuccess || kernel_was_lost()) return e;
      return cudaSuccess;
    }
    const std::size_t which = n.when.type == cudaGraphCondTypeSwitch ? c->value : c->value != 0 ? 0 : 1;
    return which < n.bodies.size() ? run_graph(*n.bodies[which], s) : cudaSuccess;
  }
  if (!n.work) return cudaSuccess;
  if (n.pc == 0) return n.work(stream_pointer(s));
  const simt::backend::calling_from line(reinterpret_cast<const void*>(n.pc));
  return n.work(stream_pointer(s));
}
}  // namespace

cudaError_t run_graph(CUgraph_st& g, simt::backend::stream_handle s) {
  const plan& p = *g.how;
  for (const cudaGraphConditionalHandle h : g.conditions)
    if (condition* c = find_condition(h); c->assigned) c->value = c->at_launch;
  const auto lane = [&](std::size_t i) { return i == 0 ? s : p.streams[i - 1]; };
  if (!p.streams.empty()) simt::backend::record_event(p.events[0], s);
  for (const plan::step& step : p.steps) {
    const simt::backend::stream_handle on = lane(step.lane);
    if (step.begins) simt::backend::stream_wait_event(on, p.events[0]);
    for (const std::size_t w : step.waits) simt::backend::stream_wait_event(on, p.events[p.steps[w].event]);
    if (const cudaError_t e = run_node(*step.what, on); e != cudaSuccess) return e;
    if (step.event != 0) simt::backend::record_event(p.events[step.event], on);
  }
  for (const std::size_t e : p.last_events) simt::backend::stream_wait_event(s, p.events[e]);
  return cudaSuccess;
}

namespace {
// Memory that a launch would allocate a second time: CUDA refuses that unless the graph frees it itself.
cudaError_t free_for_launch(const CUgraphExec_st& exec) {
  for (const auto& n : exec.own->nodes)
    if (n->type == cudaGraphNodeTypeMemAlloc && n->memory->in_use) {
      if ((exec.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) return cudaErrorInvalidValue;
      n->memory->in_use = false;
    }
  return cudaSuccess;
}
}  // namespace

}  // namespace simt_cuda

using namespace simt_cuda;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  if (exec == nullptr || graph == nullptr) return fail(cudaErrorInvalidValue);
  *exec = nullptr;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    std::fprintf(stderr, "simt: graphs that kernels launch are not supported by the simulator\n");
    return fail(cudaErrorNotSupported);
  }
  bool planned = false;
  auto e = std::make_unique<CUgraphExec_st>();
  const cudaError_t failed = guarded([&] {
    e->own = copy_of(*graph);
    e->flags = flags;
    e->done = simt::backend::create_event(false);
    planned = make_plan(*e->own);
  });
  if (failed != cudaSuccess) return failed;
  if (!planned) return fail(cudaErrorInvalidValue);
  *exec = e.release();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = 0;
  return cudaGraphInstantiate(exec, graph, 0ull);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphInstantiateParams* p) {
  if (p == nullptr) return fail(cudaErrorInvalidValue);
  const cudaError_t e = cudaGraphInstantiate(exec, graph, p->flags);
  p->errNode_out = nullptr;
  p->result_out = e == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return e;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
  const simt::backend::calling_from user(__builtin_return_address(0));
  if (exec == nullptr) return fail(cudaErrorInvalidValue);
  cudaError_t ran = cudaSuccess;
  const cudaError_t failed = guarded([&] {
    const simt::backend::stream_handle on = stream_number(s);
    if (simt::backend::capturing(on)) {  // a child graph of the graph to be
      const std::shared_ptr<CUgraph_st> child = copy_of(*exec->own);
      make_plan(*child);
      simt::backend::capture_work(on, simt::backend::captured_kind::graph, 0,
                                  [child](simt::backend::stream_handle h) { run_graph(*child, h); });
      return;
    }
    if (kernel_was_lost()) return;  // nothing runs behind a kernel that died
    if (ran = free_for_launch(*exec); ran != cudaSuccess) return;
    try {
      // Launches of one executable graph follow each other.
      if (exec->launched) simt::backend::stream_wait_event(on, exec->done);
      ran = run_graph(*exec->own, on);
      simt::backend::record_event(exec->done, on);
      exec->launched = true;
    } catch (const simt::sim::kernel_fault& e) {
      kernel_died(error_of(e.why()));
    }
  });
  return failed != cudaSuccess ? failed : ran != cudaSuccess ? fail(ran) : cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (exec == nullptr) return fail(cudaErrorInvalidValue);
  const cudaError_t e = guarded([&] { simt::backend::destroy_event(exec->done); });
  delete exec;
  return e;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  *flags = exec->flags;
  return cudaSuccess;
}

// Nodes are matched by the order in which they were added, as CUDA says for graphs that are built alike.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
  if (exec == nullptr || graph == nullptr || result == nullptr) return fail(cudaErrorInvalidValue);
  *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  const auto differs = [&](cudaGraphExecUpdateResult why, node* at) {
    *result = {why, at, nullptr};
    return fail(cudaErrorGraphExecUpdateFailure);
  };
  auto& own = exec->own->nodes;
  const auto& from = graph->nodes;
  if (own.size() != from.size()) return differs(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
  std::map<const node*, const node*> pairs;
  for (std::size_t i = 0; i < own.size(); ++i) pairs[from[i].get()] = own[i].get();
  for (std::size_t i = 0; i < own.size(); ++i) {
    const node &a = *own[i], &b = *from[i];
    if (a.type != b.type) return differs(cudaGraphExecUpdateErrorNodeTypeChanged, from[i].get());
    if (a.after.size() != b.after.size() || !std::all_of(b.after.begin(), b.after.end(), [&](const node* before) {
          return std::find(a.after.begin(), a.after.end(), pairs[before]) != a.after.end();
        }))
      return differs(cudaGraphExecUpdateErrorTopologyChanged, from[i].get());
  }
  bool planned = true;
  const cudaError_t e = guarded([&] {
    for (std::size_t i = 0; i < own.size(); ++i) {
      replace_node(*own[i], *from[i]);
      for (const auto& body : own[i]->bodies) planned = make_plan(*body) && planned;
    }
    exec->own->conditions = graph->conditions;
  });
  return e != cudaSuccess ? e : planned ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t e = cudaGraphExecUpdate(exec, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return e;
}
