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
  explicit explore(const step_request& request)
      : stepwise(request), departures_(request.departures), switches_(request.switches) {}

 protected:
  std::size_t decide(std::span<const candidate> all, std::size_t last) override {
    std::size_t chosen = last == kNobody ? 0 : last;
    const bool departs = next_ < departures_.size() && departures_[next_].step == steps();
    std::uint32_t older = 0;
    store_to_come later;
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
      if (d.later) read_later(d.later, all[chosen], later);
    }
    if (!switches_.empty()) switch_at(all, chosen, older, later);
    explored_step* const s = trace(all, last, chosen, older, later);
    if (!switches_.empty()) ++own_steps_[all[chosen].thread];
    if (s == nullptr || keeps_trail() || !tells_others() || departs || next_ < departures_.size()) return chosen;
    if (weak() != nullptr && weak()->is_unkept()) return chosen;  // what follows is no run
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i != chosen) s->others.push_back(step_of(all[i]));
      for (const std::uint32_t behind : offers(all[i])) s->others.push_back(step_of(all[i], behind));
    }
    return chosen;
  }

  bool goes_on_unasked() override {
    const bool departs = next_ < departures_.size() && departures_[next_].step == steps();
    return !departs && switches_.empty() && !keeps_trail() && !tells_others();
  }

 private:
  void read_later(const store_to_come& wanted, const candidate& reader, store_to_come& later) {
    if (!reads_simply(reader)) {
      record().missed = true;
      return;
    }
    later = wanted;
    weak()->choose(later);
  }

  void switch_at(std::span<const candidate> all, std::size_t& chosen, std::uint32_t& older, store_to_come& later) {
    const std::int64_t usual = all[chosen].thread;
    const auto s = std::ranges::find_if(switches_, [&](const schedule_switch& each) {
      return each.thread == usual && each.own_step == own_steps_[usual];
    });
    if (s == switches_.end()) return;
    const auto wanted = std::ranges::find(all, s->to, &candidate::thread);
    if (wanted != all.end()) chosen = static_cast<std::size_t>(wanted - all.begin());
    older = s->older;
    if (wanted == all.end() || (older > 0 && std::ranges::count(offers(all[chosen]), older) == 0)) {
      record().missed = true;
      older = 0;
    }
    if (older > 0) weak()->choose(older);
    if (s->later) read_later(s->later, all[chosen], later);
    switches_.erase(s);
  }

  std::vector<schedule_departure> departures_;
  std::vector<schedule_switch> switches_;
  std::unordered_map<std::int64_t, std::int64_t> own_steps_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<scheduler> make_explore(const step_request& request) { return std::make_unique<explore>(request); }

}  // namespace simt::sim
