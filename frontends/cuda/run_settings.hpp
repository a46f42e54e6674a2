// SPDX-License-Identifier: Apache-2.0
// The settings of a run as environment variables: simrun writes them for the program that it starts, the program's
// runtime reads them. A program that was built with -o takes them from whoever runs it (docs/cuda_source.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <simt/module.hpp>

namespace simt::cuda_source {

// One variable. An empty text stands for a variable that is not set, in both directions.
struct run_setting {
  const char* name;
  const char* takes;  // what its value is, for messages: "a number"
  std::string (*write)(const run_request&);
  bool (*read)(run_request&, const std::string& value);  // false: the value is not what the variable takes
};

std::span<const run_setting> run_settings();

// Names the descriptor that the report goes to.
inline constexpr const char* kReportVariable = "SIMT_REPORT_FD";

// Names the file with the order that a replay plays back: orders are longer than variables may be.
inline constexpr const char* kOrderVariable = "SIMT_ORDER";
void write_order(const recorded_order& order, const std::string& file);
// Names the file with what a search asks of a run under pct or explore.
inline constexpr const char* kStepsVariable = "SIMT_STEPS";
inline constexpr const char* kSaidVariable = "SIMT_SAID";  // run_request::said
void write_steps(const step_request& steps, const std::string& file);

// The variables that make a program run as `request` says and send its report to this descriptor.
std::vector<std::pair<std::string, std::string>> variables_of(const run_request& request, int report_descriptor);

// What the environment asks for. All checks are on in a `checked` program that is told nothing. Throws simt::error with
// the variable, its value and what it takes.
run_request request_from_environment(bool checked);

// Where the report is to be sent; nothing: nobody waits for one, so it is printed. Throws as above.
std::optional<int> report_descriptor();

}  // namespace simt::cuda_source
