// SPDX-License-Identifier: Apache-2.0
// One page: each kernel's source with a column of heat a counter, and for the line that is clicked the addresses that
// one warp touched, drawn as sectors or banks. Nothing is loaded from elsewhere.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "counted.hpp"
#include "junit_report.hpp"
#include "occupancy.hpp"
#include "profile_files.hpp"
#include "profile_text.hpp"
#include "source_excerpt.hpp"
#include "tool_version.hpp"

namespace simt {
namespace {

constexpr const char* kProfileHead = R"page(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>simrun profile</title>
<style>
:root { color-scheme: light dark; --line: #8884; --hot: 220 60 30; --lane: #06a; --off: #8882; }
@media (prefers-color-scheme: dark) { :root { --hot: 255 110 70; --lane: #6cf; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 96rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 1.5rem 0 .3rem; }
code, pre, td, th { font: 13px/1.45 ui-monospace, monospace; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th { text-align: right; font-weight: 600; padding: .1rem .5rem; vertical-align: bottom; max-width: 7rem; }
td { text-align: right; padding: .05rem .5rem; white-space: pre; }
/* Lines and their numbers stay in sight; counters move past behind them. */
.number, .source { position: sticky; background: Canvas; }
.number { left: 0; min-width: 2.2rem; } .source { left: 3.2rem; }
th.source, td.source { text-align: left; white-space: pre-wrap; overflow-wrap: anywhere; border-right: 1px solid var(--line); }
td.source div, th.source div { width: clamp(11rem, 48vw, 42rem); }
tr[data-line] { cursor: pointer; } tr[data-line]:hover td, tr.chosen td { box-shadow: inset 0 1px var(--lane), inset 0 -1px var(--lane); }
.warp { margin: .3rem 0 1rem; padding: .6rem; border: 1px solid var(--line); border-radius: .4rem; overflow-x: auto; }
.cells { display: grid; gap: 2px; margin: .3rem 0; width: max-content; }
.cell { min-width: 2.1rem; height: 1.5rem; font: 11px/1.5rem ui-monospace, monospace; text-align: center; background: var(--off); white-space: nowrap; padding: 0 .2rem; }
.cell.used { background: var(--lane); color: #fff; } .cell.label { background: none; text-align: right; }
</style>
</head>
<body>
)page";

// The page's own few lines: rows choose a sample, samples are drawn as sectors of 32 bytes or as words by bank.
constexpr const char* kProfileScript = R"page(<script>
"use strict";
function cell(text, kind) {
  const c = document.createElement("div");
  c.className = "cell " + kind;
  c.textContent = text;
  return c;
}
function lanesAt(sample, from, to) {
  const found = [];
  sample.offsets.forEach((o, lane) => { if (o >= 0 && o < to && o + sample.bytes > from) found.push(lane); });
  return found;
}
function named(lanes) {
  if (lanes.length === 0) return "";
  return lanes.length > 2 && lanes[lanes.length - 1] - lanes[0] === lanes.length - 1
    ? lanes[0] + "-" + lanes[lanes.length - 1] : lanes.slice(0, 3).join(",") + (lanes.length > 3 ? "+" + (lanes.length - 3) : "");
}
function drawSectors(sample) {
  const box = document.createElement("div");
  box.className = "cells";
  box.style.gridTemplateColumns = "repeat(5, auto)";
  const lines = new Set();
  sample.offsets.forEach(o => { if (o >= 0) { lines.add(Math.floor(o / 128)); lines.add(Math.floor((o + sample.bytes - 1) / 128)); } });
  for (const line of [...lines].sort((a, b) => a - b)) {
    box.append(cell("+" + line * 128, "label"));
    for (let s = 0; s < 4; ++s) {
      const lanes = lanesAt(sample, line * 128 + s * 32, line * 128 + s * 32 + 32);
      box.append(cell(named(lanes), lanes.length ? "used" : ""));
    }
  }
  return box;
}
function drawBanks(sample) {
  const box = document.createElement("div");
  box.className = "cells";
  box.style.gridTemplateColumns = "repeat(33, auto)";
  box.append(cell("bank", "label"));
  for (let b = 0; b < 32; ++b) box.append(cell(b, "label"));
  const rows = new Map();
  sample.offsets.forEach((o, lane) => {
    for (let w = Math.floor(o / 4); o >= 0 && w * 4 < o + sample.bytes; ++w) {
      const row = Math.floor(w / 32);
      if (!rows.has(row)) rows.set(row, new Map());
      const at = rows.get(row);
      if (!at.has(w % 32)) at.set(w % 32, []);
      at.get(w % 32).push(lane);
    }
  });
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    box.append(cell("+" + row * 128, "label"));
    for (let b = 0; b < 32; ++b) {
      const lanes = rows.get(row).get(b) || [];
      box.append(cell(named(lanes), lanes.length ? "used" : ""));
    }
  }
  return box;
}
function show(row) {
  const kernel = profile[row.dataset.kernel];
  const samples = kernel[row.dataset.line] || [];
  const box = document.getElementById("warp-" + row.dataset.kernel);
  document.querySelectorAll("tr.chosen").forEach(r => { if (r.dataset.kernel === row.dataset.kernel) r.classList.remove("chosen"); });
  row.classList.add("chosen");
  box.textContent = samples.length ? "" : row.dataset.line + " touches no memory of the device.";
  for (const s of samples) {
    const shared = s.operation.startsWith("shared");
    const title = document.createElement("div");
    title.textContent = row.dataset.line + ": " + s.operation + " of warp " + s.warp + " in block (" + s.block.join(",") + "): " + s.bytes +
      " bytes a thread, " + s.cost + (shared ? " wavefronts; words by bank, with the lanes that use them"
                                             : " sectors; 128-byte lines of four sectors, with the lanes that use them");
    box.append(title, shared ? drawBanks(s) : drawSectors(s));
  }
}
document.querySelectorAll("tr[data-line]").forEach(row => {
  row.addEventListener("click", () => show(row));
  row.addEventListener("keydown", e => { if (e.key === "Enter") show(row); });
});
document.querySelectorAll("table").forEach(t => { const hot = t.querySelector("tr[data-hottest]"); if (hot) show(hot); });
</script>
)page";

std::string as_html(std::string_view text) { return escaped_markup(text); }

using json = nlohmann::ordered_json;
constexpr int kAround = 3;  // lines of source before the first and behind the last that was counted

std::string source_row(std::size_t kernel, const std::string& path, int number, const profiled_line* line,
                       const std::vector<counter>& shown, const counters& most, source_reader& sources, bool hottest) {
  access where;
  where.file = where.path = path;
  where.line = number;
  std::string out = "<tr";
  if (line != nullptr)
    out += fmt::format(" data-kernel=\"{}\" data-line=\"{}:{}\" tabindex=\"0\"{}", kernel, as_html(line->file), number,
                       hottest ? " data-hottest" : "");
  out += fmt::format("><td class=\"number\">{}</td><td class=\"source\"><div>{}</div></td>", number,
                     as_html(sources.line(where)));
  for (const counter c : shown) {
    const std::int64_t value = line != nullptr ? line->counters[c] : 0;
    const double heat = most[c] > 0 ? static_cast<double>(value) / static_cast<double>(most[c]) : 0;
    out += value == 0 ? "<td></td>"
                      : fmt::format("<td style=\"background: rgb(var(--hot) / {:.2f})\">{}</td>", heat * .7, value);
  }
  return out + "</tr>\n";
}

std::string kernel_section(std::size_t index, const profiled_kernel& k, source_reader& sources) {
  std::string out =
      fmt::format("<h2>{}</h2>\n<p>{}{}</p>\n", as_html(k.kernel), counted(k.launches, "launch", {.ending = "es"}),
                  k.partial ? ", <strong>partial</strong>" : "");
  std::vector<counter> shown;
  counters most;
  for (std::size_t i = 0; i < kCounters; ++i) {
    const auto c = static_cast<counter>(i);
    for (const profiled_line& l : k.lines) most[c] = std::max(most[c], l.counters[c]);
    if (most[c] > 0 && (c <= counter::thread_executions || is_arithmetic(c))) shown.push_back(c);
  }
  const std::vector<profiled_kernel> alone{k};
  const auto dear = costly_lines(alone, 1);
  const std::string hottest = dear.empty() ? "" : fmt::format("{}:{}", dear[0].line->file, dear[0].line->line);
  std::map<std::string, std::map<int, const profiled_line*>> files;
  for (const profiled_line& l : k.lines) files[l.path.empty() ? l.file : l.path][l.line] = &l;
  for (const auto& [path, lines] : files) {
    out += fmt::format(
        "<div class=\"scroll\"><table>\n<tr><th class=\"number\"></th><th class=\"source\"><div>{}</div></th>",
        as_html(lines.begin()->second->file));
    for (const counter c : shown) {
      std::string label(name(c));
      std::ranges::replace(label, '_', ' ');
      out += fmt::format("<th title=\"{} in all\">{}</th>", k.counters[c], label);
    }
    out += "</tr>\n";
    int next = std::max(lines.begin()->first - kAround, 1);
    for (const auto& [number, line] : lines) {
      if (number - next > 2 * kAround) {
        for (int n = next; n < next + kAround; ++n)
          out += source_row(index, path, n, nullptr, shown, most, sources, false);
        out += "<tr><td class=\"number\"></td><td class=\"source\">...</td></tr>\n";
        next = number - kAround;
      }
      for (; next < number; ++next) out += source_row(index, path, next, nullptr, shown, most, sources, false);
      out += source_row(index, path, number, line, shown, most, sources,
                        fmt::format("{}:{}", line->file, number) == hottest);
      next = number + 1;
    }
    out += "</table></div>\n";
  }
  return out +
         fmt::format("<div class=\"warp\" id=\"warp-{}\">Click a line: what one warp touched there.</div>\n", index);
}

}  // namespace

std::string html_profile(const profile_document& p) {
  source_reader sources;
  std::string out = kProfileHead + fmt::format("<h1>simrun profile {}</h1>\n", as_html(p.program));
  if (p.partial) out += "<p><strong>Partial:</strong> the run did not come to its end.</p>\n";
  for (const std::string& note : p.notes) out += "<p>" + as_html(note) + "</p>\n";
  out += "<ol>\n";
  for (const costly_line& c : costly_lines(p.kernels, 3))
    out += fmt::format("<li><strong>{}</strong> at <code>{}:{}</code>: {}. Change: {}.</li>\n", as_html(c.what),
                       as_html(c.line->file), c.line->line, as_html(c.why), as_html(c.change));
  out += "</ol>\n<ul>\n";
  for (const profiled_kernel& k : p.kernels)
    for (const kernel_advice& a : advice_on(k))
      out += fmt::format("<li><strong>{}</strong>: {}: {}. Change: {}.</li>\n", as_html(k.kernel), as_html(a.what),
                         as_html(a.why), as_html(a.change));
  out += "</ul>\n";
  json data = json::array();
  for (std::size_t i = 0; i < p.kernels.size(); ++i) {
    out += kernel_section(i, p.kernels[i], sources);
    json lines = json::object();
    for (const profiled_line& l : p.kernels[i].lines) {
      json& samples = lines[fmt::format("{}:{}", l.file, l.line)] = json::array();
      for (const warp_sample& s : l.samples)
        samples.push_back({{"operation", s.operation},
                           {"block", {s.block.x, s.block.y, s.block.z}},
                           {"warp", s.warp},
                           {"bytes", s.bytes},
                           {"cost", s.cost},
                           {"offsets", s.offsets}});
    }
    data.push_back(std::move(lines));
  }
  std::string text = data.dump(-1, ' ', true, json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  out += "<script>const profile = " + text + ";</script>\n";
  return out + kProfileScript +
         fmt::format("<p><small>simrun {}</small></p>\n</body>\n</html>\n", as_html(tool_version()));
}

}  // namespace simt
