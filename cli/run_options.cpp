// SPDX-License-Identifier: Apache-2.0
// Long because: the options of all verbs are one list, so that one place says which verb has which.
// Options of run, test, bench and compare: one table, with the text of --help.
#include "run_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "one_of.hpp"
#include "sim/report/nearest_name.hpp"
#include "step_search.hpp"

namespace simt::cli {
namespace {

constexpr int kMostSchedules = 100000;
constexpr int kUsualDepth = 2;  // of --schedule pct

// CLI11's own validators state the upper end of a double's range, in 309 digits.
CLI::Validator number_from_zero(bool zero_too) {
  return CLI::Validator(
      [zero_too](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && (zero_too ? value >= 0 : value > 0))
          return std::string();
        return fmt::format("must be a {} number, got '{}'", zero_too ? "non-negative" : "positive", text);
      },
      "");
}

CLI::Validator whole_number(int least, int most) {
  return CLI::Validator(
      [=](std::string& text) {
        int value = 0;
        const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = wrong == std::errc() && end == text.data() + text.size();
        return whole && value >= least && value <= most
                   ? std::string()
                   : fmt::format("must be a whole number from {} to {}, got '{}'", least, most, text);
      },
      "");
}

void add_checks(CLI::App& app, run_options& o) {
  const char* group = "Checking (runs a build that is slower and sees every access)";
  app.add_flag("--detect-races", o.detect_races, "the same as --check races")->group(group);
  app.add_option("--check", o.check, "any of races, memory, uninit, barrier, with commas; or all")
      ->type_name("LIST")
      ->group(group);
  app.add_option("--schedule", o.schedule,
                 "which interleaving runs: natural, lockstep, reverse, random or pct (random with a stated bound, "
                 "which implies --check races if no check is named)")
      ->type_name("NAME")
      ->check(one_of({"natural", "lockstep", "reverse", "random", "pct", "explore"}))
      ->group(group);
  app.add_option("--depth", o.depth, "pct: how many orderings the defects that are looked for depend on [2]")
      ->type_name("D")
      ->check(whole_number(1, 10))
      ->group(group);
  app.add_option("--explore", o.explore,
                 "search all orders of threads, up to a bound: bound=N preemptions [2], departures=N, time=10s")
      ->type_name("[bound=N]")
      ->group(group);
  app.add_option("--unit", o.unit,
                 "explore and pct: what takes turns, thread, warp or block [by the size of the largest launch]")
      ->type_name("NAME")
      ->check(one_of({"thread", "warp", "block"}))
      ->group(group);
  app.add_option("--memory-model", o.memory_model,
                 "ptx: loads also read older values that the memory model of PTX allows (docs/schedules.md)")
      ->type_name("ptx")
      ->check(one_of({"ptx"}))
      ->group(group);
  app.add_option("--seed", o.seed, "seed of the random and pct schedules; the same seed gives the same report")
      ->type_name("N")
      ->check(number_from_zero(true))
      ->check(CLI::Validator(
          [](std::string& text) {
            std::uint64_t value = 0;
            const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
            return wrong == std::errc::result_out_of_range ? "'" + text + "' is above 18446744073709551615"
                                                           : std::string();
          },
          ""))
      ->group(group);
  app.add_option("--schedules", o.schedules,
                 "try N of them: natural, lockstep, reverse, then random with seeds from --seed on; with --schedule "
                 "random or pct N seeds. Findings are merged")
      ->type_name("N")
      ->check(whole_number(1, kMostSchedules))
      ->group(group);
  app.add_flag("--volatile-is-plain", o.volatile_is_plain, "volatile accesses order nothing, as in the C++ standard")
      ->group(group);
  app.add_option("--suppress", o.suppress, "hide the findings that this file names (docs/suppressions.md)")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--strict", o.strict, "warnings count as errors")->group(group);
}

void add_stack(CLI::App& app, run_options& o, const char* group) {
  app.add_option("--stack", o.stack, "stack of each device thread; environment SIMT_STACK")
      ->type_name("BYTES")
      ->envname("SIMT_STACK")
      ->check(number_from_zero(false))
      ->group(group);
}

void add_color_and_help(CLI::App& app, run_options& o, const char* group) {
  app.add_option("--color", o.color, "auto, always or never; NO_COLOR is honoured")
      ->type_name("WHEN")
      ->check(one_of({"auto", "always", "never"}))
      ->group(group);
  app.add_flag("--help,-h", o.help, "this text; after a program's name, that program's options too")->group(group);
}

void add_machine(CLI::App& app, run_options& o, verb_kind verb) {
  const char* group = "Where and how";
  if (verb != verb_kind::compare) {
    app.add_option("--backend", o.backend, "sim or cuda; environment SIMT_BACKEND")
        ->type_name("NAME")
        ->check(one_of({"sim", "cuda"}))
        ->envname("SIMT_BACKEND")
        ->group(verb == verb_kind::cuda_source ? "" : group);  // a .cu file runs on the simulator's one device
  }
  if (verb != verb_kind::cuda_source)
    app.add_option("--module", o.module_file, "kernels of your own, made with simt_add_kernels")
        ->type_name("FILE")
        ->group(group);
  if (verb != verb_kind::test && verb != verb_kind::cuda_source) {
    app.add_option("--grid", o.grid, "blocks, instead of the program's own number")
        ->type_name("X[,Y[,Z]]")
        ->group(group);
    app.add_option("--block", o.block, "threads a block")->type_name("X[,Y[,Z]]")->group(group);
    app.add_option("--shared", o.shared, "dynamic shared memory a block")
        ->type_name("BYTES")
        ->check(number_from_zero(true))
        ->group(group);
  }
  app.add_option(
         "--execution", o.execution,
         "how kernels run: auto, loops (an error where one with barriers cannot), fibers, or single (fibers, one "
         "thread at a time: slow, and names the thread of any fault)")
      ->type_name("NAME")
      ->check(one_of({std::begin(kExecutionNames), std::end(kExecutionNames)}))
      ->group(group);
  if (verb == verb_kind::run || verb == verb_kind::cuda_source)
    app.add_flag("--explain-execution", o.explain_execution,
                 "say for each launch how it ran, and why not as loops where it did not")
        ->group(group);
  app.add_option("--workers", o.workers,
                 "OS threads; of a search, processes; default: all cores; environment SIMT_WORKERS")
      ->type_name("N")
      ->envname("SIMT_WORKERS")
      ->check(whole_number(1, kMostWorkers))
      ->group(group);
  app.add_option("--timeout", o.timeout,
                 "give up on a hang, with a report of who waits where; environment SIMT_TIMEOUT")
      ->type_name("SECONDS")
      ->envname("SIMT_TIMEOUT")
      ->check(number_from_zero(false))
      ->group(group);
  add_stack(app, o, group);
  app.add_option("--device", o.device, "which device of the backend, as `simrun devices` counts")
      ->type_name("N")
      ->check(number_from_zero(true))
      ->group(verb == verb_kind::cuda_source ? "" : group);
}

void add_debug(CLI::App& app, run_options& o, verb_kind verb) {
  o.for_debugger = true;
  const char* group = "Where to stop, and the program's shape";
  app.add_option("--block", o.stop_block, "the block of the thread to stop in; default: 0")
      ->type_name("X[,Y[,Z]]")
      ->group(group);
  app.add_option("--thread", o.stop_thread, "the thread to stop in, in its block; default: 0")
      ->type_name("X[,Y[,Z]]")
      ->group(group);
  app.add_option("--kernel", o.stop_kernel, "stop in this kernel, not in the first that has such a thread")
      ->type_name("NAME")
      ->group(group);
  if (verb == verb_kind::debug) {
    app.add_option("--module", o.module_file, "kernels of your own, made with simt_add_kernels(... VARIANTS debug)")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--grid", o.grid, "blocks, instead of the program's own number")
        ->type_name("X[,Y[,Z]]")
        ->group(group);
    app.add_option("--launch-block", o.block, "threads a block: what --block is to other verbs")
        ->type_name("X[,Y[,Z]]")
        ->group(group);
    app.add_option("--shared", o.shared, "dynamic shared memory a block")
        ->type_name("BYTES")
        ->check(number_from_zero(true))
        ->group(group);
  }
  add_stack(app, o, group);
  const char* gdb = "gdb (the environment variable SIMT_GDB names another)";
  app.add_option("--ex", o.gdb_commands, "a command for gdb, once it has stopped; may be repeated")
      ->type_name("COMMAND")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1)
      ->group(gdb);
  app.add_flag("--batch", o.batch, "end after these commands, without a prompt")->group(gdb);
  add_color_and_help(app, o, gdb);
}

