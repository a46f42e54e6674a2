// SPDX-License-Identifier: Apache-2.0
// What policies share that decide at every step, and only there: who is where, which accesses are steps
// (sim/report/explored_run.hpp), which places are new ones, who spins.
//
// Between two steps a thread does what no other can see, so it runs on: nothing is lost if all of that is done before
// the next decision. So the policy decides where every thread that could go on has come to its next step: those that
// have not begun, or come from a barrier, are sent there first. Blocks begin before the first decision, as long as they
// fit.
//
// A thread that comes to the same line again and again, while no place that threads share has changed and it has stored
// nothing, waits for others in a loop. It is left out of the choice until something changes; after some rounds, until
// one of the places changes that it looks at. So is one that stores on and on to places of its own meanwhile, after
// many rounds: such a run did not go as planned. So is one that gives way again and again without coming to a step,
// until another one has stored anything. Where nobody else is left, those that spin go on in turn, each for some
// rounds, and the engine sees whether that can end (sim/exec/hangs.hpp).
#pragma once

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <sim/exec/scheduler/scheduler.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

struct block_context;
struct device_thread;

class stepwise : public scheduler {
 public:
  bool is_asked() const override { return true; }
  bool decides_after_waits() const override { return true; }
  step_record take_steps() override;

 protected:
  explicit stepwise(const step_request& request);

  // A thread that can go on with its next step, by rising number of the thread.
  struct candidate {
    std::int64_t thread = 0;
    std::int64_t at = 0;  // its place in ready_threads
  };
  static constexpr std::size_t kNobody = ~std::size_t{0};
  // Which of them does; there is one for each unit that can go on. `last`: that of the unit which did the step before
  // this, kNobody where it cannot.
  virtual std::size_t decide(std::span<const candidate> all, std::size_t last) = 0;
  // It would be the one that did the step before, whoever else can, and nothing but the number of steps tells of it.
  // Asked where those who can are the same as when it decided last, but for those that spun then and may not any more.
  virtual bool goes_on_unasked() { return false; }
  // There were such threads.
  bool has_left_out() const { return left_out_; }
  virtual void launch_starts(std::int64_t /*units*/) {}
  std::int64_t unit_of(std::int64_t thread) const;

  std::int64_t steps() const { return record_.steps; }
  // The step that a candidate is at.
  step_choice step_of(const candidate& c, std::uint32_t older = 0) const;
  // Where a memory model is followed: older values that it may read there, by how many stores they are behind.
  std::vector<std::uint32_t> offers(const candidate& c) const;
  step_record& record() { return record_; }
  // Adds a step to the trail: who does it, instead of whom in the order of thread numbers. Null: the trail is full, or
  // nobody asked for it.
  explored_step* trace(std::span<const candidate> all, std::size_t last, std::size_t chosen, std::uint32_t older,
                       const store_to_come& later = {});
  // The candidate is at a load that can be told to read a store to come.
  bool reads_simply(const candidate& c) const;
  bool keeps_trail() const { return keeps_trail_; }
  bool tells_others() const { return tells_others_; }

 private:
  void begin(const launch_state& l) override;
  void end(const launch_state& l) override;
  pick choose(const ready_threads& ready, const schedule_place& where) override;

  struct where_spinning {
    std::uintptr_t pc = 0;
    std::uint64_t place = 0;
    std::uint32_t places = 0;
    std::uint64_t all_changes = 0, changes = 0, stores = 0;  // changes_, changes_of(), and the thread's own stores then
    std::int64_t arrival = 0;                                // the last one there
    int visits = 0;                                          // in a row, with nothing changed
    int rounds = 0;  // the same, whatever the thread has stored and whatever has changed at which it does not look
  };
  struct thread_state {
    const device_thread* self = nullptr;
    bool waits_here = false;  // at a place where it was asked, with this access to come:
    bool is_step = false;
    pending_access access;
    std::uintptr_t pc = 0;
    std::uint64_t place = 0;
    std::uint32_t places = 0;
    std::uint64_t stores = 0;  // to places that are no steps
    where_spinning seen[4];
    std::size_t next_seen = 0;
    std::int64_t arrivals = 0;
    int visits = 0, rounds = 0;                  // where_spinning, of the present place
    std::uint64_t changes = 0, all_changes = 0;  // changes_of() then, and changes_ when that was last the same
    int steps_of_all = 0;                        // since it has given way, while all spin
    // Times that it went on between two steps, having given way: with nothing stored by others, and since a step was
    // done.
    int sent_in_vain = 0, sent = 0;
    std::uint64_t others_stores = 0;
    std::int64_t sent_behind = 0;
  };
  // Who has touched a place in this launch, of the block that did last; and whether others have.
  struct place_state {
    std::int64_t block = -1;
    std::uint32_t phase = 0, grid_phase = 0;
    std::int32_t reader = kNone, writer = kNone;
    bool read = false, written = false, read_by_others = false;
  };
  static constexpr std::int32_t kNone = -1, kSeveral = -2;

  std::int64_t number_of(const thread_name& t) const { return t.block * threads_of_block_ + t.thread; }
  void arrive(thread_state& s, const block_context& b, const schedule_place& where);
  void find_place(thread_state& s, const block_context& b) const;
  void touch(const thread_state& s, const block_context& b, std::int32_t rank, std::uint32_t grid_phase);
  std::uint64_t changes_of(const thread_state& s) const;
  bool spins(thread_state& s) const;
  bool is_sent_on(thread_state& s, const fiber& f) const;
  void note_change();
  void note_values();
  pick go(const ready_threads& ready, const schedule_place& where, const candidate& chosen, std::int64_t running);
  bool all_others_wait(const ready_threads& ready, std::int64_t running) const;
  void keep_one_of_each_unit();

  bool keeps_trail_, tells_others_;
  schedule_unit unit_;
  std::unordered_set<std::uint64_t> known_places_, new_places_;
  step_record record_;
  // Of the launch.
  std::int64_t threads_of_block_ = 0;
  std::vector<thread_state> threads_;
  std::unordered_map<std::uint64_t, place_state> touched_;
  std::vector<std::pair<std::uintptr_t, std::size_t>> allocations_;  // address and size, by address
  std::int64_t last_ = -1;                                           // who did the last step
  std::int64_t start_refused_at_ = -1;  // next_block when another block was to begin and did not
  bool left_out_ = false;               // of the last choice: a thread that spins
  bool guesses_spin_ = false;           // a thread that stores was taken for one that spins
  bool was_cut_ = false;                // record_.cut as the launch began
  std::uint64_t changes_ = 0;           // of places that threads share
  std::unordered_map<std::uint64_t, std::uint64_t> changes_at_;  // of each
  std::uint64_t changes_anywhere_ = 0;                           // of those without a number
  std::uint64_t all_stores_ = 0;                                 // and stores to others, by any thread
  struct {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
    std::uint64_t place = 0;
    std::uint32_t places = 0;
    unsigned char before[16] = {};
  } written_;  // by the last step, if it writes
  std::vector<candidate> candidates_;
  // The queue at the last step, where all in it waited at a step and the running thread went on. Whoever of them runs
  // asks first, so if that thread asks next and the queue is the same, all still wait.
  struct {
    const fiber *head = nullptr, *tail = nullptr;
    std::int64_t running = -1;  // -1: not so
  } waiting_;
};

}  // namespace simt::sim
