// SPDX-License-Identifier: Apache-2.0
// simrun bench PROGRAM: times of the launches of one run, with and without the copies.
#include <unistd.h>

#include "command_line.hpp"
#include "execution.hpp"
#include "output_file.hpp"
#include "sim/report/bench_text.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/verdict.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_bench(const words& arguments) {
  const parsed_command command = parse_program_command(arguments, verb_kind::bench);
  if (command.exit_code >= 0) return command.exit_code;
  const run_options& o = command.options;
  output_file json;
  if (const std::string wrong = json.open("--json", o.json); !wrong.empty()) {
    complain(wrong);
    return kExitUsage;
  }
  run_request request = make_request(o, {});
  request.bench_repeat = o.repeat;
  run_report report;
  {
    progress shown(o.quiet);
    shown.show(o.program + ": measuring");
    // Where there is a second run, a run of this program costs what that one does.
    report = run_beyond_doubt(o, request, shown, [&](const run_request& r) { return command.kernels->run(r).report; });
  }
  const int code = exit_code(report, o.strict);
  if (!report.error.empty()) complain(report.error);
  if (was_run(report.verdict)) {
    const text_style style = style_for(STDOUT_FILENO, o.color);
    print(text_bench({report}, style));
    // Times of a run that went wrong mean little: say so.
    if (code != kExitClean) print(text_summary(report, style));
  }
  if (json.is_open()) {
    if (const std::string wrong = json.write(json_bench(report)); !wrong.empty()) {
      complain(wrong);
      return kExitUsage;
    }
  }
  return code;
}

}  // namespace simt::cli
