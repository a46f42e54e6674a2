// SPDX-License-Identifier: Apache-2.0
// Graphs: work of streams captured once and launched many times. Host only.
//
//   simt::graph g = simt::capture(s, [&] {
//     simt::launch<step>(s, {.grid = 64, .block = 256}, x);
//     x.copy_to_async(host.span(), s);
//   });
//   simt::graph_exec run = g.instantiate();
//   for (int i = 0; i < 100; ++i) run.launch(s);
//
// Follows the CUDA Programming Guide, "CUDA Graphs", "Creating a Graph Using Stream Capture": launches, copies, fills
// and host callbacks are kept with their arguments; buffers must live as long as the graph is launched. A stream joins
// a capture by waiting for an event that was recorded in it, and must be joined again before the end in the same way.
// What asks whether captured work is done (synchronize, idle, copies that wait) throws, and the capture is lost.
#pragma once

#include <exception>
#include <memory>

#include <simt/stream.hpp>

namespace simt {

// A graph that can be launched. Launches of one graph_exec follow each other, on whatever streams they are.
class graph_exec {
 public:
  // Enqueues all of it: after earlier work on `s`, before later work on it.
  void launch(const stream& s) const { backend::launch_graph(handle(), s.handle()); }
  backend::graph_exec_handle handle() const { return reinterpret_cast<std::uintptr_t>(handle_.get()); }

 private:
  friend class graph;
  explicit graph_exec(backend::graph_exec_handle e)
      : handle_(reinterpret_cast<void*>(e),
                [](void* h) { backend::destroy_graph_exec(reinterpret_cast<std::uintptr_t>(h)); }) {}
  std::shared_ptr<void> handle_;
};

class graph {
 public:
  // Launches, copies, fills, host callbacks and graphs in it.
  std::int64_t size() const { return static_cast<std::int64_t>(backend::graph_nodes(handle())); }
  graph_exec instantiate() const { return graph_exec(backend::instantiate(handle())); }
  backend::graph_handle handle() const { return reinterpret_cast<std::uintptr_t>(handle_.get()); }

 private:
  friend class stream;
  explicit graph(backend::graph_handle g)
      : handle_(reinterpret_cast<void*>(g),
                [](void* h) { backend::destroy_graph(reinterpret_cast<std::uintptr_t>(h)); }) {}
  std::shared_ptr<void> handle_;
};

inline graph stream::end_capture() const { return graph(backend::end_capture(handle())); }

// What `body` enqueues on `s`. If it throws, the capture ends and is forgotten.
template <class F>
graph capture(const stream& s, F&& body) {
  s.begin_capture();
  try {
    body();
  } catch (...) {
    try {
      s.end_capture();
    } catch (const error&) {  // lost; the first exception says why
    }
    throw;
  }
  return s.end_capture();
}

}  // namespace simt
