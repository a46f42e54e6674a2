// SPDX-License-Identifier: Apache-2.0
// Runs blocks by what the compiler pass made of their kernel (loop_body.hpp): one call a block.
//
// The pass takes no kernel in which a thread waits for another one but at barriers of its block and of the grid. So a
// block runs to its end at once, or to the grid's barrier, where it waits as one (grid_barrier.hpp): nothing yields,
// and preemption (preempt.cpp) leaves such launches alone. The calls are made on stacks of the fibers' pool, one for
// each block that waits, which a fault or a timeout can leave as it leaves any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/executors/executor.hpp>
#include <sim/exec/launch.hpp>
#include <sim/exec/loop_body.hpp>

namespace simt::sim {

struct fiber;
enum class wanted_execution : unsigned char;

// The loops that l can be run by. run is null where it cannot, and then reason says why.
struct loop_choice {
  loop_function run = nullptr;
  const char* reason = "";
  wide_grid wide = {};                 // see launch_state
  std::int64_t beside = 0;             // not 0: so many neighbours in x may run side by side,
  loop_function run_beside = nullptr;  // by this
};
loop_choice choose_loops(const launch_state& l, wanted_execution wanted);
// launch_state::joined, a power of two.
std::int64_t joined_blocks(const launch_state& l);

// What a block needs while it runs.
struct loop_room {
  struct aligned_delete {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, aligned_delete> arrays;  // what threads keep from barrier to barrier
  std::size_t array_bytes = 0;
  std::vector<async_copies> copies;  // under way, by rank
};

class loop_executor final : public executor {
 public:
  explicit loop_executor(worker& w) : worker_(w) {}
  void start_blocks() override;
  void abandon() override;
  // On the stack of `self`, which was started with b and whole blocks.
  void run_blocks(block_context& b, fiber& self);
  // Is this in the arrays that hold what threads of the running block keep from barrier to barrier?
  bool holds(std::uintptr_t address) const;

  // Those that thread `rank` of the running block has under way.
  async_copies& copies_of(std::int32_t rank);

 private:
  loop_room& take_room(const launch_state& l);

  worker& worker_;
  // As many as blocks have run at once; kept for later launches. Blocks write their part of arrays before they read it,
  // so nothing is cleared.
  std::vector<std::unique_ptr<loop_room>> rooms_;
  std::vector<loop_room*> free_rooms_;
};

}  // namespace simt::sim
