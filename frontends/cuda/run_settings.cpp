// SPDX-License-Identifier: Apache-2.0
#include "run_settings.hpp"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <simt/error.hpp>

#include "sim/report/report_data.hpp"

namespace simt::cuda_source {
namespace {

constexpr const char* kNumber = "a number";

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

template <class Number>
bool read_number(Number& n, const std::string& text) {
  const char* const end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, n);
  return failed == std::errc() && stop == end;
}

template <class Number>
std::string number_text(Number n) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, n).ptr};
}

// A setting that is a number of the request; 0 is the default and is left unsaid where `only_if_set`.
template <auto member>
std::string write_number(const run_request& r) {
  return number_text(r.*member);
}
template <auto member>
std::string write_if_set(const run_request& r) {
  return r.*member != 0 ? number_text(r.*member) : "";
}
template <auto member>
bool read_into(run_request& r, const std::string& value) {
  return read_number(r.*member, value);
}

constexpr std::string_view kNoChecks = "none";

std::string write_checks(const run_request& r) {
  std::string list;
  for (const std::string& name : names(r.checks)) list += (list.empty() ? "" : ",") + name;
  return list.empty() ? std::string(kNoChecks) : list;
}

bool read_checks(run_request& r, const std::string& list) {
  return list == kNoChecks || turn_on(list, r.checks).empty();
}

constexpr run_setting kSettings[] = {
    {"SIMT_CHECK", "a list of the checks races, memory, uninit and barrier, or all, or none", write_checks,
     read_checks},
    {"SIMT_PROFILE", "anything", [](const run_request& r) -> std::string { return r.profile ? "1" : ""; },
     [](run_request& r, const std::string&) { return r.profile = true; }},
    {"SIMT_SCHEDULE", "the name of a schedule", [](const run_request& r) { return r.schedule; },
     [](run_request& r, const std::string& value) {
       r.schedule = value;  // begin_run knows the names
       return true;
     }},
    {"SIMT_EXECUTION", "auto, loops, fibers or single", [](const run_request& r) { return r.execution; },
     [](run_request& r, const std::string& value) {
       r.execution = value;  // begin_run knows the names
       return true;
     }},
    {"SIMT_SEED", kNumber, write_number<&run_request::seed>, read_into<&run_request::seed>},
    {"SIMT_WORKERS", kNumber, write_number<&run_request::workers>, read_into<&run_request::workers>},
    {"SIMT_TIMEOUT", "a number of seconds", write_number<&run_request::timeout_seconds>,
     read_into<&run_request::timeout_seconds>},
    {"SIMT_STACK", "a number of bytes", write_if_set<&run_request::stack_bytes>, read_into<&run_request::stack_bytes>},
    {"SIMT_MAX_REPORTS", kNumber, write_number<&run_request::max_reports>, read_into<&run_request::max_reports>},
    {"SIMT_VOLATILE_IS_PLAIN", "anything",
     [](const run_request& r) -> std::string { return r.volatile_is_plain ? "1" : ""; },
     [](run_request& r, const std::string&) { return r.volatile_is_plain = true; }},
    {"SIMT_MAY_DOUBT", "anything", [](const run_request& r) -> std::string { return r.may_doubt ? "1" : ""; },
     [](run_request& r, const std::string&) { return r.may_doubt = true; }},
    {kSaidVariable, "a failed assertion", [](const run_request& r) { return r.said; },
     [](run_request& r, const std::string& value) {
       r.said = value;
       return true;
     }},
};

[[noreturn]] void complain_about(const char* name, const char* takes, const std::string& value) {
  throw error(error_kind::invalid_argument, std::string(name) + " takes " + takes + ", not '" + value + "'");
}

step_request read_steps(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) complain_about(kStepsVariable, "a file with the steps of a search", file);
  try {
    return steps_from_text(text.str());
  } catch (const report_error& e) {
    throw error(error_kind::invalid_argument, std::string(kStepsVariable) + ": " + file + ": " + e.what());
  }
}

recorded_order read_order(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) complain_about(kOrderVariable, "a file with a recorded order", file);
  try {
    return order_from_text(text.str());
  } catch (const report_error& e) {
    throw error(error_kind::invalid_argument, std::string(kOrderVariable) + ": " + file + ": " + e.what());
  }
}

}  // namespace

void write_steps(const step_request& steps, const std::string& file) { std::ofstream(file) << steps_text(steps); }

void write_order(const recorded_order& order, const std::string& file) { std::ofstream(file) << order_text(order); }

std::span<const run_setting> run_settings() { return kSettings; }

std::vector<std::pair<std::string, std::string>> variables_of(const run_request& request, int report_descriptor) {
  std::vector<std::pair<std::string, std::string>> all = {{kReportVariable, number_text(report_descriptor)}};
  for (const run_setting& s : kSettings)
    if (std::string value = s.write(request); !value.empty()) all.emplace_back(s.name, std::move(value));
  return all;
}

run_request request_from_environment(bool checked) {
  run_request request;
  if (checked && variable("SIMT_CHECK").empty()) read_checks(request, "all");
  for (const run_setting& s : kSettings)
    if (const std::string value = variable(s.name); !value.empty() && !s.read(request, value))
      complain_about(s.name, s.takes, value);
  if (const std::string file = variable(kOrderVariable); !file.empty()) request.order = read_order(file);
  if (const std::string file = variable(kStepsVariable); !file.empty()) request.steps = read_steps(file);
  return request;
}

std::optional<int> report_descriptor() {
  const std::string value = variable(kReportVariable);
  if (value.empty()) return {};
  int descriptor = -1;
  if (!read_number(descriptor, value)) complain_about(kReportVariable, "a descriptor", value);
  return descriptor;
}

}  // namespace simt::cuda_source