void add_output(CLI::App& app, run_options& o, verb_kind verb) {
  const char* group = "Output (FILE may be - for standard output)";
  app.add_option("--json", o.json, "write the report as JSON")->type_name("FILE")->group(group);
  if (verb == verb_kind::run || verb == verb_kind::cuda_source) {
    app.add_option("--sarif", o.sarif, "write it as SARIF 2.1.0, for code hosts and editors")
        ->type_name("FILE")
        ->group(group);
  }
  if (verb == verb_kind::run || verb == verb_kind::cuda_source || verb == verb_kind::profile) {
    app.add_option("--html", o.html, "write it as one HTML page")->type_name("FILE")->group(group);
    app.add_option("--record", o.record, "write the run that found something, with its order, for simrun replay")
        ->type_name("FILE")
        ->group(group);
    if (verb == verb_kind::run)
      app.add_flag("--plot", o.plot, "draw the result, where the program has something to draw")->group(group);
  }
  if (verb == verb_kind::run || verb == verb_kind::test || verb == verb_kind::cuda_source) {
    app.add_option("--junit", o.junit, "write results as JUnit XML")->type_name("FILE")->group(group);
  }
  app.add_option("--max-reports", o.max_reports, "findings kept and shown; default: 100 kept, 20 shown")
      ->type_name("N")
      ->check(whole_number(1, 1000000))
      ->group(group);
  if (verb == verb_kind::run || verb == verb_kind::cuda_source) {
    app.add_option("--new-since", o.new_since,
                   "only findings that are not in this earlier --json report (docs/suppressions.md)")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--format", o.format, "text, or gcc: one line a finding, as compilers write it, for editors")
        ->type_name("NAME")
        ->check(one_of({"text", "gcc"}))
        ->group(group);
  }
  app.add_flag("--quiet,-q", o.quiet, "one line")->group(group);
  add_color_and_help(app, o, group);
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0)
      option->check(CLI::Validator([](std::string& text) { return text.empty() ? "the value is empty" : ""; }, ""));
}

