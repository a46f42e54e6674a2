// SPDX-License-Identifier: Apache-2.0
// Allocations of device memory that the host may touch too: managed and pinned memory of CUDA programs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace simt::sim {

// Marks [address, address + bytes). Host side.
void allow_host_access(const void* address, std::size_t bytes);
void forbid_host_access(const void* address);
bool host_may_access(std::uintptr_t address);

}  // namespace simt::sim
