// SPDX-License-Identifier: Apache-2.0
// Sync variables: memory that an atomic operation has released to, and the clocks that an acquire takes over there.
//
// After PTX's memory model: a release pattern synchronises with an acquire pattern when the value that is read comes
// from the release's sequence, every link of that sequence is between operations whose scopes hold each other, and so
// are its two ends.
//
// A sync variable is kept by the slow cell that it starts in. Whoever calls holds the guard of its cells.
#pragma once

#include "sim/check/shadow_memory.hpp"
#include "sim/check/thread_state.hpp"

namespace simt::check {

// How far a fence or an atomic operation reaches, as an index.
constexpr std::size_t reach_of(scope s) { return static_cast<std::size_t>(s); }

class sync_variables {
 public:
  explicit sync_variables(shadow_memory& shadow) : shadow_(shadow) {}
  // A load of t has read the variable at `address`, if one is there. `now`: the load acquires. `by_barrier`: the next
  // barrier of the block does. Else a fence may.
  void acquire(thread_state& t, std::uintptr_t address, std::uint32_t size, scope s, bool now, bool by_barrier);
  // A store or read-modify-write of t. It releases if its order says so, or if t has passed a release fence.
  void release(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op what, order o, scope s);
  // A write of [address, address + size) ends the release sequences that it overlaps in the cell of `granule`, which is
  // slow. `keep_same`: not that of just this variable.
  void overwrite(std::uintptr_t granule, std::uintptr_t address, std::size_t size, bool keep_same);

 private:
  sync_variable* find(std::uintptr_t address, std::uint32_t size);
  shadow_memory& shadow_;
};

}  // namespace simt::check
