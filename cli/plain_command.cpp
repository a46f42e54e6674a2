// SPDX-License-Identifier: Apache-2.0
// Lines of verbs that run no single program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "command_line.hpp"
#include "help_text.hpp"
#include "one_of.hpp"
#include "sim/report/nearest_name.hpp"
#include "terminal.hpp"

namespace simt::cli {

namespace {

plain_command finish(CLI::App& app, plain_command command, const std::vector<std::string>& words) {
  app.allow_extras();
  std::string wrong = parse_tool_options(app, words);
  if (wrong.empty()) command.extra = app.remaining();
  for (const std::string& word : command.extra) {
    if (word.size() < 2 || !word.starts_with('-') || !wrong.empty()) continue;
    const std::string similar = suggestion(word, option_names(app));
    wrong = fmt::format("unknown option {}{}", word, similar.empty() ? "; --help lists those there are" : similar);
  }
  if (wrong.empty()) return command;
  complain(wrong);
  command.exit_code = kExitUsage;
  return command;
}

}  // namespace

plain_command parse_test_command(const std::vector<std::string>& words) {
  plain_command command;
  run_options options;  // the parser writes here; `command` moves
  CLI::App app;
  add_run_options(app, options, verb_kind::test);
  command = finish(app, command, words);
  command.options = options;
  if (command.exit_code < 0 && options.help) {
    print(verb_help(app, verb_kind::test, style_for(1, options.color)));
    command.exit_code = kExitClean;
  }
  return command;
}

void add_plain_options(CLI::App& app, run_options& o, plain_verb verb) {
  app.set_help_flag();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)->group("Options");
  const bool of_modules = verb == plain_verb::list || verb == plain_verb::devices;
  if (of_modules) app.add_option("--module", o.module_file, "look into this module")->type_name("FILE");
  if (of_modules) app.add_option("--json", o.json, "write it as JSON; - is standard output")->type_name("FILE");
  if (verb == plain_verb::devices)
    app.add_option("--backend", o.backend, "only devices of this backend")
        ->type_name("NAME")
        ->check(one_of({"sim", "cuda"}));
  if (verb == plain_verb::explain) app.add_flag("--cuda", o.cuda_words, "examples in CUDA's words");
  if (verb != plain_verb::completion)
    app.add_option("--color", o.color, "colours in the output")
        ->type_name("WHEN")
        ->check(one_of({"auto", "always", "never"}));
  app.add_flag("--help,-h", o.help, "how it is called");
}

plain_command parse_plain_command(const std::vector<std::string>& words, plain_verb verb, const std::string& help) {
  plain_command command;
  run_options options;
  options.backend.clear();
  CLI::App app;
  add_plain_options(app, options, verb);
  command = finish(app, command, words);
  command.options = options;
  if (command.exit_code < 0 && options.help) {
    print(help + option_table(app, style_for(1, options.color)));
    command.exit_code = kExitClean;
  }
  return command;
}

}  // namespace simt::cli
