// SPDX-License-Identifier: Apache-2.0
// The detector's event interface: the engine announces what device threads, streams and the host do; findings come out.
//
// One detector watches one device-memory range and one shared-memory range. It never prints and knows nothing of the
// engine. The algorithm and its invariants: docs/race_model.md.
//
// Who may call what:
//  - A block's events come from one OS thread at a time (the worker that runs it). Different blocks of a launch may run
//    on different workers at once (options::workers > 1).
//  - Launches, copies, allocations, frees and stream operations are announced one after the other, never while a
//    launch runs (exceptions: none).
//  - Every access is announced BEFORE it happens, except atomics: see atomic().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/instrument/events.hpp"
#include "sim/report/finding.hpp"

namespace simt::check {

using sim::event::acquires;
using sim::event::atomic_op;
using sim::event::order;
using sim::event::releases;
using sim::event::scope;

struct options {
  bool races = true;
  bool memory = true;              // out of bounds, use after free, misaligned, invalid free
  bool uninit = true;              // reads of bytes that nothing has written
  bool volatile_is_plain = false;  // default: volatile counts as relaxed at system scope
  bool volatile_reads_lag = true;  // other threads may run between a volatile read's announcement and the load itself
  // The active calls of the device thread that runs on this OS thread: return addresses, outermost first. May be null.
  std::span<const std::uintptr_t> (*call_stack)() = nullptr;
  // May code of the host touch this device memory while a launch runs? Null: nowhere.
  bool (*host_may_access)(std::uintptr_t address) = nullptr;
  // Reads of arrays that a launch only reads may be kept as ranges. A run in which that is not enough is `doubtful`,
  // and has to be repeated without.
  bool read_only_arrays = false;
  // Who reads a word at other places in the code is kept apart, so that a finding names the line of its reader.
  // Without, a run whose findings may name another reader's line is `doubtful`.
  bool readers_by_place = false;
  // Device memory that kernels only read (`__constant__`), by address; asked at each launch. Null: there is none.
  std::vector<std::uintptr_t> (*constants)() = nullptr;
  std::uint32_t longest_chain = 8191;  // additions to a cell (quick_additions.hpp) before they become records, at most
  std::uint32_t counter_from = 8;      // with several workers: so many make the word a busy counter (busy_counters.hpp)
  std::uint32_t epochs_at_once = 4;    // with several workers: so many epochs a block draws (epochs.hpp)
  int workers = 1;                     // OS threads that run blocks of one launch; 1 skips all locking
  std::size_t max_findings = 4096;     // distinct findings kept; more are only counted
  std::size_t extra_bytes = std::size_t{1}
                            << 30;  // limit of side tables (reader sets, atomics); beyond: counted misses
};

struct address_range {
  std::uintptr_t base = 0;  // multiple of 4096
  std::size_t size = 0;
};

// Where an object of device memory comes from, for reports and leaks.
struct object_info {
  std::string name;  // "" : unnamed
  std::string type;  // "float"; values of int, unsigned, float, double... are shown decoded
  std::size_t element_size = 1;
  std::vector<std::int64_t> extents;  // elements per axis, slowest first; empty: one axis
};

struct allocation {
  std::uintptr_t address = 0;
  std::size_t size = 0;
  object_info info;
  std::vector<std::uintptr_t> stack;  // pcs of the allocation call, innermost first
  bool outlives = false;              // there before the checked run (a device variable): not a leak
};

class detector_core;  // all state
struct launch_state;  // a running launch
struct block_state;   // a resident block
struct thread_state;  // a device thread of a resident block, or an asynchronous copy

// A barrier object, latch, semaphore or pipeline stage: arrivals release into it, waits acquire from it.
// Order between its uses must be the real one (the engine serialises them). Lives no longer than its launch.
class sync_object {
 public:
  sync_object();
  ~sync_object();
  sync_object(sync_object&&) noexcept;
  sync_object& operator=(sync_object&&) noexcept;
  void clear();  // forget all arrivals: the object is initialised again
  struct content;
  content& get() { return *content_; }

 private:
  std::unique_ptr<content> content_;
};

// ---- Accesses of device threads (hot). ------------------------------------------------------------------------
// Addresses outside both ranges are ignored: false comes back and the caller decides what such an access means.
// read and write: scalar accesses of 1, 2, 4, 8 or 16 bytes; an address that is no multiple of size is `misaligned`.
// pc: code address of the access.
// Instrumented code takes the inline way of fast_path.hpp.
bool read(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);
bool write(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);
bool read_unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);
bool write_unaligned(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);
bool read_range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc);
bool write_range(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc);
bool read_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);
bool write_volatile(thread_state& t, std::uintptr_t address, std::uint32_t size, std::uintptr_t pc);
// The thread is about to read that through the read-only cache, which no write of its launch is sure to have reached.
// The read itself is announced as any other. may_be_noncoherent: a first look, which needs nothing flushed.
bool may_be_noncoherent(const thread_state& t, std::uintptr_t address, std::size_t size);
void read_noncoherent(thread_state& t, std::uintptr_t address, std::size_t size, std::uintptr_t pc);

