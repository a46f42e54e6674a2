// SPDX-License-Identifier: Apache-2.0
// What the detector keeps of a resident block: its threads, their common clocks, and what it remembers of earlier
// accesses to judge the next ones quickly.
//
// Invariant: only the OS thread that runs the block uses its state, but for `foreign_shared` and `shared_floor`, which
// share() changes for a block that others may touch (it then takes no fast path in shared memory).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/check/byte_pattern.hpp"
#include "sim/check/cells.hpp"
#include "sim/check/epochs.hpp"
#include "sim/check/ownership.hpp"
#include "sim/check/thread_state.hpp"
#include "sim/check/zeroed_array.hpp"

namespace simt::check {

struct shared_object {
  std::uintptr_t address;
  std::size_t size;
  object_info info;
};

// What a block has of them (PTX ISA, "bar, barrier").
inline constexpr std::size_t kNamedBarriers = 16;
// What threads did that have arrived at a named barrier and gone on: before it, and before their fences; and what they
// have read, for a fence behind the barrier to acquire, and to be told of (unfenced.hpp).
struct named_arrivals {
  clock_pair clock;
  std::array<clock_pair, kReaches> fenced;
  std::array<vector_clock, kReaches> seen;
  told_clock told;
  std::uintptr_t told_at = 0;
};

struct object_record;
class object_table;
class agent_order;
class shadow_memory;
class deferred_shared;

// Its large tables (sites, sets, reader_steps) are not initialised: its memory comes from the system as zeros, which
// are what they begin with, and of which a short run touches little. To be made by `new block_state`, without (): those
// would write all of them.
struct block_state {
  static void* operator new(std::size_t bytes) { return zeros_of_system(bytes); }
  static void operator delete(void* at, std::size_t bytes) { give_back_to_the_system{bytes}(at); }

  detector_core* core = nullptr;
  ownership_table::entry* ownership = nullptr;  // null: one worker, no guards
  unsigned owners_shard = 0;                    // of block_table: where its shared memory is listed
  std::uint32_t shared_entry = 0;               // in `ownership`: of stretches that the launch's workers share
  epoch device_floor = 0;                       // the launch's floor while the fast path is allowed, else 0
  address_range array;                          // whole cells of the shared array that was named last
  address_range unwritten;                      // holds what the launch only reads: launch_reads.hpp
  address_range constants;                      // holds those whose reads leave no record: launch_reads.hpp
  address_range written;                        // a part of it between such arrays, where a write was looked up last
  address_range device;                         // copies of shadow's, for the fast path
  cell* device_cells = nullptr;
  address_range all_shared;
  cell* shared_cells = nullptr;
  launch_state* launch = nullptr;
  block_state* owner = nullptr;  // itself; of an asynchronous copy: the issuer's block
  std::uint32_t number = 0;      // linear index; kAsyncBlock | n for an asynchronous copy
  std::uint32_t issuer_rank = 0;
  index3 index;
  std::int64_t cluster = 0;
  int threads = 0;
  struct {
    epoch from = 0, more = 0;
  } own;                        // from, from + 1, ... from + more are epochs of this block: to save look-ups
  epoch first_epoch = 0;        // epochs of this block are no older
  epoch base = 0;               // epochs of this block below it are ordered before all its threads: the last barrier
  epoch grid_base = 0;          // epochs of the launch's blocks below it are ordered by a grid barrier
  epoch quiet_from = 0;         // since then no thread of the block has published a clock
  epoch shared_floor = 0;       // own shared memory: epochs from first_epoch to here are ordered before all its threads
  bool foreign_shared = false;  // others touch its shared memory (clusters, asynchronous copies)
  std::size_t quick_shared = 0;         // bytes of its shared memory that need no guard: all of it or none
  deferred_shared* deferred = nullptr;  // what is not in the cells of its shared memory yet; null: they say it all
  bool knows = false;                   // some thread has a non-empty `known`
  bool dirty = false;                   // some thread's state must be cleared at the end
  bool has_unjudged_write = false;      // some thread is pending
  bool lanes_used = false;
  bool barrier_learns = false;  // some thread has a non-empty `by_barrier`
  std::int64_t barriers = 0;
  std::uintptr_t last_grid_barrier = 0;     // the same of the grid's
  std::uintptr_t last_barrier = 0;          // code address of the call that passed the last one first
  std::vector<std::uint32_t> fencers;       // ranks with has_fenced
  std::array<clock_pair, kReaches> fenced;  // theirs before the last barrier: each thread's since then
  bool meets_by_number = false;             // some of its threads have met at a named barrier
  std::vector<named_arrivals> named;        // by number, since each opened last; empty: none was used so
  bool has_seen = false;                    // some thread's `acquirable` has changed since the last barrier
  std::array<vector_clock, kReaches> seen;  // all threads' `acquirable` at the last barrier
  std::array<std::uintptr_t, 2> asked{};    // the words of device memory that its threads read atomically last
  bool uses_volatile = false;               // some thread has touched device memory through a volatile variable
  bool has_told = false;                    // some thread's `told` has changed since the last barrier
  told_clock told;                          // all threads' at the last barrier
  std::uintptr_t told_at = 0;               // where one of them read the last of those flags
  address_range shared;
  std::vector<thread_state> all;
  std::vector<thread_clocks> clocks;     // of `all`
  void reset();                          // what an earlier block left
  void make_threads(std::size_t count);  // at least so many
  void begin_at(epoch now);              // its threads' first moment
  // Its epochs so far are below it, and those to come are not.
  epoch now() const { return ahead.now(*epochs); }
  // New epochs of its own, one behind the other; each is to be put() before anybody looks it up.
  epoch reserve(std::uint32_t count) {
    const epoch when = ahead.reserve(*epochs, count);
    if (when == own.from + own.more + 1)
      own.more += count;
    else
      own = {when, count - 1};
    return when;
  }
  epoch add(const epoch_record& d) {
    const epoch when = reserve(1);
    epochs->put(when, d);
    return when;
  }
  // A new epoch that is above all others', too.
  epoch add_youngest(const epoch_record& d) {
    ahead.drop();
    return add(d);
  }
  // A thread of it is about to touch `address`. What others do in a block's shared memory is compared with that block's
  // beginning, by time: the first time that it is shared memory of another block, all that comes gets epochs of now.
  void comes_to(std::uintptr_t address) {
    if (address - all_shared.base < all_shared.size && address - shared.base >= shared.size && ahead.draws_ahead())
        [[unlikely]]
      ahead.begin(1), sites.fill({});
  }
  void new_base(epoch now);        // all that its threads did is ordered before what they do from now on
  void share();                    // others touch its shared memory
  clock_pair known() const;        // by its threads together
  void know(const clock_pair& c);  // all of them know just this
  std::vector<epoch> lanes;        // [rank * 32 + lane]: what a thread knows of its warp, from warp syncs
  std::vector<shared_object> arrays;
  std::vector<block_state*> copies;  // asynchronous copies issued by this block
  clock_pair told_copies;            // what those did that barrier objects of the block were told of
  epoch_table* epochs = nullptr;     // the detector's
  epochs_ahead ahead;                // of these
  agent_order* agents = nullptr;
  const object_table* objects = nullptr;
  shadow_memory* shadow = nullptr;
  const object_record* last_object = nullptr;  // while last_version == object_table::version
  std::uint64_t last_version = 0;

