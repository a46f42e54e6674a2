// SPDX-License-Identifier: Apache-2.0
// --schedule pct: runs with random priorities, and how much they cover.
//
// The bound holds for runs that draw their change points from as many steps as any run has, and that know every place
// that threads share in conflict. Both are learned: from a first run that is repeated until it finds no new place, then
// from the runs themselves. A run that has more steps or shows a new place makes those before it count for nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "early_reads.hpp"
#include "runs_ahead.hpp"
#include "search_unit.hpp"
#include "shortest_order.hpp"
#include "sim/report/counted.hpp"
#include "step_search.hpp"
#include "thread_histories.hpp"

namespace simt::cli {
namespace {

constexpr int kMostAttempts = 3;  // runs, as a multiple of those that were asked for
constexpr int kRunsPerDraw = 2;   // with a memory model: every second run draws older values, too
constexpr int kRunsPerEarlyRead = 4;
constexpr int kMostLessons = 50;  // first runs, until no new place comes

class learned {
 public:
  explicit learned(const std::string& asked_unit) : unit(asked_unit) {}
  // True: the run taught something.
  bool from(const step_record& r, std::int64_t drawn_from) {
    bool news = unit.learn(r.threads, r.units);
    if (r.steps > drawn_from) steps = r.steps + r.steps / 8, news = true;
    if (!r.new_places.empty()) {
      auto all = std::make_shared<std::vector<std::uint64_t>>(r.new_places);
      if (places) all->insert(all->end(), places->begin(), places->end());
      places = std::move(all), news = true;
    }
    return news;
  }
  std::shared_ptr<const std::vector<std::uint64_t>> places;
  search_unit unit;
  std::int64_t steps = 0;
};

std::string claim(const learned& l, std::int64_t depth, std::int64_t known, std::int64_t all) {
  if (l.places == nullptr && l.unit.threads() == 1)
    return "pct: a launch of one thread has one order, " + counted(all, "run", kCommas);
  if (l.places == nullptr)
    return fmt::format(
        "pct: no two of {} threads touch a place in conflict without a barrier between: every order of "
        "them gives the same, {}",
        with_commas(l.unit.threads()), counted(all, "run", kCommas));
  const double miss = chance_to_miss(known, l.unit.units(), l.steps, depth);
  const char* const between = l.unit.now() == schedule_unit::thread ? ""
                              : l.unit.now() == schedule_unit::warp ? " between warps"
                                                                    : " between blocks";
  std::string out = fmt::format(
      "pct with depth {}: {} of {} with up to {} steps, which are accesses to {} that threads share in "
      "conflict; misses a defect of depth {}{} with probability below {}",
      depth, counted(known, "run", kCommas), l.unit.text(), with_commas(l.steps),
      counted(l.places->size(), "place", kCommas), depth, between, percent(miss));
  if (known < all)
    out += fmt::format("; {} more were run before all places and steps were known, and do not count",
                       with_commas(all - known));
  return out;
}

}  // namespace

double chance_to_miss(std::int64_t runs, std::int64_t threads, std::int64_t steps, std::int64_t depth) {
  const double hit = 1 / (static_cast<double>(std::max<std::int64_t>(threads, 1)) *
                          std::pow(static_cast<double>(std::max<std::int64_t>(steps, 1)), depth - 1));
  return std::exp(static_cast<double>(runs) * std::log1p(-std::min(hit, 1.0)));
}

std::string percent(double chance) {
  const double value = chance * 100;
  if (value > 99) {  // 99.99 % is not 100 %, but nothing is claimed by it
    return value >= 99.9999 ? "100 %" : fmt::format("{:.4f} %", std::ceil(value * 10000) / 10000);
  }
  if (value < 1e-9) return "0.000000001 %";
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(value))));  // two that are not 0
  const double unit = std::pow(10, -digits);
  return fmt::format("{:.{}f} %", std::ceil(value / unit * (1 - 1e-12)) * unit, digits);
}

