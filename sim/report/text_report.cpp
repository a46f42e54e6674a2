// SPDX-License-Identifier: Apache-2.0
// A whole run as text: what ran, what came out, the findings and one line that sums it up.
#include "text_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "counted.hpp"
#include "phrasebook.hpp"
#include "terminal_text.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

std::string extents(const index3& i) {
  if (i.z != 1) return fmt::format("{}x{}x{}", i.x, i.y, i.z);
  return i.y != 1 ? fmt::format("{}x{}", i.x, i.y) : fmt::format("{}", i.x);
}

std::string number(double value, bool integral) {
  return integral && std::abs(value) < 1e15 ? fmt::format("{}", static_cast<std::int64_t>(value))
                                            : fmt::format("{:.6g}", value);
}

std::string head_lines(const run_report& r, const text_style& style) {
  std::string text = fmt::format("{} on {}", printable(r.program), r.backend);
  if (r.check.all()) text += ", all checks";
  if (r.check.any() && !r.check.all()) text += fmt::format(", checking {}", fmt::join(names(r.check), ", "));
  if (r.check.any() || r.schedule != "natural") text += fmt::format(", schedule {}", r.schedule);
  if (r.schedule == "random") text += fmt::format(" with seed {}", r.seed);
  std::string out;
  for (const std::string& line : wrap(text, std::max<std::size_t>(style.width, 40))) {
    out += paint(line, tone::bold, style.color) + "\n";
  }
  return out;
}

// Label in a column of its own, text wrapped beside it.
std::string row(std::string_view label, std::string_view text, const text_style& style, tone t = tone::plain) {
  constexpr std::size_t kColumn = 10;
  std::string out;
  const std::size_t width = std::max<std::size_t>(style.width, 40) - kColumn - 2;
  const auto lines = wrap(printable(text), width);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += "  " + paint(fmt::format("{:<{}}", i == 0 ? label : "", kColumn), tone::bold, style.color);
    out += paint(lines[i], t, style.color) + "\n";
  }
  return out;
}

constexpr std::size_t kLaunchesShown = 6;

std::string launches(const run_report& r, const text_style& style) {
  std::string out;
  const bool timed = !r.check.any();  // with checks the time is a logical one
  for (std::size_t i = 0; i < std::min(r.launches.size(), kLaunchesShown); ++i) {
    const launch_record& l = r.launches[i];
    std::string text = fmt::format("{}, grid {}, block {}", l.kernel, extents(l.grid), extents(l.block));
    if (l.shared_bytes != 0) text += fmt::format(", {} bytes of dynamic shared memory", l.shared_bytes);
    if (timed) text += fmt::format(", {:.3g} ms", l.milliseconds);
    out += row("launch", text, style);
    if (style.executions && !l.execution.empty()) {
      const std::string why = l.execution_reason.empty() ? "" : ": " + l.execution_reason;
      out += row("", "ran as " + l.execution + why, style);
    }
  }
  if (r.launches.size() > kLaunchesShown)
    out += row("", fmt::format("and {} more", r.launches.size() - kLaunchesShown), style);
  return out;
}

std::string outputs(const run_report& r, const text_style& style) {
  std::string out;
  for (const auto& [label, o] : r.result.outputs) {
    std::string head;
    for (const double v : o.head) head += (head.empty() ? "" : " ") + number(v, o.integral);
    if (static_cast<std::int64_t>(o.head.size()) < o.count) head += " ...";
    out += row("output",
               fmt::format("{}: {}, sum {}: {}", label, counted(o.count, "element"), number(o.sum, o.integral), head),
               style);
  }
  const tone t = r.result.status == result_status::mismatch ? tone::error : tone::plain;
  std::string text(name(r.result.status));
  if (!r.result.detail.empty()) text += ": " + r.result.detail;
  if (r.result.status != result_status::unchecked || !r.result.detail.empty()) out += row("result", text, style, t);
  return out;
}

// A checked run without an access has shown nothing, unless something else was found.
bool judged_nothing(const run_report& r) {
  return r.judged.checks.any() && r.judged.accesses == 0 && r.findings.empty() && r.verdict == verdict::clean;
}

}  // namespace