std::string parse_checks(run_options& o) {
  o.checks = {.races = o.detect_races};
  const std::string unknown = turn_on(o.check, o.checks);
  if (unknown.empty()) return {};
  const std::vector<std::string> known = names({true, true, true, true});
  const std::string nearest = suggestion(unknown, known);
  return fmt::format("--check: there is no check \"{}\"{} The checks are {} and {}.", unknown,
                     nearest.empty() ? "." : nearest, fmt::join(known, ", "), kAllChecks);
}

}  // namespace

void add_run_options(CLI::App& app, run_options& o, verb_kind verb) {
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_help_flag();
  if (verb == verb_kind::debug || verb == verb_kind::debug_source) {
    add_debug(app, o, verb);
    refuse_empty_values(app);
    return;
  }
  if (verb == verb_kind::run) app.add_flag("--for-debugger", o.for_debugger)->group("");  // what debug itself starts
  if (verb != verb_kind::compare) add_checks(app, o);
  add_machine(app, o, verb);
  if (verb == verb_kind::bench) {
    app.add_option("--repeat", o.repeat, "measured runs after the warm-up")
        ->type_name("N")
        ->check(whole_number(1, 1000000))
        ->group("Measuring");
  }
  if (verb == verb_kind::profile) {
    o.profile = true;
    add_profile_options(app, o);
  }
  add_output(app, o, verb);
  refuse_empty_values(app);
}

void add_profile_options(CLI::App& app, run_options& o) {
  app.add_option("--compare", o.compare_with, "what has changed since this earlier --json report")
      ->type_name("FILE")
      ->group("Counting");
  app.add_flag("--registers", o.registers, "asks ptxas how many registers kernels take (needs nvcc; a .cu file)")
      ->group("Counting");
}

