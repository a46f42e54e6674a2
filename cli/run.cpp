// SPDX-License-Identifier: Apache-2.0
// simrun [run] PROGRAM: one program, its result and findings, in every form that was asked for.
#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "command_line.hpp"
#include "execution.hpp"
#include "interruption.hpp"
#include "report_files.hpp"
#include "sim/report/gcc_report.hpp"
#include "sim/report/plot.hpp"
#include "sim/report/text_report.hpp"
#include "sim/report/verdict.hpp"
#include "verbs.hpp"

namespace simt::cli {
namespace {

constexpr int kShownByDefault = 20;

void show(const execution& done, const run_options& o) {
  text_style style = style_for(STDOUT_FILENO, o.color);
  style.max_findings = o.max_reports > 0 ? o.max_reports : kShownByDefault;
  style.strict = o.strict;
  style.executions = o.explain_execution;
  const run_report& r = done.report;
  const silenced_findings silenced{done.suppressed, done.known};
  if (!was_run(r.verdict) && r.findings.empty()) {  // the error says it all, but for what was judged before
    if (!r.error.empty()) complain(r.error);
    if (!what_was_judged(r).empty()) print(text_summary(r, style, silenced));
    return;
  }
  std::string text;
  if (o.plot && !o.quiet) {
    const std::string plot = text_plot(r.plot, style);
    text += plot.empty() ? fmt::format("{} has nothing to plot\n", o.program) : plot;
    text += "\n";
  }
  text += o.format == "gcc" ? gcc_report(r) + text_summary(r, style, silenced, r.findings.size())
          : o.quiet         ? text_summary(r, style, silenced)
                            : text_report(r, style, silenced);
  print(text);
  const bool told = r.verdict == verdict::crash && !o.quiet;  // the text has it
  if (!r.error.empty() && !told) complain(r.error);
}

}  // namespace

int verb_run(const words& arguments, const replayed_orders& replayed) {
  parsed_command command = parse_program_command(arguments, verb_kind::run);
  if (command.exit_code >= 0) return command.exit_code;
  command.options.orders = replayed.orders;
  command.options.replayed = replayed.file;
  const run_options& o = command.options;
  report_files files;
  if (const std::string wrong = files.open(o); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  suppression_file suppressed;
  try {
    suppressed = read_suppressions(o);
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return kExitUsage;
  }
  execution done;
  {
    // Unchecked there is nothing to report so far, and a GPU does not let go of a kernel.
    std::optional<interruption> interrupted;
    if (o.wants_check_variant()) interrupted.emplace([&](int signal) { command.kernels->interrupt(signal); });
    progress shown(o.quiet || o.for_debugger);
    done = execute(*command.kernels, o, suppressed, shown);
  }
  show(done, o);
  if (const std::string wrong = files.write(done.report, done.to_record, o.strict); !wrong.empty()) {
    complain(wrong);
    if (const int code = exit_code(done.report, o.strict); code != kExitClean) return code;
    return kExitUsage;
  }
  return exit_code(done.report, o.strict);
}

}  // namespace simt::cli
