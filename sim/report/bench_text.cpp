// SPDX-License-Identifier: Apache-2.0
// The table of `simrun bench`.
#include "bench_text.hpp"

#include <fmt/format.h>

#include "counted.hpp"
#include "terminal_text.hpp"

namespace simt {
namespace {

std::string milliseconds(double ms) {
  if (ms < 0.1) return fmt::format("{:.2f} us", ms * 1000);
  return ms < 1000 ? fmt::format("{:.3f} ms", ms) : fmt::format("{:.3f} s", ms / 1000);
}

std::string times(std::string_view label, const timing& t, const text_style& style) {
  return "  " + paint(fmt::format("{:<13}", label), tone::bold, style.color) +
         fmt::format("{:>12}{:>12}{:>12}\n", milliseconds(t.median), milliseconds(t.min), milliseconds(t.max));
}

}  // namespace

std::string text_bench(const std::vector<run_report>& reports, const text_style& style) {
  std::string out;
  for (const run_report& r : reports) {
    std::string head = fmt::format("{} on {}", printable(r.program), r.backend);
    if (r.check.any()) head += fmt::format(", checking {}", fmt::join(names(r.check), ", "));
    if (r.workers > 0) head += ", " + counted(r.workers, "worker");
    head += fmt::format(", {} after a warm-up", counted(r.repeat, "run"));
    out += paint(head, tone::bold, style.color) + "\n";
    out += paint(fmt::format("  {:<13}{:>12}{:>12}{:>12}\n", "", "median", "min", "max"), tone::dim, style.color);
    out += times("kernels", r.kernel_ms, style);
    out += times("with copies", r.with_copies_ms, style);
  }
  return out;
}

}  // namespace simt
