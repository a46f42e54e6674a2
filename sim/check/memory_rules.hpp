// SPDX-License-Identifier: Apache-2.0
// Judges uses of memory that need no shadow cells: by the host (bad frees, bad copies, device memory that it touches),
// and by device threads (memory of the host, indices outside a view, objects at addresses that do not suit their type).
#pragma once

#include "sim/check/rule_findings.hpp"
#include "sim/instrument/events.hpp"

namespace simt::check {

void judge_bad_free(const sim::event::bad_free& e, rule_findings& found);
void judge_bad_copy(const sim::event::bad_copy& e, rule_findings& found);
void judge_host_touch(const sim::event::host_touch_of_device& e, rule_findings& found);

// Findings at the thread's position, folded with those of its accesses.
void judge_foreign_access(const sim::event::foreign_access& e);
void judge_index_outside(const sim::event::index_outside& e);
void judge_own_array(const sim::event::own_array_outside& e);
void judge_misplaced_object(const sim::event::misplaced_object& e);
void judge_misplaced_copy(const sim::event::misplaced_copy& e);

}  // namespace simt::check