// A copy of `whole` bytes in pieces of `size` from or to an address, where that or the size is no multiple of `size`,
// or the array there is declared with less alignment (declared; else 0): reports misaligned, records no access.
struct broken_copy {
  std::uintptr_t address;
  std::uint32_t size;
  std::size_t whole;
  bool write;
  std::uint32_t declared;
};
void report_broken_copy(thread_state& t, const broken_copy& c, std::uintptr_t pc);

// Atomics: guard, do the operation, announce it, end the guard, so that the detector sees the order memory saw:
//   { atomic_section guard(t, address, 4); old = ...; atomic(t, address, 4, atomic_op::rmw, order::relaxed,
//   scope::device, pc); }
// A compare-and-swap announces itself a second time, inside its section: what its thread read there plainly before was
// a guess that it has now checked (unconfirmed_reads.hpp).
void compared_and_swapped(thread_state& t, std::uintptr_t address, std::uint32_t size);
struct cell;
struct cell_guard_state {
  cell* locked = nullptr;  // a cell of the group whose lock is held
  bool owned = false;
};
class atomic_section {
 public:
  // `let_count`: the operation is such that `counting` may take it. If the word is a busy counter by now, because
  // another worker has made it one meanwhile, it stays one, and nothing is guarded.
  atomic_section(thread_state& t, std::uintptr_t address, std::uint32_t size, bool let_count = false);
  ~atomic_section();
  bool is_counter() const { return is_counter_; }
  atomic_section(const atomic_section&) = delete;
  atomic_section& operator=(const atomic_section&) = delete;

 private:
  cell_guard_state guard_;
  bool is_counter_ = false;
};
// is_sum: an addition of integers of four bytes whose old value nobody reads (busy_counters.hpp).
bool atomic(thread_state& t, std::uintptr_t address, std::uint32_t size, atomic_op op, order o, scope s,
            std::uintptr_t pc, bool is_sum = false);
void fence(thread_state& t, order o, scope s);  // relaxed: nothing

// ---- Synchronisation inside a launch. -------------------------------------------------------------------------
void block_barrier(block_state& b);                            // all live threads arrived; call once, before any leaves
void warp_sync(block_state& b, int warp, std::uint32_t mask);  // lanes of `mask` (of 32) arrived
void group_sync(block_state& b, std::span<const int> ranks);   // any set of the block's threads
void blocks_sync(std::span<block_state* const> blocks);        // cluster or grid barrier: all threads of these blocks
// Barrier `number` (0 .. 15) of the block: a thread arrives and goes on, which orders nothing for itself; those that
// waited (ranks) go on, after all that arrived.
void arrive_at_named(thread_state& t, int number);
void named_barrier(block_state& b, int number, std::span<const int> ranks);
void release(thread_state& t, sync_object& s);  // arrive
void acquire(thread_state& t, sync_object& s);  // wait done
// An asynchronous copy is an agent of its own that starts after what its issuer did so far. Announce its accesses with
// read_range/write_range on the returned state, then release() it into a sync_object that the waiters acquire.
// The state stays valid until its launch ends or async_end is called.
thread_state& async_begin(thread_state& issuer);
// A barrier object of the issuer's block is told of the copy; who has waited for one knows of all such copies. Which
// object it was is not kept.
void tell_object(thread_state& copy);
void wait_for_told_copies(thread_state& t);
void async_end(thread_state& copy);
// The same for copies of threads that mostly wait for them themselves, told where they are issued and right before the
// data moves: an agent only where it takes one (own_copies.cpp).
struct data_copy {
  std::uintptr_t to, from;
  std::size_t size;
  std::uintptr_t pc;
};
sim::copy_start begin_copy(thread_state& issuer, const data_copy& c);
void perform_copy(thread_state& issuer, sim::copy_start& start, const data_copy& c, sim::copy_end end);
// The thread launches a kernel, which detector::launch_begin calls by this number, when the launch has ended. Those of
// one block on one stream run one after the other. All of a block's do, where one of its threads lets streams meet.
void kernel_launched(thread_state& t, std::uint64_t number, std::uint64_t stream = 0);
void kernel_streams_meet(thread_state& t);
void thread_exit(
    thread_state& t);  // the thread is done; exiting counts as arriving at every later barrier of the block

// Reports an access to host memory or any other finding at this thread's position, with the same folding as all others.
void report_here(thread_state& t, rule r, severity s, access_kind kind, std::uintptr_t address, std::size_t bytes,
                 std::uintptr_t pc, cause what, facts values = {});

// A block's thread by rank (x fastest). Valid from block_begin to block_end.
thread_state& thread_of(block_state& b, int rank);
// Names an array of the block's shared memory; the same address again changes nothing. Bytes of the block's range that
// belong to no array are out of bounds: leave at least 16 between arrays.
void shared_array(block_state& b, std::uintptr_t address, std::size_t size, const object_info& info);
// What reports call the array announced at `address` from now on.
void name_shared_array(block_state& b, std::uintptr_t address, const object_info& info);

