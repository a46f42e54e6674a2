// SPDX-License-Identifier: Apache-2.0
// simrun replay FILE [options]: the run that a JSON report recorded, once more; options given here count last.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

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
}  // namespace

int verb_replay(const words& arguments) {
  if (arguments.empty() || arguments.front().starts_with('-')) {
    const bool help = !arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h");
    const char* usage = "Usage: simrun replay FILE [options of a run]";
    if (help) {
      print(laid_out(
          std::string(usage) +
              "\n\nFILE is a report that `simrun PROGRAM --json FILE` or `--record FILE` wrote. Options given here "
              "count last.\n",
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
  repeated.insert(repeated.end(), arguments.begin() + 1, arguments.end());
  if (std::ranges::any_of(orders, &recorded_order::cut))
    complain(fmt::format("replay: {} does not hold the whole order, it was too long; repeating the schedule", file));
  const replayed_orders replayed{orders, file};
  return run_line(repeated, replayed);
}

}  // namespace simt::cli
