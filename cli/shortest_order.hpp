// SPDX-License-Identifier: Apache-2.0
// The shortest order that shows a finding of a search: which departures of its run are needed, by trying without them
// (delta debugging: Zeller, Hildebrandt, TSE 2002).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schedule_runs.hpp"
#include "simt/module.hpp"

namespace simt::cli {

// Where a run departs from the order of thread numbers.
std::vector<schedule_switch> switches_of(const std::vector<explored_step>& trail);

class found_orders {
 public:
  // Adds a run of `request` to `runs`, and keeps what it was asked for those findings that are new there.
  void add(schedule_runs& runs, run_report&& run, const std::string& called, const run_request& request);
  // Gives those findings their orders, in so many seconds at most: what has not been left out by then stays in the
  // order. is_run: not of those that a memory model forbids.
  void shorten(module& kernels, run_report& report, const std::function<bool(const step_record&)>& is_run,
               double seconds = kLongest) const;

 private:
  static constexpr double kLongest = 5;
  struct found {
    std::vector<std::string> keys;  // of findings
    run_request request;
    result_status status = result_status::unchecked;
    std::vector<std::string> own;  // keys of what the run itself found
    bool is_shown_by(const run_report& r) const;
  };
  std::vector<found> all_;
};

}  // namespace simt::cli
