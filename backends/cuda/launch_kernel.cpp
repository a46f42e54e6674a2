// SPDX-License-Identifier: Apache-2.0
// The part of a launch that is the same for all kernels: what this kernel allows beyond the device's limits
// (backends/api/limits.cpp has checked those), opting in to large shared memory, and the launch itself.
#include <mutex>

#include <fmt/format.h>

#include <backends/api/device_limits.hpp>
#include <backends/cuda/faults.hpp>
#include <backends/cuda/launch_kernel.hpp>
#include <backends/cuda/launch_log.hpp>

namespace simt::gpu {

namespace {

std::mutex facts_mutex;

[[noreturn]] void refuse(const kernel_facts& k, const std::string& why) {
  throw error(error_kind::launch_limit, "launch of " + k.name + " refused: " + why);
}

void learn(kernel_facts& k) {
  if (k.known) return;
  cudaFuncAttributes a;
  check(cudaFuncGetAttributes(&a, k.entry), "cudaFuncGetAttributes of " + k.name);
  k.max_threads_per_block = a.maxThreadsPerBlock;
  k.static_shared_bytes = static_cast<std::int64_t>(a.sharedSizeBytes);
  k.dynamic_shared_limit = a.maxDynamicSharedSizeBytes;
  k.known = true;
}

// Dynamic shared memory over the default limit must be allowed for each kernel.
void allow_shared(kernel_facts& k, std::int64_t bytes) {
  if (bytes <= k.dynamic_shared_limit) return;
  check(cudaFuncSetAttribute(k.entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        fmt::format("cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize, {}) of {}", bytes, k.name));
  k.dynamic_shared_limit = bytes;
}

int resident(const kernel_facts& k, std::int64_t threads, std::int64_t dynamic_shared) {
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k.entry, static_cast<int>(threads),
                                                      static_cast<std::size_t>(dynamic_shared)),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor of " + k.name);
  return blocks;
}

void check_kernel(kernel_facts& k, const launch_request& c) {
  if (c.block.volume() > k.max_threads_per_block)
    refuse(k,
           fmt::format("block ({}, {}, {}) has {} threads, the registers of this kernel allow {}; use smaller blocks",
                       c.block.x, c.block.y, c.block.z, c.block.volume(), k.max_threads_per_block));
  const device_properties& d = backend::limits(backend::selected_device());
  if (k.static_shared_bytes + c.shared_bytes > d.shared_bytes_per_block_optin)
    refuse(k,
           fmt::format(
               "dynamic shared memory of {} bytes and {} bytes of shared arrays are over the limit of {} bytes a block",
               c.shared_bytes, k.static_shared_bytes, d.shared_bytes_per_block_optin));
  allow_shared(k, c.shared_bytes);
  if (c.cooperative) {
    const std::int64_t most = std::int64_t{resident(k, c.block.volume(), c.shared_bytes)} * d.multiprocessors;
    if (c.grid.volume() > most)
      throw grid_too_large(
          fmt::format("launch of {} refused: a cooperative grid must be resident at once: {} blocks were asked for, {} "
                      "of {} threads "
                      "fit the device",
                      k.name, c.grid.volume(), most, c.block.volume()));
  }
}

::dim3 native(const dim3& d) {
  return {static_cast<unsigned>(d.x), static_cast<unsigned>(d.y), static_cast<unsigned>(d.z)};
}

}  // namespace

int active_blocks(kernel_facts& kernel, std::int64_t threads, std::int64_t dynamic_shared) {
  enter("occupancy");
  std::lock_guard lock(facts_mutex);
  learn(kernel);
  const device_properties& d = backend::limits(backend::selected_device());
  if (threads > kernel.max_threads_per_block ||
      kernel.static_shared_bytes + dynamic_shared > d.shared_bytes_per_block_optin)
    return 0;
  allow_shared(kernel, dynamic_shared);
  return resident(kernel, threads, dynamic_shared);
}

void launch_kernel(kernel_facts& kernel, const launch_request& config, void** arguments,
                   backend::stream_handle stream) {
  enter("launch");
  {
    std::lock_guard lock(facts_mutex);
    learn(kernel);
    check_kernel(kernel, config);
  }
  cudaLaunchConfig_t native_config{};
  native_config.gridDim = native(config.grid);
  native_config.blockDim = native(config.block);
  native_config.dynamicSmemBytes = static_cast<std::size_t>(config.shared_bytes);
  native_config.stream = reinterpret_cast<cudaStream_t>(stream);
  cudaLaunchAttribute attributes[2];
  native_config.attrs = attributes;
  if (config.cooperative) {
    cudaLaunchAttribute& a = attributes[native_config.numAttrs++];
    a.id = cudaLaunchAttributeCooperative;
    a.val.cooperative = 1;
  }
  if (config.cluster.volume() > 1) {
    cudaLaunchAttribute& a = attributes[native_config.numAttrs++];
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = static_cast<unsigned>(config.cluster.x);
    a.val.clusterDim.y = static_cast<unsigned>(config.cluster.y);
    a.val.clusterDim.z = static_cast<unsigned>(config.cluster.z);
  }
  note_launch(kernel.name);
  const launch_timer timer(native_config.stream, {kernel.name,
                                                  {config.grid.x, config.grid.y, config.grid.z},
                                                  {config.block.x, config.block.y, config.block.z},
                                                  config.shared_bytes,
                                                  0});
  check(cudaLaunchKernelExC(&native_config, kernel.entry, arguments), "launch of " + kernel.name,
        "use smaller blocks or less shared memory");
}

}  // namespace simt::gpu
