// SPDX-License-Identifier: Apache-2.0
// One kernel launch on the simulated device: what to run, and the state that its workers share.
//
// A launch runs to its end on the calling thread and the workers before run_launch returns. Workers take chunks
// of blocks from one counter in increasing order; a worker whose resident blocks all spin or wait starts more,
// up to the number of blocks that the simulated device holds at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <sim/exec/block.hpp>
#include <sim/exec/fault_record.hpp>
#include <sim/exec/grid_barrier.hpp>
#include <sim/exec/launch_traits.hpp>
#include <sim/exec/loop_body.hpp>
#include <sim/report/explored_run.hpp>
#include <sim/report/recorded_order.hpp>

namespace simt::sim {

class observer;
class scheduler;

struct extent3 {
  std::int64_t x = 1, y = 1, z = 1;
  std::int64_t volume() const { return x * y * z; }
};

// Runs the threads [self.first, self.end) of block b, or for a fresh fiber the blocks [self's chunk).
using block_function = void (*)(block_context& b, fiber& self);

// What a kernel was compiled to: a body for each way of running it (executors/executor.hpp).
struct kernel_bodies {
  block_function threads = nullptr;    // one thread after the other on a stack; any of them may wait
  const loop_body* loops = &kNoLoops;  // made by a compiler pass, where it could
  bool operator==(const kernel_bodies&) const = default;
};

// Shared arrays of a kernel: assigned at their first use in a launch, the same offsets in every block.
struct shared_array {
  const char* name = nullptr;
  const char* type = nullptr;  // element type
  std::uint32_t offset = 0, bytes = 0, element_bytes = 0;
  std::uint32_t extents[4] = {0, 0, 0, 0};
  std::int32_t rank = 0;
  std::uint32_t declared_align = 0;  // of its type, where known; the array may lie better than that by luck
};
// Filled by kernel code through a static member per (name, type).
struct shared_key {
  const char* name;
  const char* type;
  std::uint32_t bytes, align, element_bytes;
  std::uint32_t extents[4];
  std::int32_t rank;
  std::int32_t id;                   // index into launch_state::shared_offset; from register_shared_key
  std::uint32_t declared_align = 0;  // see shared_array
};
std::int32_t register_shared_key();

inline constexpr int kMaxSharedArrays = 256;
inline constexpr std::uint32_t kNoOffset = ~0u;

struct address_span {
  std::uintptr_t first = 0, end = 0;
};

// A grid of one dimension for a kernel that takes any (loop_body::order).
struct wide_grid {
  std::int64_t blocks = 0;  // 0: none
  std::int64_t width = 0;   // threads of a block
};

struct launch_state {
  launch_state();  // as block_context()

  std::uint64_t number = 0;  // how many launches came before, and this one

  // what to run
  kernel_bodies bodies;
  const void* args = nullptr;  // the kernel's parameters, args_bytes of host memory
  std::size_t args_bytes = 0;
  const char* name = "";
  extent3 grid, block;
  std::uint32_t dynamic_shared = 0;
  extent3 cluster{1, 1, 1};
  int stream = 0;
  bool elements = false;    // the body is an element function's loop
  std::uint64_t child = 0;  // a kernel launched it: see launch_request
  address_span code;        // executable segment that holds bodies.threads; set by the watchdog when it needs it

  // how
  launch_traits traits;
  loop_function loop = nullptr;  // the launch runs as loops, this one for each block
  std::int64_t beside = 0;       // not 0: or this one for so many neighbours in x (loop_copy::run_beside)
  loop_function loop_beside = nullptr;
  simt::sim::scheduler* scheduler = nullptr;
  std::int64_t blocks = 0;
  std::int32_t threads = 0;      // per block
  std::int64_t chunk = 1;        // blocks that a worker takes at once: neighbours in number, so in memory
  wide_grid wide;                // loops: the grid that runs instead, and that `blocks` counts
  std::int64_t joined = 1;       // checked loops: so many neighbours in x run as one block where they can: joined_at()
  std::int64_t joined_from = 0;  // not before this block
  bool wide_blocks = false;      // the direct loop runs neighbours in x as one block that is as wide as all of them
  bool rows_of_blocks = false;   // the direct loop runs neighbours in x row by row: what they touch lies in rows
  std::int64_t rows_of_blocks_at_once = 1;  // and so many whole rows of the grid plane by plane
  std::int64_t chunk_share = 0;             // not 0: chunks are this part of the blocks left, in whole `chunk`s
  std::int64_t max_resident = 1;            // blocks a worker may hold at once
  std::int64_t (*blocks_of_device)(std::int64_t threads, std::int64_t shared) = nullptr;  // see launch_request

  // progress
  std::atomic<std::int64_t> next_block{0};
  std::atomic<std::int64_t> blocks_done{0};  // counted only by blocks that waited
  std::atomic<bool> aborted{false};
  std::atomic<bool> waited{false};     // a thread has kept its stack
  std::atomic<bool> spins{false};      // a thread has had to yield: blocks wait for each other
  std::atomic<std::int64_t> parks{0};  // threads suspended by a signal so far
  std::atomic<int> running_workers{0};
  grid_state grid_sync;
  std::mutex fault_mutex;
  fault_record fault;  // the first