namespace {

// Counters follow the natural schedule, and have reports of their own.
std::string wrong_for_profile(const run_options& o) {
  if (o.names_schedule())
    return "simrun profile counts under the natural schedule: leave out --schedule and --schedules.";
  if (o.execution == "loops" && o.wants_checks())
    return "simrun profile with --check runs kernels on fibers, where each access is judged and counted: leave out "
           "--execution loops.";
  for (const auto& [option, value] :
       {std::pair{"--sarif", &o.sarif}, {"--junit", &o.junit}, {"--new-since", &o.new_since}})
    if (!value->empty()) return fmt::format("simrun profile writes --json and --html; leave out {}.", option);
  if (o.format != "text") return "simrun profile has no --format.";
  return {};
}

}  // namespace

std::string settle(run_options& o) {
  if (std::string wrong = parse_checks(o); !wrong.empty()) return wrong;
  if (!o.explore.empty()) {
    if (!o.schedule.empty() && o.schedule != "explore")
      return "--explore runs the schedules of its search; leave out --schedule " + o.schedule + ".";
    if (o.schedules > 1) return "--explore runs as many schedules as its bound has; leave out --schedules.";
    o.schedule = "explore";
    try {
      read_explore_bound(o.explore);
    } catch (const std::runtime_error& wrong) {
      return wrong.what();
    }
  }
  if (o.schedule == "pct" && o.depth == 0) o.depth = kUsualDepth;
  if (o.schedule != "pct" && o.depth != 0)
    return "--depth is the depth of --schedule pct: name that schedule, or leave out --depth.";
  if (!o.by_steps() && !o.unit.empty())
    return "--unit says what takes turns in --explore and --schedule pct: name one of them, or leave out --unit.";
  // Schedules are those of checked runs: only instrumented code can be switched at each access.
  if (o.profile)
    if (std::string wrong = wrong_for_profile(o); !wrong.empty()) return wrong;
  // One schedule by its name is a way to run; several, a search, or a memory model look for what differs.
  if (!o.wants_checks() && (o.schedules > 1 || o.by_steps() || !o.memory_model.empty()) && o.backend != "cuda")
    o.checks.races = true;
  if (o.backend == "cuda" && o.profile) return {};  // the verb says what to do instead
  if (o.backend == "cuda" && o.wants_check_variant()) {
    return "checks and schedules need the simulator: a GPU runs kernels as they are, and nothing watches them there. "
           "Leave out --backend cuda (or SIMT_BACKEND), or leave out --check, --detect-races and --schedule.";
  }
  if (o.backend == "cuda" && (o.execution != "auto" || o.explain_execution))
    return "--execution and --explain-execution are about the simulator; leave out --backend cuda (or SIMT_BACKEND).";
  if (o.execution == "loops" && o.names_schedule())
    return "loops run threads in their natural order only: leave out --execution loops, or the schedule.";
  std::string wrong;
  if (!o.grid.empty()) parse_extent(o.grid, "--grid", wrong);
  if (!o.block.empty() && wrong.empty()) parse_extent(o.block, o.for_debugger ? "--launch-block" : "--block", wrong);
  if (!o.stop_block.empty() && wrong.empty()) parse_position(o.stop_block, "--block", wrong);
  if (!o.stop_thread.empty() && wrong.empty()) parse_position(o.stop_thread, "--thread", wrong);
  const auto to_standard_output = (o.json == "-") + (o.sarif == "-") + (o.junit == "-") + (o.html == "-");
  if (to_standard_output > 1 && wrong.empty())
    wrong = "only one report can go to standard output; name a file for the others";
  return wrong;
}

namespace {
std::optional<std::array<std::int64_t, 3>> parse_three(const std::string& text, std::string_view option,
                                                       std::int64_t least, std::string& wrong) {
  std::array<std::int64_t, 3> extent = {least, least, least};
  std::size_t axis = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  for (; axis < 3; ++axis) {
    const auto [stop, error] = std::from_chars(at, end, extent[axis]);
    if (error != std::errc() || stop == at) break;
    at = stop;
    if (at == end || (*at != ',' && *at != 'x')) break;
    ++at;
    if (axis == 2) break;
  }
  if (at != end || text.empty() || text.back() == ',' || text.back() == 'x') {
    wrong = fmt::format("{}: \"{}\" is not X, X,Y or X,Y,Z with whole numbers", option, text);
    return {};
  }
  if (std::ranges::any_of(extent, [least](std::int64_t e) { return e < least; })) {
    wrong = fmt::format("{}: every number must be at least {}, got {}", option, least, text);
    return {};
  }
  return extent;
}
}  // namespace

