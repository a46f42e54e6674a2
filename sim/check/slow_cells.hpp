// SPDX-License-Identifier: Apache-2.0
// Slow cells: the exact, general form of a shadow cell, for bytes touched by atomics, volatile or partial accesses.
//
// Invariant: a slow cell keeps every access that a later one could still race with. A record is dropped only when a
// newer access that conflicts with at least as much is ordered after it.
//
// Invariant: a record stands for a later access of its thread in the same epoch only if every access in between was
// compared with it. The plain write of a thread that has observed the record (`updated`) is not, so from then on the
// record stands for itself alone (`observed`).
//
// What is ordered before all threads of the running launch stays, for work that no stream orders may race with it yet.
// But the cell's summaries say of it in one look that there is nothing to compare (cell_summary.hpp).
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sim/check/cell_summary.hpp"
#include "sim/check/detector.hpp"
#include "sim/check/thread_sets.hpp"
#include "sim/check/told_clock.hpp"
#include "sim/check/vector_clock.hpp"

namespace simt::check {

enum class record_kind : std::uint8_t { plain_read, plain_write, atomic_read, atomic_write };
inline bool is_write(record_kind k) { return k == record_kind::plain_write || k == record_kind::atomic_write; }
inline bool is_atomic(record_kind k) { return k >= record_kind::atomic_read; }

// What one access does to one cell.
struct touch {
  record_kind kind;
  bool reads;                // needs initialised bytes (plain reads, atomic loads and read-modify-writes)
  simt::check::scope scope;  // atomics
  std::uint8_t mask;         // bytes of the cell
  std::int8_t start;         // atomics: first byte of the whole access relative to the cell
  std::uint8_t size;         // atomics: its size
  // A volatile access: relaxed at system scope for all but the lanes of its own warp, where `lanes` says so.
  bool is_volatile = false;
  // Of an array in shared memory: lanes of one warp that exchange data through it must synchronise (no lockstep).
  bool lanes = false;
};

// An access that a slow cell keeps: of one thread, or of several of a block.
struct access_record {
  epoch when;
  record_kind kind;
  simt::check::scope scope;
  std::uint8_t mask;
  std::int8_t start;
  std::uint8_t size;
  std::uint32_t rank;                        // while `ranks` is null
  std::unique_ptr<thread_sets::bits> ranks;  // several threads
  bool is_volatile = false;
  std::uintptr_t pc = 0;  // 0: the epoch's
  bool observed = false;  // a plain write came later and was not compared with it: see slow_cell::updated

