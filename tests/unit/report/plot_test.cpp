// SPDX-License-Identifier: Apache-2.0
// Terminal plots: fit the width, keep the shape, survive strange data.
#include "sim/report/plot.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lines_of.hpp"
#include "sim/report/terminal_text.hpp"

using namespace simt;

namespace {

plot_data normal(plot_data::form kind, std::size_t count) {
  plot_data p;
  p.kind = kind;
  p.title = "bins";
  p.low = -4;
  p.high = 4;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = -4 + 8 * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    p.values.push_back(std::exp(-x * x / 2) * 1000);
  }
  return p;
}

std::size_t inked(const std::string& line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), '#'));
}

}  // namespace

TEST_CASE("plots fit the width, in Unicode and ASCII") {
  for (const auto kind : {plot_data::form::bars, plot_data::form::line, plot_data::form::heatmap}) {
    for (const std::size_t count : {1, 2, 7, 150, 10000}) {
      plot_data p = normal(kind, count);
      p.columns = kind == plot_data::form::heatmap ? static_cast<std::int64_t>(std::max<std::size_t>(1, count / 7)) : 0;
      for (const std::size_t width : {40, 60, 80, 120}) {
        for (const bool unicode : {false, true}) {
          const std::string text = text_plot(p, {.unicode = unicode, .width = width});
          CHECK_FALSE(text.empty());
          const auto lines = lines_of(text);
          CHECK(lines.size() <= 24);
          for (const auto& line : lines) CHECK(columns(line) <= width);
          if (!unicode) CHECK(columns(text) == text.size());
        }
      }
    }
  }
}

TEST_CASE("a bell of bars is wider at its foot and shows its axis") {
  const auto lines = lines_of(text_plot(normal(plot_data::form::bars, 150), {.unicode = false, .width = 80}));
  REQUIRE(lines.size() == 17);  // title, 14 rows, axis, labels
  for (std::size_t i = 2; i < 15; ++i) CHECK(inked(lines[i]) >= inked(lines[i - 1]));
  CHECK(inked(lines[1]) > 0);
  CHECK(inked(lines[14]) > 40);
  CHECK(lines.back().find("-4") != std::string::npos);
  CHECK(lines.back().find("4") != std::string::npos);
}

TEST_CASE("strange data") {
  plot_data p;
  CHECK(text_plot(p, {}).empty());
  p.kind = plot_data::form::bars;
  CHECK(text_plot(p, {}).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const auto kind : {plot_data::form::bars, plot_data::form::line, plot_data::form::heatmap}) {
    p.kind = kind;
    p.columns = 2;
    p.values = {nan, inf, -inf, nan};
    CHECK_NOTHROW(text_plot(p, {}));
    p.values = {0, 0, 0, 0};
    CHECK_NOTHROW(text_plot(p, {}));
    p.values = {-5, 3, -1, 0};
    CHECK_NOTHROW(text_plot(p, {}));
    p.columns = 9;
    CHECK_NOTHROW(text_plot(p, {}));
  }
}