std::optional<std::array<std::int64_t, 3>> parse_extent(const std::string& text, std::string_view option,
                                                        std::string& wrong) {
  return parse_three(text, option, 1, wrong);
}

std::optional<std::array<std::int64_t, 3>> parse_position(const std::string& text, std::string_view option,
                                                          std::string& wrong) {
  return parse_three(text, option, 0, wrong);
}

run_request make_request(const run_options& o, const std::vector<std::string>& suppressions) {
  run_request r;
  std::string ignored;
  r.program = o.program;
  r.options = o.program_options;
  if (!o.grid.empty()) r.grid = parse_extent(o.grid, "--grid", ignored);
  if (!o.block.empty()) r.block = parse_extent(o.block, "--block", ignored);
  if (o.shared >= 0) r.shared_bytes = o.shared;
  r.checks = o.checks;
  r.profile = o.profile;
  r.schedule = o.schedule.empty() ? "natural" : o.schedule;
  r.seed = o.seed;
  r.execution = o.execution;
  r.workers = o.workers;
  r.timeout_seconds = o.timeout;
  r.stack_bytes = o.stack;
  r.max_reports = o.max_reports;
  r.volatile_is_plain = o.volatile_is_plain;
  if (!o.memory_model.empty()) {
    r.workers = 1;
    r.steps.weak_memory = true;
    r.steps.draws_older = !o.by_steps();
  }
  r.device = o.device;
  r.suppressions = suppressions;
  return r;
}

std::vector<std::string> debug_words(const run_options& o) {
  run_options same;
  same.program = o.program;
  same.program_options = o.program_options;
  same.module_file = o.module_file;
  same.grid = o.grid;
  same.shared = o.shared;
  same.stack = o.stack;
  std::vector<std::string> words = command_words(same);
  if (!o.block.empty()) words.insert(words.end(), {"--launch-block", o.block});
  return words;
}

std::vector<std::string> command_words(const run_options& o, const std::optional<one_schedule>& schedule) {
  std::vector<std::string> words = {o.program};
  const auto add = [&words](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  for (const auto& [option, value] : o.program_options) {
    words.push_back("--" + option);
    if (value != "true") words.push_back(value);
  }
  if (!o.module_file.empty()) add("--module", o.module_file);
  if (o.backend != "sim") add("--backend", o.backend);
  if (o.wants_checks())
    add("--check", o.checks.all() ? std::string(kAllChecks) : fmt::format("{}", fmt::join(names(o.checks), ",")));
  if (schedule) {
    if (schedule->name != "natural") add("--schedule", schedule->name);
    if (schedule->name == "random") add("--seed", std::to_string(schedule->seed));
  } else {
    if (!o.explore.empty())
      words.push_back("--explore=" + o.explore);
    else if (!o.schedule.empty())
      add("--schedule", o.schedule);
    if (o.schedule == "pct") add("--depth", std::to_string(o.depth));
    if (!o.unit.empty()) add("--unit", o.unit);
    if (o.seed != 0) add("--seed", std::to_string(o.seed));
    if (o.schedules > 1) add("--schedules", std::to_string(o.schedules));
  }
  if (!o.grid.empty()) add("--grid", o.grid);
  if (!o.block.empty()) add("--block", o.block);
  if (o.shared >= 0) add("--shared", std::to_string(o.shared));
  if (o.execution != "auto") add("--execution", o.execution);
  if (o.workers > 0) add("--workers", std::to_string(o.workers));
  if (o.timeout > 0) add("--timeout", fmt::format("{}", o.timeout));
  if (o.stack > 0) add("--stack", std::to_string(o.stack));
  if (o.device > 0) add("--device", std::to_string(o.device));
  if (!o.memory_model.empty()) add("--memory-model", o.memory_model);
  if (o.volatile_is_plain) words.emplace_back("--volatile-is-plain");
  if (!o.suppress.empty()) add("--suppress", o.suppress);
  if (o.max_reports > 0) add("--max-reports", std::to_string(o.max_reports));
  if (o.strict) words.emplace_back("--strict");
  return words;
}

}  // namespace simt::cli
