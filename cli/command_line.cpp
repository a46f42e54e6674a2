// SPDX-License-Identifier: Apache-2.0
// The two passes over a command line, and the errors a person can make on it.
#include "command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "help_text.hpp"
#include "module_loader.hpp"
#include "one_of.hpp"
#include "sim/report/nearest_name.hpp"
#include "terminal.hpp"

namespace simt::cli {
namespace {

std::vector<std::string> reversed(std::vector<std::string> words) {
  std::ranges::reverse(words);  // CLI11 takes words from the back
  return words;
}

std::string checked_number(const program_option& option, const std::string& value) {
  const bool whole = option.kind == program_option::type::integer;
  double number = 0;
  std::int64_t integer = 0;
  const char* end = value.data() + value.size();
  const char* begin = value.data() + (value.starts_with('+') ? 1 : 0);
  const auto [stop, error] = whole ? std::from_chars(begin, end, integer) : std::from_chars(begin, end, number);
  if (whole) number = static_cast<double>(integer);
  const std::string want = fmt::format("a {}{}", whole ? "whole number" : "number",
                                       option.minimum ? fmt::format(" of at least {}", *option.minimum) : "");
  if (error == std::errc::result_out_of_range)
    return fmt::format("--{}: {} is too large for a number", option.name, value);
  if (error != std::errc() || stop != end || !std::isfinite(number)) {
    return fmt::format("--{} takes {}, not \"{}\"", option.name, want, value);
  }
  if (option.minimum && number < *option.minimum) return fmt::format("--{} takes {}, not {}", option.name, want, value);
  return {};
}

std::string check_values(const program_info& program, const run_options& o) {
  for (const program_option& option : program.options) {
    const auto given = o.program_options.find(option.name);
    if (given == o.program_options.end()) continue;
    if (option.kind == program_option::type::integer || option.kind == program_option::type::real) {
      if (std::string wrong = checked_number(option, given->second); !wrong.empty()) return wrong;
    }
  }
  return {};
}

// The program among the words that are no options of the tool: a known name anywhere, else the first bare word.
std::string find_program(const std::vector<std::string>& extra, const std::vector<std::string>& known) {
  for (const std::string& word : extra) {
    if (std::ranges::find(known, word) != known.end()) return word;
  }
  const auto bare = std::ranges::find_if(extra, [](const std::string& w) { return !w.starts_with('-'); });
  return bare == extra.end() ? "" : *bare;
}

std::string value_wanted(const std::string& name, const CLI::Option& option) {
  const std::string type = option.get_type_name(), description = option.get_description();  // "NAME:natural lockstep"
  return fmt::format("{} takes a value, {}{}", name, type.substr(0, type.find(':')),
                     description.empty() ? "" : ": " + description);
}

bool is_named(const CLI::Option& option, const std::vector<std::string>& words) {
  const std::string name = "--" + option.get_lnames().front();
  return std::ranges::any_of(words, [&](const std::string& w) { return w.starts_with(name); });
}

// What is wrong with a setting of the environment, or "". CLI11 2.3 refuses it, 2.4 leaves it out without a word.
std::string wrong_setting(CLI::App& app, const std::vector<std::string>& words) {
  for (CLI::Option* option : app.get_options(nullptr)) {
    const std::string variable = option->get_envname();
    const char* const value = variable.empty() || is_named(*option, words) ? nullptr : std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') continue;
    std::string text = value;
    if (const std::string why = (*option->get_validator(0))(text); !why.empty()) return variable + ": " + why;
  }
  return "";
}

}  // namespace

std::string parse_tool_options(CLI::App& app, const std::vector<std::string>& words) {
  std::string wrong = wrong_setting(app, words);
  if (!wrong.empty()) return wrong;
  bool has_no_value = false;
  try {
    app.parse(reversed(words));
  } catch (const CLI::ArgumentMismatch& error) {
    wrong = error.what();
    has_no_value = true;
  } catch (const CLI::ParseError& error) {
    wrong = error.what();
  }
  for (const CLI::Option* option : app.get_options()) {
    const std::string called = option->get_name();  // by the parser: nothing where help does not show it
    if (option->get_lnames().empty() || !wrong.starts_with(called + ":")) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (has_no_value) return value_wanted(name, *option);
    if (is_named(*option, words)) return name + wrong.substr(called.size());
  }
  return wrong;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

std::string similar_option(const std::string& typed, const std::vector<std::string>& known) {
  // What --explore takes stands behind it; and the time that a campaign has is its --budget.
  static constexpr std::array<std::array<std::string_view, 2>, 3> kOfExplore = {
      {{"--budget", "time=10s"}, {"--bound", "bound=2"}, {"--departures", "departures=2"}}};
  for (const auto& [option, word] : kOfExplore)
    if (typed == option) return fmt::format("; did you mean --explore {}?", word);
  return suggestion(typed, known);
}

std::string surplus_word(const std::string& word, const std::string& after) {
  return fmt::format("\"{}\" is one word too many: {} takes options only", word, after);
}

namespace {

std::string unknown_word(const std::string& word, const program_info& program, const CLI::App& app) {
  if (!word.starts_with('-')) return surplus_word(word, program.name);
  const std::string name = word.substr(0, word.find('='));
  const std::string similar = similar_option(name, option_names(app));
  return fmt::format("unknown option {} for {}{} `simrun {} --help` lists them.", name, program.name,
                     similar.empty() ? "." : similar, program.name);
}

void add_program_options(CLI::App& app, const program_info& program, run_options& o) {
  const std::string group = "Options of " + program.name;
  for (const program_option& option : program.options) {
    std::string text = option.help;
    if (!option.default_value.empty() && option.kind != program_option::type::flag)
      text += fmt::format(" [{}]", option.default_value);
    CLI::Option* added = nullptr;
    if (option.kind == program_option::type::flag) {
      added = app.add_flag_callback(
          "--" + option.name, [&o, name = option.name] { o.program_options[name] = "true"; }, text);
    } else {
      added = app.add_option_function<std::string>(
          "--" + option.name, [&o, name = option.name](const std::string& value) { o.program_options[name] = value; },
          text);
      const bool text_value = option.kind == program_option::type::text;
      added->type_name(text_value ? "TEXT" : option.kind == program_option::type::real ? "X" : "N");
    }
    added->group(group);
  }
}

parsed_command stop(int code, std::string_view message = "") {
  if (!message.empty()) complain(message);
  parsed_command out;
  out.exit_code = code;
  return out;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<program_info>& programs) {
  std::vector<std::string> out;
  for (const program_info& p : programs) out.push_back(p.name);
  return out;
}

parsed_command parse_program_command(const std::vector<std::string>& words, verb_kind verb) {
  // Parsed twice: to find the program, and with its options. Making the tool's takes longer than either.
  parsed_command out;
  CLI::App app;
  app.allow_extras();
  add_run_options(app, out.options, verb);
  const run_options defaults = out.options;
  if (const std::string wrong = parse_tool_options(app, words); !wrong.empty()) return stop(kExitUsage, wrong);
  run_options first = std::exchange(out.options, defaults);
  const std::vector<std::string> extra = app.remaining();
  const bool bare_word = std::ranges::any_of(extra, [](const std::string& w) { return !w.starts_with('-'); });
  if (first.help && !bare_word) {
    print(verb_help(app, verb, style_for(1, first.color)));
    return stop(kExitClean);
  }
  if (const std::string wrong = settle(first); !wrong.empty()) return stop(kExitUsage, wrong);
  if (first.registers)
    return stop(kExitUsage,
                "--registers: ptxas is asked of CUDA C++ source (simrun profile APP.cu); built-in programs have none");
  if (!bare_word) {
    const auto file = std::ranges::find_if(extra, [](const std::string& w) { return w.ends_with(".cu"); });
    if (file != extra.end())
      return stop(kExitUsage, fmt::format("{} begins like an option; write ./{} for the file", *file, *file));
    if (!extra.empty()) {
      const std::string name = extra.front().substr(0, extra.front().find('='));
      const std::string similar = similar_option(name, option_names(app));
      return stop(kExitUsage, fmt::format("unknown option {}{} A program's own options stand behind its name, and none "
                                          "was named: `simrun list` shows them",
                                          name, similar.empty() ? "." : similar));
    }
    return stop(kExitUsage, "no program was named; `simrun list` shows them, `simrun --help` the options");
  }
  // Help needs a list of programs, whatever variant has one.
  try {
    out.kernels = &open_module(first.variant(), first.module_file);
  } catch (const module_error& error) {
    return stop(error.exit_code, error.what());
  }
  out.programs = out.kernels->programs();
  const std::vector<std::string> known = names_of(out.programs);
  const std::string wanted = find_program(extra, known);
  const auto program = std::ranges::find(out.programs, wanted, &program_info::name);
  if (program == out.programs.end()) {
    if (std::error_code ignored; std::filesystem::is_regular_file(wanted, ignored))
      return stop(kExitUsage,
                  fmt::format("{} is a file, but only CUDA source (.cu) and what simrun has built from it run as "
                              "files; a program that is written against the API is built into a module "
                              "(docs/adding_a_kernel.md).",
                              wanted));
    const std::string similar = suggestion(wanted, known);
    return stop(kExitUsage, fmt::format("there is no program \"{}\"{} `simrun list` shows them all.", wanted,
                                        similar.empty() ? "." : similar));
  }
  out.program = &*program;

  try {
    add_program_options(app, *program, out.options);
  } catch (const CLI::Error& error) {  // a program's option has the name of one of the tool's
    return stop(kExitUsage,
                fmt::format("program {} declares an option that simrun has itself: {}", program->name, error.what()));
  }
  app.add_option("PROGRAM", out.options.program)->group("");
  if (const std::string wrong = parse_tool_options(app, words); !wrong.empty()) return stop(kExitUsage, wrong);
  if (out.options.help) {
    print(program_help(app, *program, style_for(1, out.options.color)));
    return stop(kExitClean);
  }
  // Before what is left over: a number that was forgotten has swallowed the next option.
  if (const std::string wrong = check_values(*program, out.options); !wrong.empty()) return stop(kExitUsage, wrong);
  // Values of misspelt options may stand where the program is looked for.
  std::vector<std::string> left = app.remaining();
  if (const auto option = std::ranges::find_if(left, [](const std::string& w) { return w.starts_with('-'); });
      option != left.end()) {
    return stop(kExitUsage, unknown_word(*option, *program, app));
  }
  if (out.options.program != program->name) left.insert(left.begin(), out.options.program);
  if (!left.empty()) return stop(kExitUsage, unknown_word(left.front(), *program, app));
  out.options.program = program->name;
  if (const std::string wrong = settle(out.options); !wrong.empty()) return stop(kExitUsage, wrong);
  return out;
}

std::size_t first_bare_word(const std::vector<std::string>& words) {
  if (words.empty() || !words[0].starts_with('-')) return 0;  // all options would be made for nothing
  CLI::App app;
  run_options ignored;
  add_run_options(app, ignored, verb_kind::bench);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with('-')) return i;
    if (words[i].find('=') != std::string::npos) continue;
    const CLI::Option* option = app.get_option_no_throw(words[i]);
    if (option != nullptr && option->get_type_size() != 0) ++i;
  }
  return words.size();
}

}  // namespace simt::cli
