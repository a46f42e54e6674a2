// SPDX-License-Identifier: Apache-2.0
// The simulated device's global memory: one reserved address range, an allocator in it, and who owns what.
//
// Invariants
// - Allocations are multiples of kAlignment from the base, with at least kRedZone unmapped-or-unused bytes between
//   them; the last byte of an allocation is followed by a red zone even where its size is ragged.
// - Under check, allocations lie so far apart that an index of 32 bits reaches no other one, while there is address
//   space for it.
// - Freed memory goes to a quarantine, first in first out, and is handed out again only when the quarantine holds
//   more than kQuarantineBytes or memory runs short; so a late access finds nobody else's data.
// - Memory of the host alone never lies inside the range, memory that a device may touch never outside it.
// Thread-safe; host side, and device-side malloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

// Managed and pinned memory lies in the same range; the host may touch it too.
enum class memory_home : std::uint8_t { device, managed, pinned };

struct allocation {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::string name;  // for reports; may be empty
  std::string type;  // element type
  std::size_t element_bytes = 1;
  std::vector<std::int64_t> extents;  // elements per axis, slowest first
  std::vector<std::uintptr_t> stack;  // who allocated: code addresses, innermost first; only under check
  memory_home home = memory_home::device;
  bool constant = false;     // kernels may only read it
  bool is_variable = false;  // at namespace scope
};

inline constexpr std::size_t kAlignment = 256;
inline constexpr std::size_t kRedZone = 256;
inline constexpr std::size_t kQuarantineBytes = std::size_t{256} << 20;

// The range that device addresses come from; reserved at the first call.
address_range device_range();
// Bytes that the simulated device offers: of the host's memory, what is left for it.
std::size_t device_capacity();
std::size_t device_bytes_in_use();

// Memory of `bytes` (0 gives a unique address). Uninitialised: what it holds is unspecified. nullptr: does not fit.
void* device_allocate(std::size_t bytes, allocation info);
enum class free_result : std::uint8_t { done, already_freed, never_allocated };
// `pc`: the call that frees, for reports.
free_result device_free(void* address, std::uintptr_t pc = 0);
// Renames or retypes a live allocation (views of raw memory made typed later).
void describe_allocation(void* address, std::string name, std::string type, std::size_t element_bytes,
                         std::vector<std::int64_t> extents);

// What lies there is constant from now on.
void mark_constant(void* address);
std::vector<std::uintptr_t> live_constants();  // their addresses, in this order
// What lies there is a variable at namespace scope, which its name stands for.
void mark_variable(void* address);
// While `on`, a write to a constant faults, where no other allocation shares its pages. For the time of a launch.
void protect_constants(bool on);

// The allocation that holds `address`, live or in quarantine.
std::optional<allocation> find_allocation(std::uintptr_t address, bool* live = nullptr);
std::vector<allocation> live_allocations();

// Where a live allocation lies, and of what kind it is. bytes 0: none holds the address. Allocates nothing.
struct live_bytes {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  memory_home home = memory_home::device;
  bool constant = false;
};
live_bytes find_live_bytes(std::uintptr_t address);

}  // namespace simt::sim
