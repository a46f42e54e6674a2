// SPDX-License-Identifier: Apache-2.0
// What a launch asks for and whether a device can do it; a kernel's parameters as types. For <simt/launch.hpp> and for
// the backends' side of a launch. Host only.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <simt/device.hpp>
#include <simt/kernel.hpp>
#include <simt/stream.hpp>
#include <simt/type_name.hpp>

namespace simt {

struct launch_config {
  dim3 grid{1};
  dim3 block{1};
  std::int64_t shared_bytes = 0;  // dynamic shared memory of each block
  bool cooperative = false;       // all blocks resident at once: grid-wide synchronisation works
  dim3 cluster{1};                // blocks that share their shared memory
};

// Throws error_kind::launch_limit with the limit and what was asked, unless the device can run `config`.
void check_launch(const launch_config& config, const device_properties& device, std::string_view kernel);
// The same for the selected device. Allocates only for a device's first launch.
void check_launch(const launch_config& config, std::string_view kernel);

// Blocks of `threads` threads and `dynamic_shared` bytes that a multiprocessor holds by its limits; 0: not even one.
int resident_blocks(const device_properties& device, std::int64_t threads, std::int64_t dynamic_shared);

namespace detail {

template <class T>
struct kernel_traits;
template <class... P>
struct kernel_traits<void (*)(thread, P...)> {
  using parameters = std::tuple<std::remove_cv_t<P>...>;
  static_assert((std::is_trivially_copyable_v<P> && ...),
                "kernel parameters are copied to the device byte by byte: pass views, pointers and plain values");
};

}  // namespace detail
}  // namespace simt
