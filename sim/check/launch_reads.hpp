// SPDX-License-Identifier: Apache-2.0
// Arrays that a launch only reads, and what it has read of them: kept as a range for each, not in shadow cells.
//
// While a launch runs that writes through known pointers only (sim/compile/read_only.hpp), an allocation that none of
// them points into is written by nobody. If all of it is initialised, by what is ordered before the launch, a read
// within it has nothing to find. What is left are launches, copies and the host's code to come that write there without
// being ordered after the launch: they ask unordered_reads.
//
// Of variables that kernels only read (`__constant__`), no kernel has to be known: all launches are believed to write
// none of them (invariant 1 holds them to it), so their reads leave no record whoever makes them, on fibers and in
// loops.
//
// Ranges are larger than what was read, and name no thread. So where one is met, nothing is reported: the run is
// `doubtful`, and whoever started it repeats it with options::read_only_arrays off.
//
// Invariants
//  1. A write by the launch itself into such an allocation is never taken by the fast path, nor proved in a batch:
//     block_state::unwritten holds them all. It makes the run doubtful.
//  2. Which constants that is, is decided when the launch begins: those that are initialised and last written by what
//     is ordered before it. A copy to one that comes after it and is not ordered meets its range.
//  3. Arrays are decided before the launch's first access, or, on one worker, between two blocks: what it has written
//     by then is in the cells. Reads are added at any time, by all workers.
//  4. Cells are looked at only where streams do not order all that came before the launch, or to see whether all
//     bytes have held a value. An object keeps that they have (object_record::initialised).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "sim/check/agents.hpp"
#include "sim/check/object_table.hpp"
#include "sim/instrument/read_only.hpp"
#include "sim/instrument/thread_shard.hpp"

namespace simt::check {

class detector_core;

// What earlier launches have read so. Changed and asked while no device thread runs.
class unordered_reads {
 public:
  struct stretch {
    std::uintptr_t from, to;
  };
  void add(int stream, std::uint32_t agent, stretch s);
  // What all work to come is ordered after.
  void forget_retired(const agent_order& agents);
  // Memory that begins anew.
  void forget(std::uintptr_t from, std::uintptr_t to);
  // Of agents that are not ordered before the launch, or action of the host, that `l` describes.
  std::vector<stretch> not_before(const launch_state& l, const agent_order& agents) const;
  bool meets(const launch_state& l, const agent_order& agents, std::uintptr_t from, std::uintptr_t to) const;
  bool empty() const { return reads_.empty(); }

 private:
  // All that the agents of a stream have read of one allocation, as if the last of them had: what is ordered after that
  // one is ordered after the others.
  struct entry {
    int stream;
    std::uint32_t agent;
    stretch read;
  };
  std::vector<entry> reads_;
};

// Of the launch that runs.
class launch_reads {
 public:
  void launch_begins(const detector_core& d, const launch_state& l, std::vector<unordered_reads::stretch> unordered);
  void launch_ends(const launch_state& l, const agent_order& agents, unordered_reads& all);
  // The first block that asks decides which of the arrays are only read; see batch_judge::ask_read_only.
  void ask(block_state& b, std::span<const std::uintptr_t> written, std::span<sim::quiet_array> read, bool others_ran);
  void block_begins(block_state& b) const;
  bool has_read(std::uintptr_t from, std::uintptr_t to);
  // A read there is within a constant: it is done.
  bool reads_constant(std::uintptr_t address, std::size_t size) {
    const constant* const c = constant_of(address);
    if (c == nullptr || c->to - address < size) return false;
    set_once(c->read);
    return true;
  }
  // Would a write there by the launch contradict what is said above?
  bool forbids_write(std::uintptr_t from, std::uintptr_t to) const;
  // Memory around `address`, in whole multiples of the largest access, in which no write would; empty: one there does.
  address_range free_around(std::uintptr_t address) const;
  std::atomic<bool> doubtful{false};  // for the whole run

 private:
  // What has been read of an array, by the OS threads of a shard.
  struct alignas(sim::kShardAlignment) range {
    std::atomic<std::uintptr_t> low{~std::uintptr_t{0}}, high{0};
  };
  struct array {
    std::uintptr_t from = 0, to = 0;
    std::array<range, sim::kThreadShards> read;
  };
  struct constant {
    std::uintptr_t from, to;
    bool read;  // by all workers
  };
  const constant* constant_of(std::uintptr_t address) const {
    const auto above = std::upper_bound(constants_.begin(), constants_.end(), address,
                                        [](std::uintptr_t a, const constant& c) { return a < c.from; });
    return above != constants_.begin() && address < above[-1].to ? &above[-1] : nullptr;
  }
  address_range hull_of_watched() const;
  void decide(block_state& b, std::span<const std::uintptr_t> written, std::span<const sim::quiet_array> read,
              bool launch_ran);
  array* array_of(std::uintptr_t address);

  std::mutex mutex_;
  std::atomic<bool> decided_{false};
  std::array<array, sim::kMostReadOnly> arrays_;
  std::size_t count_ = 0;
  std::vector<constant> constants_;  // by address
  std::vector<unordered_reads::stretch> unordered_;
  address_range unwritten_at_first_, unwritten_;  // hold constants and unordered reads; and the arrays, too
};

// May a read there be of a constant? Else reads_constant() need not be asked.
inline bool may_be_constant(const block_state& b, std::uintptr_t address) {
  return address - b.constants.base < b.constants.size;
}
bool reads_constant(thread_state& t, std::uintptr_t address, std::size_t size);  // true: it is done

}  // namespace simt::check
