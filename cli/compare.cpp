// SPDX-License-Identifier: Apache-2.0
// simrun compare PROGRAM: the same program on the simulator and on a GPU, and the first element that differs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command_line.hpp"
#include "execution.hpp"
#include "module_loader.hpp"
#include "output_compare.hpp"
#include "output_file.hpp"
#include "sim/report/terminal_text.hpp"
#include "sim/report/verdict.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

using json = nlohmann::ordered_json;

struct comparison {
  std::string text;
  json outputs = json::array();
  bool same = true;
};

void compare_one(comparison& c, const std::string& label, const output_bytes& sim, const output_bytes& gpu,
                 const text_style& style) {
  const double tolerance = std::max(sim.tolerance, gpu.tolerance);
  std::string wrong;
  const auto difference = compare_outputs(sim, gpu, tolerance, wrong);
  const std::string rule = tolerance > 0 ? fmt::format("to a relative {:g}", tolerance) : "bit for bit";
  json entry = {{"output", label}, {"tolerance", tolerance}, {"same", !difference && wrong.empty()}};
  if (!wrong.empty()) {
    c.text +=
        paint(label, tone::bold, style.color) + ": " + paint("differs", tone::error, style.color) + ": " + wrong + "\n";
    entry["why"] = wrong;
  } else if (difference) {
    c.text += paint(label, tone::bold, style.color) + ": " + paint("differs", tone::error, style.color) +
              fmt::format(" in {} of {} elements, compared {}\n", difference->count, difference->elements, rule);
    c.text += fmt::format("  first at [{}]: sim {}, cuda {}", fmt::join(difference->index, ", "), difference->first,
                          difference->second);
    if (difference->worst > 0) c.text += fmt::format("; largest relative difference {:.3g}", difference->worst);
    c.text += "\n";
    entry["count"] = difference->count;
    entry["first"] = {{"index", difference->index}, {"sim", difference->first}, {"cuda", difference->second}};
    entry["worst"] = difference->worst;
  } else {
    c.text += paint(label, tone::bold, style.color) + ": " + paint("same", tone::good, style.color) + ", compared " +
              rule + "\n";
  }
  c.same = c.same && entry["same"].get<bool>();
  c.outputs.push_back(entry);
}

comparison compare_all(const run_result& sim, const run_result& gpu, const text_style& style) {
  comparison c;
  for (const auto& [label, bytes] : sim.outputs_raw) {
    const auto other = gpu.outputs_raw.find(label);
    if (other != gpu.outputs_raw.end()) {
      compare_one(c, label, bytes, other->second, style);
    } else {
      c.text += label + ": only the simulator has it\n";
      c.same = false;
    }
  }
  for (const auto& [label, bytes] : gpu.outputs_raw) {
    if (sim.outputs_raw.contains(label)) continue;
    c.text += label + ": only the GPU has it\n";
    c.same = false;
  }
  if (sim.outputs_raw.empty() && gpu.outputs_raw.empty()) c.text += "no outputs to compare\n";
  return c;
}

}  // namespace

int verb_compare(const words& arguments) {
  const parsed_command command = parse_program_command(arguments, verb_kind::compare);
  if (command.exit_code >= 0) return command.exit_code;
  const run_options& o = command.options;
  output_file out;
  if (const std::string wrong = out.open("--json", o.json); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  module* gpu = nullptr;
  try {
    gpu = &open_module("cuda", o.module_file);
  } catch (const module_error& error) {
    complain(error.what());
    return error.exit_code;
  }
  if (const std::string reason = gpu->unavailable(); !reason.empty()) {
    complain(reason);
    return kExitUnavailable;
  }
  run_request request = make_request(o, {});
  request.keep_outputs = true;
  run_result results[2];
  module* const backends[2] = {command.kernels, gpu};
  const char* const names[2] = {"sim", "cuda"};
  for (int i = 0; i < 2; ++i) {
    progress shown(o.quiet);
    shown.show(fmt::format("{}: running on {}", o.program, names[i]));
    results[i] = backends[i]->run(request);
    const run_report& r = results[i].report;
    if (was_run(r.verdict) && r.verdict != verdict::crash) continue;
    shown.clear();
    complain(fmt::format("on {}: {}", names[i], r.error.empty() ? "the kernel did not finish" : r.error));
    return exit_code(r, o.strict);
  }
  const text_style style = style_for(STDOUT_FILENO, o.color);
  const comparison c = compare_all(results[0], results[1], style);
  print(c.text);
  if (out.is_open()) {
    const json document = {
        {"schema", "simrun-compare/1"}, {"program", o.program}, {"same", c.same}, {"outputs", c.outputs}};
    if (const std::string wrong = out.write(document.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
        !wrong.empty()) {
      complain(wrong);
      return kExitUsage;
    }
  }
  return c.same ? kExitClean : kExitMismatch;
}

}  // namespace simt::cli
