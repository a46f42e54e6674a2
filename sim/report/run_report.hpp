// SPDX-License-Identifier: Apache-2.0
// What one run of a program gave: result, launches, findings. The data behind every rendering (cli.md, JSON report).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "finding.hpp"

namespace simt {

enum class result_status : std::uint8_t { match, mismatch, unchecked };
enum class verdict : std::uint8_t { clean, mismatch, findings, crash, unavailable, error };

// Digest of one output array, element type converted to double.
struct output_summary {
  std::int64_t count = 0;
  double sum = 0;
  std::vector<double> head;  // the first elements, at most 8
  bool integral = false;
};

struct launch_record {
  std::string kernel;
  index3 grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t shared_bytes = 0;  // dynamic
  // Wall time without checks; in check runs a logical time (instrumented steps x 1 ns), so that reports repeat.
  double milliseconds = 0;
};

// Values to draw with --plot; chosen by the program.
struct plot_data {
  enum class form : std::uint8_t { none, bars, heatmap, line } kind = form::none;
  std::string title;
  std::vector<double> values;  // row-major when columns > 0
  std::int64_t columns = 0;
  double low = 0, high = 0;  // range of the x axis for bars and line; both 0: indices
};

struct timing {
  double min = 0, median = 0, max = 0;
};

struct run_report {
  std::string program;
  std::string backend = "sim";
  std::vector<std::string> check;  // of races, memory, uninit, barrier
  std::string schedule = "natural";
  std::uint64_t seed = 0;
  simt::verdict verdict = verdict::clean;
  struct {
    result_status status = result_status::unchecked;
    std::string detail;
    std::map<std::string, output_summary> outputs;
  } result;
  std::vector<launch_record> launches;
  std::vector<finding> findings;
  std::string error;               // verdict error or unavailable: message with advice; exit 2 or 77
  std::vector<std::string> notes;  // things a reader should know: memory limits of the detector, reports left out
  plot_data plot;
  std::string output_text;  // device printf is written directly; this stays empty unless captured
  int workers = 0;
  int repeat = 0;  // bench only
  timing kernel_ms, with_copies_ms;
  // Words of the command that repeats this run, without the tool's name; the tool fills it.
  std::vector<std::string> arguments;
};

// cli.md: 0 clean, 1 mismatch, 2 usage or launch error, 3 findings, 4 crash or hang, 77 unavailable.
// Findings of severity error win over a wrong result; warnings do not change the code unless strict.
int exit_code(const run_report& report, bool strict);

// What the findings and the result amount to. error, unavailable and crash stay as the run set them; warnings
// count only when strict. To be asked again after findings were suppressed.
verdict verdict_of(const run_report& report, bool strict);

std::string_view name(verdict v);
std::string_view name(result_status s);

}  // namespace simt
