// SPDX-License-Identifier: Apache-2.0
// Runs threads on stacks of one worker.
//
// Optimistic start. A block's threads run as one loop on one stack. The first thread that waits keeps that stack
// (its fiber is "detached"), and the threads behind it start on a fresh fiber. No thread is ever run twice, and
// a block whose threads never wait needs nothing of this.
//
// Teams (launch_traits::teams). A thread that ends on a stack of its own leaves that stack suspended in
// block_context::team, at its rank. When the block's last thread has ended and every thread had such a stack, all of
// them start again with the next block that the worker takes: no stack is set up, no first wait is special. Else they
// go back to the pool. Stacks of instrumented code do not start again but go on in the loop over threads.
#pragma once

#include <cstdint>

#include <sim/exec/block.hpp>
#include <sim/exec/executors/executor.hpp>

namespace simt::sim {

struct pending_access;
struct pick;

class fiber_executor final : public executor {
 public:
  explicit fiber_executor(worker& w);
  void start_blocks() override;
  void abandon() override;
  // A launch begins on this worker.
  void begin(launch_state& l);
  // Continues `f` from the worker's loop until the worker has to look for work again.
  void resume(fiber* f);

  // See fiber_calls.hpp.
  void detach(block_context& b, std::int32_t rank, std::int64_t block_index);
  // The fiber f, which runs block_index of b, is about to be suspended: the block becomes resident, and the blocks that
  // f had not begun go back to the worker.
  void make_resident(block_context& b, fiber& f, std::int64_t block_index);

  // A place where the schedule may let others run before the running thread goes on, before an access of instrumented
  // code, `what`, at `pc`. `out_of_time`: it has run alone for long. True if they have run; else the same thread goes
  // on at once.
  bool schedule_point(bool out_of_time, std::uintptr_t pc, const pending_access& what);
  bool take_turn(bool out_of_time, std::uintptr_t pc, const pending_access& what);

  // On f's stack, whose threads have exited: goes on elsewhere for good.
  [[noreturn]] void finish(fiber& f);
  // On the stack of f, a member of a team, whose thread has exited: the stack to switch to. f is switched to again when
  // it is to run its thread of another block.
  const stack_context* end_team_thread(fiber& f);
  // The same where others of the block are ready, and nothing else comes of the exit; null: something does.
  const stack_context* end_team_thread_fast(fiber& f);

  std::int64_t active() const { return active_; }

 private:
  pick ask_scheduler(fiber& f, bool out_of_time, std::uintptr_t pc, const pending_access& what);
  void join_team(block_context& b, fiber& f);
  bool start_next_block_of_team(block_context& b);
  void dissolve_team(block_context& b);
  bool threads_exited(block_context& b, fiber& f, std::int32_t count);
  void retire(fiber& f);
  void end_block(block_context& b);
  [[noreturn]] void leave_stack();

  worker& worker_;
  std::int64_t active_ = 0;         // fibers taken from the pool and not given back
  block_context* fresh_ = nullptr;  // block of the running fresh fiber; kept for the next while its threads do not wait
};

}  // namespace simt::sim