class detector {
 public:
  detector(const options& o, address_range device, address_range shared);
  ~detector();
  detector(const detector&) = delete;
  detector& operator=(const detector&) = delete;

  // ---- Device memory. Addresses are multiples of 16; leave at least 16 bytes between allocations. ----
  void allocated(allocation a, bool initialised = false);
  // Announce before the memory is given back. False (and a finding) if `address` is no live allocation.
  // Freed addresses should stay unused for a while, else use-after-free looks like an access to the new owner.
  bool freed(std::uintptr_t address, std::span<const std::uintptr_t> stack = {}, int stream = 0);
  std::vector<allocation> live_allocations() const;
  void report_leaks();  // a finding for each
  std::size_t uninitialised_bytes(std::uintptr_t address, std::size_t size) const;
  // Of `count` elements, those in which no kernel has written a byte since the last copy or fill; -1: no live
  // allocation; 0: some element was last changed by an atomic read-modify-write, so the others may well stay.
  std::int64_t unwritten_elements(std::uintptr_t address, std::size_t element_size, std::int64_t count) const;

  // ---- Host and streams. Stream 0 is the host itself. ----
  // Work on a stream follows earlier work on it and all that the host did before enqueuing it. The host follows a
  // stream's work only through wait(0, ...). Legacy default-stream rules are waits that the caller announces.
  int new_stream(std::string name);
  using position = std::vector<std::uint64_t>;
  position record(int stream) const;            // all that was enqueued on the stream so far (an event)
  void wait(int stream, const position& done);  // what follows on `stream` comes after `done`
  // Accesses by copies, fills and the host (stream 0: at once; others: as stream work). pcs: stack of the host call.
  // `waited`: the host announces nothing before the copy is done and known to be (it still calls wait()).
  void copy_to_device(int stream, std::uintptr_t to, std::size_t bytes, std::span<const std::uintptr_t> stack = {},
                      bool waited = false);
  void copy_to_host(int stream, std::uintptr_t from, std::size_t bytes, std::span<const std::uintptr_t> stack = {},
                    bool waited = false);
  // An atomic operation of the host, at system scope; it orders like a device thread's.
  void host_atomic(int stream, std::uintptr_t address, std::uint32_t bytes, atomic_op op, order o, std::uintptr_t pc);
  // What an atomic load of the host learns, without the access itself.
  void host_acquires(int stream, std::uintptr_t address, std::uint32_t bytes, order o);
  void host_fence(int stream, order o);  // at system scope
  // A read that moves no data: the stream makes the memory (work::allocation), or the host's code looks at managed
  // memory, on its own or as a callback of the stream.
  void host_reads(int stream, std::uintptr_t from, std::size_t bytes, std::span<const std::uintptr_t> stack = {},
                  work what = work::host_code);
  void copy_on_device(int stream, std::uintptr_t to, std::uintptr_t from, std::size_t bytes,
                      std::span<const std::uintptr_t> stack = {});
  // A write that is no copy: a fill, a free that a stream orders (work::release), or the host's code likewise.
  void fill(int stream, std::uintptr_t to, std::size_t bytes, std::span<const std::uintptr_t> stack = {},
            work what = work::fill);

  // ---- Launches. ----
  // `clusters`: of more than one block, which may touch each other's shared memory; nobody else ever does. `elements`:
  // of simt::launch_each, whose threads are not the user's. `child`: a kernel launched it, by kernel_launched(); its
  // stream is then that of the launch.
  launch_state& launch_begin(int stream, std::string kernel, index3 grid, index3 block, bool clusters = false,
                             bool elements = false, std::uint64_t child = 0);
  void launch_end(launch_state& l);
  // The blocks of a cluster are about to begin, with this shared memory: others may touch a block's before it begins.
  void cluster_begin(std::span<const address_range> shared);
  // `cluster`: number of the block's cluster (use the block's own number where there are none).
  // The shared range is this block's until block_end; all of it is uninitialised and unnamed.
  // `joined`: as event::block has it. The threads of such blocks are told apart in findings only: it is for launches in
  // which blocks are ordered no more than threads of one, because none waits, orders, or touches shared memory.
  block_state& block_begin(launch_state& l, std::int64_t linear, index3 index, std::int64_t cluster,
                           address_range shared, std::int32_t joined = 1);
  void block_end(block_state& b);

  // ---- Results. ----
  std::vector<finding> findings() const;  // in order of rule, object and place, so that reports repeat
  struct statistics {
    std::uint64_t findings_dropped = 0;      // distinct findings beyond options::max_findings
    std::uint64_t inexact_cells = 0;         // memory limits met: races on these cells may have been missed
    std::uint64_t excused_volatile = 0;      // accesses that would race if volatile were plain
    std::uint64_t agents_retired_early = 0;  // launches and copies that the host did not wait for, beyond a limit
    bool doubtful = false;                   // options::read_only_arrays missed races, or a line is another reader's
    std::size_t side_bytes = 0;              // of what is no linear shadow
  };
  statistics stats() const;
  detector_core& core() { return *core_; }

 private:
  std::unique_ptr<detector_core> core_;
};

}  // namespace simt::check
