// SPDX-License-Identifier: Apache-2.0
// The stable names of rules, severities, kinds and verdicts, and the exit code that a report leads to (cli.md).
#include <algorithm>

#include "finding.hpp"
#include "run_report.hpp"

namespace simt {
namespace {

constexpr std::array<std::string_view, rule_count> kRuleNames = {
    "race-global",      "race-shared",      "race-scope", "out-of-bounds",  "uninitialized-read", "misaligned",
    "use-after-free",   "invalid-free",     "leak",       "host-memory",    "barrier-divergence", "barrier-early-exit",
    "warp-mask",        "deadlock",         "hang",       "stack-overflow", "device-trap",        "device-exception",
    "division-by-zero", "unwritten-output",
};
static_assert(std::ranges::none_of(kRuleNames, [](std::string_view n) { return n.empty(); }),
              "every rule has a name, in the order of the enum");

}  // namespace

std::string_view name(rule r) { return kRuleNames.at(static_cast<std::size_t>(r)); }

std::optional<rule> rule_from_name(std::string_view name) {
  const auto* found = std::ranges::find(kRuleNames, name);
  if (found == kRuleNames.end()) return std::nullopt;
  return static_cast<rule>(found - kRuleNames.begin());
}

std::string_view name(severity s) {
  switch (s) {
    case severity::error:
      return "error";
    case severity::warning:
      return "warning";
    case severity::note:
      return "note";
  }
  return "error";
}

std::string_view name(access_kind k) {
  switch (k) {
    case access_kind::read:
      return "read";
    case access_kind::write:
      return "write";
    case access_kind::atomic:
      return "atomic";
  }
  return "read";
}

std::string_view name(memory_space s) {
  switch (s) {
    case memory_space::global:
      return "global";
    case memory_space::shared:
      return "shared";
    case memory_space::local:
      return "local";
    case memory_space::host:
      return "host";
  }
  return "global";
}

std::string_view name(verdict v) {
  switch (v) {
    case verdict::clean:
      return "clean";
    case verdict::mismatch:
      return "mismatch";
    case verdict::findings:
      return "findings";
    case verdict::crash:
      return "crash";
    case verdict::unavailable:
      return "unavailable";
    case verdict::error:
      return "error";
  }
  return "error";
}

std::string_view name(result_status s) {
  switch (s) {
    case result_status::match:
      return "match";
    case result_status::mismatch:
      return "mismatch";
    case result_status::unchecked:
      return "unchecked";
  }
  return "unchecked";
}

verdict verdict_of(const run_report& report, bool strict) {
  if (report.verdict == verdict::error || report.verdict == verdict::unavailable || report.verdict == verdict::crash) {
    return report.verdict;
  }
  const bool defects = std::ranges::any_of(report.findings, [strict](const finding& f) {
    return f.severity == severity::error || (strict && f.severity == severity::warning);
  });
  if (defects) return verdict::findings;
  return report.result.status == result_status::mismatch ? verdict::mismatch : verdict::clean;
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
  }
  return 2;
}

}  // namespace simt
