// SPDX-License-Identifier: Apache-2.0
// Which schedules a search runs. The first departs nowhere from the order of thread numbers; what a run's record shows
// gives the runs that depart once more. They are run by rising number of departures.
//
// A record of who could have gone on is as long as steps times threads, and it is needed only when the runs that follow
// from it are next. So most runs of a large launch are made without one, and those whose turn comes are made again.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/report/explored_run.hpp"
#include "thread_histories.hpp"

namespace simt::cli {

struct explore_bound {
  int preemptions = 2;  // and loads of older values; -1: any number
  int departures = -1;  // from the order of thread numbers; -1: any number
  double seconds = 0;   // 0: no limit
};

struct planned_run {
  std::vector<schedule_departure> departures;
  int preemptions = 0;
  bool tells_others = true;  // its record is to have a trail, with those who could have gone on
  bool again = false;        // it has run before, without a trail: it counts no more, and neither do its findings
};

// Of choices in trails, each of 56 bytes: runs are made without one behind a trail of more than `longest`, as its
// followers are many more runs than that one, and while more than `kept` wait for their turn.
struct trail_limits {
  std::size_t longest = 4096, kept = std::size_t{1} << 20;
};

class trail_state;

class schedule_search {
 public:
  explicit schedule_search(const explore_bound& bound, const trail_limits& limits = {})
      : bound_(bound), limits_(limits) {
    begin({});
  }

  bool is_done();
  // Only where it is not done.
  planned_run take();
  // That run, the last that was taken, was not made after all.
  void give_back(planned_run run);
  // There is such a run: it read no store to come that did not come, or that may be made of what was read.
  bool is_run(const step_record& r) const { return !r.unkept && histories_.all_justified(r.trail); }
  // From the first run on, with the places that are known.
  void begin_again() { begin(places_); }
  // What that run has shown. False: a new place, everything begins again.
  bool learn(const planned_run& run, const step_record& r);

  // What take() would give next, one after the other, if learn() said nothing new: of those that have not run yet.
  std::size_t planned() const { return planned_.size(); }
  planned_run planned(std::size_t i) const;

  const std::shared_ptr<const std::vector<std::uint64_t>>& places() const { return places_; }
  std::int64_t runs() const { return runs_; }
  bool left_out() const { return left_out_; }  // schedules beyond the bound
  // Departures of the next run: all schedules with fewer were run. 0: none was.
  std::size_t depth() const;

 private:
  // A run whose followers were not planned yet.
  struct followed_run {
    planned_run run;
    std::vector<explored_step> trail;  // empty: it was not told
    std::size_t choices = 0;           // in the trail
  };

  void begin(std::shared_ptr<const std::vector<std::uint64_t>> places);
  bool is_new(std::uint64_t state, int preemptions);
  void follow(const planned_run& run, const std::vector<explored_step>& trail);
  void plan_early_reads(const planned_run& run, const std::vector<explored_step>& trail, std::int64_t step,
                        const trail_state& state);
  void plan(const planned_run& run, std::int64_t step, const explored_step& s, const step_choice& other,
            const trail_state& state, const store_to_come& later = {});

  explore_bound bound_;
  trail_limits limits_;
  std::shared_ptr<const std::vector<std::uint64_t>> places_;
  std::deque<planned_run> planned_;
  std::deque<followed_run> followed_;
  std::size_t kept_choices_ = 0;                 // in the trails of followed_
  std::size_t last_choices_ = 0;                 // in the last trail that was told
  std::unordered_map<std::uint64_t, int> seen_;  // states, with the fewest preemptions that led there
  thread_histories histories_;
  bool left_out_ = false;
  std::int64_t runs_ = 0;
};

}  // namespace simt::cli
