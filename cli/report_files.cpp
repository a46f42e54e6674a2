// SPDX-License-Identifier: Apache-2.0
#include "report_files.hpp"

#include <tuple>

#include "sim/report/html_report.hpp"
#include "sim/report/json_report.hpp"
#include "sim/report/junit_report.hpp"
#include "sim/report/sarif_report.hpp"

namespace simt::cli {

std::string report_files::open(const run_options& o) {
  for (auto [file, option, path] : {std::tuple{&json, "--json", &o.json},
                                    {&sarif, "--sarif", &o.sarif},
                                    {&junit, "--junit", &o.junit},
                                    {&html, "--html", &o.html},
                                    {&record, "--record", &o.record}}) {
    if (std::string wrong = file->open(option, *path); !wrong.empty()) return wrong;
  }
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
