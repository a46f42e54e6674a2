// SPDX-License-Identifier: Apache-2.0
// A consumer that writes down what it gets, in the order in which it gets it.
//
// Plain data and plain functions: its code is compiled without instrumentation, the tests' code with it, and an inline
// function of one must not stand in for the other's.
#pragma once

#include <cstddef>
#include <cstdint>

namespace event_tests {

enum class step_kind : std::uint8_t { read, write, atomic, fence, barrier, exit };

// What one thread did, or what happened to its whole block. exit: the block has ended.
struct step {
  step_kind kind;
  std::int64_t block;
  std::int32_t rank;       // -1: all of the block
  std::uintptr_t address;  // of an access or an atomic operation; else 0
};

struct event_log {
  static constexpr std::size_t kMost = 1 << 16;
  step steps[kMost];
  std::size_t count = 0;       // of steps; more than kMost: the rest was dropped
  std::size_t singles = 0;     // accesses that came one by one
  std::size_t batches = 0;     // batches
  std::size_t in_batches = 0;  // accesses in them
};

// From here to the end of the run that watches this process, events go to `log`. Inside simt::check with some check, or
// a run that is counted: of any other run there are no events.
void write_events_to(event_log& log);

}  // namespace event_tests
