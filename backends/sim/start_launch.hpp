// SPDX-License-Identifier: Apache-2.0
// A launch on the simulator: the loop over a block's threads that the kernel is inlined into. Included by
// <simt/launch.hpp>.
//
// sim: one loop nest over blocks and threads whose bounds the engine can cut short (thread_range). Bounds have a
// pointer type, so stores of the kernel cannot alias them, the loop keeps an invariant trip count, and a kernel that
// never waits is vectorised over the threads of a row.
// check: the kernel is called through a pointer, one thread at a time, with its events announced.
#pragma once

#include <exception>
#include <tuple>
#include <utility>

#include <sim/exec/launch.hpp>
#include <simt/launch.hpp>

namespace simt::sim {

// Throws simt::error if the launch ended in a fault and nobody listens for faults.
void launch_and_report(const launch_request& request);
[[noreturn]] void raise_exception(block_context& b, fiber& self, const char* what);

#if defined(SIMT_VARIANT_CHECK)
// The walk of one stack through the threads that it runs, with their events. Used as: for (walk w(b, self); w.next();).
class checked_walk {
 public:
  checked_walk(block_context& b, fiber& self);
  ~checked_walk();
  checked_walk(const checked_walk&) = delete;
  checked_walk& operator=(const checked_walk&) = delete;
  // Ends the thread that ran and begins the next; false when there is none or the rest went to another stack.
  bool next();
  // The running thread threw.
  [[noreturn]] void threw(const char* what);

  block_context& block;
  fiber& self;
  std::int64_t x = 0, y = 0, z = 0, bx, by, bz;

 private:
  void step();
  thread_range range_;
  std::int32_t position_;
  bool running_ = false, backwards_;
};

template <auto Kernel, class... P>
SIMT_UNWATCHED void kernel_body(block_context& b, fiber& self) {
  const launch_state& l = *b.launch;
  char what[512] = {0};
  checked_walk walk(b, self);
  try {
    std::apply(
        [&](const P&... p) SIMT_UNWATCHED {
          auto* volatile kernel = Kernel;  // never inlined here: the kernel keeps its own entry and exit events
          while (walk.next()) kernel(thread(b, l, walk.x, walk.y, walk.z, walk.bx, walk.by, walk.bz), p...);
        },
        *static_cast<const std::tuple<P...>*>(l.args));
    return;
  } catch (const std::exception& e) {
    __builtin_snprintf(what, sizeof what, "%s", e.what());
  } catch (...) {
    __builtin_snprintf(what, sizeof what, "an object that is no std::exception");
  }
  walk.threw(what);  // outside the handler: the stack is abandoned, the exception must be over
}

#else

template <auto Kernel, class... P>
[[gnu::noinline, gnu::flatten]] void run_threads(block_context& b, fiber& self, P... p) {
  const launch_state& l = *b.launch;
  const std::int64_t gx = l.grid.x, gy = l.grid.y;
  const std::int64_t dx = l.block.x, dy = l.block.y, dz = l.block.z;
  thread_range r;
  r.x_end = as_limit(dx);
  r.y_end = as_limit(dy);
  r.z_end = as_limit(dz);
  r.block_end = as_limit(self.block_end);
  r.x = r.y = r.z = as_limit(-1);
  self.range = &r;
  std::int64_t block = self.block_first;
  std::int64_t bx = block % gx, by = block / gx % gy, bz = block / (gx * gy);
  std::int64_t x0 = self.first % dx, y0 = self.first / dx % dy, z0 = self.first / (dx * dy);
  do {
    r.block = as_limit(block);
    for (std::int64_t z = z0; z < as_number(r.z_end); ++z, y0 = 0) {
      r.z = as_limit(z);
      for (std::int64_t y = y0; y < as_number(r.y_end); ++y, x0 = 0) {
        r.y = as_limit(y);
        for (std::int64_t x = x0; x < as_number(r.x_end); ++x) {
          r.x = as_limit(x);
          Kernel(thread(b, l, x, y, z, bx, by, bz), p...);
        }
      }
    }
    x0 = y0 = z0 = 0;
    ++block;
    if (++bx == gx) {
      bx = 0;
      if (++by == gy) {
        by = 0;
        ++bz;
      }
    }
  } while (block < as_number(r.block_end));
  self.range = nullptr;
}

template <auto Kernel, class... P>
void kernel_body(block_context& b, fiber& self) {
  char what[512];
  try {
    std::apply([&](const P&... p) { run_threads<Kernel, P...>(b, self, p...); },
               *static_cast<const std::tuple<P...>*>(b.launch->args));
    return;
  } catch (const std::exception& e) {
    __builtin_strncpy(what, e.what(), sizeof what - 1);
    what[sizeof what - 1] = 0;
  } catch (...) {
    __builtin_strcpy(what, "an object that is no std::exception");
  }
  raise_exception(b, self, what);  // outside the handler: the stack is abandoned, the exception must be over
}
#endif

}  // namespace simt::sim

namespace simt::detail {

template <auto Kernel, class... P>
void start_launch(const launch_config& config, stream& s, const std::tuple<P...>& parameters) {
  static const std::string name(function_name<Kernel>());
  sim::launch_request request;
  request.body = &sim::kernel_body<Kernel, P...>;
  request.args = &parameters;
  request.args_bytes = sizeof parameters;
  request.name = name.c_str();
  request.grid = {config.grid.x, config.grid.y, config.grid.z};
  request.block = {config.block.x, config.block.y, config.block.z};
  request.dynamic_shared = static_cast<std::uint32_t>(config.shared_bytes);
  request.cooperative = config.cooperative;
  request.cluster = {config.cluster.x, config.cluster.y, config.cluster.z};
  request.stream = static_cast<int>(s.handle());
  sim::launch_and_report(request);
}

}  // namespace simt::detail
