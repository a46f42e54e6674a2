// SPDX-License-Identifier: Apache-2.0
// The options of verbs that run programs, as given on the command line, and what they ask of a module.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/suppressions.hpp"
#include "simt/module.hpp"

namespace CLI {
class App;  // its header costs seconds to compile: only three files see it
}

namespace simt::cli {

inline constexpr int kMostWorkers = 256;  // as begin_run of backends/sim has it

struct run_options {
  std::string program;
  std::map<std::string, std::string> program_options;  // only those that were given
  std::string backend = "sim", module_file;
  std::string check;  // as typed; parsed into `checks`
  bool detect_races = false;
  check_set checks;
  std::string schedule;  // empty: natural, or every kind where schedules > 1
  std::uint64_t seed = 0;
  int schedules = 1;
  std::int64_t depth = 0;    // pct; 0: not given, and settle() makes it kUsualDepth
  std::string memory_model;  // "ptx": loads read what it allows; empty: the newest value
  std::string explore;       // "bound=2,time=10s"; what is typed behind --explore, with commas between
  std::string unit;          // "thread", "warp" or "block"; empty: what suits the launches
  std::string record;
  std::string grid, block;
  std::int64_t shared = -1;  // -1: the program's own
  std::string execution = "auto";
  bool explain_execution = false;
  int workers = 0;
  double timeout = 0;
  std::int64_t stack = 0;
  int device = 0;
  bool volatile_is_plain = false;
  std::string json, sarif, junit, html;
  int max_reports = 0;  // 0: 20 as text, 100 in files
  std::string suppress, new_since;
  std::string format = "text";
  bool strict = false, plot = false, quiet = false, help = false;
  std::string color = "auto";
  bool cuda_words = false;                           // explain
  int repeat = 5;                                    // bench
  std::string replayed;                              // replay: the file
  bool profile = false;                              // simrun profile
  bool registers = false;                            // profile: ask ptxas
  std::string compare_with;                          // profile: a report of an earlier one
  bool for_debugger = false;                         // the module's variant that simrun debug runs
  std::string stop_block, stop_thread, stop_kernel;  // debug: where to stop
  std::vector<std::string> gdb_commands;
  bool batch = false;
  std::vector<recorded_order> orders;  // replay: what to play back, one for each schedule

  // Runs come from a search that decides at steps (step_search.hpp).
  bool by_steps() const { return schedule == "pct" || schedule == "explore"; }
  bool wants_checks() const { return checks.any(); }
  // Schedules other than natural need the check variant too: only instrumented code can be switched at each access.
  bool names_schedule() const {
    return schedules > 1 || !memory_model.empty() || !(schedule.empty() || schedule == "natural");
  }
  bool wants_check_variant() const { return wants_checks() || names_schedule() || profile; }
  std::string variant() const {
    return backend == "cuda" && !profile ? "cuda" : wants_check_variant() ? "check" : for_debugger ? "debug" : "sim";
  }
};

enum class verb_kind { run, test, bench, compare, profile, cuda_source, debug, debug_source };

// Adds the options of a verb to a parser. Repeated options: the last one counts.
void add_run_options(CLI::App& app, run_options& o, verb_kind verb);

// What `simrun profile` takes besides; add_run_options does it for verb_kind::profile.
void add_profile_options(CLI::App& app, run_options& o);

// What the parser cannot see: lists, combinations. Fills o.checks. Returns what is wrong, or nothing.
std::string settle(run_options& o);

// The request for one run. `suppressions`: lines already read. Options must be settled.
run_request make_request(const run_options& o, const std::vector<std::string>& suppressions);

// The words after "simrun" that repeat the run with the options that were given; output files and looks left out.
// With `schedule`, one schedule instead of those asked for.
struct one_schedule {
  std::string name;
  std::uint64_t seed = 0;
};
std::vector<std::string> command_words(const run_options& o, const std::optional<one_schedule>& schedule = {});

// The words after "simrun debug" that run the same program in the same shape.
std::vector<std::string> debug_words(const run_options& o);

// "X[,Y[,Z]]" (also with x between) to three numbers, of extents from 1, of positions from 0; what is wrong goes into
// `wrong`.
std::optional<std::array<std::int64_t, 3>> parse_extent(const std::string& text, std::string_view option,
                                                        std::string& wrong);
std::optional<std::array<std::int64_t, 3>> parse_position(const std::string& text, std::string_view option,
                                                          std::string& wrong);

}  // namespace simt::cli
