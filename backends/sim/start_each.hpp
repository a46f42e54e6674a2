// SPDX-License-Identifier: Apache-2.0
// launch_each on the simulator. Included by <simt/launch_each.hpp>.
//
// check: a kernel with the loop over its elements inside. As loops where the compiler's pass makes them, as any other
// kernel; else thread by thread: g++ inlines the elements (SIMT_DEVICE), so a thread that follows in a row costs no
// call, no entry and no exit; clang calls them. sim: one element a thread, and the engine runs the grid's blocks in
// several passes until there are threads enough. So neighbours in the loop over threads are neighbours in memory, and
// an element that waits after all waits like a thread.
#pragma once

#include <algorithm>

#include <backends/sim/start_launch.hpp>
#include <simt/element_function.hpp>

namespace simt::sim {

#if defined(SIMT_VARIANT_CHECK)

template <auto Element, class... P>
SIMT_DEVICE void run_row(checked_thread_loop& walk, std::int64_t n, P... p) {
  batch_threads<true> threads(walk);
  const std::int64_t stride = threads.handle().template grid_size<1>();
  std::int64_t first = threads.handle().template grid<1>();
  do detail::elements_of<Element, P...>(threads.handle(), first++, stride, n, p...);
  while (threads.follow());
}
template <auto Element, class... P>
constexpr kernel_bodies element_bodies() {
  kernel_bodies bodies;
  bodies.threads = body_of<run_row<Element, P...>, std::int64_t, P...>;
#if defined(SIMT_LOOPS)
  bodies.loops = &kernel_loops<detail::each_element<Element, P...>, std::int64_t, P...>;
#endif
  return bodies;
}

#else

template <auto Element, class... P>
[[gnu::noinline]] SIMT_FLATTEN void run_elements(block_context& b, fiber& self, std::int64_t n, P... p) {
  const extent3 block = b.launch->block, grid = b.launch->grid;
  run_over_elements(b, self, n, [&](std::int64_t i, std::int64_t x, std::int64_t bx) {
#if defined(SIMT_DEBUG)
    debug_thread_begins(b, {{bx, 0, 0}, {x, 0, 0}}, code_of(Element));
#endif
    if constexpr (detail::element_traits<decltype(+Element)>::takes_thread)
      Element(thread(b, block, grid, x, 0, 0, bx, 0, 0), i, p...);
    else
      Element(i, p...);
  });
}
template <auto Element, class... P>
constexpr kernel_bodies element_bodies() {
  return {.threads = body_of<run_elements<Element, P...>, std::int64_t, P...>};
}

#endif

}  // namespace simt::sim

namespace simt::detail {

template <auto Element, class... P>
void start_each(const launch_config& config, stream& s, const std::tuple<std::int64_t, P...>& parameters) {
  auto request = request_for<Element>(sim::element_bodies<Element, P...>(), config, s, parameters);
  const std::int64_t n = std::get<0>(parameters), threads = config.block.x;
  request.blocks = n / threads + (n % threads != 0);
#if defined(SIMT_VARIANT_CHECK)  // where the passes are the kernel's; the blocks behind these have no element
  request.blocks = std::min(request.blocks, config.grid.x);
#endif
  sim::launch_and_report(request);
}

}  // namespace simt::detail
