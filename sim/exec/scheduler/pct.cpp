// SPDX-License-Identifier: Apache-2.0
// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010). Threads have random priorities, and of those that can go on
// the first in rank does. At depth - 1 steps, drawn from all of a run's, the thread that would go on falls behind all
// others. A defect that d orders between pairs of steps bring about is shown by a run with depth d with a probability
// of at least 1 / (n * k^(d-1)), for n threads and k steps.
#include <algorithm>

#include <sim/exec/scheduler/stepwise.hpp>

namespace simt::sim {

namespace {

class pct final : public stepwise {
 public:
  pct(std::uint64_t seed, const step_request& request)
      : stepwise(request), draws_older_(request.draws_older), state_(seed * 0x9E3779B97F4A7C15ULL + 1) {
    const auto steps = static_cast<std::uint64_t>(std::max<std::int64_t>(request.steps, 1));
    for (std::int64_t i = 1; i < request.depth; ++i) changes_at_.push_back(static_cast<std::int64_t>(number() % steps));
  }

 protected:
  void launch_starts(std::int64_t units) override {
    ranks_.resize(static_cast<std::size_t>(units));
    for (std::uint64_t& r : ranks_) r = (number() >> 1) + kAboveAllFallen;
  }

  std::size_t decide(std::span<const candidate> all, std::size_t last) override {
    std::size_t first = first_of(all);
    for (std::size_t i = 0; i < changes_at_.size(); ++i) {
      if (changes_at_[i] != steps()) continue;
      ranks_[unit(all[first])] = changes_at_.size() - i;
      first = first_of(all);
    }
    std::uint32_t older = 0;
    if (draws_older_)
      if (const std::vector<std::uint32_t> offered = offers(all[first]); !offered.empty() && number() % 2 == 0)
        older = offered[number() % offered.size()];
    if (older > 0) weak()->choose(older);
    if (keeps_trail()) trace(all, last, first, older);
    return first;
  }

  // Ranks change at the drawn steps only, so the first in rank stays that while the others wait where they waited.
  bool goes_on_unasked() override {
    return !draws_older_ && !keeps_trail() && !has_left_out() && std::ranges::count(changes_at_, steps()) == 0;
  }

 private:
  static constexpr std::uint64_t kAboveAllFallen = 1 << 20;

  std::size_t first_of(std::span<const candidate> all) const {
    std::size_t first = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
      if (rank(all[i]) > rank(all[first])) first = i;
    return first;
  }
  std::size_t unit(const candidate& c) const { return static_cast<std::size_t>(unit_of(c.thread)); }
  std::uint64_t rank(const candidate& c) const { return ranks_[unit(c)]; }
  std::uint64_t number() {  // splitmix64
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  bool draws_older_;
  std::uint64_t state_;
  std::vector<std::int64_t> changes_at_;
  std::vector<std::uint64_t> ranks_;
};

}  // namespace

std::unique_ptr<scheduler> make_pct(std::uint64_t seed, const step_request& request) {
  return std::make_unique<pct>(seed, request);
}

}  // namespace simt::sim
