// SPDX-License-Identifier: Apache-2.0
// The door between launch<kernel> (a template, compiled with the kernels) and the part of a launch that is the same
// for all kernels, backends/cuda/launch_kernel.cpp. Host only.
#pragma once

#include <string>

#include <simt/backend.hpp>

namespace simt::gpu {

// What is known of one kernel: filled at its first launch.
struct kernel_facts {
  std::string name;
  const void* entry = nullptr;  // the __global__ function
  bool known = false;
  int max_threads_per_block = 0;  // what its registers allow
  std::int64_t static_shared_bytes = 0;
  std::int64_t dynamic_shared_limit = 0;  // the most that its attributes allow at present
};

// launch_config without what kernels need to be compiled for.
struct launch_request {
  dim3 grid, block, cluster;
  std::int64_t shared_bytes = 0;
  bool cooperative = false;
};

// Blocks of the kernel that one multiprocessor holds; 0: none fits.
int active_blocks(kernel_facts& kernel, std::int64_t threads, std::int64_t dynamic_shared);

// Enqueues one launch; `arguments` are the addresses of the kernel's parameters. Throws simt::error where the device
// cannot run this kernel this way, and device_fault where an earlier fault has made the device unusable.
void launch_kernel(kernel_facts& kernel, const launch_request& request, void** arguments,
                   backend::stream_handle stream);

}  // namespace simt::gpu
