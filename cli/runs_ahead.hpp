// SPDX-License-Identifier: Apache-2.0
// Runs of a search that are made ahead of their turn, by several processes at a time.
//
// A process has one simulated device, so two runs need two processes. The others are copies of this one (fork): they
// have what the module has loaded and what the search knows, make every other of the next runs, and end. Of a run that
// went as the first one, counts and steps come back. Any other run, and one whose process died, is made again here when
// its turn comes. So what a search finds and says does not depend on the number of processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "schedule_runs.hpp"
#include "simt/module.hpp"

namespace simt::cli {

// The least time that a run is given, in seconds: 0 would be no limit.
inline constexpr double kShortestRun = 1e-3;

// Of --workers; 0: as many as there are cores.
int search_processes(int workers);

class runs_ahead {
 public:
  runs_ahead(module& kernels, int processes) : kernels_(kernels), processes_(processes) {}

  struct made_run {
    step_record steps;
    bool tells_others = false;  // as it was asked to
  };

  // One run, here and now.
  run_report run(const run_request& request);

  // Makes some of the next `planned` runs, if that is worth it and none is left of those before. request_of(i): of the
  // i-th. None begins after `seconds` from now; 0: no limit.
  void make(std::size_t planned, const std::function<run_request(std::size_t)>& request_of, const schedule_runs& runs,
            double seconds);
  bool is_empty() const { return told_.empty(); }
  // The turn of the next run has come. If it was made ahead and went as the first one, it is added to `runs` (if
  // is_run says that there is such a run); else there is nothing, and the caller makes it.
  std::optional<made_run> take(
      schedule_runs& runs,
      const std::function<bool(const step_record&)>& is_run = [](const step_record&) { return true; });
  // The next runs are others than those that were planned.
  void forget() { told_.clear(); }

 private:
  struct told_run {
    bool usual = false;
    run_counts counts;
    made_run made;
  };
  bool is_worth_it(std::size_t planned) const;

  module& kernels_;
  int processes_;
  std::deque<told_run> told_;
  double seconds_ = 0;                        // of the last run that was made here
  std::size_t last_batch_ = 0, in_vain_ = 0;  // runs of the last batch; those of them that were no use
};

}  // namespace simt::cli
