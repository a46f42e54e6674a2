// SPDX-License-Identifier: Apache-2.0
// SARIF 2.1.0. Section numbers in comments are those of the OASIS standard (errata 01).
#include "sarif_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "explain.hpp"
#include "phrasebook.hpp"
#include "source_excerpt.hpp"
#include "text_report.hpp"
#include "tool_version.hpp"
#include "verdict.hpp"

namespace simt {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char* kRoot = "SRCROOT";
constexpr std::size_t kMostSides = 32;  // thread flows of one result; a hang may list thousands of threads

// Relative URI reference of a path; what RFC 3986 does not allow in a path is percent-encoded.
std::string uri(const std::string& path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/+@,=!$&'()*;").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.starts_with('/') ? "file://" + out : out;
}

json location(const std::string& file, int line, const std::string& function, const std::string& message,
              column_range marked = {}) {
  json out = json::object();
  if (!file.empty()) {
    json artifact = {{"uri", uri(file)}};
    if (!file.starts_with('/')) artifact["uriBaseId"] = kRoot;
    out["physicalLocation"] = {{"artifactLocation", artifact}};
    if (line > 0) {
      json& region = out["physicalLocation"]["region"] = {{"startLine", line}};  // 3.30.5: lines count from 1
      if (marked.length != 0) {  // 3.30.6, 3.30.8: columns too; the end is one past the last
        region["startColumn"] = marked.begin + 1;
        region["endColumn"] = marked.begin + marked.length + 1;
      }
    }
  }
  if (!function.empty()) {
    out["logicalLocations"] = json::array({{{"name", function}, {"kind", "function"}}});
  }
  if (!message.empty()) out["message"] = {{"text", message}};
  return out;
}

std::string side_text(const access& a) {
  std::string text = who(a) + ": ";
  if (const std::string what = doing(a); !what.empty()) return text.append(what);
  text += name(a.kind);
  return a.value.empty() ? text : text + " of " + a.value;
}

// 3.44 stack object: outermost frame last.
json stack(const access& a) {
  json frames = json::array({{{"location", location(a.file, a.line, a.function, "")}}});
  for (const stack_frame& f : a.stack) frames.push_back({{"location", location(f.file, f.line, f.function, "")}});
  return {{"frames", frames}};
}

// 3.37 threadFlow: the calls from the kernel down to the access, as far as the stack is known.
json thread_flow(const access& a, std::size_t order) {
  json steps = json::array();
  for (auto f = a.stack.rbegin(); f != a.stack.rend(); ++f) {
    steps.push_back({{"location", location(f->file, f->line, f->function, "calls")}, {"importance", "unimportant"}});
  }
  steps.push_back({{"location", location(a.file, a.line, a.function, side_text(a))},
                   {"stack", stack(a)},
                   {"executionOrder", order},
                   {"importance", "essential"}});
  // The id must be unique in its flow, and both sides may be the host.
  return {{"id", fmt::format("{}: {}", order, who(a))}, {"message", {{"text", side_text(a)}}}, {"locations", steps}};
}

json result(const finding& f, dialect words) {
  const phrases said = phrase(f, words);
  std::string text = said.message;
  if (!said.why.empty()) text += "\n\n" + said.why;
  if (!said.fix.empty()) text += "\n\nFix: " + said.fix;
  const rule r = f.rule;
  json out = {{"ruleId", name(r)},
              {"ruleIndex", static_cast<int>(r)},
              {"level", name(f.severity)},
              {"message", {{"text", text}}}};
  source_reader sources;
  std::string fingerprint = fmt::format("{}:{}", name(r), f.object);
  if (!f.accesses.empty()) {
    const access& first = f.accesses.front();
    out["locations"] =
        json::array({location(first.file, first.line, first.function, "", sources.columns_in_file(first, f.object))});
    json related = json::array(), flows = json::array();
    for (std::size_t i = 0; i < std::min(f.accesses.size(), kMostSides); ++i) {
      const access& a = f.accesses[i];
      fingerprint += fmt::format(":{}:{}", a.file, a.line);
      // The later side comes first in a finding.
      flows.push_back(thread_flow(a, f.accesses.size() - i));
      if (i == 0) continue;
      json other = location(a.file, a.line, a.function, side_text(a), sources.columns_in_file(a, f.object));
      other["id"] = i;
      related.push_back(other);
    }
    if (!related.empty()) out["relatedLocations"] = related;
    out["codeFlows"] = json::array({{{"message", {{"text", said.message}}}, {"threadFlows", flows}}});
  }
  out["occurrenceCount"] = std::max<std::int64_t>(f.count, 1);
  out["partialFingerprints"] = {{"ruleObjectAndLines/v1", fingerprint}};
  out["properties"] = {
      {"object", f.object}, {"index", f.index}, {"space", name(f.space)}, {"kernel", f.kernel}, {"replay", f.replay}};
  return out;
}

json rules(dialect words) {
  json out = json::array();
  for (int i = 0; i < rule_count; ++i) {
    const auto r = static_cast<rule>(i);
    const rule_texts k = texts_of(r, words);
    const std::string text = fmt::format("{}\n\nExample:\n\n{}\n\nFix: {}", k.text, k.example, k.fix);
    const std::string markdown = fmt::format("{}\n\n```cpp\n{}\n```\n\n**Fix.** {}", k.text, k.example, k.fix);
    const bool warns = r == rule::barrier_early_exit || r == rule::unwritten_output;
    out.push_back({{"id", name(r)},
                   {"shortDescription", {{"text", k.meaning}}},
                   {"fullDescription", {{"text", k.text}}},
                   {"help", {{"text", text}, {"markdown", markdown}}},
                   {"defaultConfiguration", {{"level", warns ? "warning" : "error"}}}});
  }
  return out;
}

json sarif_run(const run_report& report) {
  json results = json::array();
  for (const finding& f : report.findings) results.push_back(result(f, report.dialect));
  std::string command = "simrun";
  for (const std::string& word : report.arguments) command += " " + word;
  json invocation = {{"commandLine", command},
                     {"exitCode", exit_code(report, false)},
                     {"executionSuccessful", report.verdict != verdict::error &&
                                                 report.verdict != verdict::unavailable && report.interrupted_by == 0}};
  if (report.interrupted_by != 0) {
    invocation["exitSignalName"] = signal_name(report.interrupted_by);
    invocation["exitSignalNumber"] = report.interrupted_by;
    invocation["exitCodeDescription"] = "interrupted: the report is partial";
  }
  json notifications = json::array();
  if (!report.error.empty()) notifications.push_back({{"level", "error"}, {"message", {{"text", report.error}}}});
  if (const std::string judged = what_was_judged(report); !judged.empty())
    notifications.push_back({{"level", "note"}, {"message", {{"text", judged}}}});
  if (!notifications.empty()) invocation["toolExecutionNotifications"] = notifications;
  return {{"tool", {{"driver", {{"name", "simrun"}, {"version", tool_version()}, {"rules", rules(report.dialect)}}}}},
          {"invocations", json::array({invocation})},
          {"originalUriBaseIds", {{kRoot, {{"description", {{"text", "root of the source tree"}}}}}}},
          {"columnKind", "unicodeCodePoints"},
          {"results", results},
          {"properties",
           {{"program", report.program},
            {"backend", report.backend},
            {"schedule", report.schedule},
            {"seed", report.seed}}}};
}

}  // namespace

std::string sarif_report(const std::vector<run_report>& reports) {
  json runs = json::array();
  for (const run_report& r : reports) runs.push_back(sarif_run(r));
  const json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", runs}};
  return log.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace simt
