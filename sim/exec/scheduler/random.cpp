// SPDX-License-Identifier: Apache-2.0
// Switches at every fourth access on average, to one of the next few or to another block. The same seed gives the same
// order.
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

namespace {
class random_order final : public scheduler {
 public:
  explicit random_order(std::uint64_t seed) : seed_(seed) {}
  bool is_asked() const override { return true; }

 protected:
  void begin(const launch_state&) override { state_ = (seed_ + 1) * 0x9E3779B97F4A7C15ULL + 0x1234567; }
  pick choose(const ready_threads& ready, const schedule_place& where) override {
    if (where.out_of_time) return {pick::kind::yields};
    if ((number() & 3) != 0) return {};
    pick p{pick::kind::goes_on};
    const std::uint64_t steps = number() % 8;
    if (ready.rest_is_first) return p;
    const fiber* f = ready.queue.head;  // nobody passes a rest that has not begun
    for (std::uint64_t n = 0; n < steps && f != nullptr && (f == &ready.running || f->thread.has_stack); ++n) {
      ++p.next;
      f = f == &ready.running ? ready.queue.head : f->next != nullptr ? f->next : &ready.running;
    }
    p.starts_block = (number() & 15) == 0;
    return p;
  }

 private:
  std::uint64_t number() {  // xorshift64*: fast, repeatable, good enough to pick interleavings
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DULL;
  }
  std::uint64_t seed_, state_ = 0;
};
}  // namespace

std::unique_ptr<scheduler> make_random(std::uint64_t seed) { return std::make_unique<random_order>(seed); }

}  // namespace simt::sim
