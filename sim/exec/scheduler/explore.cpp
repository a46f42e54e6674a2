// SPDX-License-Identifier: Apache-2.0
// One run of a search over schedules. The thread that did the last step goes on as long as it can, then the one with
// the lowest number; only at the steps that the request names, another one does. The run's record lists its steps and,
// behind the last of those departures, who else could have gone on: from these the tool makes the runs that follow
// (cli/explore.cpp).
#include <algorithm>
#include <utility>

#include <sim/exec/scheduler/stepwise.hpp>

namespace simt::sim {

namespace {

class explore final : public stepwise {
 public:
  explicit explore(const step_request& request) : stepwise(request), departures_(request.departures) {}

 protected:
  std::size_t decide(std::span<const candidate> all, std::size_t last) override {
    std::size_t chosen = last == kNobody ? 0 : last;
    const bool departs = next_ < departures_.size() && departures_[next_].step == steps();
    std::uint32_t older = 0;
    if (departs) {
      const schedule_departure& d = departures_[next_++];
      const auto wanted = std::ranges::find(all, d.thread, &candidate::thread);
      if (wanted == all.end())
        record().missed = true;
      else
        chosen = static_cast<std::size_t>(wanted - all.begin());
      older = d.older;
      if (older > 0 && std::ranges::count(offers(all[chosen]), older) == 0) record().missed = true, older = 0;
      if (older > 0) weak()->choose(older);
    }
    step_record& r = record();
    if (r.steps >= kMostSteps) {
      r.cut = true;
      return chosen;
    }
    explored_step s{step_of(all[chosen], older), last == kNobody ? -1 : all[last].thread};
    if (!departs && next_ == departures_.size())
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i != chosen) s.others.push_back(step_of(all[i]));
        for (const std::uint32_t behind : offers(all[i])) s.others.push_back(step_of(all[i], behind));
      }
    r.trail.push_back(std::move(s));
    return chosen;
  }

 private:
  std::vector<schedule_departure> departures_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<scheduler> make_explore(const step_request& request) { return std::make_unique<explore>(request); }

}  // namespace simt::sim
