// SPDX-License-Identifier: Apache-2.0
// From words to a program and its options, wherever on the line they stand.
//
// Which words are a program's own options is known only once its module is open, and which module that is depends on
// options. So the line is read twice: first the tool's options with everything else left over, then, with the module
// open and the program found among what was left, the whole line with the program's options added.
#pragma once

#include <string>
#include <vector>

#include "run_options.hpp"

namespace simt::cli {

struct parsed_command {
  run_options options;
  module* kernels = nullptr;       // of options.variant(); null when exit_code is set
  const program_info* program = nullptr;
  std::vector<program_info> programs;
  int exit_code = -1;  // >= 0: nothing to run, everything has been said
};

// Reads the line of a verb that takes a program. Says what is wrong on standard error and sets exit_code; does
// --help.
parsed_command parse_program_command(const std::vector<std::string>& words, verb_kind verb);

// Reads the line of a verb without a program; extra words are returned (patterns, files).
// Returns false when everything has been said and `exit_code` is to be used.
bool parse_plain_command(CLI::App& app, const std::vector<std::string>& words, std::vector<std::string>& extra, int& exit_code);

// Names of a module's programs.
std::vector<std::string> names_of(const std::vector<program_info>& programs);

}  // namespace simt::cli
