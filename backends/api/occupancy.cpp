// SPDX-License-Identifier: Apache-2.0
// How many blocks a multiprocessor holds, by the limits of the device (CUDA Programming Guide, "Compute Capabilities").
#include <simt/occupancy.hpp>

#include <algorithm>

namespace simt {

int resident_blocks(const device_properties& d, std::int64_t threads, std::int64_t dynamic_shared) {
  if (threads < 1 || threads > d.max_threads_per_block || dynamic_shared > d.shared_bytes_per_block_optin) return 0;
  const std::int64_t warps = (threads + d.warp_size - 1) / d.warp_size;
  std::int64_t fit = std::min(d.max_blocks_per_multiprocessor, d.max_threads_per_multiprocessor / d.warp_size / warps);
  constexpr std::int64_t kReserved = 1024;  // shared memory that the system keeps of each block
  if (dynamic_shared > 0) fit = std::min(fit, d.shared_bytes_per_multiprocessor / (dynamic_shared + kReserved));
  return static_cast<int>(fit);
}

}  // namespace simt
