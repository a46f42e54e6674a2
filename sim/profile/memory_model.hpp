// SPDX-License-Identifier: Apache-2.0
// What one memory instruction of a warp costs on a GPU: 32-byte sectors of global memory, wavefronts of shared memory.
// Pure arithmetic on addresses; docs/profile.md has the rules, and what they were held against.
#pragma once

#include <array>
#include <cstdint>

namespace simt::profile {

inline constexpr std::uint32_t kLanes = 32, kSectorBytes = 32, kLineBytes = 128, kBanks = 32, kBankBytes = 4;
inline constexpr std::uint32_t kWidestAccess = 16;

// The addresses of one instruction, by lane; every lane of `mask` accesses `size` bytes.
struct warp_access {
  std::uint32_t mask = 0;
  std::uint32_t size = 4;
  std::array<std::uintptr_t, kLanes> address{};
};

struct global_cost {
  std::uint32_t sectors = 0;
  std::uint32_t ideal = 0;  // sectors that hold as many different bytes
};
global_cost cost_in_global(const warp_access& a);
// Read-modify-writes: in turns, each of which touches its sectors again. Addresses as a GPU has them: arrays begin at
// multiples of 2 MiB there, if they are large.
global_cost cost_of_global_update(const warp_access& a);

struct shared_cost {
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;  // wavefronts beyond those that the lanes' width needs
};
// Loads and stores: lanes with the same word share it. So do additions of a constant 1.
shared_cost cost_of_shared_load(const warp_access& a);
shared_cost cost_of_shared_store(const warp_access& a);
// Read-modify-writes: lanes of one word come one after the other.
shared_cost cost_of_shared_atomic(const warp_access& a);
// Compare-and-swaps: each turn is two wavefronts, and one conflict as that of any other update.
shared_cost cost_of_shared_swap(const warp_access& a);

}  // namespace simt::profile