void test_by_pct(module& kernels, const run_options& o, const run_request& asked, schedule_runs& runs,
                 progress& shown) {
  run_request request = asked;
  learned known(o.unit);
  bool went_as_planned = true;
  found_orders orders;
  runs_ahead ahead(kernels, search_processes(o.workers));
  const auto request_of = [&](const std::string& schedule, std::uint64_t seed) {
    run_request r = request;
    r.schedule = schedule;
    r.seed = seed;
    r.steps.places = known.places;
    r.steps.depth = o.depth;
    r.steps.steps = known.steps;
    r.steps.draws_older = r.steps.weak_memory && schedule == "pct" && seed % kRunsPerDraw == 1;
    r.steps.tells_others = false;
    r.steps.unit = known.unit.now();
    return r;
  };
  const auto run = [&](const std::string& schedule, std::uint64_t seed) {
    const run_request now = request_of(schedule, seed);
    const std::int64_t drawn_from = known.steps;
    if (const std::optional<runs_ahead::made_run> made = ahead.take(runs)) {
      went_as_planned = !now.steps.draws_older;
      return known.from(made->steps, drawn_from);
    }
    run_report report = ahead.run(now);
    const bool news = known.from(report.steps, drawn_from);
    went_as_planned = !now.steps.draws_older && !report.steps.disturbed && !report.steps.cut;
    orders.add(runs, std::move(report), schedule == "pct" ? fmt::format("pct with seed {}", seed) : "thread order",
               now);
    return news;
  };
  // A drawn run, and that run with a load that reads what is stored later: the first one tells what the thread stores
  // where the load reads the newest value. The second is no draw, so it does not count.
  thread_histories histories;
  const auto is_run = [&](const step_record& r) { return !r.unkept && histories.all_justified(r.trail); };
  const auto read_early = [&](std::uint64_t seed) {
    run_request now = request_of("pct", seed);
    now.steps.draws_older = false;
    now.steps.keeps_trail = true;
    run_report drawn = kernels.run(now).report;
    const std::vector<explored_step> trail = drawn.steps.trail;
    histories.add(trail);
    orders.add(runs, std::move(drawn), fmt::format("pct with seed {}", seed), now);
    now.schedule = "explore";
    now.steps.switches = with_early_read(trail, seed);
    if (now.steps.switches.empty() || runs.ended()) return;
    run_report early = kernels.run(now).report;
    if (early.steps.missed || early.steps.cut || early.steps.disturbed || !is_run(early.steps)) return;
    orders.add(runs, std::move(early), fmt::format("pct with seed {} and a load that reads what is stored later", seed),
               now);
  };
  for (int i = 0; i < kMostLessons && !runs.ended() && run("explore", o.seed); ++i) continue;
  std::int64_t counted = 0;
  const std::int64_t wanted = request.steps.weak_memory ? (o.schedules + 1) / kRunsPerDraw : o.schedules;
  for (std::int64_t i = 0; counted < wanted && i < std::int64_t{o.schedules} * kMostAttempts; ++i) {
    if (runs.ended()) break;
    const auto next = [&](std::size_t n) { return request_of("pct", o.seed + static_cast<std::uint64_t>(i) + n); };
    if (known.places != nullptr) ahead.make(static_cast<std::size_t>(wanted - counted), next, runs, 0);
    shown.show(fmt::format("{}: pct, run {} of {}", o.program, counted + 1, wanted));
    if (run("pct", o.seed + static_cast<std::uint64_t>(i))) {
      counted = 0;
      ahead.forget();  // they knew less
    } else if (went_as_planned) {
      ++counted;
    }
    if (known.places == nullptr) break;  // nothing to choose
    if (request.steps.weak_memory && i % kRunsPerEarlyRead == 0 && !runs.ended())
      read_early(o.seed + static_cast<std::uint64_t>(i));
  }
  run_report& r = runs.report();
  r.schedule = "pct";
  if (r.interrupted_by == 0) orders.shorten(kernels, r, is_run);
  r.seed = o.seed;
  if (runs.ended())
    r.notes.push_back(fmt::format("stopped after {} runs", with_commas(runs.count())));
  else
    r.notes.push_back(claim(known, o.depth, counted, runs.count()));
  if (request.steps.weak_memory)
    r.notes.push_back(
        "with older values drawn at random in every second run, and values that are stored later read in others, "
        "which do not count; no bound is claimed there");
}

}  // namespace simt::cli
