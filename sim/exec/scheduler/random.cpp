// SPDX-License-Identifier: Apache-2.0
// Attention by turns. While it is awake, it switches at every fourth access on average, to one of the next few or to
// another block. Then it rests: threads run on as under the natural schedule, which is many times faster. A launch
// begins awake, and small ones are awake to their end. How long each turn is, is drawn: any access of any launch may be
// one at which it is asked, and any order of them has its probability. The same seed gives the same order.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <sim/exec/launch.hpp>
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

namespace {
// Places where it is asked, of the first launch of a kernel, before it rests for the first time. The k-th launch of the
// same kernel begins awake with a probability of 1/k, for 1/k of that, and with at least 1/kRarely; else with a rest.
constexpr std::int64_t kAtFirst = 10'000, kFewest = 300;
constexpr std::uint64_t kRarely = 32;
// Such places of later turns, and accesses of the rests between them, on average. A place costs as much as some hundred
// accesses that run as loops, or some ten on fibers.
constexpr std::int64_t kAwake = 1'000, kRest = 1'000'000, kRestOnFibers = 50'000;
// So many threads are resident most of the time, of two blocks at least. More of them do not fit into caches, and each
// block that it was awake for goes on on fibers to its end.
constexpr std::int64_t kUsualThreads = 512;

class random_order final : public scheduler {
 public:
  explicit random_order(std::uint64_t seed) : seed_(seed) {}
  bool is_asked() const override { return true; }
  bool may_rest() const override { return weak() == nullptr; }

 protected:
  void begin(const launch_state& l) override {
    const std::int64_t earlier = launches_[l.name]++;
    state_ = (seed_ + 1) * 0x9E3779B97F4A7C15ULL + 0x1234567 + static_cast<std::uint64_t>(earlier);
    rest_ = l.loop != nullptr ? kRest : kRestOnFibers;
    left_ = std::max(kAtFirst / (earlier + 1), kFewest) + about(kAwake);
    const std::uint64_t odds = std::min(static_cast<std::uint64_t>(earlier) + 1, kRarely);
    if (may_rest() && l.traits.switches_at_accesses && number() % odds != 0)
      begin_with_rest(rest_left() > 0 ? rest_left() : about(rest_));
  }
  void wakes() override { left_ = about(kAwake); }
  pick choose(const ready_threads& ready, const schedule_place& where) override {
    if (where.out_of_time) return {pick::kind::yields};
    if (--left_ <= 0 && may_rest()) return {pick::kind::rests, about(rest_)};
    if ((number() & 3) != 0) return {};
    pick p{pick::kind::goes_on};
    const std::uint64_t steps = number() % 8;
    if (ready.rest_is_first) return p;
    const fiber* f = ready.queue.head;  // nobody passes a rest that has not begun
    for (std::uint64_t n = 0; n < steps && f != nullptr && (f == &ready.running || f->thread.has_stack); ++n) {
      ++p.next;
      f = f == &ready.running ? ready.queue.head : f->next != nullptr ? f->next : &ready.running;
    }
    p.starts_block = (number() & 15) == 0 && has_room(where);
    return p;
  }

 private:
  bool has_room(const schedule_place& where) {
    return where.resident < 2 || (where.resident + 1) * where.launch.threads <= kUsualThreads || (number() & 63) == 0;
  }
  // Of a geometric distribution, 1 at least.
  std::int64_t about(std::int64_t mean) {
    const double u = static_cast<double>(number() >> 11) * 0x1p-53;
    return 1 + static_cast<std::int64_t>(-std::log1p(-u) * static_cast<double>(mean));
  }
  std::uint64_t number() {  // xorshift64*: fast, repeatable, good enough to pick interleavings
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DULL;
  }
  std::uint64_t seed_, state_ = 0;
  std::int64_t rest_ = 0;
  std::int64_t left_ = 0;  // places until it rests
  std::map<std::string, std::int64_t, std::less<>> launches_;
};
}  // namespace

std::unique_ptr<scheduler> make_random(std::uint64_t seed) { return std::make_unique<random_order>(seed); }

}  // namespace simt::sim
