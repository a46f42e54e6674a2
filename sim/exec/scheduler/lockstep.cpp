// SPDX-License-Identifier: Apache-2.0
// Every thread takes one step, then every thread takes the next: as if all ran at the same pace. So do as many blocks
// as one multiprocessor holds; others begin when one of them has ended, or when all of them wait.
#include <sim/exec/launch.hpp>
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

namespace {
constexpr std::int64_t kThreadsInStep = 2048;

class lockstep final : public scheduler {
 public:
  bool is_asked() const override { return true; }
  bool keeps_step() const override { return true; }

 protected:
  pick choose(const ready_threads& ready, const schedule_place& where) override {
    if (where.out_of_time) return {pick::kind::yields};
    // They start before anybody takes a second step.
    const launch_state& l = where.launch;
    const std::int64_t begun = l.next_block.load(std::memory_order_relaxed);
    const std::int64_t resident = begun - l.blocks_done.load(std::memory_order_relaxed);
    const bool room = begun < l.blocks && (resident + 1) * l.threads <= kThreadsInStep;
    return {pick::kind::goes_on, 0, !ready.rest_is_first && room};
  }
};
}  // namespace

std::unique_ptr<scheduler> make_lockstep() { return std::make_unique<lockstep>(); }

}  // namespace simt::sim
