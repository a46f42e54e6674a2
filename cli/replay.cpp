// SPDX-License-Identifier: Apache-2.0
// simrun replay FILE [PROGRAM] [options]: the run that a JSON report recorded, once more; what is given here counts
// last.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "command_line.hpp"
#include "help_text.hpp"
#include "sim/report/json_report.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

namespace {
// Then the order is not the recorded one.
bool names_a_schedule(const words& arguments) {
  return std::any_of(arguments.begin(), std::ranges::find(arguments, "--"), [](const std::string& w) {
    return w.starts_with("--schedule") || w.starts_with("--seed") || w.starts_with("--explore");
  });
}

// A program of a module has a name alone.
bool is_file_elsewhere(const std::string& program) {
  const std::filesystem::path path(program);
  std::error_code unknown;
  return (path.has_extension() || path.has_parent_path()) && !std::filesystem::exists(path, unknown);
}
}  // namespace

int verb_replay(const words& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) {
    const bool help = !arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h");
    const char* usage = "Usage: simrun replay FILE [PROGRAM] [options of a run]";
    if (help) {
      print(laid_out(
          std::string(usage) +
              "\n\nFILE is a report that `simrun PROGRAM --json FILE` or `--record FILE` wrote. PROGRAM is where its "
              "program is now, if that is another place. Options given here count last.\n",
          style_for(STDOUT_FILENO, "auto")));
      return kExitClean;
    }
    complain(fmt::format("replay needs the report to repeat, as --json wrote it. {}", usage));
    return kExitUsage;
  }
  const std::string& file = arguments.front();
  std::ifstream in(file);
  std::stringstream text;
  if (!in || !(text << in.rdbuf())) {
    complain(fmt::format("replay: cannot read {}", file));
    return kExitUsage;
  }
  words repeated;
  std::vector<recorded_order> orders;
  try {
    repeated = replay_arguments(text.str());
    if (!names_a_schedule(arguments)) orders = replay_orders(text.str());
  } catch (const replay_error& error) {
    complain(fmt::format("replay: {} cannot be replayed: {}", file, error.what()));
    return kExitUsage;
  }
  words given(arguments.begin() + 1, arguments.end());
  if (const std::size_t program = first_bare_word(repeated); program < repeated.size()) {
    if (!given.empty() && !given.front().starts_with('-')) {
      repeated[program] = given.front();
      given.erase(given.begin());
    } else if (is_file_elsewhere(repeated[program])) {
      complain(fmt::format(
          "replay: {} was recorded of {}, which is not there from this folder; replay it in the folder that it "
          "was recorded in, or say where the program is now: simrun replay {} PROGRAM",
          file, repeated[program], file));
      return kExitUsage;
    }
  }
  const auto of_program = std::ranges::find(repeated, "--");  // its own words
  if (std::ranges::count(given, "--") > 0) {
    repeated.erase(of_program, repeated.end());
    repeated.insert(repeated.end(), given.begin(), given.end());
  } else {
    repeated.insert(of_program, given.begin(), given.end());
  }
  if (std::ranges::any_of(orders, &recorded_order::cut))
    complain(fmt::format("replay: {} does not hold the whole order, it was too long; repeating the schedule", file));
  const replayed_orders replayed{orders, file};
  return run_line(repeated, replayed);
}

}  // namespace simt::cli
