// SPDX-License-Identifier: Apache-2.0
// Judges barriers and warp operations: who did not come, who came to another one, which lanes were not there.
#pragma once

#include "sim/check/rule_findings.hpp"
#include "sim/instrument/events.hpp"

namespace simt::check {

// of_grid: it is the grid's.
void judge_barrier(const sim::event::barrier& b, rule_findings& found, bool of_grid = false);
void judge_absent_lanes(const sim::event::absent_lanes& e, rule_findings& found);
void judge_absent_source(const sim::event::absent_source& e, rule_findings& found);

}  // namespace simt::check
