// SPDX-License-Identifier: Apache-2.0
// A launch on the simulator: the loop over a block's threads that the kernel is inlined into. Included by
// <simt/launch.hpp>.
//
// sim: the kernel is inlined into the loop of sim/exec/thread_loop.hpp.
// check: the kernel is called through a pointer, one thread at a time, with its events announced.
#pragma once

#include <exception>
#include <tuple>
#include <utility>

#include <backends/sim/running_thread.hpp>
#include <sim/exec/launch.hpp>
#include <sim/exec/thread_loop.hpp>
#include <simt/launch.hpp>

namespace simt::sim {

// Throws simt::error if the launch ended in a fault and nobody listens for faults.
void launch_and_report(const launch_request& request);
// The running thread of `self` threw: records it; and leaves the kernel for good. raise_exception does both.
void note_exception(block_context& b, fiber& self, const char* what);
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
  SIMT_UNWATCHED bool next() { return follow() || next_other(); }
  SIMT_UNWATCHED thread handle() const { return {block, position_}; }
  // The running thread threw.
  [[noreturn]] void threw(const char* what);

  block_context& block;
  fiber& self;

 private:
  // A thread of a row is through, and so is nothing else (sim/check/rows.hpp): the next one differs in its x.
  [[gnu::always_inline]] SIMT_UNWATCHED bool follow() {
    running_thread& r = *here_;
    if (r.leaving == nullptr || r.next != r.row->last || range_.x_end == nullptr) return false;
    void* const after = static_cast<std::byte*>(r.thread) + kThreadStateBytes;
    if (after >= r.row->stop) return false;
    r.next = r.row->first;
    r.thread = after;
    range_.x = reinterpret_cast<limit*>(++position_ & 0xffffffff);  // x_of, which is watched and so stays a call
    return true;
  }
  bool next_other();
  void enter_block();
  void step();
  void note_departure(std::uintptr_t pc);
  running_thread* here_;  // of this OS thread
  thread_range range_;
  std::uint64_t position_ = 0;  // of the running thread: position_of
  bool running_ = false, backwards_;
};

template <auto Kernel, class... P>
SIMT_UNWATCHED void kernel_body(block_context& b, fiber& self) {
  char what[512];
  checked_walk walk(b, self);
  try {
    std::apply(
        [&](const P&... p) SIMT_UNWATCHED {
          auto* kernel = Kernel;
          asm("" : "+r"(kernel));  // never inlined here: the kernel keeps its own entry and exit events
          checked_walk& threads = walk;
          while (threads.next()) kernel(threads.handle(), p...);
        },
        *static_cast<const std::tuple<P...>*>(b.launch->args));
    return;
  } catch (const std::exception& e) {
    __builtin_snprintf(what, sizeof what, "%s", e.what());
  } catch (...) {
    __builtin_snprintf(what, sizeof what, "an object that is no std::exception");
  }
  walk.threw(what);  // outside the handler: the stack is abandoned, the exception must be over
}

#else

// In a handler: records what was thrown. Out of line: loops over threads hold no more than the call.
[[gnu::noinline, gnu::cold]] inline void note_thrown(block_context& b, fiber& self) {
  try {
    throw;
  } catch (const std::exception& e) {
    note_exception(b, self, e.what());
  } catch (...) {
    note_exception(b, self, "an object that is no std::exception");
  }
}

template <auto Kernel, class... P>
[[gnu::noinline, gnu::flatten]] void run_threads(block_context& b, fiber& self, P... p) {
  const launch_state& l = *b.launch;
  try {
    loop_over_threads(b, self, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t bx, std::int64_t by, std::int64_t bz) {
      Kernel(thread(b, l, x, y, z, bx, by, bz), p...);
    });
    return;
  } catch (...) {
    note_thrown(b, self);
  }
  leave_launch(b);  // outside the handler: the stack is abandoned, the exception must be over
}

// Run: run_threads, or another loop over the threads of `self` with these parameters.
template <auto Run, class... P>
void body_of(block_context& b, fiber& self) {
  std::apply([&](const P&... p) { Run(b, self, p...); }, *static_cast<const std::tuple<P...>*>(b.launch->args));
  finish_fiber(self);
}
template <auto Kernel, class... P>
constexpr block_function kernel_body = body_of<run_threads<Kernel, P...>, P...>;
#endif

}  // namespace simt::sim

namespace simt::detail {

template <auto Kernel, class... P>
int active_blocks(std::type_identity<std::tuple<P...>>, std::int64_t threads, std::int64_t dynamic_shared) {
  return resident_blocks(backend::properties(backend::selected_device()), threads, dynamic_shared);
}

// Reports call the launch by the name of `Function`.
template <auto Function, class... P>
sim::launch_request request_for(sim::block_function body, const launch_config& config, const stream& s,
                                const std::tuple<P...>& parameters) {
  static const std::string name(function_name<Function>());
  sim::launch_request request;
  request.body = body;
  request.args = &parameters;
  request.args_bytes = sizeof parameters;
  request.name = name.c_str();
  request.grid = {config.grid.x, config.grid.y, config.grid.z};
  request.block = {config.block.x, config.block.y, config.block.z};
  request.dynamic_shared = static_cast<std::uint32_t>(config.shared_bytes);
  request.cooperative = config.cooperative;
  request.cluster = {config.cluster.x, config.cluster.y, config.cluster.z};
  request.stream = static_cast<int>(s.handle());
#if defined(SIMT_VARIANT_SIM)
  request.plain = true;
#endif
  return request;
}

template <auto Kernel, class... P>
void start_launch(const launch_config& config, stream& s, const std::tuple<P...>& parameters) {
  sim::launch_and_report(request_for<Kernel>(sim::kernel_body<Kernel, P...>, config, s, parameters));
}

}  // namespace simt::detail
