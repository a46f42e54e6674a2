// SPDX-License-Identifier: Apache-2.0
// What simrun_first, the tool for a first report, lacks: every verb but run, searches over schedules, and reports in
// files. scripts/what_to_build.sh builds a larger tool for these, and the test simrun_first holds it to that.
#include <cstdlib>

#include "debug.hpp"
#include "execution.hpp"
#include "report_files.hpp"
#include "sim/report/gcc_report.hpp"
#include "sim/report/plot.hpp"
#include "step_search.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt {

namespace {

[[noreturn]] void is_of_another_tool(const std::string& what) {
  cli::complain("simrun_first runs built-in programs alone, and shows what it finds as text; for " + what +
                " build simrun_builtin, as ./simrun does");
  std::exit(cli::kExitUsage);
}

}  // namespace

std::string text_plot(const plot_data&, const text_style&) { is_of_another_tool("--plot"); }
std::string gcc_report(const run_report&) { is_of_another_tool("--format gcc"); }

namespace cli {

int verb_list(const words&) { is_of_another_tool("list"); }
int verb_test(const words&) { is_of_another_tool("test"); }
int verb_bench(const words&) { is_of_another_tool("bench"); }
int verb_compare(const words&) { is_of_another_tool("compare"); }
int verb_profile(const words&) { is_of_another_tool("profile"); }
int verb_replay(const words&) { is_of_another_tool("replay"); }
int verb_explain(const words&) { is_of_another_tool("explain"); }
int verb_completion(const words&) { is_of_another_tool("completion"); }
int verb_debug(const words&) { is_of_another_tool("debug"); }
int verb_devices(const words&) { is_of_another_tool("devices"); }
int verb_campaign(const words&) { is_of_another_tool("campaign"); }
int verb_merge(const words&) { is_of_another_tool("merge"); }

void explore_schedules(module&, const run_options&, const run_request&, schedule_runs&, progress&) {
  is_of_another_tool("--explore");
}
void test_by_pct(module&, const run_options&, const run_request&, schedule_runs&, progress&) {
  is_of_another_tool("--schedule pct");
}

baseline::baseline(const std::string&) { is_of_another_tool("--new-since"); }
std::size_t baseline::filter(std::vector<finding>&) const { return 0; }

std::string report_files::open(const run_options& o) {
  if (!(o.json + o.sarif + o.junit + o.html + o.record).empty()) is_of_another_tool("reports in files");
  return {};
}
std::string report_files::write(const run_report&, const run_report&, bool) { return {}; }

}  // namespace cli
}  // namespace simt
