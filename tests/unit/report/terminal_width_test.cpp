// SPDX-License-Identifier: Apache-2.0
// Text that keeps to the width of a terminal: the last line of a report, and what hangs behind a head.
#include <doctest/doctest.h>

#include <string>

#include "lines_of.hpp"
#include "sample_reports.hpp"
#include "sim/report/terminal_text.hpp"
#include "sim/report/text_report.hpp"

using namespace simt;

TEST_CASE("the last line is broken between words in a terminal, and nowhere else") {
  run_report r = test::racy_report();
  r.judged.checks = r.check;
  r.judged.launches = 2, r.judged.accesses = 123456;
  const std::string whole = text_summary(r, {.width = 40});
  CHECK(whole.find('\n') + 1 == whole.size());
  std::string broken = text_summary(r, {.width = 40, .breaks_lines = true});
  CHECK(broken.find("\n  ") != std::string::npos);
  for (std::size_t at = 0, end = 0; (end = broken.find('\n', at)) != std::string::npos; at = end + 1)
    CHECK(end - at <= 40);
  for (std::size_t at = 0; (at = broken.find("\n  ")) != std::string::npos;) broken.replace(at, 3, " ");
  CHECK(broken == whole);
}

TEST_CASE("the verdict in the last line is broken, too, and each part has its colour") {
  run_report r = test::racy_report();
  const silenced_findings silenced{.suppressed = 4, .known = 123456};
  for (const std::size_t width : {40, 60}) {
    for (const auto& line : lines_of(text_summary(r, {.width = width, .breaks_lines = true}, silenced)))
      CHECK_MESSAGE(columns(line) <= width, line);
    std::string colored = text_summary(r, {.color = true, .width = width, .breaks_lines = true}, silenced);
    for (const auto& line : lines_of(colored)) CHECK_MESSAGE(line.ends_with("\x1b[0m"), line);
    for (std::size_t at = 0; (at = colored.find('\x1b')) != std::string::npos;)
      colored.erase(at, colored.find('m', at) + 1 - at);
    CHECK(colored == text_summary(r, {.width = width, .breaks_lines = true}, silenced));
  }
}

TEST_CASE("text that hangs behind a head") {
  CHECK(hanging("one two", {.used = 5, .width = 20}) == " one two");
  CHECK(hanging("one two three", {.used = 10, .width = 18}) == " one two\n  three");
  CHECK(hanging("one two", {.used = 17, .width = 18, .indent = 4}) == "\n    one two");
  CHECK(hanging("x", {.used = 1, .width = 20}) == " x");
}