std::string what_was_judged(const run_report& r) {
  if (!r.judged.checks.any()) return {};
  if (r.judged.launches == 0)
    return r.findings.empty() ? "no kernel was launched, so nothing was judged"
                              : "no kernel was launched: only copies and what the host does were judged";
  if (judged_nothing(r)) return "no kernel touched memory, so no access was judged";
  std::string text = fmt::format("judged {} in {} and {}", fmt::join(names(r.judged.checks), ", "),
                                 counted(r.judged.launches, "launch", {.ending = "es"}),
                                 counted(r.judged.accesses, "access", {.ending = "es"}));
  if (const auto others = names(r.judged.not_checked); !others.empty())
    text += fmt::format("; not judged: {} (--check all)", fmt::join(others, ", "));
  if (r.judged.excused_volatile > 0)
    text += fmt::format("; {} excused as volatile (--volatile-is-plain)",
                        counted(r.judged.excused_volatile, "unordered access", {.ending = "es"}));
  return text;
}

std::string text_summary(const run_report& r, const text_style& style, const silenced_findings& silenced,
                         std::size_t shown) {
  const verdict v = verdict_of(r, style.strict);
  const auto all = [&r](severity s, std::int64_t left_out) {
    return static_cast<std::size_t>(std::ranges::count(r.findings, s, &finding::severity) + left_out);
  };
  const std::size_t errors = all(severity::error, r.errors_left_out);
  const std::size_t warnings = all(severity::warning, r.warnings_left_out);
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  tone t = tone::good;
  if (errors != 0) add(counted(errors, "error"));
  if (warnings != 0) add(counted(warnings, "warning"));
  // "3 errors of 1 cause": what is shown as one finding with its members is one mistake.
  if (const auto members = static_cast<std::size_t>(std::ranges::count_if(r.findings, is_member)); members != 0)
    text += " of " + counted(errors + warnings - members, "cause");
  if (shown != kAllShown && shown < errors + warnings) text += fmt::format(" ({} shown)", shown);
  switch (v) {
    case verdict::clean:
      if (r.result.status == result_status::match) add("result right");
      if (warnings == 0)
        add(!r.check.any()        ? "not checked for defects (--detect-races or --check all)"
            : judged_nothing(r)   ? "nothing was found"
            : silenced.known != 0 ? "no new findings"
                                  : "no findings");
      t = warnings == 0 && !judged_nothing(r) ? tone::good : tone::warning;
      break;
    case verdict::mismatch:
      add("wrong result");
      t = tone::error;
      break;
    case verdict::crash:
      add(std::string(what_did_not_finish(r)));
      t = tone::error;
      break;
    case verdict::interrupted:
      if (errors + warnings == 0) add("no findings so far");
      add(fmt::format("interrupted by {}: the report is partial", signal_name(r.interrupted_by)));
      t = tone::error;
      break;
    case verdict::error:
    case verdict::unavailable:
      text.clear();
      [[fallthrough]];
    case verdict::findings:
      t = tone::error;
      break;
  }
  if (v == verdict::findings && r.result.status == result_status::mismatch) add("wrong result");
  if ((v == verdict::findings || v == verdict::error) && was_refused(r)) add("not all of it ran");
  if (v == verdict::unavailable) add("backend not available");
  if (silenced.suppressed != 0) add(fmt::format("{} suppressed", silenced.suppressed));
  if (silenced.known != 0) add(fmt::format("{} known (--new-since)", silenced.known));
  const std::string program = printable(r.program) + ":";
  const std::string end = v == verdict::unavailable ? "" : what_was_judged(r);
  std::string out = paint(program, tone::bold, style.color);
  if (!style.breaks_lines) return out + " " + paint(text, t, style.color) + (end.empty() ? "" : "; " + end) + "\n";
  if (!end.empty()) text += ';';
  const std::size_t width = std::max<std::size_t>(style.width, 10);
  const std::string laid_out = program + hanging(text, {columns(program), width});
  out += hanging(text, {columns(program), width}, t, style.color);
  const std::size_t used = columns(std::string_view(laid_out).substr(laid_out.rfind('\n') + 1));  // npos + 1 is 0
  return out + (end.empty() ? "" : hanging(end, {used, width})) + "\n";
}

std::string signal_name(int number) {
  const char* const abbreviation = sigabbrev_np(number);
  return abbreviation != nullptr ? std::string("SIG") + abbreviation : fmt::format("signal {}", number);
}

