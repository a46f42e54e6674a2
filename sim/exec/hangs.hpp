// SPDX-License-Identifier: Apache-2.0
// Finds out when a launch can never end: a deadlock, where nothing can run, or a hang, where all that can run goes
// round in loops that nobody can end.
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
  // A launch begins on this worker.
  void begin();
  // A barrier was passed or a thread has ended.
  void made_progress() {
    begin_anew();
    if (stuck) unstick();
  }
  // A thread has yielded, or had to.
  void gave_way() { ++idle_yields, ++turns; }
  void had_to_give_way() { idle_yields += kParkWeight, ++turns; }
  void begin_anew() { idle_yields = turns = 0; }
  // After many yields without progress: true if the launch cannot end.
  bool is_hung();

  std::int64_t idle_yields = 0;  // in a row, without progress
  std::int64_t turns = 0;        // the same, each of them once
  std::int64_t spinning = 0;     // stacks between yield_thread and when they run next
  std::uint64_t updates = 0;     // yields since which an atomic had changed memory
  bool stuck = false;            // counted in launch_state::stuck_workers
  // Counts stores of this worker's threads where somebody does; a spin makes none.
  const std::uint64_t* progress_counter = nullptr;

 private:
  void unstick();
  bool all_have_been_here();

  worker& worker_;
  struct seen_states {
    std::array<std::uint64_t, 16> marks{};
    std::size_t next = 0;
  };
  std::unordered_map<const fiber*, seen_states> seen_;  // while memory and barriers stay as they are
  std::uint64_t seen_world_ = 0;
};

// A launch is about to run, of the present thread of the host.
void note_launching_thread();

// End the launch as lost. Deadlock: no stack of w can run, none will.
void end_as_deadlock(worker& w);
void end_as_hang(worker& w);
// Adds who waits where on w; under launch_state::fault_mutex.
void note_waiters(const worker& w, fault_record& fault);

}  // namespace simt::sim
