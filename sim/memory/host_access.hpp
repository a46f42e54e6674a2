// SPDX-License-Identifier: Apache-2.0
// Memory of one side that the other may touch too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

// Allocations of device memory that are the host's too: managed and pinned memory of CUDA programs.
// Marks [address, address + bytes). Host side.
void allow_host_access(const void* address, std::size_t bytes);
void forbid_host_access(const void* address);
bool host_may_access(std::uintptr_t address);
// Grows with each call of the two above it.
std::uint64_t host_access_changes();

// Whether there is memory of either kind, through which a running kernel can hear of the host.
bool host_is_heard();

// Memory of the host that kernels may touch: what CUDA programs register. Host side; kernels may ask.
void lend_to_device(const void* address, std::size_t bytes);
void take_back(const void* address);
bool lent_to_device(std::uintptr_t address);

}  // namespace simt::sim
