// SPDX-License-Identifier: Apache-2.0
// A launch on the simulator: the loop over a block's threads that the kernel is inlined into. Included by
// <simt/launch.hpp>.
//
// sim: the kernel is inlined into the loop of sim/exec/executors/thread_loop.hpp.
// check: the kernel is called through a pointer, one thread at a time, with its events announced.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>

#include <backends/sim/launch_body.hpp>
#include <simt/launch_config.hpp>

namespace simt::sim {

// Throws simt::error if the launch ended in a fault and nobody listens for faults.
void launch_and_report(const launch_request& request);

inline void set_geometry(launch_request& request, const launch_config& config, backend::stream_handle stream) {
  request.grid = {config.grid.x, config.grid.y, config.grid.z};
  request.block = {config.block.x, config.block.y, config.block.z};
  request.dynamic_shared = static_cast<std::uint32_t>(config.shared_bytes);
  request.cooperative = config.cooperative;
  request.cluster = {config.cluster.x, config.cluster.y, config.cluster.z};
  request.stream = static_cast<int>(stream);
}
#if defined(SIMT_VARIANT_CHECK)
// What a block's stack runs. `Function` is called for each thread: the kernel itself, whose own entry and exit events
// say where a thread left it. Or it is called for each row of threads: batch_threads, which takes the loop over the row
// (checked_thread_loop.hpp) instead of a thread.
template <auto Function, class... P>
SIMT_UNWATCHED void body_of(block_context& b, fiber& self) {
  std::apply(
      [&](const P&... p) SIMT_UNWATCHED SIMT_KERNEL_BODY {
        auto* watched = Function;
        asm("" : "+r"(watched));  // never inlined here
        walk_threads(b, self, [&](checked_thread_loop& threads) SIMT_UNWATCHED {
          if constexpr (std::is_invocable_v<decltype(watched), checked_thread_loop&, P...>) {
            watched(threads, p...);
          } else {
            batch_threads<false> row(threads);
            do watched(row.handle(), p...);
            while (row.follow());
          }
        });
      },
      *static_cast<const std::tuple<P...>*>(b.launch->args));
}
template <auto Kernel, class... P>
constexpr block_function kernel_body = body_of<Kernel, P...>;

#if defined(SIMT_LOOPS)
// One thread, of which the compiler pass makes loops over a block's threads: it knows who asks for its place.
template <auto Kernel, class... P>
SIMT_LOOP_THREAD void thread_for_loops(SIMT_LOOP_PARAMETERS) {
  (void)arrays, (void)dx, (void)dy, (void)dz, (void)bx, (void)by, (void)bz, (void)gx, (void)gy, (void)gz;
  std::apply([&](const P&... p) { Kernel(thread(b, position_of(x, y, z)), p...); },
             *static_cast<const std::tuple<P...>*>(args));
}
#endif

#else

template <auto Kernel, class... P>
[[gnu::noinline]] SIMT_FLATTEN void run_threads(block_context& b, fiber& self, P... p) {
  const extent3 block = b.launch->block,
                grid = b.launch->grid;  // of their own: a store of the kernel cannot change them
  run_over_threads(
      b, self, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t bx, std::int64_t by, std::int64_t bz) {
#if defined(SIMT_DEBUG)
        debug_thread_begins(b, {{bx, by, bz}, {x, y, z}}, code_of(Kernel));
#endif
        Kernel(thread(b, block, grid, x, y, z, bx, by, bz), p...);
      });
}

// Run: run_threads, or another loop over the threads of `self` with these parameters.
template <auto Run, class... P>
void body_of(block_context& b, fiber& self) {
  std::apply([&](const P&... p) { Run(b, self, p...); }, *static_cast<const std::tuple<P...>*>(b.launch->args));
  finish_fiber(self);
}
template <auto Kernel, class... P>
constexpr block_function kernel_body = body_of<run_threads<Kernel, P...>, P...>;

#if defined(SIMT_LOOPS)
// One thread, of which the compiler pass makes loops over a block's threads.
template <auto Kernel, class... P>
SIMT_LOOP_THREAD void thread_for_loops(SIMT_LOOP_PARAMETERS) {
  (void)arrays;
  std::apply(
      [&](const P&... p) {
        Kernel(thread(b, extent3{dx, dy, dz}, extent3{gx, gy, gz}, x, y, z, bx, by, bz), p...);
      },
      *static_cast<const std::tuple<P...>*>(args));
}
#endif
#endif
#if defined(SIMT_LOOPS)
template <auto Kernel, class... P>
inline constexpr loop_body kernel_loops{thread_for_loops<Kernel, P...>};
#endif

// Every body of a kernel.
template <auto Kernel, class... P>
constexpr kernel_bodies bodies_of() {
  kernel_bodies bodies;
  bodies.threads = kernel_body<Kernel, P...>;
#if defined(SIMT_LOOPS)
  bodies.loops = &kernel_loops<Kernel, P...>;
#endif
  return bodies;
}

}  // namespace simt::sim

namespace simt::detail {

template <auto Kernel, class... P>
int active_blocks(std::type_identity<std::tuple<P...>>, std::int64_t threads, std::int64_t dynamic_shared) {
  return resident_blocks(backend::properties(backend::selected_device()), threads, dynamic_shared);
}

// Reports call the launch by the name of `Function`.
template <auto Function, class... P>
sim::launch_request request_for(const sim::kernel_bodies& bodies, const launch_config& config, const stream& s,
                                const std::tuple<P...>& parameters) {
  static const std::string name(function_name<Function>());
  sim::launch_request request;
  request.bodies = bodies;
  request.args = &parameters;
  request.args_bytes = sizeof parameters;
  request.name = name.c_str();
  set_geometry(request, config, s.handle());
#if defined(SIMT_VARIANT_CHECK)
  request.instrumented = true;
#endif
  return request;
}

template <auto Kernel, class... P>
void start_launch(const launch_config& config, stream& s, const std::tuple<P...>& parameters) {
  sim::launch_and_report(request_for<Kernel>(sim::bodies_of<Kernel, P...>(), config, s, parameters));
}

}  // namespace simt::detail