  // Stretches of device memory whose untouched cells all stand for the same; see object_table::uniform_at.
  struct uniform_region {
    std::uintptr_t from = 0, size = 0;
    shadow_word writer = 0;  // 0: nothing is initialised; else what such a cell's writer word would be
    std::uint64_t version = 0;
    object_record* object = nullptr;
  };
  std::array<uniform_region, 4> regions;
  unsigned next_region = 0;

  // What the block remembers of an instruction: its epoch, and the last read there that made one set of readers
  // into another: the reader word, who read, what the word became.
  struct alignas(64) access_site {
    std::uintptr_t pc;
    epoch when;
    shadow_word before, mine, after;
    std::uintptr_t last;  // of bytes in device memory: the last address, and how far it was from the one before
    std::intptr_t step;
  };
  std::array<access_site, 1024> sites;  // see site_of()
  struct cached_merge {
    epoch a = 0, b = 0, merged = 0;
  };
  std::array<cached_merge, 64> merges;
  // What a set and a rank make (set << 10 | rank): (0, 0) makes 0, so an empty entry is true.
  struct cached_set {
    std::uint32_t key, set;
  };
  std::array<cached_set, 8192> sets;
  // add_reader() again with the same question: while nobody of the block publishes or acquires, the answer is the same.
  // The thread is left out of all three words where it alone is in all groups of `before`, and they are of other
  // blocks.
  struct cached_readers {
    shadow_word before, mine, after;
    epoch quiet_from;
  };
  std::array<cached_readers, 1024> reader_steps;
  struct cached_link {
    shadow_word group = 0, rest = 0;
    epoch link = 0;
  };
  std::array<cached_link, 256> links;
  // Steps of byte patterns: pattern, rank, mask and kind; see detector_core::byte_pattern_access().
  struct byte_pattern_step {
    shadow_word key = 0;
    std::uintptr_t pc = 0;
    byte_pattern_table::step next;
  };
  std::array<byte_pattern_step, 512> byte_pattern_steps;
  struct byte_pattern_link {
    shadow_word upper = 0, lower = 0;
    std::uint32_t distance = 0;
    epoch link = 0;
  };
  std::array<byte_pattern_link, 64> byte_pattern_links;
  // Which finding a race in an object of device memory is, by the code addresses: see reporter::race().
  struct known_race {
    std::uintptr_t pc = 0, other_pc = 0;
    address_range object;
    std::uint64_t version = 0;  // of the objects
    bool scope_only = false;
    std::size_t index = 0;
  };
  std::array<known_race, 16> races;
};

// The start of t's current interval: since then it has not released, nor has its block passed a barrier. What it does
// from now on carries no older epoch.
inline epoch interval_start(const thread_state& t) { return std::max(t.released, t.block->base); }

// Is an aligned access at `address` no write to what the launch only reads, as far as that is known?
inline bool may_write(const block_state& b, std::uintptr_t address) {
  return address - b.unwritten.base >= b.unwritten.size || address - b.written.base < b.written.size;
}
bool can_write(block_state& b, std::uintptr_t address);  // the same, looked up: launch_reads.cpp

// Is it an element of an array in the block's shared memory? A single variable there (up to 8 bytes) is a flag.
bool in_shared_array(const block_state& b, std::uintptr_t address);

// Do whole cells of one declared array of the block hold [from, to)? The array that was declared last is asked first.
inline bool is_in_one_array(const block_state& b, std::uintptr_t from, std::uintptr_t to) {
  const auto holds = [&](address_range a) { return from - a.base < a.size && to - a.base <= a.size; };
  return holds(b.array) || std::any_of(b.arrays.begin(), b.arrays.end(), [&](const shared_object& a) {
           return holds(whole_cells({a.address, a.size}));
         });
}

}  // namespace simt::check
