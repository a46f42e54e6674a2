// SPDX-License-Identifier: Apache-2.0
// What the line of a run names: a source, a program that was built from one, or a program of a module.
#include <algorithm>
#include <array>

#include "command_line.hpp"
#include "module_loader.hpp"
#include "verbs.hpp"

namespace simt::cli {

bool names_cuda_source(const words& arguments) {
  // A file of C++ or C alone may be a program that calls the runtime API.
  constexpr std::array kEndings = {".cu", ".cpp", ".cc", ".cxx", ".c"};
  const bool names_source =
      std::any_of(arguments.begin(), std::ranges::find(arguments, "--"), [&](const std::string& w) {
        return !w.starts_with('-') && std::ranges::any_of(kEndings, [&](const char* e) { return w.ends_with(e); });
      });
  return names_source || names_source_objects(arguments);
}

namespace {

// A program of the tool's own keeps its name where a file has it, too; the file is then ./NAME.
bool is_program_of_tool(const std::string& word) {
  if (word.find('/') != std::string::npos) return false;
  try {
    return std::ranges::count(names_of(open_module("sim", {}).programs()), word) > 0;
  } catch (const module_error&) {
    return false;
  }
}

}  // namespace

int run_line(const words& arguments, const replayed_orders& replayed) {
  if (names_cuda_source(arguments)) return verb_cuda_source(arguments, replayed);
  if (names_built_program(arguments) && !is_program_of_tool(arguments[first_bare_word(arguments)]))
    return verb_built_program(arguments, replayed);
  return verb_run(arguments, replayed);
}

}  // namespace simt::cli
