// SPDX-License-Identifier: Apache-2.0
// simrun test [PATTERN]: every program with --check all (or without checks on a GPU) against what it declares.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "execution.hpp"
#include "expectation.hpp"
#include "module_loader.hpp"
#include "sim/report/nearest_name.hpp"
#include "output_file.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/terminal_text.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

// Seconds a program; a hang must not stop the table. The longest takes 20, and many times that on a machine with other
// work.
constexpr double kTimeout = 600;

struct program_row {
  junit_case result;
  std::string outcome;
};

// Defects that are there on purpose need checks to be seen, and may break a GPU.
bool needs_checks(const program_info& p) {
  return std::ranges::any_of(p.expected.findings, [](const auto& f) { return !f.warning; });
}

program_row test_program(module& kernels, const program_info& p, run_options o, const suppression_file& suppressed,
                         progress& shown) {
  program_row out;
  out.result.name = p.name;
  out.result.group = "simrun." + o.backend;
  o.program = p.name;
  if (o.timeout <= 0) o.timeout = kTimeout;
  if (!o.wants_checks() && needs_checks(p)) {
    out.result.result = junit_case::outcome::skipped;
    out.result.message = "has defects on purpose, and nothing checks for them here";
    return out;
  }
  const auto start = std::chrono::steady_clock::now();
  const execution done = execute(kernels, o, suppressed, shown);
  out.result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  out.outcome = outcome_text(done.report);
  const bool all_checks = o.checks.all();
  if (std::string wrong = departure(done.report, p.expected, all_checks); !wrong.empty()) {
    out.result.result = junit_case::outcome::failed;
    out.result.message = wrong;
    for (const finding& f : done.report.findings)
      out.result.text += text_finding(f, done.report.dialect, {.width = 100}) + "\n";
  }
  return out;
}

std::string line(const program_row& r, std::size_t name_width, const text_style& style) {
  const bool failed = r.result.result == junit_case::outcome::failed;
  const bool skipped = r.result.result == junit_case::outcome::skipped;
  const std::string mark = paint(failed    ? "FAIL"
                                 : skipped ? "skip"
                                           : "ok  ",
                                 failed    ? tone::error
                                 : skipped ? tone::warning
                                           : tone::good,
                                 style.color);
  const std::string time = skipped ? "" : fmt::format("{:.2f} s", r.result.seconds);
  const std::string text = r.result.message.empty() ? r.outcome : r.result.message;
  const std::size_t room = std::max<std::size_t>(style.width, name_width + 30) - name_width - 16;
  std::string out = fmt::format("{} {:<{}}  ", mark, r.result.name, name_width);
  if (failed) {  // nothing of a failure is cut
    const auto lines = wrap(printable(text), room + 10);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out += (i == 0 ? "" : std::string(name_width + 7, ' ')) + lines[i] + "\n";
    return out;
  }
  const std::string cut = shortened(printable(text), room);
  return out + cut + std::string(room - columns(cut) + 1, ' ') + fmt::format("{:>8}\n", time);
}

std::string to_json(const std::vector<program_row>& rows) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const program_row& r : rows) {
    const bool failed = r.result.result == junit_case::outcome::failed;
    const bool skipped = r.result.result == junit_case::outcome::skipped;
    cases.push_back({{"program", r.result.name},
                     {"result", failed    ? "failed"
                                : skipped ? "skipped"
                                          : "passed"},
                     {"outcome", r.outcome},
                     {"message", r.result.message},
                     {"seconds", r.result.seconds}});
  }
  const nlohmann::ordered_json document = {{"schema", "simrun-test/1"}, {"programs", cases}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

bool chosen(const program_info& p, const words& patterns) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return glob_matches(pattern, p.name) || p.name.find(pattern) != std::string::npos;
         });
}

int fail(std::string_view message, int code = kExitUsage) {
  complain(message);
  return code;
}

}  // namespace

int verb_test(const words& arguments) {
  plain_command command = parse_test_command(arguments);
  if (command.exit_code >= 0) return command.exit_code;
  run_options& o = command.options;
  const words& patterns = command.extra;
  if (o.backend == "sim" && o.check.empty() && !o.detect_races) o.check = "all";
  if (const std::string wrong = settle(o); !wrong.empty()) return fail(wrong);
  output_file junit, json;
  for (auto [file, option, path] : {std::tuple{&junit, "--junit", &o.junit}, {&json, "--json", &o.json}}) {
    if (const std::string wrong = file->open(option, *path); !wrong.empty()) return fail(wrong);
  }
  suppression_file suppressed;
  module* kernels = nullptr;
  try {
    suppressed = read_suppressions(o);
    kernels = &open_module(o.variant(), o.module_file);
  } catch (const module_error& error) {
    return fail(error.what(), error.exit_code);
  } catch (const std::runtime_error& error) {
    return fail(error.what());
  }
  if (const std::string reason = kernels->unavailable(); !reason.empty()) return fail(reason, kExitUnavailable);
  std::vector<program_info> programs = kernels->programs();
  const std::vector<std::string> known = names_of(programs);
  for (const std::string& pattern : patterns)
    if (std::ranges::none_of(programs, [&](const program_info& p) { return chosen(p, {pattern}); }))
      return fail(fmt::format("no program is called {}{}", pattern, suggestion(pattern, known)));
  std::erase_if(programs, [&](const program_info& p) { return !chosen(p, patterns); });

  const text_style style = style_for(STDOUT_FILENO, o.color);
  std::size_t name_width = 0;
  for (const program_info& p : programs) name_width = std::max(name_width, p.name.size());
  std::vector<program_row> rows;
  {
    progress shown(o.quiet);
    for (const program_info& p : programs) {
      shown.show(fmt::format("{} of {}: {}", rows.size() + 1, programs.size(), p.name));
      rows.push_back(test_program(*kernels, p, o, suppressed, shown));
      shown.clear();
      if (!o.quiet || rows.back().result.result == junit_case::outcome::failed)
        print(line(rows.back(), name_width, style));
    }
  }
  const auto count = [&](junit_case::outcome wanted) {
    return std::ranges::count(rows, wanted, [](const program_row& r) { return r.result.result; });
  };
  const auto failed = count(junit_case::outcome::failed);
  if (const auto skipped = count(junit_case::outcome::skipped); skipped > 0)
    print(fmt::format("{} skipped\n", skipped));
  print(fmt::format("{} passed, {} failed\n", count(junit_case::outcome::passed), failed));
  std::vector<junit_case> cases;
  for (const program_row& r : rows) cases.push_back(r.result);
  if (junit.is_open()) {
    if (const std::string wrong = junit.write(junit_report("simrun test", cases)); !wrong.empty()) return fail(wrong);
  }
  if (json.is_open()) {
    if (const std::string wrong = json.write(to_json(rows)); !wrong.empty()) return fail(wrong);
  }
  return failed == 0 ? kExitClean : kExitMismatch;
}

}  // namespace simt::cli
