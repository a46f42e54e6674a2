// SPDX-License-Identifier: Apache-2.0
// simrun: which verb a command line means.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include "command_line.hpp"
#include "help_text.hpp"
#include "sim/report/tool_version.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace {

namespace cli = simt::cli;

const cli::verb* find_verb(const std::string& word) {
  const auto all = cli::verbs();
  const auto found = std::ranges::find(all, word, &cli::verb::name);
  return found == all.end() || word.empty() ? nullptr : &*found;
}

// What --explore takes stands behind it, one word after the other: `--explore bound=2 time=10s PROGRAM`.
cli::words with_one_word_to_explore(const cli::words& words) {
  cli::words out;
  const auto end = std::ranges::find(words, "--");
  for (auto w = words.begin(); w != words.end(); ++w) {
    if (w >= end || *w != "--explore") {
      out.push_back(*w);
      continue;
    }
    std::string taken;
    for (; w + 1 < end; ++w) {
      const std::string& next = *(w + 1);
      const bool is_taken = next.starts_with("bound=") || next.starts_with("departures=") || next.starts_with("time=");
      if (!is_taken) break;
      taken += (taken.empty() ? "" : ",") + next;
    }
    out.push_back("--explore=" + (taken.empty() ? "bound=2" : taken));
  }
  return out;
}

// What simrun runs inherits its limit, and ends with a bare signal where the stack of its main thread is used up.
constexpr rlim_t kLeastStack = 512 * 1024;

// Empty: the stack suffices.
std::string too_little_stack() {
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= kLeastStack)
    return {};
  return "the stack is limited to " + std::to_string(limit.rlim_cur / 1024) + " KiB, and " +
         std::to_string(kLeastStack / 1024) + " are needed: raise `ulimit -s`.";
}

int dispatch(cli::words words) {
  words = with_one_word_to_explore(words);
  if (words.empty() || (words.size() == 1 && (words[0] == "--help" || words[0] == "-h" || words[0] == "help"))) {
    cli::print(cli::tool_help(cli::style_for(1, "auto")));
    return words.empty() ? cli::kExitUsage : cli::kExitClean;
  }
  if (words[0] == "--version") {
    cli::print("simrun " + simt::tool_version() + "\n");
    return cli::kExitClean;
  }
  const std::size_t bare = cli::first_bare_word(words);
  const cli::verb* const v = bare < words.size() ? find_verb(words[bare]) : nullptr;
  if (v == nullptr) return cli::run_line(words);
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(bare));
  return v->call(words);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `simrun ... | head` ends quietly
  try {
    if (const std::string wrong = too_little_stack(); !wrong.empty()) {
      cli::complain(wrong);
      return cli::kExitUsage;
    }
    const int code = dispatch({argv + 1, argv + argc});
    if (const int lost = cli::lost_output(); lost != 0) {
      cli::complain(std::string("the output could not be written: ") + std::strerror(lost));
      return code == cli::kExitClean ? cli::kExitUsage : code;
    }
    if (code > cli::kExitOfSignal) {  // device threads were left where they were: nothing more may wait for them
      std::fflush(nullptr);
      std::_Exit(code);
    }
    return code;
  } catch (const std::filesystem::filesystem_error& error) {
    cli::complain(cli::reason(error));
    return cli::kExitUsage;
  } catch (const std::exception& error) {
    cli::complain(std::string("internal error: ") + error.what());
    return cli::kExitUsage;
  }
}
