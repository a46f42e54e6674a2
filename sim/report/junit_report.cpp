// SPDX-License-Identifier: Apache-2.0
// JUnit XML.
#include "junit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "json_report.hpp"
#include "phrasebook.hpp"
#include "text_report.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

using outcome = junit_case::outcome;

std::string_view element(outcome o) {
  switch (o) {
    case outcome::failed:
      return "failure";
    case outcome::error:
      return "error";
    case outcome::skipped:
      return "skipped";
    case outcome::passed:
      break;
  }
  return "";
}

// Length of the UTF-8 sequence at the start of `text`; 0 where there is none that XML may hold.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned c = byte(0);
  if (c < 0x80) return c >= 0x20 || c == '\n' || c == '\t' ? 1 : 0;
  if (c >= 0xC2 && c < 0xE0) return follows(1) ? 2 : 0;
  if (c >= 0xE0 && c < 0xF0) {
    const bool overlong = c == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = c == 0xED && byte(1) >= 0xA0;
    const bool not_a_character = c == 0xEF && byte(1) == 0xBF && byte(2) >= 0xBE;
    return follows(1) && follows(2) && !overlong && !surrogate && !not_a_character ? 3 : 0;
  }
  const bool in_range = (c > 0xF0 || byte(1) >= 0x90) && (c < 0xF4 || byte(1) < 0x90);
  return c >= 0xF0 && c < 0xF5 && in_range && follows(1) && follows(2) && follows(3) ? 4 : 0;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    switch (length == 1 ? text[0] : '\0') {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += length == 0 ? std::string_view("?") : text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string junit_report(std::string_view suite, const std::vector<junit_case>& cases) {
  const auto count = [&](outcome o) { return std::ranges::count(cases, o, &junit_case::result); };
  const std::string totals =
      fmt::format(R"(name="{}" tests="{}" failures="{}" errors="{}" skipped="{}")", escaped_markup(suite), cases.size(),
                  count(outcome::failed), count(outcome::error), count(outcome::skipped));
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  // <testsuites> has no "skipped" in the common schema.
  out += fmt::format("<testsuites name=\"simrun\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", cases.size(),
                     count(outcome::failed), count(outcome::error));
  out += fmt::format("  <testsuite {}>\n", totals);
  for (const junit_case& c : cases) {
    out += fmt::format("    <testcase name=\"{}\" classname=\"{}\"", escaped_markup(c.name), escaped_markup(c.group));
    if (c.seconds > 0) out += fmt::format(" time=\"{:.3f}\"", c.seconds);
    if (c.result == outcome::passed && c.output.empty()) {
      out += "/>\n";
      continue;
    }
    out += ">\n";
    if (c.result != outcome::passed)
      out += fmt::format("      <{0} message=\"{1}\">{2}</{0}>\n", element(c.result), escaped_markup(c.message),
                         escaped_markup(c.text));
    if (!c.output.empty()) out += fmt::format("      <system-out>{}</system-out>\n", escaped_markup(c.output));
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

std::vector<junit_case> junit_cases(const run_report& report, bool strict) {
  const std::string group = "simrun." + report.program;
  junit_case result;
  result.name = report.program + " result";
  result.group = group;
  result.output = what_was_judged(report);
  if (!report.check.any()) {
    for (const launch_record& l : report.launches) result.seconds += l.milliseconds / 1000;
  }
  if (report.verdict == verdict::unavailable) {
    result.result = outcome::skipped;
    result.message = report.error;
  } else if (report.verdict == verdict::error) {
    result.result = outcome::error;
    result.message = report.error;
  } else if (report.interrupted_by != 0) {
    result.result = outcome::error;
    result.message = "interrupted by " + signal_name(report.interrupted_by) + ": the report is partial";
  } else if (report.verdict == verdict::crash) {
    result.result = outcome::error;
    result.message = what_did_not_finish(report);
  } else if (report.result.status == result_status::mismatch) {
    result.result = outcome::failed;
    result.message = report.result.detail;
  }
  std::vector<junit_case> cases = {result};
  const text_style style{.width = 100};
  for (const finding& f : report.findings) {
    std::string where = f.accesses.empty() ? "" : fmt::format(" at {}:{}", f.accesses[0].file, f.accesses[0].line);
    junit_case c;
    c.result = is_defect(f, strict) ? outcome::failed : outcome::skipped;
    c.name = fmt::format("{} {}{}", name(f.rule), f.object, where);
    c.group = group;
    c.message = phrase(f, report.dialect).message;
    c.text = text_finding(f, report.dialect, style);
    cases.push_back(std::move(c));
  }
  return cases;
}

}  // namespace simt