namespace {

constexpr std::size_t kMembersShown = 8;

// "  app.cu:9, 8: read and write of s[3] are not ordered", a line each.
std::string members_of(const finding& f, const run_report& r, const text_style& style) {
  if (f.members.empty()) return {};
  const std::string head = counted(f.members.size(), "more finding");
  const std::string tie = hanging(fmt::format("{}:", tie_of_members(f)), {2 + head.size(), style.width});
  std::string out = fmt::format("  {}{}\n", paint(head, tone::bold, style.color), tie);
  for (std::size_t i = 0; i < std::min(f.members.size(), kMembersShown); ++i) {
    const finding& m = r.findings[static_cast<std::size_t>(f.members[i])];
    std::string lines;
    std::set<int> named;
    for (const access& a : m.accesses)
      if (a.line > 0 && named.insert(a.line).second)
        lines += lines.empty() ? fmt::format("{}:{}", a.file, a.line) : fmt::format(", {}", a.line);
    const std::string tag = fmt::format("{}[{}]", name(m.severity), name(m.rule));
    const auto text = wrap(fmt::format("{} {}: {}", tag, printable(lines), printable(phrase(m, r.dialect).message)),
                           std::max<std::size_t>(style.width, 40) - 4);
    for (std::size_t row = 0; row < text.size(); ++row) out += (row == 0 ? "  - " : "    ") + text[row] + "\n";
  }
  if (f.members.size() > kMembersShown)
    out += fmt::format("  - and {} more, in the report that --json writes\n", f.members.size() - kMembersShown);
  return out;
}

}  // namespace

std::vector<const finding*> shown_findings(const std::vector<finding>& findings, int max_findings) {
  std::vector<const finding*> out;
  for (const finding& f : findings)
    if (!is_member(f)) out.push_back(&f);
  if (max_findings <= 0 || out.size() <= static_cast<std::size_t>(max_findings)) return out;
  std::ranges::stable_sort(out, {}, [](const finding* f) {
    const bool later = is_race(f->rule) || f->rule == rule::uninitialized_read || f->rule == rule::leak ||
                       f->rule == rule::unwritten_output;
    return f->severity != severity::error ? 2 : later ? 1 : 0;
  });
  out.resize(static_cast<std::size_t>(max_findings));
  return out;
}

namespace {

struct findings_text {
  std::string text, help;
  std::size_t shown = 0;
};

findings_text text_of_findings(const run_report& r, const text_style& style) {
  findings_text out;
  const std::vector<const finding*> list = shown_findings(r.findings, style.max_findings);
  for (const finding* f : list) {
    out.text += text_finding(*f, r.dialect, style) + members_of(*f, r, style) + "\n";
    out.shown += 1 + f->members.size();
  }
  const std::size_t all = r.findings.size() + static_cast<std::size_t>(r.errors_left_out + r.warnings_left_out);
  if (out.shown < all)
    out.text +=
        row("more", fmt::format("{} findings not shown; --max-reports {} shows them all", all - out.shown, all), style);
  const std::string_view option = r.dialect == dialect::cuda ? " --cuda" : "";
  if (list.size() == 1)
    out.help = row("help", fmt::format("simrun explain {}{}", name(list.front()->rule), option), style);
  if (list.size() > 1)
    out.help =
        row("help", fmt::format("simrun explain RULE{}, for example {}", option, name(list.front()->rule)), style);
  return out;
}

}  // namespace

std::string text_findings(const run_report& r, const text_style& style, const silenced_findings& silenced) {
  const findings_text found = text_of_findings(r, style);
  return found.text + found.help + text_summary(r, style, silenced, found.shown);
}

std::string text_report(const run_report& r, const text_style& style, const silenced_findings& silenced) {
  std::string out = head_lines(r, style);
  out += launches(r, style);
  if (was_run(r.verdict)) out += outputs(r, style);
  if (!r.findings.empty()) out += "\n";
  const findings_text found = text_of_findings(r, style);
  // A launch that was refused, or a host that died, comes before what is found at the program's end; what came of a
  // kernel's death comes behind that.
  const bool follows = r.verdict == verdict::crash && !r.host_crashed && !r.findings.empty();
  const std::string error = r.error.empty() ? "" : row("error", r.error, style, tone::error);
  if (!follows && !error.empty()) out += error + (r.findings.empty() ? "" : "\n");
  out += found.text;
  if (follows) out += error;
  for (const std::string& note : r.notes) out += row("note", note, style);
  return out + found.help + text_summary(r, style, silenced, found.shown);
}

}  // namespace simt
