// SPDX-License-Identifier: Apache-2.0
// simrun list: the programs of a module, one line each.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "module_loader.hpp"
#include "output_file.hpp"
#include "sim/report/terminal_text.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array<const char*, 4> kOptionTypes = {"integer", "real", "text", "flag"};

json to_json(const program_info& p) {
  json options = json::array(), findings = json::array();
  for (const program_option& o : p.options) {
    json option = {{"name", o.name},
                   {"help", o.help},
                   {"type", kOptionTypes.at(static_cast<std::size_t>(o.kind))},
                   {"default", o.default_value}};
    if (o.minimum) option["minimum"] = *o.minimum;
    options.push_back(option);
  }
  for (const auto& f : p.expected.findings) {
    findings.push_back({{"rule", f.rule}, {"object", f.object}, {"severity", f.warning ? "warning" : "error"}});
  }
  return {
      {"name", p.name},
      {"summary", p.summary},
      {"group", p.group},
      {"kernels", p.kernels},
      {"geometry", p.geometry},
      {"options", options},
      {"plots", p.plots},
      {"expected",
       {{"result", name(p.expected.result)}, {"result_may_vary", p.expected.result_may_vary}, {"findings", findings}}}};
}

}  // namespace

int verb_list(const words& arguments) {
  const plain_command command =
      parse_plain_command(arguments, plain_verb::list, "Usage: simrun list [PATTERN] [--module FILE] [--json FILE]\n");
  if (command.exit_code >= 0) return command.exit_code;
  const std::string& module_file = command.options.module_file;
  output_file out;
  if (const std::string wrong = out.open("--json", command.options.json); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  module* kernels = nullptr;
  try {
    const bool simulator = !module_path("sim", module_file).empty() || module_path("cuda", module_file).empty();
    kernels = &open_module(simulator ? "sim" : "cuda", module_file);
  } catch (const module_error& error) {
    complain(error.what());
    return error.exit_code;
  }
  std::vector<program_info> programs = kernels->programs();
  if (!command.extra.empty()) {
    std::erase_if(programs, [&](const program_info& p) {
      return std::ranges::none_of(command.extra, [&](const std::string& e) {
        return glob_matches(e, p.name) || p.name.find(e) != std::string::npos;
      });
    });
  }
  if (programs.empty() && !command.extra.empty()) {
    complain(fmt::format("no program is called {}", fmt::join(command.extra, " or ")));
    return kExitUsage;
  }
  if (out.is_open()) {
    json all = json::array();
    for (const program_info& p : programs) all.push_back(to_json(p));
    const json document = {{"schema", "simrun-list/1"}, {"programs", all}};
    const std::string wrong = out.write(document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
    if (wrong.empty()) return kExitClean;
    complain(wrong);
    return kExitUsage;
  }
  const text_style style = style_for(STDOUT_FILENO, command.options.color);
  std::size_t longest = 0;
  for (const program_info& p : programs) longest = std::max(longest, p.name.size());
  std::string text;
  for (const program_info& p : programs) {
    text += paint(fmt::format("{:<{}}", p.name, longest), tone::bold, style.color) + "  ";
    text += shortened(printable(p.summary), std::max<std::size_t>(style.width, longest + 22) - longest - 2) + "\n";
  }
  print(text);
  return kExitClean;
}

}  // namespace simt::cli
