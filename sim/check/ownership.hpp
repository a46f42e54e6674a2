// SPDX-License-Identifier: Apache-2.0
// Who may touch which cells while several workers run. Internal to sim/check.
//
// Device memory is lent out in stretches of 4 KiB. Within one launch a stretch belongs to the first worker that asks;
// that worker needs no atomic operation from then on. Once another worker asks too, the stretch is shared until the
// next launch: whoever touches its cells then holds the lock bit of the group of four (see cell_guard). Taking a
// stretch from its owner stops all processors for a moment. Where that happens to most of them, as in a transpose,
// whose blocks all write to the same rows, a stretch that nobody has asked for is shared at once for the rest of the
// launch. And a stretch that was shared the last time is shared at once in the launches to come, but for one in 16.
//
// Invariants: 1. A worker touches cells of a stretch that it owns only between busy = stretch and busy = kIdle, after
// it has seen its own token in the entry behind that store. 2. Whoever takes a stretch from its owner changes the
// entry, then makes all other threads pass a full fence (membarrier), then waits until the owner is not busy with the
// stretch. So either the owner sees the changed entry, or its `busy` is seen. (Dekker's algorithm with the fences of
// one side left to the other: biased locking as in Vasudevan, Namjoshi, Edwards, "Simple and fast biased locks", PACT
// 2010.) 3. A token names its launch and ends with it, so all stretches are free when a launch begins; no device thread
// runs then.
// 4. A thread guards one group at a time.
#pragma once

#include <atomic>
#include <cstdint>

#include "sim/check/zeroed_array.hpp"

namespace simt::check {

// A worker's side; of one OS thread.
struct stretch_owner {
  static constexpr std::uint32_t kIdle = ~std::uint32_t{0};
  std::uint32_t token = ~std::uint32_t{0};     // never in an entry
  std::uint32_t asked = 0;                     // in the launch of the token, for stretches that were free
  bool shares = false;                         // it does not own what it asks for first
  std::atomic<std::uint32_t> busy{kIdle};      // the entry whose stretch it touches
  std::atomic<const void*> counting{nullptr};  // the open slow cell that it records an operation of: busy_counters.hpp
};
extern constinit thread_local stretch_owner this_owner [[gnu::tls_model("initial-exec")]];

// The calling thread's number, 1 to 254; 0: it has none, and owns nothing.
std::uint32_t owner_number();
// No thread is at an operation on the open slow cell that has seen it open. The caller has just closed it.
void wait_until_not_counting(const void* slow_cell);

class ownership_table {
 public:
  using entry = std::atomic<std::uint32_t>;  // launch << 8 | number of the owner, 0: shared, 255: being taken
  static constexpr std::uint32_t kEntries = 1 << 16;
  // `offset`: in device memory, in units of 4 bytes. Stretches 256 MiB apart share an entry.
  static std::uint32_t index(std::uintptr_t offset) {
    return static_cast<std::uint32_t>(offset >> 10) & (kEntries - 1);
  }

  ownership_table();
  entry* entries() const { return entries_.get(); }
  // No device thread runs: all is free.
  void new_launch();
  // Then it stays so for this launch.
  bool is_shared(std::uint32_t index) const {
    return entries_[index].load(std::memory_order_acquire) == shared_entry();
  }
  // What the entries of such stretches hold.
  std::uint32_t shared_entry() const { return launch_ << 8; }
  // True: the stretch is the calling thread's, which is busy with it now and must end that. False: it is shared.
  bool take(std::uint32_t index);
  // The same for a stretch of which nothing is known.
  bool hold(std::uint32_t index);

 private:
  // So many were taken from their owners in this launch before it is asked whether owning is worth it.
  static constexpr std::uint32_t kManyTaken = 32;
  bool is_worth_owning();
  // `last`: what the entry holds of the launch that had the stretch last.
  bool shared_before(std::uint32_t last) const;

  zeroed_array<entry> entries_;
  std::uint32_t launch_ = 0, launches_ = 0;  // launches_: of this table
  std::atomic<std::uint32_t> taken_{0};      // from their owners, in this launch
};

// For one access inside an owned stretch; true: go on, and call end().
[[gnu::always_inline]] inline bool begin_owned(const ownership_table::entry* entries, std::uint32_t index) {
  stretch_owner& me = this_owner;
  me.busy.store(index, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (entries[index].load(std::memory_order_acquire) == me.token) [[likely]]
    return true;
  me.busy.store(stretch_owner::kIdle, std::memory_order_relaxed);
  return false;
}
inline bool ownership_table::hold(std::uint32_t index) {
  return !is_shared(index) && (begin_owned(entries(), index) || take(index));
}
[[gnu::always_inline]] inline void end_owned() {
  this_owner.busy.store(stretch_owner::kIdle, std::memory_order_release);
}

}  // namespace simt::check
