// SPDX-License-Identifier: Apache-2.0
// Graphs on the simulator: captured work kept as a list, replayed in that order. The streams and events of a replay are
// real ones of this backend, so the race detector judges a replay by the graph's order and not by the list's.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <backends/sim/calling_from.hpp>
#include <backends/sim/capture.hpp>
#include <backends/sim/start_launch.hpp>
#include <backends/sim/stream_facts.hpp>

namespace simt::backend {

namespace {

// cudaErrorStreamCapture...
enum class capture_fault : int {
  unsupported = 900,
  invalidated,
  merge,
  unmatched,
  unjoined,
  isolation,
  implicit,
  captured_event
};

struct captured_operation {
  enum class kind : std::uint8_t { work, record, wait } what = kind::work;
  int branch = 0;
  int slot = -1;         // of the event
  std::size_t node = 0;  // of the work
};
struct captured_graph {
  std::vector<captured_operation> operations;
  std::vector<captured_node> nodes;
  int branches = 1, events = 0;
};

// How much of each branch comes before a point of a branch.
using progress = std::vector<std::size_t>;
void join(progress& into, const progress& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
}

struct capture {
  captured_graph graph;
  stream_handle origin = 0;
  std::string lost;                // why the capture cannot be used; empty: it can
  std::vector<progress> branches;  // what comes before each branch's next work
  std::vector<progress> events;    // what came before each record
  // The nodes that a branch's next work depends on, and those that stand for each record.
  std::vector<std::vector<std::size_t>> frontiers{1}, event_frontiers;
};
struct branch_of_capture {
  std::shared_ptr<capture> owner;
  int branch = 0;
};
struct captured_event {
  std::shared_ptr<capture> owner;
  int slot = 0;
};
struct graph_exec {
  std::shared_ptr<const captured_graph> graph;
  std::vector<stream_handle> streams;  // of branches 1, 2, ...
  std::vector<event_handle> events;
  event_handle done = 0;
  bool launched = false;
  ~graph_exec() {
    for (const stream_handle s : streams) destroy_stream(s);
    for (const event_handle e : events) destroy_event(e);
    destroy_event(done);
  }
};

struct graph_state {
  std::recursive_mutex mutex;
  std::map<stream_handle, branch_of_capture> captured_streams;
  std::map<event_handle, captured_event> captured_events;
  std::map<graph_handle, std::shared_ptr<const captured_graph>> graphs;
  std::map<graph_exec_handle, std::shared_ptr<graph_exec>> execs;
  std::uintptr_t next = 1;
};
graph_state& graphs() {
  static graph_state* s = new graph_state;
  return *s;
}

thread_local int last_fault = 0;

[[noreturn]] void fail(capture_fault why, const std::string& what) {
  last_fault = static_cast<int>(why);
  throw error(error_kind::invalid_argument, what);
}
[[noreturn]] void lose(capture& c, capture_fault why, const std::string& what) {
  if (c.lost.empty()) c.lost = what;
  fail(why, what);
}

branch_of_capture* find_captured(stream_handle s) {
  const auto it = graphs().captured_streams.find(s);
  return it == graphs().captured_streams.end() ? nullptr : &it->second;
}

void append(branch_of_capture& b, captured_operation operation) {
  capture& c = *b.owner;
  operation.branch = b.branch;
  progress& p = c.branches[static_cast<std::size_t>(b.branch)];
  if (p.size() < c.branches.size()) p.resize(c.branches.size());
  ++p[static_cast<std::size_t>(b.branch)];
  c.graph.operations.push_back(std::move(operation));
}

void add_to(std::vector<std::size_t>& into, const std::vector<std::size_t>& nodes) {
  for (const std::size_t n : nodes)
    if (std::find(into.begin(), into.end(), n) == into.end()) into.push_back(n);
}

}  // namespace

int take_capture_error() { return std::exchange(last_fault, 0); }

bool capture_work(stream_handle s, captured_kind kind, std::uintptr_t pc,
                  const std::function<void(stream_handle)>& work, std::shared_ptr<void> about) {
  std::lock_guard lock(graphs().mutex);
  if (graphs().captured_streams.empty()) return false;
  if (branch_of_capture* b = find_captured(s)) {
    auto& nodes = b->owner->graph.nodes;
    auto& frontier = b->owner->frontiers[static_cast<std::size_t>(b->branch)];
    append(*b, {captured_operation::kind::work, 0, -1, nodes.size()});
    nodes.push_back({kind, pc, work, std::exchange(frontier, {nodes.size()}), std::move(about)});
    return true;
  }
  if (s != 0) return false;
  for (auto& [other, b] : graphs().captured_streams)
    if (stream_is_blocking(other))
      lose(*b.owner, capture_fault::implicit,
           "work on the default stream while a blocking stream is being captured would have to wait for that stream; "
           "use another "
           "stream, or capture a stream made with .non_blocking = true");
  return false;
}

bool capture_launch(const sim::launch_request& request) {
  {
    std::lock_guard lock(graphs().mutex);
    if (graphs().captured_streams.empty()) return false;
  }
  constexpr std::size_t kAlign = 64;
  const std::shared_ptr<void> arguments(std::aligned_alloc(kAlign, (request.args_bytes + kAlign) / kAlign * kAlign),
                                        std::free);
  std::memcpy(arguments.get(), request.args, request.args_bytes);
  return capture_work(static_cast<stream_handle>(request.stream), captured_kind::kernel, 0,
                      [request, arguments](stream_handle s) {
                        sim::launch_request again = request;
                        again.args = arguments.get();
                        again.stream = static_cast<int>(s);
                        sim::launch_and_report(again);
                      });
}

void refuse_captured(stream_handle s, const char* what) {
  std::lock_guard lock(graphs().mutex);
  if (branch_of_capture* b = find_captured(s))
    lose(*b->owner, capture_fault::unsupported,
         std::string(what) + ": this stream is being captured, its work has not run; end the capture first");
}
void leave_capture(stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  branch_of_capture* b = find_captured(s);
  if (b == nullptr) return;
  if (b->owner->origin == s)
    lose(*b->owner, capture_fault::unsupported, "destroy: a capture began on this stream; end it first");
  graphs().captured_streams.erase(s);
}
void refuse_any_capture(const char* what) {
  std::lock_guard lock(graphs().mutex);
  for (auto& [s, b] : graphs().captured_streams)
    lose(*b.owner, capture_fault::unsupported,
         std::string(what) + ": a stream is being captured; end the capture first");
}

bool capture_record(event_handle e, stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  graphs().captured_events.erase(e);
  branch_of_capture* b = find_captured(s);
  if (b == nullptr) return false;
  capture& c = *b->owner;
  const int slot = c.graph.events++;
  append(*b, {captured_operation::kind::record, 0, slot, 0});
  c.event_frontiers.push_back(c.frontiers[static_cast<std::size_t>(b->branch)]);
  c.events.push_back(c.branches[static_cast<std::size_t>(b->branch)]);
  graphs().captured_events[e] = {b->owner, slot};
  return true;
}

bool capture_wait(stream_handle s, event_handle e) {
  std::lock_guard lock(graphs().mutex);
  const auto it = graphs().captured_events.find(e);
  branch_of_capture* b = find_captured(s);
  if (it == graphs().captured_events.end()) {
    if (b == nullptr) return false;
    lose(*b->owner, capture_fault::isolation,
         "wait: a stream that is being captured can only wait for events recorded in the same capture");
  }
  capture& c = *it->second.owner;
  if (b != nullptr && b->owner != it->second.owner)
    lose(*b->owner, capture_fault::merge, "wait: the event belongs to another capture; two captures cannot be joined");
  if (b == nullptr) {
    if (std::none_of(graphs().captured_streams.begin(), graphs().captured_streams.end(),
                     [&](const auto& x) { return x.second.owner == it->second.owner; }))
      fail(capture_fault::captured_event, "wait: the event was recorded in a capture that has ended; record it again");
    if (s == 0) lose(c, capture_fault::implicit, "wait: the default stream cannot take part in a capture");
    c.branches.emplace_back();
    c.frontiers.emplace_back();
    b = &(graphs().captured_streams[s] = {it->second.owner, c.graph.branches++});
  }
  append(*b, {captured_operation::kind::wait, 0, it->second.slot, 0});
  add_to(c.frontiers[static_cast<std::size_t>(b->branch)],
         c.event_frontiers[static_cast<std::size_t>(it->second.slot)]);
  join(c.branches[static_cast<std::size_t>(b->branch)], c.events[static_cast<std::size_t>(it->second.slot)]);
  return true;
}

void refuse_captured_event(event_handle e, const char* what) {
  std::lock_guard lock(graphs().mutex);
  if (graphs().captured_events.contains(e))
    fail(capture_fault::captured_event,
         std::string(what) + ": the event was recorded in a capture, which runs nothing; record it on a stream");
}

void forget_captured_event(event_handle e) {
  std::lock_guard lock(graphs().mutex);
  graphs().captured_events.erase(e);
}

// ---- what backend.hpp declares ----

void begin_capture(stream_handle s) {
  require_free_stream(s);
  if (s == 0) fail(capture_fault::unsupported, "begin_capture: the default stream cannot be captured; make a stream");
  std::lock_guard lock(graphs().mutex);
  auto c = std::make_shared<capture>();
  c->origin = s;
  c->branches.emplace_back(1);
  graphs().captured_streams[s] = {std::move(c), 0};
}

bool capturing(stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  return find_captured(s) != nullptr;
}

graph_handle end_capture(stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  branch_of_capture* b = find_captured(s);
  if (b == nullptr) fail(capture_fault::unmatched, "end_capture: this stream is not being captured");
  const std::shared_ptr<capture> c = b->owner;
  if (c->origin != s)
    lose(*c, capture_fault::unmatched, "end_capture: the capture began on another stream; end it there");
  std::erase_if(graphs().captured_streams, [&](const auto& x) { return x.second.owner == c; });
  if (!c->lost.empty()) fail(capture_fault::invalidated, "end_capture: the capture was lost: " + c->lost);
  progress& joined = c->branches[0];
  joined.resize(c->branches.size());
  for (std::size_t i = 1; i < c->branches.size(); ++i)
    if (joined[i] < c->branches[i][i])
      fail(capture_fault::unjoined,
           "end_capture: a stream that took part was not joined: record an event on it, and let the stream that is "
           "captured wait for it");
  const graph_handle g = graphs().next++;
  graphs().graphs[g] = std::make_shared<const captured_graph>(std::move(c->graph));
  return g;
}

namespace {
std::shared_ptr<const captured_graph> find_graph(graph_handle g) {
  std::lock_guard lock(graphs().mutex);
  const auto it = graphs().graphs.find(g);
  if (it == graphs().graphs.end()) throw error(error_kind::invalid_argument, "this graph does not exist (any more)");
  return it->second;
}
}  // namespace

std::size_t graph_nodes(graph_handle g) { return find_graph(g)->nodes.size(); }

std::vector<captured_node> nodes_of(graph_handle g, std::size_t first) {
  const auto& nodes = find_graph(g)->nodes;
  return {nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end()};
}

std::uintptr_t capture_of(stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  const branch_of_capture* b = find_captured(s);
  return b == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(b->owner.get());
}

std::vector<captured_node> captured_since(stream_handle s, std::size_t first) {
  std::lock_guard lock(graphs().mutex);
  const branch_of_capture* b = find_captured(s);
  if (b == nullptr) return {};
  const auto& nodes = b->owner->graph.nodes;
  return {nodes.begin() + static_cast<std::ptrdiff_t>(first), nodes.end()};
}

std::size_t reserve_captured(stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  auto& nodes = find_captured(s)->owner->graph.nodes;
  nodes.emplace_back();
  return nodes.size() - 1;
}

std::vector<std::size_t> capture_frontier(stream_handle s) {
  std::lock_guard lock(graphs().mutex);
  const branch_of_capture* b = find_captured(s);
  return b == nullptr ? std::vector<std::size_t>() : b->owner->frontiers[static_cast<std::size_t>(b->branch)];
}

void change_capture_frontier(stream_handle s, const std::vector<std::size_t>& nodes, bool keep) {
  std::lock_guard lock(graphs().mutex);
  const branch_of_capture* b = find_captured(s);
  auto& frontier = b->owner->frontiers[static_cast<std::size_t>(b->branch)];
  if (!keep) frontier.clear();
  add_to(frontier, nodes);
}

graph_exec_handle instantiate(graph_handle g) {
  auto exec = std::make_shared<graph_exec>();
  exec->graph = find_graph(g);
  for (int i = 1; i < exec->graph->branches; ++i) exec->streams.push_back(create_graph_branch());
  for (int i = 0; i < exec->graph->events; ++i) exec->events.push_back(create_event(false));
  exec->done = create_event(false);
  std::lock_guard lock(graphs().mutex);
  const graph_exec_handle e = graphs().next++;
  graphs().execs[e] = std::move(exec);
  return e;
}

namespace {
void replay(graph_exec& x, stream_handle s) {
  if (x.launched) stream_wait_event(s, x.done);  // launches of one executable graph follow each other
  // Branches begin after what came before on `s`: each begins with a wait for an event of one that does.
  for (const captured_operation& o : x.graph->operations) {
    const stream_handle on = o.branch == 0 ? s : x.streams[static_cast<std::size_t>(o.branch) - 1];
    switch (o.what) {
      case captured_operation::kind::record:
        record_event(x.events[static_cast<std::size_t>(o.slot)], on);
        break;
      case captured_operation::kind::wait:
        stream_wait_event(on, x.events[static_cast<std::size_t>(o.slot)]);
        break;
      case captured_operation::kind::work: {
        const captured_node& n = x.graph->nodes[o.node];
        const calling_from line(reinterpret_cast<const void*>(n.pc));
        n.work(on);
      }
    }
  }
  record_event(x.done, s);
  x.launched = true;
}
}  // namespace

void launch_graph(graph_exec_handle e, stream_handle s) {
  std::shared_ptr<graph_exec> exec;
  {
    std::lock_guard lock(graphs().mutex);
    const auto it = graphs().execs.find(e);
    if (it == graphs().execs.end())
      throw error(error_kind::invalid_argument, "this executable graph does not exist (any more)");
    exec = it->second;
  }
  if (capturing(s))
    throw error(
        error_kind::unsupported,
        "a graph cannot be launched into a capture; capture its work again, or launch the two one after the other");
  replay(*exec, s);
}

void destroy_graph(graph_handle g) {
  std::lock_guard lock(graphs().mutex);
  graphs().graphs.erase(g);
}
void destroy_graph_exec(graph_exec_handle e) {
  std::shared_ptr<graph_exec> last;
  std::lock_guard lock(graphs().mutex);
  if (const auto it = graphs().execs.find(e); it != graphs().execs.end()) {
    last = std::move(it->second);
    graphs().execs.erase(it);
  }
}

}  // namespace simt::backend
