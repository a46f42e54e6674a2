// SPDX-License-Identifier: Apache-2.0
// Drawing plots with characters. A cell of a bar chart has eight heights in Unicode, one in ASCII.
#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "terminal_text.hpp"

namespace simt {
namespace {

constexpr std::size_t kPlotRows = 14;  // of bars and lines
constexpr std::size_t kHeatRows = 20;
constexpr std::array<const char*, 9> kEighths = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<const char*, 5> kShades = {" ", "░", "▒", "▓", "█"};
constexpr std::string_view kAsciiShades = " .:-=+*#%@";

struct span_of_values {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity(), sum = 0;
  std::int64_t count = 0;

  void add(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v);
    high = std::max(high, v);
    sum += v;
    ++count;
  }
  double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

// Value i of `size` falls into group i * groups / size, so groups differ by one value at most.
std::vector<span_of_values> grouped(const std::vector<double>& values, std::size_t groups) {
  std::vector<span_of_values> out(groups);
  for (std::size_t i = 0; i < values.size(); ++i) out[i * groups / values.size()].add(values[i]);
  return out;
}

std::string label(double v) {
  return std::abs(v) < 1e7 && v == std::floor(v) ? fmt::format("{}", static_cast<std::int64_t>(v))
                                                 : fmt::format("{:.4g}", v);
}

// "-4 ......... 0 ......... 4" under the plot: the ends and the middle of the x axis.
std::string x_axis(const plot_data& p, std::size_t margin, std::size_t width, bool unicode) {
  const bool indices = p.low == 0 && p.high == 0;
  const double low = indices ? 0 : p.low;
  const double high = indices ? static_cast<double>(p.values.size()) - 1 : p.high;
  std::string line(margin, ' ');
  line += unicode ? "└" : "+";
  for (std::size_t i = 0; i < width; ++i) line += unicode ? "─" : "-";
  const std::string left = label(low), middle = label((low + high) / 2), right = label(high);
  std::string labels(width + 1, ' ');
  const auto put = [&labels](std::size_t at, const std::string& text) {
    if (at + text.size() > labels.size()) return;
    if (labels.find_first_not_of(' ', at) < at + text.size() + 1) return;
    labels.replace(at, text.size(), text);
  };
  put(0, left);
  if (right.size() <= width) put(width + 1 - right.size(), right);
  if (middle.size() < width / 2) put((width + 1 - middle.size()) / 2, middle);
  return line + "\n" + std::string(margin, ' ') + labels.substr(0, labels.find_last_not_of(' ') + 1) + "\n";
}

// Frame of bars and lines: `cell(column, row from the bottom)` gives the text of one cell.
template <class Cell>
std::string framed(const plot_data& p, double low, double high, std::size_t width, const text_style& style, Cell cell) {
  const std::string top = label(high), bottom = label(low);
  const std::size_t margin = std::max(top.size(), bottom.size()) + 1;
  std::string out;
  for (std::size_t row = kPlotRows; row-- > 0;) {
    const std::string_view side = row + 1 == kPlotRows ? top : row == 0 ? bottom : std::string_view();
    out += fmt::format("{:>{}} {}", side, margin - 1, style.unicode ? "│" : "|");
    std::string bar;
    for (std::size_t c = 0; c < width; ++c) bar += cell(c, row);
    out += paint(bar.substr(0, bar.find_last_not_of(' ') + 1), tone::note, style.color) + "\n";
  }
  return out + x_axis(p, margin, width, style.unicode);
}

std::size_t plot_columns(const plot_data& p, const text_style& style, std::size_t labels) {
  const std::size_t room = std::max<std::size_t>(style.width, 40) - labels - 3;
  if (p.values.size() >= room) return room;
  return std::max<std::size_t>(room / p.values.size() * p.values.size(), p.values.size());
}

std::string bars(const plot_data& p, const text_style& style) {
  double low = 0, high = 0;
  std::vector<span_of_values> groups = grouped(p.values, plot_columns(p, style, 10));
  // With more columns than values each value fills several: repeat it.
  const std::size_t width = groups.size();
  if (width > p.values.size()) {
    for (std::size_t c = 0; c < width; ++c) {
      groups[c] = {};
      groups[c].add(p.values[c * p.values.size() / width]);
    }
  }
  for (const auto& g : groups) low = std::min(low, g.mean()), high = std::max(high, g.mean());
  if (high == low) high = low + 1;
  const auto height = [&](double v) { return (v - low) / (high - low) * static_cast<double>(kPlotRows * 8); };
  return framed(p, low, high, width, style, [&](std::size_t c, std::size_t row) -> std::string {
    double from = height(std::min(0.0, groups[c].mean())), to = height(std::max(0.0, groups[c].mean()));
    if (groups[c].mean() != 0) to = std::max(to, from + 1);  // something is there: show at least an eighth
    const auto base = static_cast<double>(row * 8);
    const double filled = std::clamp(to - base, 0.0, 8.0);
    if (from >= base + 4 || filled <= 0) return " ";
    if (!style.unicode) return filled >= 4 || row == 0 ? "#" : " ";
    return kEighths[static_cast<std::size_t>(std::lround(filled))];
  });
}

std::string line(const plot_data& p, const text_style& style) {
  std::vector<span_of_values> groups = grouped(p.values, std::min(p.values.size(), plot_columns(p, style, 10)));
  span_of_values all;
  for (const double v : p.values) all.add(v);
  if (all.count == 0) return {};
  const double low = all.low, high = all.high > all.low ? all.high : all.low + 1;
  const auto row_of = [&](double v) {
    return static_cast<std::size_t>(std::lround((v - low) / (high - low) * static_cast<double>(kPlotRows - 1)));
  };
  const std::size_t width = plot_columns(p, style, 10);
  return framed(p, low, high, width, style, [&](std::size_t c, std::size_t row) -> std::string {
    const auto& g = groups[c * groups.size() / width];
    const bool hit = g.count > 0 && row >= row_of(g.low) && row <= row_of(g.high);
    return hit ? (style.unicode ? "•" : "*") : " ";
  });
}

std::string heatmap(const plot_data& p, const text_style& style) {
  const auto columns_in = static_cast<std::size_t>(p.columns);
  const std::size_t rows_in = p.values.size() / columns_in;
  const std::size_t width = std::min(columns_in, std::max<std::size_t>(style.width, 40) - 4);
  // A character is about twice as high as wide: two rows of a picture share one line when there is no lack of rows.
  const std::size_t height = std::clamp<std::size_t>(rows_in * width / columns_in / 2, 1, kHeatRows);
  std::vector<span_of_values> cells(width * height);
  span_of_values range;
  for (std::size_t r = 0; r < rows_in; ++r) {
    for (std::size_t c = 0; c < columns_in; ++c) {
      const double v = p.values[r * columns_in + c];
      cells[r * height / rows_in * width + c * width / columns_in].add(v);
      range.add(v);
    }
  }
  if (range.count == 0) return {};
  const double extent = range.high > range.low ? range.high - range.low : 1;
  std::string out;
  for (std::size_t r = 0; r < height; ++r) {
    std::string row;
    for (std::size_t c = 0; c < width; ++c) {
      const double share = (cells[r * width + c].mean() - range.low) / extent;
      const auto shade = [share](std::size_t steps) {
        return std::min(static_cast<std::size_t>(std::max(share, 0.0) * static_cast<double>(steps)), steps - 1);
      };
      row += style.unicode ? std::string(kShades[shade(kShades.size())])
                           : std::string(1, kAsciiShades[shade(kAsciiShades.size())]);
    }
    out += "  " + paint(row, tone::note, style.color) + "\n";
  }
  const std::string dark = style.unicode ? kShades.back() : std::string(1, kAsciiShades.back());
  return out + fmt::format("  blank {} to {} {}\n", label(range.low), dark, label(range.high));
}

}  // namespace

std::string text_plot(const plot_data& plot, const text_style& style) {
  if (plot.values.empty()) return {};
  std::string body;
  switch (plot.kind) {
    case plot_data::form::none:
      return {};
    case plot_data::form::bars:
      body = bars(plot, style);
      break;
    case plot_data::form::line:
      body = line(plot, style);
      break;
    case plot_data::form::heatmap:
      if (plot.columns < 1 || static_cast<std::size_t>(plot.columns) > plot.values.size()) return {};
      body = heatmap(plot, style);
      break;
  }
  if (body.empty() || plot.title.empty()) return body;
  return paint(printable(plot.title), tone::bold, style.color) + "\n" + body;
}

}  // namespace simt
