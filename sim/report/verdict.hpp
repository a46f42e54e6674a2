// SPDX-License-Identifier: Apache-2.0
// What a run amounts to, and the exit code that it leads to. The only place where either is decided.
#pragma once

#include "run_report.hpp"

namespace simt {

// Errors are defects; warnings only when strict; notes never.
bool is_defect(const finding& f, bool strict);

// A kernel that has this defect did not reach its end.
bool ends_the_kernel(rule r);

// The program ran, whatever came of it.
bool was_run(verdict v);

// The run as a whole did not come to its end, or never began: nothing that is found later changes its verdict.
bool is_final(verdict v);

// Something was refused, a launch or the run itself, and did not happen.
bool was_refused(const run_report& report);

// unavailable and crash stay as the run set them, and so does error where nothing was found: a launch that was refused
// ends no program, and a defect that was found beside it decides. Else: interrupted if a signal ended the run; crash if
// a finding says that a kernel ended, findings if there is a defect, mismatch if the result is wrong, or clean. To be
// asked again after findings were suppressed.
verdict verdict_of(const run_report& report, bool strict);

// How a run that is final ended becomes the end of the whole that it is part of.
void take_end(const run_report& from, run_report& to);

// Of a crash, for the last line of a report: "the kernel did not finish".
std::string_view what_did_not_finish(const run_report& report);

// docs/cli.md: 0 clean, 1 mismatch, 2 usage or launch error, 3 findings, 4 crash or hang, 77 unavailable,
// 128 + the signal that interrupted the run.
int exit_code(const run_report& report, bool strict);

}  // namespace simt
