// SPDX-License-Identifier: Apache-2.0
// simrun: which verb a command line means.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <string>

#include "command_line.hpp"
#include "help_text.hpp"
#include "sim/report/json_report.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace {

namespace cli = simt::cli;

struct verb {
  const char* name;
  int (*call)(const cli::words&);
};

constexpr std::array<verb, 8> kVerbs = {{{"run", cli::verb_run},
                                         {"list", cli::verb_list},
                                         {"test", cli::verb_test},
                                         {"bench", cli::verb_bench},
                                         {"compare", cli::verb_compare},
                                         {"replay", cli::verb_replay},
                                         {"explain", cli::verb_explain},
                                         {"devices", cli::verb_devices}}};

const verb* find_verb(const std::string& word) {
  const auto* found = std::ranges::find_if(kVerbs, [&](const verb& v) { return word == v.name; });
  return found == kVerbs.end() ? nullptr : found;
}

int dispatch(cli::words words) {
  if (words.empty() || (words.size() == 1 && (words[0] == "--help" || words[0] == "-h" || words[0] == "help"))) {
    cli::print(cli::tool_help(cli::style_for(1, "auto")));
    return words.empty() ? cli::kExitUsage : cli::kExitClean;
  }
  if (words[0] == "--version") {
    cli::print("simrun " + simt::tool_version() + "\n");
    return cli::kExitClean;
  }
  if (cli::names_cuda_source(words)) return cli::verb_cuda_source(words);
  const std::size_t bare = cli::first_bare_word(words);
  if (bare < words.size()) {
    if (const verb* v = find_verb(words[bare])) {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(bare));
      return v->call(words);
    }
  }
  return cli::verb_run(words);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `simrun ... | head` ends quietly
  try {
    const int code = dispatch({argv + 1, argv + argc});
    if (const int lost = cli::lost_output(); lost != 0) {
      cli::complain(std::string("the output could not be written: ") + std::strerror(lost));
      return code == cli::kExitClean ? cli::kExitUsage : code;
    }
    return code;
  } catch (const std::exception& error) {
    cli::complain(std::string("internal error: ") + error.what());
    return cli::kExitUsage;
  }
}
