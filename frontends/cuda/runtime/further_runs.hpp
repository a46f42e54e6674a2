// SPDX-License-Identifier: Apache-2.0
// A checked program that runs without simrun does what simrun would do with it: it runs fast first, as loops and with
// reads of arrays that a launch only reads unannounced. What such a run finds, or leaves in doubt, is looked at again
// by the same program in a process of its own, thread by thread. That one reads and prints nothing but messages.
#pragma once

#include <sim/report/run_report.hpp>
#include <simt/module.hpp>

namespace simt_cuda {

// At the start: keeps command line, environment and folder, and lets the first run be a fast one.
void plan_further_runs(simt::run_request& request);

// At the end: the report that is to be shown. Waits for the further runs, if there are any.
simt::run_report after_further_runs(simt::run_report first);

// Makes of its findings what simrun makes of a run's: one for each rule, object and pair of lines, and groups.
void join_findings(simt::run_report& report);

}  // namespace simt_cuda
