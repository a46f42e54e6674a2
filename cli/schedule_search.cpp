// SPDX-License-Identifier: Apache-2.0
// Two runs whose steps so far are the same up to swaps of neighbours that are independent (other threads,
// and other places or two reads) have come to the same state (Mazurkiewicz 1977). If the same thread is running, they
// can go on in the same ways, at the same cost. So only the first of them is followed, unless a later one has spent
// fewer preemptions: state caching by happens-before, as in CHESS (Musuvathi, Qadeer, PLDI 2007). A state is the sum of
// its steps' hashes, and a step's hash is that of its thread, its place, what it does, and the hashes of the thread's
// step before it and of the last write to its place. (Which reads came before a write need not be in it: they say which
// write they followed.) A departure is not even run if the state behind it is known.
//
// Where a run shows a new place that threads share in conflict, accesses to it become steps, and the search begins
// again.
//
// Where loads may read older values (sim/exec/scheduler/weak_memory.hpp), a state is which store each read has read,
// which store each one follows, and the order of fences: what a run tells as a step's source. A store does not depend
// on the reads before it there.
#include "schedule_search.hpp"

#include <algorithm>
#include <utility>

namespace simt::cli {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0x9E3779B97F4A7C15ULL;
  a ^= a >> 29;
  a *= 0xBF58476D1CE4E5B9ULL;
  return a ^ (a >> 32);
}

}  // namespace

// The state that the steps of a run so far have led to.
class trail_state {
 public:
  // With this step done, too.
  void advance(const step_choice& s) {
    const std::uint64_t hash = hash_of(s);
    sum_ += hash;
    last_of_thread_[s.thread] = hash;
    if (s.kind == step_kind::read) return;
    for (std::uint32_t i = 0; i < s.places; ++i) last_write_[place_of(s, i)] = hash;
  }
  // What state and running thread will be behind the step; without it.
  std::uint64_t key_behind(const step_choice& s) const { return mixed(sum_ + hash_of(s), running_hash(s.thread)); }
  std::uint64_t key(std::int64_t running) const { return mixed(sum_, running_hash(running)); }

 private:
  static std::uint64_t running_hash(std::int64_t thread) { return static_cast<std::uint64_t>(thread) + 17; }
  // Memory without a number may be any: all of its accesses are to one place. Those of numbered places are not: an
  // allocation of the kernel's own is no other.
  static std::uint64_t place_of(const step_choice& s, std::uint32_t i) {
    return s.place == kAnyPlace ? kAnyPlace : s.place + i;
  }
  std::uint64_t hash_of(const step_choice& s) const {
    // One after the other: small numbers must not stand for each other.
    std::uint64_t h = mixed(mixed(static_cast<std::uint64_t>(s.thread) + 1, 0), s.place);
    h = mixed(h, static_cast<std::uint64_t>(s.kind) + 1);
    if (s.source != 0) h = mixed(h, s.source);
    const auto before = last_of_thread_.find(s.thread);
    h = mixed(h, before == last_of_thread_.end() ? 1 : before->second);
    if (s.source != 0) return h;
    for (std::uint32_t i = 0; i < s.places; ++i) {
      const auto at = last_write_.find(place_of(s, i));
      if (at != last_write_.end()) h = mixed(h, at->second);
    }
    return h;
  }
  std::uint64_t sum_ = 0;
  std::unordered_map<std::int64_t, std::uint64_t> last_of_thread_;
  std::unordered_map<std::uint64_t, std::uint64_t> last_write_;
};

void schedule_search::begin(std::shared_ptr<const std::vector<std::uint64_t>> places) {
  places_ = std::move(places);
  planned_ = {planned_run{}};
  followed_.clear();
  kept_choices_ = last_choices_ = 0;
  seen_.clear();
  histories_ = {};
  left_out_ = false;
  runs_ = 0;
}

bool schedule_search::is_done() {
  while (planned_.empty() && !followed_.empty() && !followed_.front().trail.empty()) {
    const followed_run next = std::move(followed_.front());
    followed_.pop_front();
    kept_choices_ -= next.choices;
    follow(next.run, next.trail);
  }
  return planned_.empty() && followed_.empty();
}

planned_run schedule_search::planned(std::size_t i) const {
  planned_run p = planned_[i];
  const auto reads_early = [](const schedule_departure& d) { return static_cast<bool>(d.later); };
  p.tells_others = (last_choices_ <= limits_.longest && kept_choices_ <= limits_.kept) ||
                   std::ranges::any_of(p.departures, reads_early);
  return p;
}

planned_run schedule_search::take() {
  if (planned_.empty()) {
    planned_run p = std::move(followed_.front().run);
    followed_.pop_front();
    p.tells_others = p.again = true;
    return p;
  }
  planned_run p = planned(0);
  planned_.pop_front();
  ++runs_;
  return p;
}

