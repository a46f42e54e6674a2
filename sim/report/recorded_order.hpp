// SPDX-License-Identifier: Apache-2.0
// The order in which a run's threads went on, as a scheduler chose it: data that a report can hold, a reader can read
// and `simrun replay` plays back.
//
// `picks` of a launch are words with spaces between, one for each place where the scheduler was asked:
//   +5       the running thread goes on, at five places in a row
//   +        it does so for ever, or gives way where it has run for long: the last word of a launch that hangs
//   2:7      thread 7 (linear index) of block 2 goes on
//   2:7-10   threads 7, 8, 9 and 10 of block 2 go on, each at the next place
//   &2:7     another block starts, and thread 7 of block 2 is the next of those that run already
//   ~        the running thread had run for long; everybody else goes on once before it does
//   z900     the running thread goes on, and nobody is asked any more until the launch has made 900 more accesses
//            (on fibers, while blocks may begin as loops, they count against that: sim/exec/scheduler)
//   WORD*3   the same three times
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt {

struct recorded_launch {
  std::string kernel;
  std::int64_t blocks = 0, threads = 0;  // threads of a block
  std::string picks;
  // Loads that did not read the newest value: "LOAD:N", its number in the launch, and how many stores it was behind.
  std::string older_values{};
  bool operator==(const recorded_launch&) const = default;
};

struct recorded_order {
  std::string schedule = "natural";
  std::uint64_t seed = 0;
  int workers = 0;  // natural: how many OS threads shared the blocks; which took which is not recorded
  // Of schedules that are asked at accesses; empty for others, which need nothing but their name.
  std::vector<recorded_launch> launches;
  std::string digest{};        // digest_of what is here, as it was recorded
  bool cut = false;            // more picks than are kept (kMostPickBytes): the rest is not here
  std::string memory_model{};  // "ptx", or empty: loads read the newest value
  // CUDA source under a search or a memory model: of the first run without findings, which others may differ from;
  // -1: there was none.
  int usual_exit_code = 0;
  bool operator==(const recorded_order&) const = default;
};

// Tells whether an order was changed since it was recorded.
std::string digest_of(const recorded_order& order);

inline constexpr std::size_t kMostPickBytes = std::size_t{32} << 20;  // of one run

}  // namespace simt
