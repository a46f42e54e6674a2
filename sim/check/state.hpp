// SPDX-License-Identifier: Apache-2.0
// The detector's state: shadow cells, threads, blocks, launches, allocations. Internal to sim/check.
//
// Shadow: one 16-byte cell for each aligned 4 bytes of device or shared memory, zero until first touched.
//   writer word  0: nothing wrote here through the cell (look the address up); kAncient: written before everything that
//                can race; (id, rank): last plain write of all 4 bytes; kExtended | pointer: see extended.hpp; kExtended |
//                kMosaic | ...: see mosaic.hpp, which then uses the reader word, too
//   reader word  readers since that write that something may still race with: 0, one group (id, thread set), or a chain
// Whoever changes a cell guards it when several workers run (cell_guard in core.hpp; own shared memory: see hot.hpp). Cells
// of shared memory whose ids are older than the block that owns the slot count as zero.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "sim/check/descriptors.hpp"
#include "sim/check/detector.hpp"
#include "sim/check/lease.hpp"
#include "sim/check/mosaic.hpp"
#include "sim/check/row_bounds.hpp"

namespace simt::check {

struct cell {
  word writer;
  word readers;
};
static_assert(sizeof(cell) == 16);

// Cells lie apart by one cache line more after every 4 KiB of data: columns of matrices whose rows are a
// power of two would else share a few cache sets. Cells of 16 aligned bytes are neighbours.
inline constexpr std::size_t kCellsSkew = 4;
inline std::size_t cell_index(std::size_t offset) { return offset / 4 + (offset >> 12) * kCellsSkew; }
// The same in fewer instructions, for a multiple of 4.
inline cell* cell_at(cell* cells, std::size_t offset) {
  return reinterpret_cast<cell*>(reinterpret_cast<char*>(cells) + offset * (sizeof(cell) / 4) + (offset >> 12) * (kCellsSkew * sizeof(cell)));
}

// The part of a range that whole cells stand for.
inline address_range whole_cells(address_range r) {
  const std::uintptr_t from = (r.base + 3) & ~std::uintptr_t{3}, to = (r.base + r.size) & ~std::uintptr_t{3};
  return {from, std::max(from, to) - from};
}

inline word load(const word& w) { return __atomic_load_n(&w, __ATOMIC_ACQUIRE); }
inline void store(word& w, word value) { __atomic_store_n(&w, value, __ATOMIC_RELEASE); }

// The lock of a group of four cells, which stand for 16 aligned bytes and fill a cache line: a bit in the first one's
// reader word, so that workers which touch different groups never wait for each other's lines.
inline constexpr word kLocked = word{1} << 62;
inline word readers_of(const cell& c) { return load(c.readers) & ~kLocked; }
inline void set_readers(cell& c, word readers) { store(c.readers, readers | (load(c.readers) & kLocked)); }
inline word& lock_word(cell* c) {
  return reinterpret_cast<cell*>(reinterpret_cast<std::uintptr_t>(c) & ~std::uintptr_t{63})->readers;
}
inline void lock_group(cell* c) {
  word& w = lock_word(c);
  while (__atomic_fetch_or(&w, kLocked, __ATOMIC_ACQUIRE) & kLocked)
    while (__atomic_load_n(&w, __ATOMIC_RELAXED) & kLocked) __builtin_ia32_pause();
}
inline void unlock_group(cell* c) { store(lock_word(c), lock_word(c) & ~kLocked); }

// Both clocks of a moment: at the scopes as written, and as if every scope were system.
struct clock_pair {
  knowledge real, wide;
  void join_with(const clock_pair& o) {
    const bool same = real == wide && o.real == o.wide;
    real = join(real, o.real);
    wide = same ? real : join(wide, o.wide);
  }
  explicit operator bool() const { return real || wide; }
};

inline constexpr std::uint32_t kAsyncBlock = 0x80000000;  // block numbers of asynchronous copies
inline constexpr std::uint32_t kWholeAgent = 0xffffffff;  // in knowledge: all blocks of a launch; kIdMask: it is done
inline constexpr int kWarp = 32;

// What a write that raced still owes: did it change the bytes? Settled at the thread's next event; a read is passed
// over once, because the copy of a structure announces the write, then the read, and only then happens.
struct pending_write {
  std::uintptr_t address = 0;
  std::uint32_t size = 0;
  std::array<unsigned char, 16> before{};
  bool may_be_copy = false;  // no event since
  std::vector<std::size_t> findings;
};

// How far a fence or an atomic operation reaches: its scope.
inline constexpr std::size_t kReaches = static_cast<std::size_t>(scope::system) + 1;

// What a thread knows and owes; apart from what every access of it asks for.
struct thread_clocks {
  clock_pair known;
  std::array<clock_pair, kReaches> fenced;  // by the scope of a release fence: clock at the last one
  // Clocks read by loads, to be acquired by a fence: by the scope that the fence must have at least.
  std::array<knowledge, kReaches> acquirable;  // [0]: the wide clock
  clock_pair by_barrier;  // read by relaxed read-modify-writes at device scope: the next barrier acquires it
  std::unique_ptr<pending_write> owed;
  struct {
    std::uintptr_t address = 0;
    std::uint32_t size = 0;
  } volatile_read;  // its acquire is repeated at the next event: the load happens after its announcement
};

struct thread_state {
  block_state* block = nullptr;
  std::uint32_t rank = 0;
  bool pending = false;  // see settle()
  bool has_acquirable = false;
  bool has_fenced = false;  // a release fence, since the last barrier
  time_id released = 0;     // when it last published its clock; also before the block began
  word who = 0;             // rank, at its place in a word
  thread_clocks* clocks = nullptr;
};
static_assert(sizeof(thread_state) == sim::kThreadStateBytes);

struct shared_object {
  std::uintptr_t address;
  std::size_t size;
  object_info info;
};

struct object_record;

struct block_state {
  detector_core* core = nullptr;
  lease_table::entry* leases = nullptr;           // null: one worker, no guards
  std::uint32_t shared_entry = 0;                 // in `leases`: of stretches that the launch's workers share
  time_id device_floor = 0;                       // the launch's floor while hot accesses are allowed, else 0
  address_range array;                            // whole cells of the shared array that was named last
  address_range device;                           // copies of the core's, for the fast paths
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
  time_id own_id = 0;           // a descriptor of this block, to save a look-up
  time_id first_id = 0;         // ids of this block are no older
  time_id base = 0;             // ids of this block below it are ordered before all its threads: the last barrier
  time_id grid_base = 0;        // ids of the launch's blocks below it are ordered by a grid barrier
  time_id quiet_from = 0;       // since then no thread of the block has published a clock
  time_id shared_floor = 0;     // own shared memory: ids from first_id to here are ordered before all its threads
  bool foreign_shared = false;  // others touch its shared memory (clusters, asynchronous copies)
  std::size_t quick_shared = 0;  // bytes of its shared memory that need no guard: all of it or none
  bool knows = false;           // some thread has a non-empty `known`
  bool dirty = false;           // some thread's state must be cleared at the end
  bool owing = false;           // some thread is pending
  bool lanes_used = false;
  bool barrier_learns = false;  // some thread has a non-empty `by_barrier`
  std::int64_t barriers = 0;
  std::vector<std::uint32_t> fencers;  // ranks with has_fenced
  std::array<clock_pair, kReaches> fenced;  // theirs before the last barrier: each thread's since then
  bool has_seen = false;               // some thread's `acquirable` has changed since the last barrier
  std::array<knowledge, kReaches> seen;     // all threads' `acquirable` at the last barrier
  address_range shared;
  std::vector<thread_state> all;
  std::vector<thread_clocks> clocks;  // of `all`
  void make_threads(std::size_t count);  // at least so many
  void begin_at(time_id now);            // its threads' first moment
  void new_base(time_id now);            // all that its threads did is ordered before what they do from now on
  void share();                          // others touch its shared memory
  clock_pair known() const;              // by its threads together
  void know(const clock_pair& c);        // all of them know just this
  std::vector<time_id> lanes;  // [rank * 32 + lane]: what a thread knows of its warp, from warp syncs
  std::vector<shared_object> arrays;
  std::vector<block_state*> copies;            // asynchronous copies issued by this block
  const object_record* last_object = nullptr;  // while last_version == memory_version
  std::uint64_t last_version = 0;

