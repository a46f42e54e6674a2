// SPDX-License-Identifier: Apache-2.0
// Findings of several runs as one list, and when one run of a program under check does not say enough.
//
// Findings of several workers come in no fixed order, and in loops threads take turns more often than on fibers, so
// that other values are seen; a report must show neither. So what is found is reported from one worker and fibers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/report/run_report.hpp"

namespace simt {

// One finding stands for all with the same rule, object and pair of source lines.
std::string finding_key(const finding& f);

// Adds findings of `more` that `into` has not got. Of two that are the same the more severe one stays, with the sum
// of their counts, or the count of the one in `into` where `sum` is false.
void merge_findings(std::vector<finding>& into, const std::vector<finding>& more, bool sum);

bool ran_as_loops(const run_report& r);

// How the run was asked for, as far as its findings depend on it.
struct asked_order {
  bool one_worker = false;
  bool may_be_loops = false;  // the launch chooses
};
// Found something whose order another run would show otherwise: it is to run again on one worker, and on fibers where
// it ran as loops. `r`: under the natural schedule.
bool found_in_passing_order(const run_report& r, const asked_order& asked);

// Of the thread that failed an assertion in that run: who, and which; empty: none. A further run where the same one
// fails need not print it again.
std::string failed_assertion(const run_report& r);
// The same from what the report says of it: "`i < n' failed at a.cu:3".
std::string said_of_assertion(std::string_view text, const index3& block, const index3& thread);

// `second`: that run. Gets what only `first` has found.
void add_found_only_in(const run_report& first, bool first_as_loops, run_report& second);

// `second`: that run, where it was ended when it had taken long enough. All is `first`'s but for the findings that both
// have: they name threads and values as the second run saw them.
run_report with_part_of_second(run_report first, const run_report& second);

}  // namespace simt