void schedule_search::give_back(planned_run run) {
  if (run.again) {
    followed_.push_front({std::move(run), {}, 0});
    return;
  }
  planned_.push_front(std::move(run));
  --runs_;
}

std::size_t schedule_search::depth() const {
  if (!planned_.empty()) return planned_.front().departures.size();
  return followed_.empty() ? 0 : followed_.front().run.departures.size() + 1;
}

bool schedule_search::learn(const planned_run& run, const step_record& r) {
  if (!r.new_places.empty()) {
    auto all = std::make_shared<std::vector<std::uint64_t>>(r.new_places);
    if (places_) all->insert(all->end(), places_->begin(), places_->end());
    begin(std::move(all));
    return false;
  }
  // A source is told where a memory model is followed.
  if (!r.trail.empty() && is_run(r) && std::ranges::any_of(r.trail, [](const auto& s) { return s.did.source != 0; }))
    histories_.add(r.trail);
  if (run.again) {
    follow(run, r.trail);
    return true;
  }
  followed_run done{run, {}, 0};
  if (run.tells_others) {
    for (const explored_step& s : r.trail) done.choices += s.others.size() + 1;
    last_choices_ = done.choices;
    if (done.choices == 0) return true;  // nobody had a choice
    kept_choices_ += done.choices;
    done.trail = r.trail;
  }
  followed_.push_back(std::move(done));
  return true;
}

// Has nobody come to this state with as few preemptions?
bool schedule_search::is_new(std::uint64_t state, int preemptions) {
  const auto [at, added] = seen_.emplace(state, preemptions);
  if (added) return true;
  if (at->second <= preemptions) return false;
  at->second = preemptions;
  return true;
}

void schedule_search::follow(const planned_run& run, const std::vector<explored_step>& trail) {
  const std::int64_t behind = run.departures.empty() ? -1 : run.departures.back().step;
  trail_state state;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(trail.size()); ++i) {
    const explored_step& s = trail[static_cast<std::size_t>(i)];
    // The first one behind a departure was taken for seen when the run was planned.
    if (i > behind && !is_new(state.key(s.running), run.preemptions) && i > behind + 1) return;
    for (const step_choice& other : s.others) plan(run, i, s, other, state);
    if (i > behind) plan_early_reads(run, trail, i, state);
    state.advance(s.did);
  }
}

// Loads at this step that might read what is stored later in this run. That shows something new only if the store could
// not come first: the reader stores something behind its load, and the other one reads something before its store, or
// stores what an update must not find.
void schedule_search::plan_early_reads(const planned_run& run, const std::vector<explored_step>& trail,
                                       std::int64_t step, const trail_state& state) {
  const auto from = trail.begin() + step;
  const auto stores = [](const explored_step& s) {
    return s.did.kind == step_kind::write || s.did.kind == step_kind::update;
  };
  const auto loads = [](const explored_step& s) {
    return s.did.kind == step_kind::read || s.did.kind == step_kind::update;
  };
  const auto try_with = [&](const step_choice& load) {
    if (load.kind != step_kind::read || load.older > 0 || load.source == 0) return;
    if (std::none_of(from, trail.end(), [&](const auto& s) { return s.did.thread == load.thread && stores(s); }))
      return;
    for (auto s = from; s < trail.end(); ++s) {
      const step_choice& w = s->did;
      if (w.kind != step_kind::write || w.thread == load.thread || w.place != load.place || w.places != load.places)
        continue;
      const auto is_late = [&](const explored_step& r) {
        return r.did.thread == w.thread && (loads(r) || std::ranges::any_of(trail, [&](const explored_step& u) {
                                              return u.did.kind == step_kind::update && u.did.place == r.did.place;
                                            }));
      };
      if (std::any_of(trail.begin(), s + 1, is_late))
        plan(run, step, *from, load, state, {w.thread, s->value, s->scope});
    }
  };
  if (!from->later) try_with(from->did);
  for (const step_choice& other : from->others) try_with(other);
}

void schedule_search::plan(const planned_run& run, std::int64_t step, const explored_step& s, const step_choice& other,
                           const trail_state& state, const store_to_come& later) {
  const bool preempts = s.running >= 0 && other.thread != s.running;
  planned_run next{run.departures, run.preemptions + (preempts ? 1 : 0) + (other.older > 0 || later ? 1 : 0)};
  if ((bound_.preemptions >= 0 && next.preemptions > bound_.preemptions) ||
      (bound_.departures >= 0 && static_cast<int>(next.departures.size()) >= bound_.departures)) {
    left_out_ = true;
    return;
  }
  step_choice chosen = other;
  if (later) chosen.source = source_of(later, chosen.source);
  if (!is_new(state.key_behind(chosen), next.preemptions)) return;
  next.departures.push_back({step, other.thread, other.older, later});
  planned_.push_back(std::move(next));
}

}  // namespace simt::cli
