// SPDX-License-Identifier: Apache-2.0
#include "report_files.hpp"

#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/sarif_report.hpp"

namespace simt::cli {

std::vector<named_file> report_paths(const run_options& o) {
  return {{"--json", o.json}, {"--sarif", o.sarif}, {"--junit", o.junit}, {"--html", o.html}, {"--record", o.record}};
}

std::string report_files::open(const run_options& o) {
  const std::vector<named_file> paths = report_paths(o);
  if (std::string wrong = written_over(paths, {}); !wrong.empty()) return wrong;
  output_file* const files[] = {&json, &sarif, &junit, &html, &record};
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (std::string wrong = files[i]->open(paths[i].option, paths[i].path); !wrong.empty()) return wrong;
  return {};
}

std::string report_files::write(const run_report& r, const run_report& one_run, bool strict) {
  std::string wrong;
  const auto put = [&wrong](output_file& file, const auto& text) {
    if (!file.is_open()) return;
    if (const std::string failed = file.write(text()); !failed.empty()) wrong += (wrong.empty() ? "" : "; ") + failed;
  };
  put(json, [&] { return json_report(r); });
  put(sarif, [&] { return sarif_report({r}); });
  put(junit, [&] { return junit_report("simrun", junit_cases(r, strict)); });
  put(html, [&] { return html_report({r}); });
  put(record, [&] { return json_report(one_run); });
  return wrong;
}

}  // namespace simt::cli
