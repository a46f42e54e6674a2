// SPDX-License-Identifier: Apache-2.0
// What happens in a watched run, as data: the one stream of events that consumers (the detector, later counters and a
// trace) get from the dispatcher. Consumers include this header and sim/instrument/consumer.hpp, nothing else of the
// engine.
//
// Invariants
// - Spans and pointers in an event are valid during the call that hands it over.
// - A code address (`site`) is the one behind the call that announced the event, as the compiler passes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sim/exec/copy_end.hpp>
#include <sim/exec/warp_op_kind.hpp>

namespace simt::sim {

struct allocation;  // sim/memory/device_memory.hpp

// What the judge keeps of a device thread derives from this (consumer::block_begins): kThreadStateBytes in all.
struct watched_thread {
  std::uint32_t rank = 0;
  bool pending = false;  // the judge wants to know when the thread exits
};

namespace event {

using code_address = std::uintptr_t;

// Scopes and orders as in PTX; system is device plus host.
enum class scope : std::uint8_t { thread, block, cluster, device, system };
enum class order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };
constexpr bool acquires(order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; }
constexpr bool releases(order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; }
// What an atomic operation did: a compare-and-swap that failed is a load with its failure order.
enum class atomic_op : std::uint8_t { load, store, rmw };
// As what a GPU does a read-modify-write: one whose old value is read; one whose is not; of these, one that counts up
// in memory by the constant 1. Or a compare-and-swap: where it did not write, `op` is load. Of the last three, all
// lanes of a warp have one address, and a GPU adds up within the warp before one of them updates (the last one: where
// no lane is missing).
enum class update_form : std::uint8_t {
  atomic,
  reduction,
  increment,
  swap,
  reduction_of_warp,
  atomic_of_warp,
  atomic_of_full_warp
};
constexpr bool is_read(update_form f) {
  return f != update_form::reduction && f != update_form::increment && f != update_form::reduction_of_warp;
}

struct coordinates {
  std::int64_t x = 0, y = 0, z = 0;
};

// A range of memory.
struct bytes {
  std::uintptr_t from = 0;
  std::size_t size = 0;
};

// ---- Launches and blocks -----------------------------------------------------------------------------------------

struct launch {
  const char* kernel = "";
  coordinates grid, block, cluster;  // cluster: {1, 1, 1} where there are none
  int stream = 0;                    // handle; 0: the default stream
  std::uint32_t dynamic_shared = 0;  // bytes
  bool elements = false;             // launch_each: an element function's loop
  std::uint64_t child = 0;           // kernel_launch::number, where a kernel launched it; its stream is that kernel's
  bool cooperative = false;          // its blocks may wait for each other
};

// A device thread launches a kernel, which begins later.
struct kernel_launch {
  watched_thread* thread;
  std::uint64_t number;  // of no other in this run; not 0
  std::uint64_t stream;  // of its block's: what has the same one runs one after the other
};

// Launches of more blocks are announced block by block.
inline constexpr std::int64_t kMostBlocksJoined = std::int64_t{1} << 27;

// A block while it is resident; the same object in all events of the block.
struct block {
  const event::launch* launch = nullptr;
  std::int64_t number = 0;  // linear, in its grid
  coordinates at;
  std::int64_t cluster = 0;          // number of its cluster; its own number where there are none
  std::int32_t threads = 0;          // ranks are 0 .. threads - 1, x fastest
  std::int32_t joined = 1;           // so many neighbours in x, from `number` on, are this one: its rows are theirs
  bytes shared;                      // its shared memory
  code_address grid_site = 0;        // where it waits for the grid, or has waited last
  watched_thread* states = nullptr;  // by rank; null: nobody judges its accesses
  void* kept = nullptr;              // of the counters (sim/profile), set in consumer::block_begins
};

// A thread where it waits, or where it left the kernel.
struct thread_at {
  std::int32_t rank = -1;
  code_address site = 0;
};

// A declared array of a block's shared memory, or a name for all of its dynamic part.
struct shared_array {
  const char* name;
  const char* type;
  bytes where;
  std::uint32_t element_bytes;
  std::span<const std::uint32_t> extents;
};

// ---- Accesses of device threads ----------------------------------------------------------------------------------

enum class access_kind : std::uint8_t { read, write };
enum class access_form : std::uint8_t { scalar, unaligned, is_volatile, range };

// One access, announced before it happens.
struct access {
  const event::block* block;
  std::int32_t rank;
  code_address site;
  std::uintptr_t address;
  std::size_t size;
  access_kind kind;
  access_form form;
};

// Accesses of neighbouring threads by one instruction at evenly spaced addresses. Announced together, after they have
// happened and before the next event that could order them.
struct access_batch {
  const event::block* block;
  code_address site;
  std::uintptr_t base;       // address of the first thread's access
  std::intptr_t stride;      // to the next thread's, which has the next rank
  std::intptr_t row_stride;  // to the address of the thread one row of the block on (y + 1)
  std::int32_t first_rank;
  std::uint32_t count;  // threads
  std::uint32_t width;  // threads of a row; the first one's place in its row is first_rank % width
  std::uint32_t size;   // bytes of each access: 4, 8 or 16
  access_kind kind;

