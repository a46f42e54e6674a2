// SPDX-License-Identifier: Apache-2.0
// simrun profile PROGRAM|APP.cu: what memory instructions cost, by kernel and source line.
#include "profile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "command_line.hpp"
#include "execution.hpp"
#include "interruption.hpp"
#include "sim/report/counted.hpp"
#include "sim/report/explain_counters.hpp"
#include "sim/report/profile_text.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

// "simrun PROGRAM --backend cuda OPTIONS", for ncu.
std::string on_a_gpu(const run_options& o) {
  std::string command = "simrun";
  for (const std::string& word : command_words(o)) command += " " + shell_quoted(word);
  return command;
}

std::string one_line(const std::string& program, const std::vector<profiled_kernel>& kernels) {
  const auto dear = costly_lines(kernels, 1);
  std::string text = fmt::format("{}: {}", program, counted(kernels.size(), "kernel"));
  if (!dear.empty()) text += fmt::format("; {} at {}:{}", dear[0].what, dear[0].line->file, dear[0].line->line);
  return text + "\n";
}

}  // namespace

std::string profile_output::open(const run_options& o) {
  if (std::string wrong = written_over({{"--json", o.json}, {"--html", o.html}}, {}); !wrong.empty()) return wrong;
  if (std::string wrong = json_.open("--json", o.json); !wrong.empty()) return wrong;
  if (std::string wrong = html_.open("--html", o.html); !wrong.empty()) return wrong;
  if (o.compare_with.empty()) return {};
  std::ifstream in(o.compare_with, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fmt::format("--compare: cannot read {}", o.compare_with);
  try {
    before_ = profile_from_json(text);
  } catch (const profile_error& e) {
    return fmt::format("--compare: {}: {}", o.compare_with, e.what());
  }
  return {};
}

std::string profile_output::write(const run_report& r, const run_options& o, int stream) {
  profile_document document{o.program, r.profile, r.notes, false};
  for (const profiled_kernel& k : r.profile) document.partial = document.partial || k.partial;
  const text_style style = style_for(stream, o.color);
  if (o.json != "-" && o.html != "-") {
    std::string text = o.quiet   ? one_line(o.program, r.profile)
                       : before_ ? text_profile_comparison(*before_, r.profile, style)
                                 : text_profile(r.profile, style);
    for (const std::string& note : r.notes)
      if (!o.quiet) text += "note: " + note + "\n";
    if (stream == STDOUT_FILENO)
      print(text);
    else
      (void)!::write(stream, text.data(), text.size());
  }
  std::string wrong;
  for (auto& [file, make] : {std::pair{&json_, &json_profile}, std::pair{&html_, &html_profile}})
    if (file->is_open())
      if (const std::string failed = file->write(make(document)); !failed.empty())
        wrong += (wrong.empty() ? "" : "; ") + failed;
  return wrong;
}

int profile_on_gpu(const std::string& command) {
  complain("profile counts on the simulator; on a GPU the hardware counts, and ncu reads it:");
  print(ncu_command(command) + "\n");  // unbroken, to be copied
  return kExitUnavailable;
}

int verb_profile(const words& arguments) {
  if (names_cuda_source(arguments)) return verb_cuda_source(arguments, {}, true);
  parsed_command command = parse_program_command(arguments, verb_kind::profile);
  if (command.exit_code >= 0) return command.exit_code;
  const run_options& o = command.options;
  if (o.backend == "cuda") return profile_on_gpu(on_a_gpu(o));
  profile_output output;
  if (const std::string wrong = output.open(o); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  execution done;
  {
    const interruption interrupted([&](int signal) { command.kernels->interrupt(signal); });
    progress shown(o.quiet);
    done = execute(*command.kernels, o, {}, shown);
  }
  const run_report& r = done.report;
  if (!r.findings.empty()) print(text_report(r, style_for(STDOUT_FILENO, o.color)) + "\n");
  if (!r.error.empty()) complain(r.error);
  if (const std::string wrong = output.write(r, o, STDOUT_FILENO); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  return exit_code(r, o.strict);
}

}  // namespace simt::cli
