// SPDX-License-Identifier: Apache-2.0
// Run reports as JSON, and the way back from a report to the command that repeats it. Keys are those of cli.md.
#include "json_report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#ifndef SIMT_VERSION
#define SIMT_VERSION "0.1.0"
#endif

namespace simt {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* kReportSchema = "simrun-report/1";
constexpr const char* kBenchSchema = "simrun-bench/1";
constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

json to_json(const index3& i) { return json::array({i.x, i.y, i.z}); }

// Integers are written as integers while a double holds them exactly.
json number(double value, bool integral) {
  if (integral && std::abs(value) <= kLargestExactInteger) return static_cast<std::int64_t>(value);
  return value;
}

json to_json(const output_summary& output) {
  json head = json::array();
  for (const double v : output.head) head.push_back(number(v, output.integral));
  return {{"count", output.count}, {"sum", number(output.sum, output.integral)}, {"head", head}};
}

json to_json(const launch_record& l) {
  json out = {{"kernel", l.kernel}, {"grid", to_json(l.grid)}, {"block", to_json(l.block)}};
  if (l.shared_bytes != 0) out["shared_bytes"] = l.shared_bytes;
  out["milliseconds"] = l.milliseconds;
  return out;
}

json to_json(const access& a) {
  json out = {{"kind", name(a.kind)}, {"file", a.file}, {"line", a.line}, {"function", a.function}, {"agent", a.agent}};
  if (a.agent == "thread") {
    out["block"] = to_json(a.block);
    out["thread"] = to_json(a.thread);
  }
  out["value"] = a.value;
  if (!a.state.empty()) out["state"] = a.state;
  json stack = json::array();
  for (const stack_frame& f : a.stack) stack.push_back({{"function", f.function}, {"file", f.file}, {"line", f.line}});
  out["stack"] = stack;
  return out;
}

json to_json(const finding& f) {
  json out = {{"rule", name(f.rule)}, {"severity", name(f.severity)},
              {"message", f.message}, {"why", f.why},
              {"fix", f.fix},         {"space", name(f.space)},
              {"object", f.object},   {"index", f.index},
              {"type", f.type},       {"bytes", f.bytes},
              {"count", f.count},     {"kernel", f.kernel}};
  json accesses = json::array();
  for (const access& a : f.accesses) accesses.push_back(to_json(a));
  out["accesses"] = accesses;
  out["replay"] = f.replay;
  return out;
}

json to_json(const timing& t) { return {{"min", t.min}, {"median", t.median}, {"max", t.max}}; }

std::string text(const json& j) { return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_report(const run_report& report) {
  json out = {{"schema", kReportSchema},        {"version", tool_version()},
              {"program", report.program},      {"backend", report.backend},
              {"check", report.check},          {"schedule", {{"name", report.schedule}, {"seed", report.seed}}},
              {"verdict", name(report.verdict)}};
  json outputs = json::object();
  for (const auto& [label, output] : report.result.outputs) outputs[label] = to_json(output);
  out["result"] = {{"status", name(report.result.status)}, {"detail", report.result.detail}, {"outputs", outputs}};
  out["launches"] = json::array();
  for (const launch_record& l : report.launches) out["launches"].push_back(to_json(l));
  out["findings"] = json::array();
  for (const finding& f : report.findings) out["findings"].push_back(to_json(f));
  if (!report.error.empty()) out["error"] = report.error;
  out["notes"] = report.notes;
  out["request"] = {{"arguments", report.arguments}};
  return text(out);
}

std::string json_bench(const run_report& report) {
  json out = {{"schema", kBenchSchema},
              {"version", tool_version()},
              {"program", report.program},
              {"backend", report.backend},
              {"check", report.check},
              {"workers", report.workers},
              {"repeat", report.repeat},
              {"kernel_ms", to_json(report.kernel_ms)},
              {"with_copies_ms", to_json(report.with_copies_ms)}};
  if (!report.error.empty()) out["error"] = report.error;
  return text(out);
}

std::vector<std::string> replay_arguments(const std::string& report_text) {
  const json report = json::parse(report_text, nullptr, false);
  if (report.is_discarded())
    throw replay_error("it is not JSON; `simrun PROGRAM --json FILE` writes a report to replay");
  if (!report.is_object() || report.value("schema", json()) != kReportSchema) {
    throw replay_error(std::string("its \"schema\" is not \"") + kReportSchema + "\"");
  }
  const json request = report.value("request", json::object());
  const json arguments = request.is_object() ? request.value("arguments", json::array()) : json::array();
  std::vector<std::string> words;
  for (const json& word : arguments) {
    if (!word.is_string()) throw replay_error("\"request\": \"arguments\" holds something that is no string");
    words.push_back(word.get<std::string>());
  }
  if (words.empty()) throw replay_error("it has no \"request\", so it does not say how it was made");
  return words;
}

std::string tool_version() { return SIMT_VERSION; }

}  // namespace simt