  std::uintptr_t address_of(std::uint32_t position) const {
    const std::uint32_t in_row = static_cast<std::uint32_t>(first_rank) % width, place = in_row + position;
    return base + static_cast<std::uintptr_t>(
                      row_stride * static_cast<std::intptr_t>(place / width) +
                      stride * (static_cast<std::intptr_t>(place % width) - static_cast<std::intptr_t>(in_row)));
  }
  // The bytes that the thread at this position read or wrote, as memory has them now.
  const void* value(std::uint32_t position) const { return reinterpret_cast<const void*>(address_of(position)); }
};

// An atomic operation, announced after it happened.
struct atomic {
  const event::block* block;
  std::int32_t rank;
  code_address site;
  std::uintptr_t address;
  std::uint32_t size;
  atomic_op op;
  event::order order;
  event::scope scope;
  update_form form = update_form::atomic;
};

struct fence {
  const event::block* block;
  std::int32_t rank;
  event::order order;
  event::scope scope;
};

// An access that is neither of device memory, nor of shared memory, nor local to its thread, nor of a constant.
struct foreign_access {
  watched_thread* thread;
  code_address site;
  std::uintptr_t address;
  std::size_t size;
  access_kind kind;
};

// An index outside the extents of a view. Outermost axis first.
struct index_outside {
  watched_thread* thread;
  code_address site;
  std::uintptr_t data;  // the view's first element
  std::size_t element_bytes;
  std::span<const std::int64_t> index, extents;
};

// An access outside a variable of the thread's own, which was not made.
struct own_array_outside {
  watched_thread* thread;
  code_address site;
  std::string_view name;  // of the variable; empty: not known
  access_kind kind;
  std::int64_t offset;       // where it starts, in bytes from the variable
  std::int64_t size, whole;  // of the access, and of the variable
  std::int64_t element_bytes;
  std::span<const std::int64_t> extents;  // of an array, outermost first
};

// A structure or vector type at an address that does not suit it.
struct misplaced_object {
  watched_thread* thread;
  code_address site;
  std::uintptr_t address;
  std::size_t alignment;
  access_kind kind;
  bool accessed;  // false: a reference was bound to it, and what is done with that is not known
  const char* type;
};

// A copy of `whole` bytes in pieces of `piece` from or to an address, where that or the size is no multiple of `piece`,
// or the array there is declared with less alignment (declared; else 0).
struct misplaced_copy {
  watched_thread* thread;
  code_address site;
  std::uintptr_t address;
  std::uint32_t piece;
  std::size_t whole;
  access_kind kind;
  std::uint32_t declared;
};

// ---- Barriers and warps ------------------------------------------------------------------------------------------

// Threads that left the kernel: how many, and the first of them.
struct exits {
  std::int32_t count = 0;
  thread_at first;
  std::uint32_t phase = 0;  // barriers that the block had passed
};

// All live threads of a block have arrived at a barrier, which opens.
struct barrier {
  const event::block* block;
  std::int32_t live;                      // threads of the block that have not left the kernel
  thread_at first;                        // of those who arrived
  std::span<const thread_at> elsewhere;   // those who wait at another code address than the first one; see
                                          // dispatcher::options::barrier_rules
  exits before_first_barrier, after_one;  // since the barrier before this one
};

// Lanes of `mask` have arrived, but for those who left the kernel.
struct warp_sync {
  const event::block* block;
  std::int32_t warp;
  std::uint32_t mask;
};

// `left` of the lanes in `mask` had left the kernel when the operation completed.
struct absent_lanes {
  const event::block* block;
  thread_at speaker;  // a thread that took part
  warp_op_kind operation;
  std::uint32_t mask, left;
  thread_at first_left;  // the first of the block to leave, if it is one of them; site 0: not known
};

// A thread read the value of a lane that takes no part in the shuffle.
struct absent_source {
  const event::block* block;
  thread_at reader;
  std::uint32_t mask;
  std::int32_t lane;
};

// An asynchronous copy of a device thread: issued, and performed.
struct async_copy {
  const event::block* block;
  watched_thread* issuer;
  code_address site;
  std::uintptr_t to, from;
  std::size_t size;
  copy_start& start;  // what the judge keeps of the copy
  copy_end end;       // who knows of it, once it is performed
};

// ---- The host ----------------------------------------------------------------------------------------------------

// Host code, or a host callback that is work of a stream, touched memory of both sides. All such accesses between two
// events that order are announced together, joined where one instruction touched neighbours.
struct host_access {
  int stream;  // whose callback; kHostItself: the host's own code
  code_address site;
  bytes where;
  access_kind kind;
};
inline constexpr int kHostItself = -1;

struct host_atomic {
  int stream;
  code_address site;
  std::uintptr_t address;
  std::uint32_t size;
  atomic_op op;
  event::order order;
  // Told after the launch during which it happened: what the host learned by a load (or, where size is 0, by a fence).
  // The access itself is not to be judged.
  bool late = false;
  bool operator==(const host_atomic&) const = default;
};

// Host code touched device memory that is not the host's. owner: null where nobody knows.
struct host_touch_of_device {
  code_address site;
  std::uintptr_t address;
  std::size_t size;
  access_kind kind;
  const allocation* owner;
  std::vector<code_address> (*callers)(code_address site);  // who called, innermost first; to be asked at once
};

struct bad_free {
  code_address site;
  std::uintptr_t address;
  const allocation* last;  // that the address lies in, be it freed; null: there is none
};

// The host copies, or fills, memory that was freed, or bytes past the end of `owner`. Nothing was copied.
struct bad_copy {
  code_address site;
  std::uintptr_t address;
  std::size_t size;
  const allocation* owner;
  bool freed;
  access_kind kind;  // what is done to the device memory
};

// Work of a stream on device memory; an end that is the host's has size 0.
struct copy {
  int stream;
  code_address site;
  bytes to, from;
  bool waited;  // the host waits until it is done
};
struct fill {
  int stream;
  code_address site;
  bytes to;
};

// Memory begins or ends as work of a stream.
struct stream_memory {
  int stream;
  code_address site;
  bytes where;
  std::span<const code_address> callers;  // innermost first
};

}  // namespace event
}  // namespace simt::sim
