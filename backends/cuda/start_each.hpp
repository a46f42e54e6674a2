// SPDX-License-Identifier: Apache-2.0
// launch_each on a GPU: a kernel with the loop over a thread's elements in it. Included by <simt/launch_each.hpp>.
#pragma once

#include <backends/cuda/start_launch.hpp>
#include <simt/element_function.hpp>

namespace simt::detail {

template <auto Element, class... P>
void start_each(const launch_config& config, stream& s, const std::tuple<std::int64_t, P...>& parameters) {
  start_kernel<each_element<Element, P...>, Element>(config, s, parameters);
}

}  // namespace simt::detail
