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
#include <string>
#include <vector>

#include <sim/exec/block.hpp>
#include <sim/exec/gate.hpp>

namespace simt::sim {

class observer;

struct extent3 {
  std::int64_t x = 1, y = 1, z = 1;
  std::int64_t volume() const { return x * y * z; }
};

enum class schedule : std::uint8_t { natural, lockstep, reverse, random };

// Runs the threads [self.first, self.end) of block b, or for a fresh fiber the blocks [self's chunk).
using block_function = void (*)(block_context& b, fiber& self);

// How a device thread died.
enum class fault_kind : std::uint8_t {
  none,
  memory,            // SIGSEGV, SIGBUS
  misaligned,        // an instruction that wants an aligned address; the address is not known
  division_by_zero,  // SIGFPE
  stack_overflow,
  trap,  // t.trap(), a failed device assert, SIGILL
  exception,
  deadlock,
  hang,          // a spin that nobody can end
  timeout,
  launch_limit,  // a limit that shows only while the kernel runs: static shared memory
  warp_mask,     // a lane that no mask of its own names, or that others name and that never comes
};

struct fault_record {
  fault_kind kind = fault_kind::none;
  std::string text;
  std::uintptr_t pc = 0;
  std::uintptr_t address = 0;
  bool write = false;       // what `address` was wanted for
  std::int64_t block = -1;  // linear; -1: unknown
  std::int64_t thread = -1; // rank in its block; -1: unknown
  std::size_t stack_bytes = 0;
  // What the thread's calls are known by, innermost first, where `pc` is no place of the kernel's; see active_calls.
  static constexpr std::size_t kMaxCallers = 8;
  std::uintptr_t callers[kMaxCallers] = {};
  std::size_t caller_count = 0;
  // Who waited where when the launch was given up, at most kMaxWaiters of `waiting` threads.
  struct waiter {
    std::int64_t block = 0;
    std::int32_t thread = 0;
    wait_kind kind = wait_kind::none;
    std::uintptr_t pc = 0;
    std::string what;
  };
  static constexpr std::size_t kMaxWaiters = 64;
  std::vector<waiter> waiters;
  std::int64_t waiting = 0;
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
  std::int32_t id;  // index into launch_state::shared_offset; from register_shared_key
  std::uint32_t declared_align = 0;  // see shared_array
};
std::int32_t register_shared_key();

inline constexpr int kMaxSharedArrays = 256;
inline constexpr std::uint32_t kNoOffset = ~0u;

struct address_span {
  std::uintptr_t first = 0, end = 0;
};

struct launch_state {
  // what to run
  block_function body = nullptr;
  const void* args = nullptr;  // the kernel's parameters, args_bytes of host memory
  std::size_t args_bytes = 0;
  const char* name = "";
  extent3 grid, block;
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;
  extent3 cluster{1, 1, 1};
  int stream = 0;
  bool elements = false;  // the body is an element function's loop
  bool clustered() const { return cluster.volume() > 1; }
  bool preemptible = false;  // threads may be suspended by a signal: plain code, no instrumentation
  bool teams = false;        // stacks of a block that has ended go on with the next block
  bool stacks_stay = false;  // as they are, suspended behind end_turn(); else each time anew
  address_span code;         // executable segment that holds body; set by the watchdog when it needs it

  // how
  schedule order = schedule::natural;
  std::uint64_t seed = 0;
  std::int64_t blocks = 0;
  std::int32_t threads = 0;  // per block
  std::int64_t chunk = 1;           // blocks that a worker takes at once: neighbours in number, so in memory
  std::int64_t chunk_share = 0;     // not 0: chunks are this part of the blocks that are left instead
  bool fibers_walk_chunks = false;  // a fresh stack goes through all of them; under check through one block
  std::int64_t max_resident = 1;  // blocks a worker may hold at once

  // progress
  std::atomic<std::int64_t> next_block{0};
  std::atomic<std::int64_t> blocks_done{0};  // counted only by blocks that waited
  std::atomic<bool> aborted{false};
  std::atomic<bool> spins{false};      // a thread has had to yield: blocks wait for each other
  std::atomic<std::int64_t> parks{0};  // threads suspended by a signal so far
  std::atomic<int> running_workers{0}, stuck_workers{0};
  grid_state grid_sync;
  std::atomic<std::uint64_t> steps{0};  // logical time of check runs
  std::mutex fault_mutex;
  fault_record fault;  // the first

  // shared memory layout
  std::atomic<std::uint32_t> shared_offset[kMaxSharedArrays];
  std::mutex shared_mutex;
  std::uint32_t shared_used = 0;
  std::int32_t shared_count = 0;
  shared_array shared_arrays[kMaxSharedArrays];

  void* observer_state = nullptr;
};

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

struct launch_options {
  int workers = 0;  // 0: all cores
  schedule order = schedule::natural;
  std::uint64_t seed = 0;
  double timeout_seconds = 0;  // 0: none
  std::size_t stack_bytes = 0; // 0: fiber_pool::kDefaultStackBytes
};
// Options of all later launches of this process. Host; not while a launch runs.
void set_launch_options(const launch_options& options);
const launch_options& current_launch_options();
int worker_count();
// The process has device code that allocates device memory. Where somebody observes, its launches run on one worker from now
// on: an observer need not expect memory to come and go under other device threads. Host, before the first launch.
void device_code_allocates();
// Cores that this process may run on: fewer than the machine has under taskset or in a container with a set of cores.
int usable_cores();

struct launch_request {
  block_function body;
  const void* args;
  std::size_t args_bytes;
  const char* name;
  extent3 grid, block;
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;
  extent3 cluster{1, 1, 1};
  int stream = 0;
  bool plain = false;  // body is loop_over_threads: no instrumentation, no observer
  // The grid's blocks, each once; or only its first so many; or more, which they run in turns: the i-th is block i %
  // grid. For grids of one dimension; in turns for loop_over_elements alone.
  static constexpr std::int64_t kEachOnce = -1;
  std::int64_t blocks = kEachOnce;
};

// Runs a launch whose geometry has been checked. Gives the fault that ended it, kind none if it ran to its end.
fault_record run_launch(const launch_request& request);
// Instrumented steps of the last launch; check variant.
std::uint64_t last_launch_steps();

// Records a fault of the running thread and leaves the kernel for good. On a fiber.
// record_fault only writes it down (the first of a launch stays), leave_launch only leaves.
void record_fault(block_context& b, fault_kind kind, std::string text, std::uintptr_t pc, std::int64_t block, std::int64_t rank);
[[noreturn]] void leave_launch(block_context& b);
[[noreturn]] void raise_fault(block_context& b, fault_kind kind, std::string text, std::uintptr_t pc, std::int64_t block,
                              std::int64_t rank);

// Address of a static shared array of the running block; assigns its offset at the first use in the launch.
std::byte* assign_shared(block_context& b, const shared_key& key);
[[gnu::always_inline]] inline std::byte* shared_address(block_context& b, const shared_key& key) {
  const std::uint32_t offset = b.launch->shared_offset[key.id].load(std::memory_order_relaxed);
  if (offset == kNoOffset) [[unlikely]]
    return assign_shared(b, key);
  return b.shared + offset;
}

}  // namespace simt::sim
