// SPDX-License-Identifier: Apache-2.0
// The calls of processors that have no form of their own; nobody makes them on x86-64.
#include <sim/instrument/unwatched.hpp>

#if !defined(__x86_64__)
namespace simt::sim {

std::uint64_t load_unwatched(const void* at) { return *static_cast<const std::uint64_t*>(at); }
void store_unwatched(void* at, std::uint64_t value) { *static_cast<std::uint64_t*>(at) = value; }
std::uint64_t constant_unwatched(const void* at) { return *static_cast<const std::uint64_t*>(at); }

}  // namespace simt::sim
#endif
