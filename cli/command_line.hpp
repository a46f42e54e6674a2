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
#include "verb_options.hpp"

namespace simt::cli {

struct parsed_command {
  run_options options;
  module* kernels = nullptr;  // of options.variant(); null when exit_code is set
  const program_info* program = nullptr;
  std::vector<program_info> programs;
  int exit_code = -1;  // >= 0: nothing to run, everything has been said
};

// Reads the line of a verb that takes a program. Says what is wrong on standard error and sets exit_code; does
// --help.
parsed_command parse_program_command(const std::vector<std::string>& words, verb_kind verb);

// The line of a verb that runs no single program: its options and what is left (patterns, rules).
struct plain_command {
  run_options options;
  std::vector<std::string> extra;
  int exit_code = -1;  // >= 0: everything has been said
};

// `simrun test`: all options of runs that make sense there.
plain_command parse_test_command(const std::vector<std::string>& words);

// Reads the words. Returns what is wrong, with the option or the variable of the environment that it came from
// ("--check: races,memry not in {...}"), or nothing.
std::string parse_tool_options(CLI::App& app, const std::vector<std::string>& words);

// The long names of a parser's options, with their dashes.
std::vector<std::string> option_names(const CLI::App& app);

// "; did you mean NAME?" of a mistyped option, or nothing where none of the known ones is near.
std::string similar_option(const std::string& typed, const std::vector<std::string>& known);

// What is wrong with a bare word after something (a program, a verb) that takes none.
std::string surplus_word(const std::string& word, const std::string& after);

// list, explain, devices, completion: their options (verb_options.hpp), and --help with this text.
plain_command parse_plain_command(const std::vector<std::string>& words, plain_verb verb, const std::string& help);

// Where the first word stands that is neither an option nor an option's value ("simrun --backend cuda devices");
// words.size() when there is none.
std::size_t first_bare_word(const std::vector<std::string>& words);

// Names of a module's programs.
std::vector<std::string> names_of(const std::vector<program_info>& programs);

}  // namespace simt::cli
