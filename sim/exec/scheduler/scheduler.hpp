// SPDX-License-Identifier: Apache-2.0
// Who runs next, at every place where that may change: one policy a file behind this interface.
//
// A policy says in which order blocks and threads begin, and, if it wants to be asked, who goes on at each access,
// atomic operation and barrier of instrumented code. Where nobody is asked, whoever waits gives way to the next in the
// queue, first in, first out. What a policy answers is recorded (recorded_order.hpp) and can be played back (replay).
// The natural schedule is never asked. Launches of all others run on one worker, so nothing here is called by two
// threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <sim/exec/run_queue.hpp>
#include <sim/exec/scheduler/pending_access.hpp>
#include <sim/exec/scheduler/pick_words.hpp>
#include <sim/exec/scheduler/weak_memory.hpp>
#include <sim/report/explored_run.hpp>
#include <sim/report/recorded_order.hpp>

namespace simt::sim {

struct launch_state;

// Stacks that could go on: those in the queue, in its order, and behind them the one that runs.
struct ready_threads {
  const fiber_list& queue;
  const fiber& running;
  // The first in the queue, or the rest of the running thread's block, has not begun: it comes before all others, and
  // no block starts before it.
  bool rest_is_first = false;
};

// Where a policy is asked: before an access of the running thread.
struct schedule_place {
  const launch_state& launch;
  std::int64_t resident = 0;  // blocks in which a thread has waited and that have not ended
  bool out_of_time = false;   // the running thread has run alone for long (sim/exec/watchdog.cpp)
  std::uintptr_t pc = 0;
  pending_access access{};
};

// Which thread a stack runs or will begin with, and which goes on if the stack at a place of ready_threads does.
struct thread_name {
  std::int64_t block = 0;
  std::int32_t thread = 0;
  bool operator==(const thread_name&) const = default;
};
thread_name name_of(const fiber& f, const fiber& running);
thread_name name_at(const ready_threads& ready, std::int64_t place);

struct pick {
  enum class kind : std::uint8_t { stays, goes_on, yields, rests } what = kind::stays;
  // goes_on: who, by the place in ready_threads; those before it come to the end of the queue. With rest_is_first it is
  // 0. A place behind the running thread counts on from the first.
  // rests: the running thread goes on, and nobody is asked until the launch has made so many more accesses .
  std::int64_t next = 0;
  bool starts_block = false;  // goes_on: before that, another block starts if one is left and fits
};

class scheduler {
 public:
  scheduler() = default;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;
  virtual ~scheduler() = default;

  // Blocks, and the threads of a block, begin by falling number instead of rising.
  virtual bool begins_backwards() const { return false; }
  // It is asked at accesses.
  virtual bool is_asked() const { return weak_ != nullptr; }
  // Where a thread waits or ends, the next in line is no choice: if that one was at a place where the policy is asked,
  // the policy is asked there once more.
  virtual bool decides_after_waits() const { return false; }
  // Threads that execute the same code stay in step. So who opens a barrier, or completes a meeting of its warp, is
  // asked there, for the others have not come as far; and each thread has a budget of its own for what may be a spin.
  virtual bool keeps_step() const { return false; }
  // It may rest. While it does, threads run as under the natural schedule, and blocks begin as loops where they can.
  virtual bool may_rest() const { return false; }
  bool rests() const { return rest_ > 0; }
  // The launch has made so many accesses: at once when a rest begins, and where it may end. Only where all are counted,
  // on any machine and in any run alike, or replays part from what they repeat.
  void accesses_made(const launch_state& l, std::uint64_t steps);
  // A block of so many threads begins as loops: what is made until the next call of accesses_made is made by it. Where
  // nobody counts accesses, threads stand for them.
  void passes(std::int64_t threads) {
    rested_ += threads;
    in_loops_ = true;
  }
  // The last pick was that this thread goes on.
  bool has_chosen(const thread_name& t) const { return has_chosen_ && chosen_ == t; }
  // Loads read what a memory model allows; null: always the newest value. Set before the first launch.
  weak_memory* weak() const { return weak_.get(); }
  void follow(std::unique_ptr<weak_memory> model) { weak_ = std::move(model); }

  void launch_begins(const launch_state& l);
  void launch_ends(const launch_state& l);
  // Who goes on. Only where it is asked.
  pick next(const ready_threads& ready, const schedule_place& where);

  // What was picked since the last call, in launches that have ended.
  recorded_order take_order();
  // What pct and explore saw of the run since the last call.
  virtual step_record take_steps() { return {}; }
  // What a replay was to repeat was not what happened; empty: all went as recorded.
  const std::string& departure() const { return departure_; }

 protected:
  virtual pick choose(const ready_threads& ready, const schedule_place& where);
  virtual void begin(const launch_state&) {}
  virtual void end(const launch_state&) {}
  virtual void wakes() {}
  // In begin(): the launch begins with a rest, whose end accesses_made() tells. On record, its picks begin with it.
  void begin_with_rest(std::int64_t accesses);
  // In begin(): what was left of the rest that the launch before ended in.
  std::int64_t rest_left() const { return rest_left_; }
  void depart(std::string text) {
    if (departure_.empty()) departure_ = std::move(text);
  }

 private:
  pick pick_next(const ready_threads& ready, const schedule_place& where);

  std::unique_ptr<weak_memory> weak_;
  recorded_order order_;
  pick_writer picks_;
  std::size_t kept_bytes_ = 0;
  std::string departure_;
  thread_name chosen_;
  bool has_chosen_ = false;
  std::int64_t rest_ = 0;    // how long it rests; 0: it does not
  std::int64_t told_ = -1;   // accesses made when it was told last; -1: not yet in this rest
  std::int64_t rested_ = 0;  // how much of the rest is over
  std::int64_t rest_left_ = 0;
  bool in_loops_ = false;  // what is made since then, a block makes that began as loops
  bool by_clock_ = false;  // of this launch: a thread had run for so long that it was to give way
};

// The policies.
std::unique_ptr<scheduler> make_natural();
std::unique_ptr<scheduler> make_lockstep();
std::unique_ptr<scheduler> make_reverse();
std::unique_ptr<scheduler> make_random(std::uint64_t seed);
// Probabilistic concurrency testing, and one run of a search.
std::unique_ptr<scheduler> make_pct(std::uint64_t seed, const step_request& request);
std::unique_ptr<scheduler> make_explore(const step_request& request);
// Plays back what another one picked, which decided after waits or did not, kept threads in step or did not, and may
// have rested.
std::unique_ptr<scheduler> make_replay(recorded_order order, bool decided_after_waits, bool kept_step, bool rested);

}  // namespace simt::sim
