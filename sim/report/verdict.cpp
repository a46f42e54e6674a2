// SPDX-License-Identifier: Apache-2.0
#include "verdict.hpp"

#include <algorithm>

namespace simt {

bool is_defect(const finding& f, bool strict) {
  return f.severity == severity::error || (strict && f.severity == severity::warning);
}

bool ends_the_kernel(rule r) {
  switch (r) {
    case rule::deadlock:
    case rule::hang:
    case rule::stack_overflow:
    case rule::device_trap:
    case rule::device_exception:
    case rule::division_by_zero:
      return true;
    default:
      return false;
  }
}

bool was_run(verdict v) { return v != verdict::error && v != verdict::unavailable; }

bool is_final(verdict v) { return !was_run(v) || v == verdict::crash || v == verdict::interrupted; }

bool was_refused(const run_report& report) {
  return report.verdict == verdict::error || (!is_final(report.verdict) && !report.error.empty());
}

verdict verdict_of(const run_report& report, bool strict) {
  const bool refused = was_refused(report);
  if (is_final(report.verdict) && !refused) return report.verdict;
  if (report.interrupted_by != 0) return verdict::interrupted;
  const auto any = [&report](auto&& what) { return std::ranges::any_of(report.findings, what); };
  if (any([](const finding& f) { return ends_the_kernel(f.rule); })) return verdict::crash;
  if (any([strict](const finding& f) { return is_defect(f, strict); })) return verdict::findings;
  if (refused) return verdict::error;
  return report.result.status == result_status::mismatch ? verdict::mismatch : verdict::clean;
}

void take_end(const run_report& from, run_report& to) {
  to.verdict = from.verdict;
  to.error = from.error;
  to.host_crashed = from.host_crashed;
}

std::string_view what_did_not_finish(const run_report& report) {
  return report.host_crashed ? "the program did not finish" : "the kernel did not finish";
}

int exit_code(const run_report& report, bool strict) {
  switch (verdict_of(report, strict)) {
    case verdict::clean:
      return 0;
    case verdict::mismatch:
      return 1;
    case verdict::error:
      return 2;
    case verdict::findings:
      return 3;
    case verdict::crash:
      return 4;
    case verdict::unavailable:
      return 77;
    case verdict::interrupted:
      return 128 + report.interrupted_by;
  }
  return 2;
}

}  // namespace simt
