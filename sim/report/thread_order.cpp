// SPDX-License-Identifier: Apache-2.0
#include "thread_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "counted.hpp"
#include "junit_report.hpp"
#include "terminal_text.hpp"

namespace simt {
namespace {

constexpr int kOrderWidth = 760, kOrderLeft = 150, kOrderStep = 52, kOrderLane = 40, kOrderTop = 20;
constexpr std::size_t kMostDrawn = 400;  // steps; with more, only those around departures are drawn
constexpr std::ptrdiff_t kStepsAround = 2;

std::string called(std::int64_t block, std::int64_t thread) {
  return fmt::format("thread {} of block {}", thread, block);
}

class describer {
 public:
  explicit describer(const std::vector<order_step>& steps) : steps_(steps) {
    std::set<std::string> files;
    for (const order_step& s : steps) files.insert(s.file);
    one_file_ = files.size() <= 1;
  }
  std::string place(const order_step& s) const {
    if (s.line == 0) return "an unknown line";
    return one_file_ ? fmt::format("line {}", s.line) : fmt::format("{}:{}", s.file, s.line);
  }
  // The thread that would have gone on at step i stops there.
  std::string stop(std::size_t i, std::int64_t block, std::int64_t thread) const {
    const auto is_its = [&](const order_step& s) { return s.block == block && s.thread == thread; };
    const auto here = steps_.begin() + static_cast<std::ptrdiff_t>(i);
    const auto before = std::find_if(std::make_reverse_iterator(here), steps_.rend(), is_its);
    const auto next = std::find_if(here, steps_.end(), is_its);
    std::string out = called(block, thread);
    if (before != steps_.rend())
      out += " stops after " + place(*before);
    else
      out += next == steps_.end() ? " does not begin" : " waits before " + place(*next);
    if (next == steps_.end()) return out + ", and does not go on";
    const order_step& last = *(next - 1);
    return out + fmt::format(" until {} has passed {}", called(last.block, last.thread), place(last));
  }

 private:
  const std::vector<order_step>& steps_;
  bool one_file_ = true;
};

// Steps to draw, with gaps where others are left out.
std::vector<std::size_t> drawn_steps(const std::vector<order_step>& steps) {
  std::vector<std::size_t> out;
  const auto n = static_cast<std::ptrdiff_t>(steps.size());
  std::vector<bool> near(steps.size(), n <= 2 * kStepsAround + 12);
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    const order_step& s = steps[static_cast<std::size_t>(i)];
    const bool turn = i > 0 && (steps[static_cast<std::size_t>(i - 1)].thread != s.thread ||
                                steps[static_cast<std::size_t>(i - 1)].block != s.block);
    if (!s.departs && !turn) continue;
    for (std::ptrdiff_t k = std::max<std::ptrdiff_t>(i - kStepsAround, 0); k <= std::min(i + kStepsAround - 1, n - 1);
         ++k)
      near[static_cast<std::size_t>(k)] = true;
  }
  for (std::size_t i = 0; i < steps.size() && out.size() < kMostDrawn; ++i)
    if (near[i]) out.push_back(i);
  return out;
}

}  // namespace

thread_order order_of(const step_record& run, std::int64_t threads) {
  thread_order out;
  for (const explored_step& s : run.trail)
    out.steps.push_back({s.did.thread / threads, s.did.thread % threads, s.did.kind, s.file, s.line, s.did.older,
                         static_cast<bool>(s.later), s.did.thread != s.usual || s.did.older > 0 || s.later});
  const describer d(out.steps);
  for (std::size_t i = 0; i < out.steps.size(); ++i) {
    const order_step& s = out.steps[i];
    if (!s.departs) continue;
    const std::int64_t usual = run.trail[i].usual;
    if (run.trail[i].did.thread != usual) out.text.push_back(d.stop(i, usual / threads, usual % threads));
    if (s.later)
      out.text.push_back(fmt::format("{} reads at {} what {} stores later: PTX allows it", called(s.block, s.thread),
                                     d.place(s),
                                     called(run.trail[i].later.thread / threads, run.trail[i].later.thread % threads)));
    else if (s.older > 0 && s.kind == step_kind::write)
      out.text.push_back(fmt::format("what {} stores at {} takes its place before the newest {}: PTX allows it",
                                     called(s.block, s.thread), d.place(s),
                                     s.older == 1 ? "store" : fmt::format("{} stores", s.older)));
    else if (s.older > 0)
      out.text.push_back(fmt::format("{} reads an older value at {}, {} behind the newest: PTX allows it",
                                     called(s.block, s.thread), d.place(s), counted(s.older, "store")));
  }
  return out;
}

