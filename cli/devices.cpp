// SPDX-License-Identifier: Apache-2.0
// simrun devices: what kernels can run on here, simulated and real.
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

std::string device_text(const device_summary& d, const char* backend, const text_style& style) {
  std::string out = paint(fmt::format("{} (--backend {} --device {})", printable(d.name), backend, d.ordinal),
                          tone::bold, style.color) +
                    "\n";
  std::size_t longest = 0;
  for (const auto& [label, value] : d.properties) longest = std::max(longest, label.size());
  // Beside the labels where there is room for words, else below them. Scripts read whole lines.
  const std::size_t beside = longest + 4, indent = beside + 20 <= style.width ? beside : 4;
  for (const auto& [label, value] : d.properties) {
    const std::string head = fmt::format("  {:<{}} ", printable(label), longest);
    out += head + (style.breaks_lines ? hanging(printable(value), {columns(head), style.width, indent})
                                      : " " + printable(value));
    out += '\n';
  }
  return out;
}

// Why a backend has none.
std::string remark(const char* backend, const std::string& text, const text_style& style) {
  const std::string head = fmt::format("{}:", backend);
  return head + (style.breaks_lines ? hanging(printable(text), {head.size(), style.width}) : " " + printable(text)) +
         "\n";
}

}  // namespace

int verb_devices(const words& arguments) {
  const plain_command command = parse_plain_command(
      arguments, plain_verb::devices, "Usage: simrun devices [--backend sim|cuda] [--module FILE] [--json FILE]\n");
  if (command.exit_code >= 0) return command.exit_code;
  if (!command.extra.empty()) {
    complain(surplus_word(command.extra.front(), "devices"));
    return kExitUsage;
  }
  const run_options& o = command.options;
  output_file out;
  if (const std::string wrong = out.open("--json", o.json); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  const text_style style = style_for(STDOUT_FILENO, o.color);
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  bool any = false;
  for (const char* variant : {"sim", "cuda"}) {
    if (!o.backend.empty() && o.backend != variant) continue;
    try {
      module& kernels = open_module(variant, o.module_file);
      const auto devices = kernels.devices();
      for (const device_summary& d : devices) {
        any = true;
        text += device_text(d, variant, style);
        nlohmann::ordered_json properties = nlohmann::ordered_json::object();
        for (const auto& [label, value] : d.properties) properties[label] = value;
        all.push_back({{"name", d.name},
                       {"kind", d.kind},
                       {"backend", variant},
                       {"ordinal", d.ordinal},
                       {"properties", properties}});
      }
      if (devices.empty()) text += remark(variant, fmt::format("no device: {}", kernels.unavailable()), style);
    } catch (const module_error& error) {
      text += remark(variant, fmt::format("not available: {}", error.what()), style);
    }
  }
  print(text);
  if (out.is_open()) {
    const nlohmann::ordered_json document = {{"schema", "simrun-devices/1"}, {"devices", all}};
    if (const std::string wrong =
            out.write(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
        !wrong.empty()) {
      complain(wrong);
      return kExitUsage;
    }
  }
  return any ? kExitClean : kExitUnavailable;
}

}  // namespace simt::cli
