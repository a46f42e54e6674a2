// SPDX-License-Identifier: Apache-2.0
// Finds out when a launch can never end: a deadlock, where nothing can run, or a hang, where all that can run goes
// round in loops that nobody can end.
//
// What a thread does next follows from its registers, its stack and memory. So while memory does not change, a thread
// that is in a state for the second time comes back to it for ever, whatever the others' order. A loop that counts,
// computes or moves on does not come back. A worker is *quiet* since a moment from which on its threads have changed no
// memory. So with M the last of the moments since which the workers are quiet, the launch cannot end if each thread of
// each worker that can run was twice in one state since M, and no block is left to start
// (docs/decisions/0086-a-hang-is-proved.md).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include <sim/exec/fiber.hpp>

namespace simt::sim {

struct launch_state;
struct fault_record;
class worker;

// A stack that had to be interrupted, by a signal or by a request to yield, weighs as much as this many yields.
inline constexpr std::int64_t kParkWeight = 5'000;

// What one worker knows of it.
class hang_watch {
 public:
  explicit hang_watch(worker& w) : worker_(w) {}
  // A launch begins or ends on this worker.
  void begin();
  void end();
  // A barrier was passed or a thread has ended.
  void made_progress() {
    begin_anew();
    if (watching) forget();
  }
  // A thread has yielded, had to, or has gone on after that or since another one was chosen.
  void gave_way(const fiber& f) { ++idle_yields, has_run(f); }
  void had_to_give_way(const fiber& f) { idle_yields += kParkWeight, has_run(f); }
  void has_run(const fiber& f) {
    if (watching) seen_[&f].has_run = true;
  }
  void begin_anew() { idle_yields = 0; }
  // After many yields without progress: true if the launch cannot end.
  bool is_hung();

  std::int64_t idle_yields = 0;  // in a row, without progress
  std::int64_t spinning = 0;     // stacks between yield_thread and when they run next
  std::uint64_t updates = 0;     // yields since which an atomic had changed memory
  bool watching = false;         // looks are being compared
  // Counts stores of this worker's threads where somebody does; a spin makes none.
  const std::uint64_t* progress_counter = nullptr;

 private:
  struct seen_states {
    std::array<std::uint64_t, 16> marks{};
    std::array<std::int64_t, 16> when{};  // the last moment in that state
    std::size_t next = 0;
    std::int64_t proof = 0;  // the latest moment behind which it has come back to a state of that moment
    bool has_run = true;     // since the last look
  };

  void forget();
  bool all_have_run();
  std::uint64_t mark_of_world() const;
  void look(std::int64_t now);
  bool is_proved(std::int64_t now) const;

  worker& worker_;
  std::unordered_map<const fiber*, seen_states> seen_;  // while memory and barriers stay as they are
  std::uint64_t world_ = 0;
  std::int64_t next_look_ = 0;  // idle_yields
  std::int64_t begun_ = 0;      // moment of the first look
};

// End the launch as lost. Deadlock: no stack of w can run, none will.
void end_as_deadlock(worker& w);
void end_as_hang(worker& w);
// Adds who waits where on w; under launch_state::fault_mutex.
void note_waiters(const worker& w, fault_record& fault);

}  // namespace simt::sim
