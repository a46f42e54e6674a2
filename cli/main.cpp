// SPDX-License-Identifier: Apache-2.0
// simrun: which verb a command line means.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <csignal>
#include <exception>
#include <string>

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

// The first word that is neither an option nor an option's value, which may be a verb after options
// ("simrun --backend cuda devices"); words.end() when there is none.
cli::words::const_iterator first_bare_word(const cli::words& words) {
  CLI::App app;
  cli::run_options ignored;
  cli::add_run_options(app, ignored, cli::verb_kind::bench);
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!word->starts_with('-')) return word;
    if (word->find('=') != std::string::npos) continue;
    const CLI::Option* option = app.get_option_no_throw(*word);
    if (option != nullptr && option->get_type_size() != 0 && word + 1 != words.end()) ++word;
  }
  return words.end();
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
  const auto own_end = std::ranges::find(words, "--");
  if (std::any_of(words.begin(), own_end, [](const std::string& w) { return w.ends_with(".cu") && !w.starts_with('-'); })) {
    return cli::verb_cuda_source(words);
  }
  const auto bare = first_bare_word(words);
  if (bare != words.end()) {
    if (const verb* v = find_verb(*bare)) {
      words.erase(bare);
      return v->call(words);
    }
  }
  return cli::verb_run(words);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `simrun ... | head` ends quietly
  try {
    return dispatch({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    cli::complain(std::string("internal error: ") + error.what());
    return cli::kExitUsage;
  }
}
