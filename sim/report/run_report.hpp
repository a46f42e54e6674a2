// SPDX-License-Identifier: Apache-2.0
// What one run of a program gave: result, launches, findings. The data behind every
// rendering (docs/cli.md, "The JSON report").
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "checks.hpp"
#include "explored_run.hpp"
#include "finding.hpp"
#include "profile_data.hpp"
#include "recorded_order.hpp"

namespace simt {

enum class result_status : std::uint8_t { match, mismatch, unchecked };
enum class verdict : std::uint8_t { clean, mismatch, findings, crash, unavailable, error, interrupted };
// Whose words findings are said in: sync(), to_host(), or __syncthreads(), cudaMemcpy.
enum class dialect : std::uint8_t { api, cuda };

// Digest of one output array, element type converted to double.
struct output_summary {
  std::int64_t count = 0;
  double sum = 0;
  std::vector<double> head;  // the first elements, at most 8
  bool integral = false;
  std::uint64_t hash = 0;  // of all elements; 0: not known
  friend bool operator==(const output_summary&, const output_summary&) = default;
};

struct launch_record {
  std::string kernel;
  index3 grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t shared_bytes = 0;  // dynamic
  // Wall time without checks; in check runs a logical time (instrumented steps x 1 ns), so that reports repeat.
  double milliseconds = 0;
  // On the simulator: direct (no thread waited), loops or fibers; and why not loops (docs/loops.md).
  std::string execution{}, execution_reason{};
};

// Values to draw with --plot; chosen by the program.
struct plot_data {
  enum class form : std::uint8_t { none, bars, heatmap, line } kind = form::none;
  std::string title;
  std::vector<double> values;  // row-major when columns > 0
  std::int64_t columns = 0;
  double low = 0, high = 0;  // range of the x axis for bars and line; both 0: indices
  friend bool operator==(const plot_data&, const plot_data&) = default;
};

struct timing {
  double min = 0, median = 0, max = 0;
  friend bool operator==(const timing&, const timing&) = default;
};

struct run_report {
  std::string program;
  std::string backend = "sim";
  simt::dialect dialect = dialect::api;
  check_set check;
  std::string schedule = "natural";
  std::uint64_t seed = 0;
  simt::verdict verdict = verdict::clean;
  struct {
    result_status status = result_status::unchecked;
    std::string detail;
    std::map<std::string, output_summary> outputs;
    std::string printed;  // by a program of CUDA source, in a search: sorted lines. Not in reports
  } result;
  std::vector<launch_record> launches;
  // What a checked run looked at, and what it was not asked to. Summed over the schedules that ran.
  struct {
    std::int64_t launches = 0;  // also those that are too many for the list above
    std::int64_t accesses = 0;  // of device threads: reads, writes, atomics, waits
    check_set checks, not_checked;
    std::int64_t excused_volatile = 0;  // accesses that would be races if volatile were plain
    bool doubtful = false;              // run_request::may_doubt: something is undecided, and may be a race
  } judged;
  std::vector<finding> findings;
  std::int64_t errors_left_out = 0, warnings_left_out = 0;  // findings that were there too, beyond --max-reports
  std::string error;                     // verdict error or unavailable: message with advice; exit 2 or 77
  bool host_crashed = false;             // verdict crash: the program itself died, and no kernel before; error: of what
  int interrupted_by = 0;                // the signal that ended the run before its end: the report is partial; 0: none
  std::vector<std::string> notes;        // things a reader should know: memory limits of the detector, reports left out
  std::vector<profiled_kernel> profile;  // of a run that was counted
  plot_data plot;
  int workers = 0;
  int repeat = 0;  // bench only
  timing kernel_ms, with_copies_ms;
  // In which order threads went on, one for each schedule that ran; what `simrun replay` plays back.
  std::vector<recorded_order> orders;
  step_record steps;  // of a run under pct or explore
  // Words of the command that repeats this run, without the tool's name; the tool fills it.
  std::vector<std::string> arguments;
};

std::string_view name(verdict v);
std::string_view name(result_status s);
std::string_view name(dialect d);

}  // namespace simt
