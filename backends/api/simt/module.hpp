// SPDX-License-Identifier: Apache-2.0
// The door between the tool and a module of kernels: what a module holds and how to run it.
//
// simrun opens lib<name>.<variant>.so, calls simt_module() and talks to the interface below; nothing else
// of a module is visible, so code of one variant never stands in for another's. Host only.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sim/report/run_report.hpp>

namespace simt {

inline constexpr int module_abi = 10;

// One size or parameter of a program. Values travel as text; kind says how they are read.
struct program_option {
  enum class type : std::uint8_t { integer, real, text, flag };
  std::string name;  // without dashes
  std::string help;
  type kind = type::integer;
  std::string default_value;
  std::optional<double> minimum;  // smallest legal value of a number
};

// What a run with the default options must show; `simrun test` holds the program to it.
struct program_expectation {
  struct expected_finding {
    std::string rule;
    std::string object;  // substring; empty: any
    bool warning = false;
    bool may_be_missing = false;  // what follows from another one, on some schedules
  };
  std::vector<expected_finding> findings;  // with --check all; empty: silent
  result_status result = result_status::match;
  bool result_may_vary = false;  // a racy program's result is not compared
};

struct program_info {
  std::string name;
  std::string summary;  // one line
  std::string group;    // "seed", "example", ...
  std::vector<program_option> options;
  std::vector<std::string> kernels;
  std::string geometry;  // as text for help: "grid 64, block 64" or "covers --n with blocks of 256"
  program_expectation expected;
  bool plots = false;
};

struct device_summary {
  std::string name;
  std::string kind;  // "simulated" or "cuda"
  int ordinal = 0;
  std::vector<std::pair<std::string, std::string>> properties;  // label, value, in the order to show
};

// Which interleaving of threads a checked run takes; the last takes a seed. docs/cli.md says what each does.
inline constexpr const char* kScheduleNames[] = {"natural", "lockstep", "reverse", "random", "pct", "explore"};
// How kernels with barriers are to run.
inline constexpr const char* kExecutionNames[] = {"auto", "loops", "fibers", "single"};

struct run_request {
  std::string program;
  std::map<std::string, std::string> options;
  std::optional<std::array<std::int64_t, 3>> grid, block;
  std::optional<std::int64_t> shared_bytes;
  // checks; ignored by backends that have none (they must refuse with an error if any is set)
  check_set checks;
  bool profile = false;  // count what memory instructions cost (simrun profile); check variant
  std::string schedule = "natural";
  std::uint64_t seed = 0;
  std::optional<recorded_order> order;  // what an earlier run recorded under that schedule: plays it back
  step_request steps;                   // pct and explore: where in the search this run stands
  std::string execution = "auto";       // of kExecutionNames
  int workers = 0;                      // 0: all cores
  double timeout_seconds = 0;           // 0: none
  double give_up_seconds = 0;           // a process is ended then, and report.steps says given_up; 0: never
  std::int64_t stack_bytes = 0;         // per device thread; 0: default
  int max_reports = 0;                  // distinct findings kept; 0: default (100)
  bool volatile_is_plain = false;
  // Checks may be left undecided where that is fast: the caller repeats the run without this if its report is doubtful.
  bool may_doubt = false;
  std::string said;      // a failed assertion that an earlier run has told of (failed_assertion()): not printed again
  int bench_repeat = 0;  // > 0: measure
  int device = 0;
  bool keep_outputs = false;  // simrun compare: outputs written as raw bytes into `outputs_raw` of the result
  std::vector<std::string> suppressions;  // lines of --suppress, already read
};

// Raw outputs for `simrun compare`.
struct output_bytes {
  std::string type;  // "int32", "float32", ...
  std::vector<std::int64_t> extents;
  std::vector<unsigned char> bytes;
  double tolerance = 0;  // relative; 0: bit-exact
};

struct run_result {
  run_report report;
  std::map<std::string, output_bytes> outputs_raw;
};

class module {
 public:
  virtual ~module() = default;
  virtual int abi() const = 0;
  virtual std::string variant() const = 0;  // "sim", "check", "cuda"
  virtual std::vector<program_info> programs() = 0;
  virtual std::vector<device_summary> devices() = 0;  // empty with reason in unavailable() when none answers
  virtual std::string unavailable() = 0;              // why the backend cannot run here; empty: it can
  // Runs one program once (or request.bench_repeat times). Never throws; errors are in the report.
  virtual run_result run(const run_request& request) = 0;
  // From another thread: the process was asked to end by this signal. run() returns soon with what it has.
  virtual void interrupt(int signal) = 0;
};

}  // namespace simt

extern "C" simt::module* simt_module();
