// SPDX-License-Identifier: Apache-2.0
// A launch on a GPU: the __global__ function around a kernel. Included by <simt/launch.hpp>.
#pragma once

#include <tuple>
#include <utility>

#include <backends/cuda/launch_kernel.hpp>
#include <simt/launch_config.hpp>

namespace simt::gpu {

template <auto Kernel, class... P>
__global__ void entry(const P... p) {
  Kernel(thread{}, p...);
}

}  // namespace simt::gpu

namespace simt::detail {

// Reports call the kernel by the name of `Named`.
template <auto Kernel, auto Named, class... P>
gpu::kernel_facts& kernel_facts_of() {
  static gpu::kernel_facts kernel{.name = std::string(function_name<Named>()),
                                  .entry = reinterpret_cast<const void*>(&gpu::entry<Kernel, P...>)};
  return kernel;
}

template <auto Kernel, class... P>
int active_blocks(std::type_identity<std::tuple<P...>>, std::int64_t threads, std::int64_t dynamic_shared) {
  return gpu::active_blocks(kernel_facts_of<Kernel, Kernel, P...>(), threads, dynamic_shared);
}

template <auto Kernel, auto Named, class... P>
void start_kernel(const launch_config& config, stream& s, const std::tuple<P...>& parameters) {
  gpu::kernel_facts& kernel = kernel_facts_of<Kernel, Named, P...>();
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    // One more entry, so that a kernel without parameters has an array too.
    void* arguments[] = {const_cast<void*>(static_cast<const void*>(&std::get<I>(parameters)))..., nullptr};
    gpu::launch_kernel(kernel, {config.grid, config.block, config.cluster, config.shared_bytes, config.cooperative},
                       arguments, s.handle());
  }
  (std::index_sequence_for<P...>{});
}

template <auto Kernel, class... P>
void start_launch(const launch_config& config, stream& s, const std::tuple<P...>& parameters) {
  start_kernel<Kernel, Kernel>(config, s, parameters);
}

}  // namespace simt::detail
