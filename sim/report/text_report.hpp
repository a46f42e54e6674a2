// SPDX-License-Identifier: Apache-2.0
// A run as text for people: one screen at most a finding, laid out for the width of the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run_report.hpp"

namespace simt {

struct text_style {
  bool color = false;
  bool unicode = true;        // block characters in plots; frames are ASCII always
  std::size_t width = 80;     // columns; below 40 is taken as 40
  int max_findings = 20;      // shown in full; the others are counted. 0: all
  bool strict = false;        // warnings are defects
  bool executions = false;    // how each launch ran, and why so
  bool breaks_lines = false;  // a terminal, where a long last line is broken between words; scripts read it whole
};

// Findings that were taken out before the report is shown; the last line counts them.
struct silenced_findings {
  std::size_t suppressed = 0;  // by --suppress
  std::size_t known = 0;       // by --new-since
};

inline constexpr std::size_t kFindingLines = 24;  // one screen of the classic terminal

// In a narrow terminal the same text takes more lines: they are scrolled, not cut.
constexpr std::size_t finding_lines(std::size_t width) {
  constexpr std::size_t kWide = 80, kNarrowest = 40;
  return width >= kWide ? kFindingLines : kFindingLines * kWide / (width < kNarrowest ? kNarrowest : width);
}

// One finding, at most finding_lines(width) lines, with a newline at the end of each.
std::string text_finding(const finding& f, dialect words, const text_style& style);

// The findings in the order in which the text shows them, without those that are members of others: as they are, unless
// `max_findings` hides some. Then what ended a kernel or left its memory comes first, for it may be the cause of the
// rest, and warnings come last.
std::vector<const finding*> shown_findings(const std::vector<finding>& findings, int max_findings);

// "SIGINT".
std::string signal_name(int number);

// "judged races in 1 launch and 64 accesses; not judged: memory": what the absence of a finding is worth. Nothing where
// nothing was checked.
std::string what_was_judged(const run_report& report);

// The findings that are shown, each with its members, and how many are not; a line on `simrun explain`; the last line.
std::string text_findings(const run_report& report, const text_style& style, const silenced_findings& silenced = {});

// Head line, launches, outputs, findings, notes and the summary line.
std::string text_report(const run_report& report, const text_style& style, const silenced_findings& silenced = {});

// The last line alone, as `--quiet` shows it. `shown`: how many findings stand above it, where some do.
inline constexpr std::size_t kAllShown = ~std::size_t{0};
std::string text_summary(const run_report& report, const text_style& style, const silenced_findings& silenced = {},
                         std::size_t shown = kAllShown);

}  // namespace simt
