// SPDX-License-Identifier: Apache-2.0
// Runs of pct in which a load reads what is stored later (sim/exec/scheduler/stores_to_come.cpp): each is made of a
// drawn run, whose order it repeats up to that load.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/report/explored_run.hpp"

namespace simt::cli {

// The switches of such a run, of one load and one store behind it that are drawn by `seed`; empty: there are none.
std::vector<schedule_switch> with_early_read(std::vector<explored_step> trail, std::uint64_t seed);

}  // namespace simt::cli
