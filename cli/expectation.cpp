// SPDX-License-Identifier: Apache-2.0
// Expected against found: every expected finding must be there, no other may be, and the result must be as declared.
#include "expectation.hpp"

#include "sim/report/phrasebook.hpp"
#include "sim/report/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace simt::cli {
namespace {

using expected_finding = program_expectation::expected_finding;

bool fits(const finding& f, const expected_finding& e) {
  const bool severity_fits = e.warning ? f.severity != severity::error : f.severity == severity::error;
  return name(f.rule) == e.rule && severity_fits && (e.object.empty() || f.object.find(e.object) != std::string::npos);
}

std::string on_object(std::string_view rule, const std::string& object) {
  return object.empty() ? std::string(rule) : fmt::format("{} on {}", rule, object);
}

}  // namespace

std::string departure(const run_report& report, const program_expectation& expected, bool checked) {
  const bool defects_expected =
      std::ranges::any_of(expected.findings, [](const expected_finding& e) { return !e.warning; });
  if (!was_run(report.verdict)) return report.error;
  if (report.verdict == verdict::crash && (!defects_expected || report.findings.empty()))
    return "the kernel did not finish";
  if (checked) {
    for (const expected_finding& e : expected.findings) {
      if (!e.may_be_missing && std::ranges::none_of(report.findings, [&](const finding& f) { return fits(f, e); })) {
        return fmt::format("missing: {} {}", e.warning ? "warning" : "error", on_object(e.rule, e.object));
      }
    }
    for (const finding& f : report.findings) {
      if (f.severity == severity::note) continue;
      if (std::ranges::any_of(expected.findings, [&](const expected_finding& e) { return fits(f, e); })) continue;
      return fmt::format("not expected: {} {}: {}", name(f.severity), on_object(name(f.rule), f.object),
                         phrase(f, report.dialect).message);
    }
  }
  if (!expected.result_may_vary && report.verdict != verdict::crash && report.result.status != expected.result) {
    return fmt::format("result is {}, expected {}{}{}", name(report.result.status), name(expected.result),
                       report.result.detail.empty() ? "" : ": ", report.result.detail);
  }
  return {};
}

std::string outcome_text(const run_report& report) {
  if (!was_run(report.verdict)) return std::string(name(report.verdict));
  std::string out(report.verdict == verdict::crash ? "stopped" : name(report.result.status));
  std::set<std::string> seen;
  for (const finding& f : report.findings) {
    const std::string text = on_object(name(f.rule), f.object);
    if (seen.insert(text).second) out += ", " + text;
  }
  return out;
}

}  // namespace simt::cli
