// SPDX-License-Identifier: Apache-2.0
// As fast as it goes: blocks over all workers, threads in order, a switch where a thread waits. Never asked.
#include <sim/exec/scheduler/scheduler.hpp>

namespace simt::sim {

std::unique_ptr<scheduler> make_natural() { return std::make_unique<scheduler>(); }

}  // namespace simt::sim