  bool has(std::uint32_t r) const { return ranks ? (*ranks)[r >> 6] >> (r & 63) & 1 : rank == r; }
  void add(std::uint32_t r) {
    if (!ranks) {
      if (rank == r) return;
      ranks = std::make_unique<thread_sets::bits>();
      (*ranks)[rank >> 6] |= std::uint64_t{1} << (rank & 63);
    }
    (*ranks)[r >> 6] |= std::uint64_t{1} << (r & 63);
  }
  // False: nobody is left.
  bool remove(std::uint32_t r) {
    if (!ranks) return rank != r;
    (*ranks)[r >> 6] &= ~(std::uint64_t{1} << (r & 63));
    return any([](std::uint32_t) { return true; });
  }
  template <class F>
  bool any(F f) const {
    if (!ranks) return f(rank);
    for (std::uint32_t i = 0; i < 16; ++i)
      for (std::uint64_t m = (*ranks)[i]; m; m &= m - 1)
        if (f(i * 64 + static_cast<std::uint32_t>(std::countr_zero(m)))) return true;
    return false;
  }
};

// The clocks that were released to a sync variable, by whom they reach: PTX ISA 8, "release pattern".
struct sync_heads {
  vector_clock system;                                      // releases at system scope
  vector_clock device;                                      // of device threads, at device or system scope
  std::unordered_map<std::uint64_t, vector_clock> cluster;  // at cluster scope or wider, by cluster
  std::unordered_map<std::uint64_t, vector_clock> block;    // at block scope or wider, by block
  vector_clock unscoped;
  void clear_scoped() { system.reset(), device.reset(), cluster.clear(), block.clear(); }
};

// The release sequence that ends in the current value of a variable (sync_variables.hpp).
struct sync_variable {
  std::uintptr_t address;
  std::uint32_t size;
  sync_heads heads;
  // The last write of the sequence.
  simt::check::scope tail_scope;
  std::uint64_t tail_block;
  std::uint64_t tail_cluster;
  std::uint32_t tail_rank;
  bool tail_on_host;
};

// What came before the value of a variable, whether or not a fence kept it in order: unfenced.hpp.
struct unfenced_mark {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
  told_clock told;
};

struct slow_cell {
  additions added;
  newest_access reads, others;  // of `records`: plain reads; all but those and additions
  // The last write but for plain ones of the same thread, if it was a read-modify-write. All atomics that it follows in
  // the location's history are ordered before what its thread does next: PTX ISA, causality order by observation. Used
  // for plain writes (the last block resets its counter); a plain read beside the others' atomics is reported all the
  // same, for a mere change of order makes it one.
  struct {
    std::uint64_t block = 0;
    std::uint32_t rank = 0;
    simt::check::scope scope{};
    std::int8_t start = 0;
    std::uint8_t size = 0;  // 0: none
  } updated;
  epoch written = 0;  // last write of any byte
  std::uint8_t valid = 0xf, initialised = 0;
  std::uint8_t sync_back = 0;                         // bit k: a sync variable may start k cells before and reach here
  bool polled = false;                                // it holds a flag (unfenced.hpp), and who read it last as such
  std::uint8_t closings = 0;                          // how often it was a counter and was closed (busy_counters.hpp)
  std::vector<std::unique_ptr<sync_variable>> syncs;  // those that start in this cell
  std::unique_ptr<unfenced_mark> unfenced;            // of a variable that starts in this cell
  epoch made = 0;
  std::vector<access_record> records;
  // The records from here on are alike but for epoch and rank (a counter that all threads add to).
  std::size_t alike_from = 0;
  std::uint32_t all_at = 64, all_at_read = 64;  // so many records are looked through whole, for some may be superfluous
  std::uintptr_t polled_at = 0;
  std::uint32_t chain_from = 0;  // of its additions: an entry of the log, some time ago

  // Whole, initialised, and nobody hands anything on there.
  bool is_bare() const {
    return valid == 0xf && initialised == 0xf && sync_back == 0 && !polled && syncs.empty() && !unfenced;
  }
  epoch newest() const { return std::max({added.newest, reads.when, others.when}); }
};

// Alike records differ in epoch and threads only. Atomic reads and writes of the same bytes are alike: they do not
// race.
template <class Touch>
bool alike_to(const access_record& o, const Touch& n) {
  const bool kinds = o.kind == n.kind || (is_atomic(o.kind) && is_atomic(n.kind) && !n.is_volatile);
  return kinds && o.scope == n.scope && o.mask == n.mask && o.start == n.start && o.size == n.size &&
         o.is_volatile == n.is_volatile;
}
inline void find_alike(slow_cell& e) {
  e.alike_from = e.records.size();
  while (e.alike_from > 0 && alike_to(e.records[e.alike_from - 1], e.records.back())) --e.alike_from;
}
// A record like `n` is about to follow.
template <class Touch>
void begin_alike(slow_cell& e, const Touch& n) {
  if (e.alike_from < e.records.size() && !alike_to(e.records.back(), n)) e.alike_from = e.records.size();
}

inline slow_cell& slow_cell_of(shadow_word w) {
  return *reinterpret_cast<slow_cell*>(w & ((shadow_word{1} << 48) - 1));
}

// The slow cells of a detector. Any thread may take one and give one back.
class slow_cell_pool {
 public:
  explicit slow_cell_pool(bool several_workers) : locked_(several_workers) {}
  slow_cell* take();
  void give_back(slow_cell* e);  // and its records
  // The owner of a slow cell says how many records it has added, or dropped.
  void count_records(std::ptrdiff_t more) {
    records_.fetch_add(static_cast<std::size_t>(more), std::memory_order_relaxed);
  }
  std::size_t in_use() const { return all_.size() - free_.size(); }  // no other thread uses the pool
  std::size_t bytes() const;                                         // an estimate

 private:
  const bool locked_;
  std::deque<slow_cell> all_;
  std::vector<slow_cell*> free_;
  std::mutex mutex_;
  std::atomic<std::size_t> records_{0};
};

}  // namespace simt::check