  // shared memory layout
  std::atomic<std::uint32_t> shared_offset[kMaxSharedArrays];
  std::mutex shared_mutex;
  std::uint32_t shared_used = 0;
  std::atomic<std::int64_t> shared_of_block{-1};  // the same, where blocks run side by side; -1: none has run
  std::int32_t shared_count = 0;
  shared_array shared_arrays[kMaxSharedArrays];
};

// Of `count` threads or blocks that the launch takes one after the other: the number of the one at place `ordinal`.
inline std::int64_t schedule_position(const launch_state& l, std::int64_t ordinal, std::int64_t count) {
  return l.traits.begins_backwards ? count - 1 - ordinal : ordinal;
}

// b is block `index` of its launch's grid.
inline void place_block(block_context& b, std::int64_t index) {
  const extent3 &grid = b.launch->grid, &block = b.launch->block;
  b.index = index;
  b.at[0] = index % grid.x;
  b.at[1] = index / grid.x % grid.y;
  b.at[2] = index / grid.x / grid.y;
  b.origin[0] = b.at[0] * block.x;
  b.origin[1] = b.at[1] * block.y;
  b.origin[2] = b.at[2] * block.z;
}

// How many blocks from `index` on, of those before `end`, run as one block of loops: l.joined of them, or one.
inline std::int64_t joined_at(const launch_state& l, std::int64_t index, std::int64_t end) {
  const std::int64_t x = index % l.grid.x;
  const bool can = index >= l.joined_from && x % l.joined == 0 && x + l.joined <= l.grid.x && index + l.joined <= end;
  return can ? l.joined : 1;
}

// How the threads of a launch ran.
enum class execution : std::uint8_t {
  direct,  // one after the other, and none of them waited
  loops,   // the kernel's pieces between barriers, each a loop over the threads
  fibers,  // on stacks of their own from their first wait on
};
// What a launch may be run by: what fits, or what somebody asked for. In the order of kExecutionNames
// (simt/module.hpp).
// single: as fibers, but a kernel is entered for each thread on its own, so that a fault's thread is known.
enum class wanted_execution : std::uint8_t { automatic, loops, fibers, single };

struct launch_options {
  int workers = 0;  // 0: all cores
  schedule order = schedule::natural;
  std::uint64_t seed = 0;
  std::optional<recorded_order> replay{};  // what an earlier run under `order` recorded: plays that back instead
  step_request steps{};                    // of pct and explore
  double timeout_seconds = 0;              // 0: none
  double quiet_seconds = 10;               // without: says so where no block has begun or ended for so long
  std::size_t stack_bytes = 0;             // 0: fiber_pool::kDefaultStackBytes
  wanted_execution executed_by = wanted_execution::automatic;
};
// Options of all later launches of this process. Host; not while a launch runs.
void set_launch_options(const launch_options& options);
const launch_options& current_launch_options();
// The order in which threads went on since the options were set, and how that differed from what was to be replayed
// (empty: it did not). Host; not while a launch runs.
recorded_order take_recorded_order();
std::string departure_from_record();
// What pct and explore saw since the options were set. Host; not while a launch runs.
step_record take_step_record();
// Ends the launch that runs, and each that follows, as if its time were up: the process was asked to end by this
// signal. From any thread, not from a signal handler.
void interrupt_launches(int signal);
int interrupted_by();  // that signal; 0: none
int worker_count();
// The process has device code that allocates device memory. Where somebody observes, its launches run on one worker
// from now on: an observer need not expect memory to come and go under other device threads. Host, before the first
// launch.
void device_code_allocates();
// Cores that this process may run on: fewer than the machine has under taskset or in a container with a set of cores.
int usable_cores();

struct launch_request {
  kernel_bodies bodies;
  bool instrumented = false;  // see launch_traits
  const void* args;
  std::size_t args_bytes;
  const char* name;
  extent3 grid, block;
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;
  extent3 cluster{1, 1, 1};
  int stream = 0;
  // What dispatcher::kernel_launched gave where a kernel launched it; it runs when that has ended. 0: the host did.
  std::uint64_t child = 0;
  // The grid's blocks, each once; or only its first so many; or more, which they run in several passes: the i-th is
  // block i % grid. For grids of one dimension; in passes for loop_over_elements alone.
  static constexpr std::int64_t kEachOnce = -1;
  std::int64_t blocks = kEachOnce;
  // How many blocks of so many threads and bytes of shared memory the simulated device holds at once; null: any number.
  std::int64_t (*blocks_of_device)(std::int64_t threads, std::int64_t shared) = nullptr;
};

// Runs a launch whose geometry has been checked. Gives the fault that ended it, kind none if it ran to its end.
fault_record run_launch(const launch_request& request);
// Instrumented steps of the last launch; check variant.
std::uint64_t last_launch_steps();
// How the last launch ran, and why not as loops (empty: it did).
struct execution_record {
  execution how = execution::direct;
  std::string reason;
  std::int64_t joined = 1;  // blocks that ran as one where they could: launch_state::joined
};
execution_record last_launch_execution();

// Records a fault of the running thread and leaves the kernel for good. On a fiber.
// record_fault only writes it down (the first of a launch stays), leave_launch only leaves.
void record_fault(block_context& b, fault_record fault);
[[noreturn]] void leave_launch(block_context& b);
[[noreturn]] void raise_fault(block_context& b, fault_record fault);

// Address of a static shared array of the running block; assigns its offset at the first use in the launch.
std::byte* assign_shared(block_context& b, const shared_key& key);
// The address, for loops that the compiler pass has made (sim/compile/cut.cpp knows the name).
extern "C" std::byte* simt_shared_array(block_context& b, const shared_key& key);
[[gnu::always_inline]] inline std::byte* shared_address(block_context& b, const shared_key& key) {
  const std::uint32_t offset = b.launch->shared_offset[key.id].load(std::memory_order_relaxed);
  if (offset == kNoOffset) [[unlikely]]
    return assign_shared(b, key);
  return b.shared + offset;
}

}  // namespace simt::sim
