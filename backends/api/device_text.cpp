// SPDX-License-Identifier: Apache-2.0
// A device's limits as labelled text, for `simrun devices`.
#include <fmt/format.h>

#include <simt/session.hpp>

namespace simt::backend {

device_summary describe(const device_properties& p) {
  device_summary d;
  d.name = p.name;
  d.kind = p.simulated ? "simulated" : "cuda";
  d.properties = {
      {"compute capability", fmt::format("{}.{}", p.compute_major, p.compute_minor)},
      {"warp size", std::to_string(p.warp_size)},
      {"threads per block", std::to_string(p.max_threads_per_block)},
      {"block", fmt::format("{} x {} x {}", p.max_block.x, p.max_block.y, p.max_block.z)},
      {"grid", fmt::format("{} x {} x {}", p.max_grid.x, p.max_grid.y, p.max_grid.z)},
      {"shared memory per block",
       fmt::format("{} bytes, {} dynamic", p.shared_bytes_per_block, p.shared_bytes_per_block_optin)},
  };
  // The simulator has no registers to run out of.
  if (!p.simulated) d.properties.emplace_back("registers per block", std::to_string(p.registers_per_block));
  d.properties.emplace_back("multiprocessors", std::to_string(p.multiprocessors));
  d.properties.emplace_back("memory", fmt::format("{:.1f} GiB", static_cast<double>(p.global_bytes) / (1 << 30)));
  return d;
}

}  // namespace simt::backend