std::string order_drawing(const thread_order& order) {
  if (order.text.empty()) return {};
  const std::vector<std::size_t> drawn = drawn_steps(order.steps);
  std::vector<std::pair<std::int64_t, std::int64_t>> lanes;
  for (const std::size_t i : drawn) lanes.emplace_back(order.steps[i].block, order.steps[i].thread);
  std::ranges::sort(lanes);
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  int columns = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) columns += k > 0 && drawn[k] != drawn[k - 1] + 1 ? 2 : 1;
  const int width = std::max(kOrderWidth, kOrderLeft + columns * kOrderStep + 20);
  const int height = kOrderTop + static_cast<int>(lanes.size()) * kOrderLane + 10;
  std::string out = fmt::format(
      "<div class=\"wide\"><svg class=\"conflict order\" width=\"{0}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "aria-label=\"the order of threads\">\n",
      width, height);
  const auto y_of = [&](const order_step& s) {
    const auto at = std::ranges::find(lanes, std::pair(s.block, s.thread));
    return kOrderTop + static_cast<int>(at - lanes.begin()) * kOrderLane + kOrderLane / 2;
  };
  out += fmt::format("<text x=\"{}\" y=\"14\">time →</text>\n", kOrderLeft);
  for (const auto& [block, thread] : lanes) {
    order_step of_lane;
    of_lane.block = block;
    of_lane.thread = thread;
    const int y = y_of(of_lane);
    out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">block {}, thread {}</text>\n", kOrderLeft - 10,
                       y + 4, block, thread);
    out +=
        fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"lane\"/>\n", kOrderLeft, y, width - 10, y);
  }
  int x = kOrderLeft + kOrderStep / 2, last_x = 0, last_y = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const order_step& s = order.steps[drawn[k]];
    const int y = y_of(s);
    if (k > 0 && drawn[k] != drawn[k - 1] + 1) {
      out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">…</text>\n", x, y - 4);
      x += kOrderStep;
    }
    if (k > 0 && last_y != y)
      out += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", last_x + kOrderStep / 2 - 3,
                         last_y, x - kOrderStep / 2 + 3, y, s.departs ? "unordered" : "turn");
    const char* const what = s.kind == step_kind::read    ? "R"
                             : s.kind == step_kind::write ? "W"
                             : s.kind == step_kind::fence ? "F"
                                                          : "A";
    const std::string old = s.older == 0                 ? ""
                            : s.kind == step_kind::write ? "before stores that were done earlier"
                                                         : "an older value";
    out += fmt::format(
        "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"22\" rx=\"3\" class=\"{}\"/>"
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}{}</text></g>\n",
        escaped_markup(fmt::format("{}:{}{}", s.file, s.line, old.empty() ? "" : ", " + old)), x - kOrderStep / 2 + 3,
        y - 11, kOrderStep - 6,
        s.older > 0 ? "touched"
        : s.departs ? "step"
                    : "element",
        x, y + 4, s.older > 0 ? "old" : what, s.line > 0 ? fmt::format(" {}", s.line) : "");
    last_x = x, last_y = y;
    x += kOrderStep;
  }
  return out +
         "</svg></div>\n<p><small>R reads, W writes, A is an atomic operation, F a fence; each with its line. Dashed: "
         "somebody else goes on than in the order of thread numbers.</small></p>\n";
}

}  // namespace simt
