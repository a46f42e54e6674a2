// SPDX-License-Identifier: Apache-2.0
// The HTML page: summary, one card a finding with both sides next to each other, the rule's explanation folded away.
#include "html_report.hpp"

#include <fmt/format.h>

#include "conflict_drawing.hpp"
#include "counted.hpp"
#include "explain.hpp"
#include "junit_report.hpp"
#include "phrasebook.hpp"
#include "source_excerpt.hpp"
#include "terminal_text.hpp"
#include "text_report.hpp"
#include "tool_version.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

constexpr const char* kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>simrun report</title>
<style>
:root { color-scheme: light dark; --line: #8884; --error: #c22; --warning: #a60; --note: #06a; --good: #182; }
@media (prefers-color-scheme: dark) { :root { --error: #f66; --warning: #fb4; --note: #6cf; --good: #6d8; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin: 0 0 .5rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15rem .8rem .15rem 0; vertical-align: top; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; margin: .4rem 0; }
.finding { overflow-x: auto; border: 1px solid var(--line); border-left: .35rem solid var(--c); border-radius: .4rem; padding: .8rem 1rem; margin: 1rem 0; }
.tag { color: var(--c); font-weight: 600; }
.error { --c: var(--error); } .warning { --c: var(--warning); } .note { --c: var(--note); } .clean { --c: var(--good); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 0 1rem; }
.sides > * { min-width: 0; }
svg.conflict { display: block; max-width: 100%; min-width: 34rem; height: auto; margin: .6rem 0; font: 12px system-ui, sans-serif; }
svg.conflict text { fill: currentColor; } svg.conflict line { stroke: currentColor; }
svg.conflict .lane { stroke-opacity: .4; } svg.conflict .barrier { stroke-width: 3; stroke-opacity: .7; }
svg.conflict .unordered { stroke: var(--c); stroke-width: 2; stroke-dasharray: 5 4; }
svg.conflict rect { fill: Canvas; stroke: currentColor; stroke-opacity: .5; } svg.conflict .step { stroke: var(--c); stroke-opacity: 1; }
svg.conflict .touched { fill: var(--c); fill-opacity: .25; stroke: var(--c); stroke-opacity: 1; }
svg.conflict .turn { stroke-opacity: .5; } .wide { overflow-x: auto; } svg.order { max-width: none; }
svg.conflict .outside { fill: none; stroke-dasharray: 3 3; }
mark { background: none; color: var(--c); font-weight: 700; text-decoration: underline; }
</style>
</head>
<body>
)";

std::string e(std::string_view text) { return escaped_markup(text); }

// Paragraphs; lines that start with a blank become code.
std::string paragraphs(std::string_view text) {
  std::string out, prose, code;
  const auto flush = [&] {
    if (!prose.empty()) out += "<p>" + e(prose) + "</p>\n";
    if (!code.empty()) out += "<pre>" + e(code) + "</pre>\n";
    prose.clear();
    code.clear();
  };
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    std::string& part = line.starts_with(' ') ? code : prose;
    if (line.empty() || (&part == &code ? !prose.empty() : !code.empty())) flush();
    if (!line.empty()) part.append(part.empty() ? "" : "\n").append(line);
  }
  flush();
  return out;
}

constexpr std::size_t kSeenColumns = 44, kColumnsBefore = 16;  // of a line, where two stand beside each other

std::string source(const access& a, const std::string& object, source_reader& sources) {
  const std::string line = sources.line(a);
  if (line.empty()) return {};
  const column_range mark = marked_columns(line, object, a);
  const std::string_view before = first_columns(line, mark.begin);
  const std::string_view marked = first_columns(std::string_view(line).substr(before.size()), mark.length);
  auto left_out = std::min(before.find_first_not_of(' '), before.size());
  // What is marked can be seen without scrolling.
  const bool is_far = columns(before.substr(left_out)) + marked.size() > kSeenColumns;
  if (is_far) left_out = first_columns(before, mark.begin - std::min(mark.begin, kColumnsBefore)).size();
  return fmt::format("<pre>{}  {}{}<mark>{}</mark>{}</pre>\n", a.line, is_far ? "&hellip;" : "",
                     e(before.substr(left_out)), e(marked),
                     e(std::string_view(line).substr(before.size() + marked.size())));
}

std::string side(const access& a, const std::string& object, source_reader& sources) {
  std::string what(doing(a));
  if (what.empty()) what = a.value.empty() ? std::string(name(a.kind)) : fmt::format("{} of {}", name(a.kind), a.value);
  std::string out = fmt::format("<div><strong>{}</strong>: {}<br><code>{}:{}</code> in <code>{}</code>\n", e(who(a)),
                                e(what), e(a.file), a.line, e(a.function));
  out += source(a, object, sources);
  for (const stack_frame& f : a.stack) {
    out += fmt::format("called from <code>{}</code> at <code>{}:{}</code><br>\n", e(f.function), e(f.file), f.line);
  }
  return out + "</div>\n";
}

std::string card(const finding& f, dialect words, source_reader& sources) {
  const phrases said = phrase(f, words);
  std::string out = fmt::format("<section class=\"finding {}\">\n<h2><span class=\"tag\">{}[{}]</span> {}</h2>\n",
                                name(f.severity), name(f.severity), name(f.rule), e(said.message));
  out += "<div class=\"sides\">\n";
  for (const access& a : f.accesses) out += side(a, f.object, sources);
  out += "</div>\n" + conflict_drawing(f) + order_drawing(f.order);
  for (const std::string& sentence : f.order.text)
    out += fmt::format("<p><strong>Order.</strong> {}.</p>\n", e(sentence));
  if (!said.why.empty()) out += fmt::format("<p><strong>Why.</strong> {}</p>\n", e(said.why));
  if (!said.fix.empty()) out += fmt::format("<p><strong>Fix.</strong> {}</p>\n", e(said.fix));
  if (f.count > 1 && !f.accesses.empty()) out += fmt::format("<p>{}.</p>\n", how_often(f));
  if (!f.replay.empty()) out += fmt::format("<p>See it again: <code>{}</code></p>\n", e(f.replay));
  if (!f.debug.empty()) out += fmt::format("<p>Stop a debugger there: <code>{}</code></p>\n", e(f.debug));
  const rule_texts k = texts_of(f.rule, words);
  out += fmt::format(
      "<details><summary>What {} means</summary>\n<p><strong>{}.</strong></p>\n{}<pre>{}</pre>\n{}</details>\n",
      name(f.rule), e(k.meaning), paragraphs(k.text), e(k.example), paragraphs(k.fix));
  return out + "</section>\n";
}

std::string row(std::string_view label, std::string_view text) {
  return text.empty() ? "" : fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", e(label), e(text));
}

std::string run(const run_report& r, source_reader& sources) {
  const text_style plain{.width = 200};
  std::string summary = text_summary(r, plain);
  summary.pop_back();
  const char* tone = exit_code(r, false) == 0 ? "clean" : "error";
  std::string out = fmt::format("<h1 class=\"{}\"><span class=\"tag\">{}</span></h1>\n<table>\n", tone, e(summary));
  std::string command = "simrun";
  for (const std::string& word : r.arguments) command += " " + word;
  out += row("command", command);
  out += row("backend", r.backend);
  out += row("checks", !r.check.any() ? "none" : fmt::format("{}", fmt::join(names(r.check), ", ")));
  if (r.check.any()) out += row("schedule", fmt::format("{}, seed {}", r.schedule, r.seed));
  for (const launch_record& l : r.launches) {
    out += row("launch", fmt::format("{}, grid {},{},{}, block {},{},{}", l.kernel, l.grid.x, l.grid.y, l.grid.z,
                                     l.block.x, l.block.y, l.block.z));
  }
  for (const auto& [label, o] : r.result.outputs) {
    out += row("output", fmt::format("{}: {}, sum {:.10g}", label, counted(o.count, "element"), o.sum));
  }
  out += row("result", fmt::format("{} {}", name(r.result.status), r.result.detail));
  out += row("error", r.error);
  for (const std::string& note : r.notes) out += row("note", note);
  if (const auto n = r.errors_left_out + r.warnings_left_out; n != 0)
    out += row("more", fmt::format("{} findings left out; --max-reports keeps more", n));
  out += "</table>\n";
  for (const finding& f : r.findings) {
    if (is_member(f)) continue;
    out += card(f, r.dialect, sources);
    if (f.members.empty()) continue;
    out += fmt::format("<details><summary>{} {}</summary>\n", counted(f.members.size(), "more finding"),
                       tie_of_members(f));
    for (const std::int64_t m : f.members) out += card(r.findings[static_cast<std::size_t>(m)], r.dialect, sources);
    out += "</details>\n";
  }
  return out;
}

}  // namespace

std::string html_report(const std::vector<run_report>& reports) {
  std::string out = kHead;
  source_reader sources;
  for (const run_report& r : reports) out += run(r, sources);
  return out + fmt::format("<p><small>simrun {}</small></p>\n</body>\n</html>\n", e(tool_version()));
}

}  // namespace simt
