// SPDX-License-Identifier: Apache-2.0
// Run reports as JSON, and the way back from a report to the command that repeats it. Keys are those of docs/cli.md.
#include "json_report.hpp"

#include "report_data.hpp"
#include "report_fields.hpp"
#include "tool_version.hpp"

namespace simt {
namespace {

using data::json;

constexpr const char* kBenchSchema = "simrun-bench/1";

json to_json(const timing& t) { return {{"min", t.min}, {"median", t.median}, {"max", t.max}}; }

std::string text(const json& j) { return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string json_report(const run_report& report) {
  json out = {{"schema", data::kReportSchema}, {"version", tool_version()}};
  out.update(data::written(report, true));
  return text(out);
}

std::string json_bench(const run_report& report) {
  json out = {{"schema", kBenchSchema},
              {"version", tool_version()},
              {"program", report.program},
              {"backend", report.backend},
              {"check", names(report.check)},
              {"workers", report.workers},
              {"repeat", report.repeat},
              {"kernel_ms", to_json(report.kernel_ms)},
              {"with_copies_ms", to_json(report.with_copies_ms)}};
  if (!report.error.empty()) out["error"] = report.error;
  return text(out);
}

namespace {

json read_report(const std::string& text) {
  json report = json::parse(text, nullptr, false);
  if (report.is_discarded())
    throw replay_error("it is not JSON; `simrun PROGRAM --json FILE` writes a report to replay");
  if (!report.is_object() || report.value("schema", json()) != data::kReportSchema)
    throw replay_error(std::string("its \"schema\" is not \"") + data::kReportSchema + "\"");
  return report;
}

}  // namespace

std::vector<std::string> replay_arguments(const std::string& report_text) {
  const json report = read_report(report_text);
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

std::vector<recorded_order> replay_orders(const std::string& report_text) {
  const json report = read_report(report_text);
  std::vector<recorded_order> orders;
  try {
    orders = data::orders_in(report);
  } catch (const report_error& e) {
    throw replay_error(e.what());
  }
  const json schedule = report.value("schedule", json::object());
  const std::string name = schedule.is_object() ? schedule.value("name", "") : "";
  if (orders.empty() && (name == "random" || name == "lockstep" || name == "pct" || name == "explore"))
    throw replay_error("it has no \"orders\", so it does not say in which order its threads ran");
  return orders;
}

}  // namespace simt
