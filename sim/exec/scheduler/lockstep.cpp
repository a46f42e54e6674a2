// SPDX-License-Identifier: Apache-2.0
// Every thread takes one step, then every thread takes the next: as if all ran at the same pace.
#include <sim/exec/launch.hpp>
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

namespace {
class lockstep final : public scheduler {
 public:
  bool is_asked() const override { return true; }

 protected:
  pick choose(const ready_threads& ready, const schedule_place& where) override {
    if (where.out_of_time) return {pick::kind::yields};
    // All blocks that fit start before anybody takes a second step.
    const launch_state& l = where.launch;
    return {pick::kind::goes_on, 0, !ready.rest_is_first && l.next_block.load(std::memory_order_relaxed) < l.blocks};
  }
};
}  // namespace

std::unique_ptr<scheduler> make_lockstep() { return std::make_unique<lockstep>(); }

}  // namespace simt::sim
