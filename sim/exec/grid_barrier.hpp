// SPDX-License-Identifier: Apache-2.0
// Barriers across blocks: of the whole grid (cooperative launches) and of a cluster.
//
// The threads of a block gather as at a block barrier (outer_barrier::threads); those of a block that runs as loops are
// there together. With the last of them the block arrives: at the launch (grid) or at its cluster. When all blocks are
// there, each worker moves its blocks' waiters to its run queue.
//
// Invariants
// - outer_barrier::complete: the block has arrived and the barrier has not opened; then threads.arrived == live.
// - All blocks of a cluster belong to one worker, so a cluster's barrier takes no lock. Blocks that have ended count as
//   arrived (PTX ISA, barrier.cluster: non-exited threads).
// - A worker that has nothing but grid waiters is counted in grid_state::idle of the present phase. The launch is lost
//   when every running worker is: whoever could still arrive would run on one of them. All blocks of a cooperative
//   launch fit one worker, so none of this depends on how many workers the system really runs at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <sim/exec/fiber.hpp>

namespace simt::sim {

struct block_context;
struct fault_record;
struct launch_state;
class worker;

inline constexpr int kMaxClusterBlocks = 8;

struct cluster_state {
  block_context* members[kMaxClusterBlocks] = {};
  std::int32_t count = 0;
  std::int32_t arrived = 0;  // blocks that wait
  std::int32_t ended = 0;    // blocks that have ended
};

// Of a launch; part of launch_state.
struct grid_state {
  std::mutex mutex;
  std::vector<std::int64_t> here;  // the blocks that have arrived
  // Blocks that have ended, with the first thread to leave and from where; of instrumented code only.
  struct ended_block {
    std::int64_t block;
    std::int32_t rank;
    std::uintptr_t pc;
  };
  std::vector<ended_block> ended;
  std::atomic<std::uint32_t> phase{0};
  std::atomic<int> idle{0};
  void reset() {
    here.clear();
    ended.clear();
    phase = 0;
    idle = 0;
  }
};

// Where block `target` of the cluster keeps what lies at `mine` in b's shared memory. Faults if there is no such block
// or `mine` lies elsewhere.
std::byte* cluster_shared(block_context& b, std::int32_t rank, std::int64_t block_index, const void* mine, int target);

// A thread of the block has exited: it may have been the last that the block's part of such a barrier waits for.
void outer_barriers_after_exit(block_context& b);
// The block has ended: its cluster's barrier may open. True if it was the last of its cluster.
bool cluster_block_ended(block_context& b);
// Linear index of the block at position p of a launch with clusters, where the blocks of a cluster are neighbours.
std::int64_t block_at_cluster_position(const launch_state& l, std::int64_t p);

// Block b runs as loops, and all of its threads that are left have come to the grid's barrier, called from `pc`: waits
// on the block's stack until it opens. Faults if the launch is not cooperative. speaker: the first of the threads, for
// reports; -1: not known. From the loops (sim/compile/cut.cpp knows simt_grid_barrier), once a block.
void block_waits_at_grid(block_context& b, std::int32_t speaker, std::uintptr_t pc);
extern "C" void simt_grid_barrier(block_context& b);

// A block of a cooperative launch has ended. From the check variant, which knows from where its threads left.
void note_block_ended(const block_context& b);
// Who waits at the grid's barrier waits for blocks that have left: adds those. Under launch_state::fault_mutex.
void blame_blocks_left(const worker& w, fault_record& fault);

// Moves the waiters of blocks whose grid barrier has opened to the worker's run queue.
void open_grid_blocks(worker& w);
// Nothing else to do on this worker: waits until the grid barrier opens or the launch is lost (false).
bool await_grid(worker& w);

}  // namespace simt::sim
