// SPDX-License-Identifier: Apache-2.0
#include "conflict_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "junit_report.hpp"
#include "phrasebook.hpp"
#include "terminal_text.hpp"

namespace simt {
namespace {

constexpr int kWidth = 760, kLeft = 210, kCell = 44, kCellHeight = 26, kLane = 46;
constexpr int kNeighbours = 5;  // elements shown on each side

std::string escaped(std::string_view text) { return escaped_markup(text); }

std::string text(int x, int y, std::string_view words, std::string_view more = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", x, y, more.empty() ? "" : " ", more, escaped(words));
}
std::string line(int x1, int y1, int x2, int y2, std::string_view kind) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", x1, y1, x2, y2, kind);
}
std::string box(int x, int y, int width, int height, std::string_view kind) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" class=\"{}\"/>\n", x, y, width,
                     height, kind);
}

constexpr const char* kMiddle = "text-anchor=\"middle\"";
constexpr const char* kRight = "text-anchor=\"end\"";

std::string done_by(const access& a) {
  const char* const verb = a.kind == access_kind::read    ? "reads"
                           : a.kind == access_kind::write ? "writes"
                                                          : "updates atomically";
  std::string out = verb;
  if (!a.value.empty() && a.kind != access_kind::atomic) out += " " + a.value;
  if (a.line > 0) out += fmt::format(", line {}", a.line);
  return shortened(out, 30);
}

// Time goes to the right. What lies left of the last barrier is ordered; behind it each thread goes its own way.
std::string time_line(const finding& f, int& y) {
  const access &later = f.accesses[0], &earlier = f.accesses[1];
  const bool in_block = f.cause == cause::race_lanes || f.cause == cause::race_volatile_lanes ||
                        f.cause == cause::race_block || f.cause == cause::race_volatile_block;
  const int begin = kLeft, barrier = kLeft + 70, first = kLeft + 110, second = kLeft + 330, width = 200;
  const int top = y + 22, upper = top + 14, lower = upper + kLane, bottom = lower + 22;
  std::string out = text(begin, y + 12, "time →");
  out += text(kLeft - 10, upper + 4, shortened(who(earlier), 34), kRight);
  out += text(kLeft - 10, lower + 4, shortened(who(later), 34), kRight);
  out += line(begin, upper, kWidth - 10, upper, "lane") + line(begin, lower, kWidth - 10, lower, "lane");
  if (in_block && f.facts.barriers > 0) {
    out += line(barrier, top - 4, barrier, bottom, "barrier");
    const std::string where = f.facts.barrier_line > 0 ? fmt::format(", line {}", f.facts.barrier_line) : "";
    out += text(barrier, bottom + 14, fmt::format("barrier {}{}", f.facts.barriers, where), kMiddle);
  } else {
    out += line(begin, top - 4, begin, bottom, "barrier");
    out += text(begin, bottom + 14, in_block ? "kernel begins" : "begin", kMiddle);
  }
  out += box(first, upper - 12, width, 24, "step") + text(first + width / 2, upper + 4, done_by(earlier), kMiddle);
  out += box(second, lower - 12, width, 24, "step") + text(second + width / 2, lower + 4, done_by(later), kMiddle);
  out += line(first + width, upper + 12, second, lower - 12, "unordered");
  out += text(second + width - 4, upper - 6, "nothing orders the two", kRight);
  y = bottom + 24;
  return out;
}

// What the row of elements shows: indices from `first` on, of which `marked` is the one that was touched.
struct elements {
  std::string name;  // with all indices but the last
  std::int64_t first = 0, last = 0, marked = 0;
  std::optional<std::int64_t> end;  // the first that does not exist, where known
};

std::optional<elements> around(const finding& f) {
  elements row;
  row.name = f.object.empty() ? "memory" : f.object;
  const facts& v = f.facts;
  if (f.cause == cause::outside_extent && v.position.size() == 1 && v.extents.size() == 1) {
    row.marked = v.position[0];
    row.end = v.extents[0];
  } else if ((f.cause == cause::outside_behind || f.cause == cause::outside_before) && f.bytes > 0) {
    row.end = v.size / f.bytes;
    row.marked =
        f.cause == cause::outside_before ? -((v.distance + f.bytes - 1) / f.bytes) : *row.end + v.distance / f.bytes;
  } else if (!f.index.empty() && is_race(f.rule)) {
    row.marked = f.index.back();
    for (std::size_t i = 0; i + 1 < f.index.size(); ++i) row.name += fmt::format("[{}]", f.index[i]);
  } else {
    return {};
  }
  row.first = row.marked - kNeighbours;
  row.last = row.marked + kNeighbours;
  if (!row.end || row.marked >= 0) row.first = std::max<std::int64_t>(row.first, 0);
  if (row.end && row.marked < *row.end) row.last = std::min(row.last, std::max(*row.end - 1, row.marked));
  return row;
}

std::string array_row(const finding& f, const elements& row, int& y) {
  const auto count = static_cast<int>(row.last - row.first + 1);
  std::string out = text(kLeft - 10, y + 17, shortened(row.name, 30), kRight);
  for (int i = 0; i < count; ++i) {
    const std::int64_t index = row.first + i;
    const bool exists = index >= 0 && (!row.end || index < *row.end);
    const bool touched = index == row.marked;
    const int x = kLeft + i * kCell;
    out += box(x, y, kCell - 2, kCellHeight, touched ? "touched" : exists ? "element" : "outside");
    if (exists || touched) out += text(x + kCell / 2 - 1, y + 17, shortened(fmt::format("{}", index), 6), kMiddle);
  }
  const int middle = kLeft + static_cast<int>(row.marked - row.first) * kCell + kCell / 2 - 1;
  y += kCellHeight + 16;
  const std::string what = is_race(f.rule) ? "both threads touch it" : "the access goes here: it does not exist";
  const bool to_the_left = middle > kWidth / 2 + 100;
  out += text(middle, y, what, to_the_left ? kRight : middle < kLeft + 120 ? "" : kMiddle);
  y += 10;
  return out;
}

}  // namespace

std::string conflict_drawing(const finding& f) {
  const bool two_sides = is_race(f.rule) && f.accesses.size() >= 2;
  const std::optional<elements> row = around(f);
  if (!two_sides && !row) return {};
  int y = 4;
  std::string inside;
  if (two_sides) inside += time_line(f, y);
  if (row) inside += array_row(f, *row, y);
  return fmt::format(
      "<svg class=\"conflict\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {} {}\" width=\"{}\" "
      "height=\"{}\">\n{}</svg>\n",
      two_sides ? "The two accesses in time, and the element they met at" : "The array and where the access went",
      kWidth, y, kWidth, y, inside);
}

}  // namespace simt
