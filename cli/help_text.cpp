// SPDX-License-Identifier: Apache-2.0
// Help: usage lines, verbs and tables of options.
#include "help_text.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "sim/report/terminal_text.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

// Left column of fixed width, text wrapped to the right of it, or below where it does not fit.
std::string row(const std::string& left, std::string_view right, std::size_t column, const text_style& style) {
  std::string out = "  " + paint(left, tone::bold, style.color);
  const std::size_t used = 2 + columns(left);
  const auto lines = wrap(right, style.width > column + 20 ? style.width - column : 20);
  if (used + 2 > column) {
    out += "\n" + std::string(column, ' ');
  } else {
    out += std::string(column - used, ' ');
  }
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : std::string(column, ' ')) + lines[i] + "\n";
  return out;
}

std::string usage_of(verb_kind kind) {
  const auto name = [kind]() -> std::string_view {
    switch (kind) {
      case verb_kind::run:
        return "run";
      case verb_kind::test:
        return "test";
      case verb_kind::bench:
        return "bench";
      case verb_kind::compare:
        return "compare";
      case verb_kind::profile:
        return "profile";
      case verb_kind::debug:
      case verb_kind::debug_source:
        return "debug";
      case verb_kind::cuda_source:
        return "";
    }
    return {};
  }();
  return std::string(std::ranges::find(verbs(), name, &verb::name)->usage);
}

}  // namespace

std::string laid_out(std::string_view text, const text_style& style) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end == 0) out += "\n";
    for (const std::string& line : wrap(text.substr(0, end), std::max<std::size_t>(style.width, 20)))
      out += line + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string tool_help(const text_style& style) {
  std::string out = laid_out(
      "simrun runs CUDA-style kernels written in C++ on this machine's CPU, finds their defects, and runs the same "
      "source "
      "on a GPU.\n\n",
      style);
  const std::size_t column = style.width < 80 ? 8 : 38;
  for (const verb& v : verbs()) out += row(std::string(v.usage), v.summary, column, style);
  out += "\nTry:\n";
  out += row("simrun hist --plot", "a histogram, drawn", column, style);
  out += row("simrun --detect-races hist-racy", "the same with a data race, found", column, style);
  out += row("simrun run --help", "all options of a run", column, style);
  out += row("simrun hist --help", "and those of one program", column, style);
  return out + laid_out(
                   "\nExit codes: 0 clean, 1 wrong result, 2 usage or launch error, 3 findings, 4 crash or hang in a "
                   "kernel, 77 backend not available, 128 + N ended by signal N.\n",
                   style);
}

std::string option_table(const CLI::App& app, const text_style& style) {
  const std::size_t column = style.width < 80 ? 8 : 28;
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty() && std::ranges::find(groups, option->get_group()) == groups.end()) {
      groups.push_back(option->get_group());
    }
  }
  // What belongs to the program comes first.
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& g) { return g.starts_with("Options of "); });
  std::string out;
  for (const std::string& group : groups) {
    out += "\n";
    for (const std::string& line : wrap(group, style.width)) out += paint(line, tone::note, style.color) + "\n";
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() != group) continue;
      std::string left = "--" + option->get_lnames().front();
      for (const std::string& letter : option->get_snames()) left += ", -" + letter;
      if (option->get_type_size() != 0)
        left += " " + option->get_type_name().substr(0, option->get_type_name().find(':'));
      out += row(left, option->get_description(), column, style);
    }
  }
  return out;
}

std::string verb_help(const CLI::App& app, verb_kind verb, const text_style& style) {
  return paint("Usage: ", tone::bold, style.color) + usage_of(verb) + "\n" + option_table(app, style) +
         laid_out("\nOptions may stand before or after the program; of repeated options the last counts.\n", style);
}

std::string program_help(const CLI::App& app, const program_info& program, const text_style& style) {
  std::string out = paint(program.name, tone::bold, style.color) + "\n";
  const auto add = [&](const char* label, const std::string& text) {
    if (!text.empty()) out += row(label, text, 12, style);
  };
  add("what", program.summary);
  add("kernels", fmt::format("{}", fmt::join(program.kernels, ", ")));
  add("geometry", program.geometry);
  std::string expected;
  for (const auto& f : program.expected.findings) {
    expected += (expected.empty() ? "" : ", ") + f.rule + (f.object.empty() ? "" : " on " + f.object) +
                (f.warning ? " (warning)" : "");
  }
  add("findings", expected.empty() ? "none, with --check all" : expected);
  out += "\n" + paint("Usage: ", tone::bold, style.color) + "simrun " + program.name + " [options]\n";
  return out + option_table(app, style);
}

}  // namespace simt::cli
