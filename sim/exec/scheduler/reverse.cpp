// SPDX-License-Identifier: Apache-2.0
// The natural order the other way round: the last block first, and in it the last thread. Finds code that relies on
// lower numbers coming first.
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

namespace {
class reverse final : public scheduler {
 public:
  bool begins_backwards() const override { return true; }
};
}  // namespace

std::unique_ptr<scheduler> make_reverse() { return std::make_unique<reverse>(); }

}  // namespace simt::sim
