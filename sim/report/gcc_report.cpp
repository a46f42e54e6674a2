// SPDX-License-Identifier: Apache-2.0
#include "gcc_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "phrasebook.hpp"
#include "source_excerpt.hpp"
#include "terminal_text.hpp"

namespace simt {

std::string gcc_report(const run_report& report) {
  std::string out;
  source_reader sources;
  for (const finding& f : report.findings) {
    std::string place = report.program;
    if (!f.accesses.empty() && f.accesses.front().line > 0) {
      const access& a = f.accesses.front();
      std::error_code failed;
      const bool here = a.path.empty() || std::filesystem::equivalent(a.file, a.path, failed);
      const column_range marked = sources.columns_in_file(a, f.object);
      const auto column = marked.length != 0 ? marked.begin + 1 : static_cast<std::size_t>(std::max(a.column, 1));
      place = fmt::format("{}:{}:{}", here ? a.file : a.path, a.line, column);
    }
    out += printable(fmt::format("{}: {}: {} [{}]", place, is_member(f) ? "note" : name(f.severity),
                                 phrase(f, report.dialect).message, name(f.rule))) +
           "\n";
  }
  return out;
}

}  // namespace simt
