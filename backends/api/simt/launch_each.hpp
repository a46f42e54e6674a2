// SPDX-License-Identifier: Apache-2.0
// launch_each<element>(stream, {.grid = .., .block = ..}, n, arguments...). Host only.
//
// An element function is a SIMT_DEVICE function whose result is void and that is called once for each index below n:
//
//   SIMT_DEVICE void multiply(std::int64_t i, simt::view<const float> x, simt::view<float> z) { z[i] *= x[i]; }
//   SIMT_DEVICE void count(simt::thread t, std::int64_t i, simt::view<const int> x, simt::view<int> bins) {
//     t.atomic_add(bins[x[i]], 1);
//   }
//
// Its first parameter is the index, or the thread that runs it and then the index; the others are a kernel's
// (<simt/launch.hpp>). Element i is run by thread i mod t.grid_size<1>(), as in
//
//   for (auto i : t.grid_stride(n)) multiply(i, x, z);
//
// but the order of the elements is left open, also of those of one thread: that is what lets the simulator run
// neighbours in memory one after the other, in vectors. So an element must not wait for another: no barrier, no
// operation of a warp, no loop until another element has done something.
#pragma once

#include <simt/element_function.hpp>
#include <simt/launch.hpp>
// detail::start_each: runs or enqueues one launch whose limits have been checked; the first parameter is n.
#if defined(SIMT_VARIANT_CUDA)
#include <backends/cuda/start_each.hpp>
#else
#include <backends/sim/start_each.hpp>
#endif

namespace simt {

// Throws as launch_each does; `element` is its name.
void check_launch_each(const launch_config& config, std::int64_t n, std::string_view element);

// n may be 0. Throws simt::error: launch_limit as launch does; invalid_argument if n is negative, or if the grid has
// more than one dimension, is cooperative or has clusters.
template <auto Element, class... A>
void launch_each(stream s, const launch_config& config, std::int64_t n, A&&... arguments) {
  using traits = detail::element_traits<decltype(+Element)>;
  check_launch_each(config, n, function_name<Element>());
  detail::launch_with(
      s, std::type_identity<typename traits::parameters>{},
      [&]<class... P>(const std::tuple<P...>& parameters) {
        detail::start_each<Element, P...>(config, s, std::tuple_cat(std::tuple(n), parameters));
      },
      std::forward<A>(arguments)...);
}
// On the default stream.
template <auto Element, class... A>
void launch_each(const launch_config& config, std::int64_t n, A&&... arguments) {
  launch_each<Element>(stream::default_stream(), config, n, std::forward<A>(arguments)...);
}

}  // namespace simt