  // Stretches of device memory whose untouched cells all stand for the same; see detector_core::uniform_at.
  struct uniform_region {
    std::uintptr_t from = 0, size = 0;
    word writer = 0;  // 0: nothing is initialised; else what such a cell's writer word would be
    std::uint64_t version = 0;
    object_record* object = nullptr;
  };
  std::array<uniform_region, 4> regions;
  unsigned next_region = 0;

  // What the block remembers of an instruction: its descriptor, and the last read there that made one set of readers
  // into another: the reader word, who read, what the word became.
  struct alignas(64) access_site {
    std::uintptr_t pc = 0;
    time_id id = 0;
    word before = 0, mine = 0, after = 0;
  };
  std::array<access_site, 1024> sites;  // see site_of()
  struct cached_merge {
    time_id a = 0, b = 0, merged = 0;
  };
  std::array<cached_merge, 64> merges;
  // What a set and a rank make (set << 10 | rank): (0, 0) makes 0, so an empty entry is true.
  struct cached_set {
    std::uint32_t key = 0, set = 0;
  };
  std::array<cached_set, 8192> sets;
  // add_reader() again with the same question: while nobody of the block publishes or acquires, the answer is the same.
  // The thread is left out of all three words where it alone is in all groups of `before`, and they are of other
  // blocks.
  struct cached_readers {
    word before = 0, mine = 0, after = 0;
    time_id quiet_from = 0;
  };
  std::array<cached_readers, 1024> reader_steps;
  struct cached_link {
    word group = 0, rest = 0;
    time_id link = 0;
  };
  std::array<cached_link, 256> links;
  // Steps of mosaics: pattern, rank, mask and kind; see detector_core::mosaic_access().
  struct mosaic_step {
    word key = 0;
    std::uintptr_t pc = 0;
    mosaic_table::step next;
  };
  std::array<mosaic_step, 512> mosaic_steps;
  struct mosaic_link {
    word upper = 0, lower = 0;
    std::uint32_t distance = 0;
    time_id link = 0;
  };
  std::array<mosaic_link, 64> mosaic_links;
};

// Descriptors of what t does from now on are no older: since then it has not released, nor the block passed a barrier.
inline time_id min_id(const thread_state& t) { return std::max(t.released, t.block->base); }

enum class agent_kind : std::uint8_t { launch, host, copy };  // host: its code, callbacks of streams too

struct agent {
  int stream = 0;
  std::uint64_t sequence = 0;  // on its stream
  time_id first_id = 0;
  agent_kind kind = agent_kind::launch;
  std::string name;  // kernel; of a copy: what it does
  index3 grid{1, 1, 1}, block{1, 1, 1};
  clock_pair learned{};  // what its threads learned from launches that no stream orders before it
};

struct launch_state {
  detector_core* core = nullptr;
  std::uint32_t agent = 0;
  bool on_host = false;      // its agent is the host's code
  detector::position after;  // what is ordered before
  time_id first_id = 0;      // its agent's
  time_id floor = 0;         // ids below are ordered before all of it
  clock_pair start;          // what the work before it learned from launches that no stream orders: all its threads know it
  std::int64_t blocks = 0;
  knowledge inherited;  // made when first asked for
  std::atomic<bool> has_inherited{false};
  std::atomic<std::uint32_t> copies{0};
  bool has_clusters = false;                // of more than one block
  std::vector<std::int64_t> cluster_of;     // by linear block; only with clusters
  std::atomic<bool> blocks_meet{false};     // something may order accesses of different blocks
  std::atomic<std::uint64_t> shortened{0};  // lists of readers cut to two blocks: inexact only if blocks meet
  std::string kernel;
  index3 grid, block;
};

// A copy or fill that covered a whole range at once and is not yet ordered before everything.
struct range_write {
  time_id id;
  std::uintptr_t from, to;
};

struct object_record {
  allocation what;
  bool live = true;
  bool touched = false;                              // some cell may be non-zero
  bool extended = false;                             // some cell may be extended or a mosaic
  time_id host_written = 0;                          // ids up to here: the last write by the host or a copy
  std::map<std::uintptr_t, std::uintptr_t> initial;  // initialised ranges [from, to) apart from cells
  std::vector<range_write> writes;
};

}  // namespace simt::check
