// SPDX-License-Identifier: Apache-2.0
// Which schedules a search runs. The first departs nowhere from the order of thread numbers; what a run's record shows
// gives the runs that depart once more. They are run by rising number of departures.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/report/explored_run.hpp"

namespace simt::cli {

struct explore_bound {
  int preemptions = 2;  // and loads of older values; -1: any number
  int departures = -1;  // from the order of thread numbers; -1: any number
  double seconds = 0;   // 0: no limit
};

struct planned_run {
  std::vector<schedule_departure> departures;
  int preemptions = 0;
};

class trail_state;

class schedule_search {
 public:
  explicit schedule_search(const explore_bound& bound) : bound_(bound) { begin({}); }

  bool is_done() const { return planned_.empty(); }
  planned_run take();
  // That run, the last that was taken, was not made after all.
  void give_back(planned_run run);
  // What that run has shown. False: a new place, everything begins again.
  bool learn(const planned_run& run, const step_record& r);

  const std::shared_ptr<const std::vector<std::uint64_t>>& places() const { return places_; }
  std::int64_t runs() const { return runs_; }
  bool left_out() const { return left_out_; }  // schedules beyond the bound
  // Departures of the next run: all schedules with fewer were run.
  std::size_t depth() const { return planned_.empty() ? 0 : planned_.front().departures.size(); }

 private:
  void begin(std::shared_ptr<const std::vector<std::uint64_t>> places);
  bool is_new(std::uint64_t state, int preemptions);
  void follow(const planned_run& run, const step_record& r);
  void plan(const planned_run& run, std::int64_t step, const explored_step& s, const step_choice& other,
            const trail_state& state);

  explore_bound bound_;
  std::shared_ptr<const std::vector<std::uint64_t>> places_;
  std::deque<planned_run> planned_;
  std::unordered_map<std::uint64_t, int> seen_;  // states, with the fewest preemptions that led there
  bool left_out_ = false;
  std::int64_t runs_ = 0;
};

}  // namespace simt::cli
