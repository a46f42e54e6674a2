// SPDX-License-Identifier: Apache-2.0
// What takes turns in a search (schedule_unit): what --unit says, else what suits the largest launch.
#pragma once

#include <cstdint>
#include <string>

#include "sim/report/explored_run.hpp"

namespace simt::cli {

class search_unit {
 public:
  // "thread", "warp" or "block"; empty: nothing was said.
  explicit search_unit(const std::string& asked);

  schedule_unit now() const { return now_; }
  // A run had a launch of so many threads, in so many units. True: from now on something larger takes turns, so the
  // search begins again.
  bool learn(std::int64_t threads, std::int64_t units);

  std::int64_t threads() const { return threads_; }
  std::int64_t units() const { return units_; }  // of the largest launch; 0: no run has told
  // "64 threads"; "64 blocks (16,384 threads; of each block the first that can go on does)".
  std::string text() const;

 private:
  bool asked_;
  schedule_unit now_ = schedule_unit::thread;
  std::int64_t threads_ = 0, units_ = 0;
};

}  // namespace simt::cli
