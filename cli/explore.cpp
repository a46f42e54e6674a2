// SPDX-License-Identifier: Apache-2.0
// --explore: runs what a search asks for (schedule_search.hpp), and says what that covers.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "runs_ahead.hpp"
#include "schedule_search.hpp"
#include "search_unit.hpp"
#include "shortest_order.hpp"
#include "sim/report/counted.hpp"
#include "step_search.hpp"

namespace simt::cli {
namespace {

constexpr double kPartForOrders = 0.1;  // of a search's time: to find the shortest orders behind its end

std::string bound_text(const explore_bound& b, bool left_out, bool weak_memory) {
  if (!left_out)
    return weak_memory ? "all schedules, older and later values that loads may read and places that stores may take,"
                       : "all schedules";
  std::string out;
  if (b.preemptions >= 0)
    out = "at most " + counted(b.preemptions, "preemption", kCommas) +
          (weak_memory ? ", loads of older or later values or stores before newer ones" : "");
  if (b.departures >= 0)
    out += (out.empty() ? "" : " and ") +
           fmt::format("at most {} from the order of thread numbers", counted(b.departures, "departure", kCommas));
  return "all schedules with " + out;
}

std::string called(const planned_run& p, std::size_t places, std::int64_t threads_of_block) {
  if (p.departures.empty())
    return "the order of thread numbers" +
           (places == 0 ? "" : ", deciding at " + counted(static_cast<std::int64_t>(places), "place", kCommas));
  std::string out;
  for (const schedule_departure& d : p.departures)
    out += fmt::format("{}thread {} of block {} {} at step {}", out.empty() ? "" : ", ", d.thread % threads_of_block,
                       d.thread / threads_of_block,
                       d.later       ? "reads what is stored later,"
                       : d.older > 0 ? "reads an older value, or stores before a newer one,"
                                     : "first",
                       d.step + 1);
  return out;
}

}  // namespace

void explore_schedules(module& kernels, const run_options& o, const run_request& asked, schedule_runs& runs,
                       progress& shown) {
  const explore_bound bound = read_explore_bound(o.explore);
  schedule_search s(bound);
  search_unit unit(o.unit);
  run_request request = asked;
  request.schedule = "explore";
  const auto request_of = [&](const planned_run& p) {
    run_request r = request;
    r.steps.departures = p.departures;
    r.steps.places = s.places();
    r.steps.tells_others = p.tells_others;
    r.steps.unit = unit.now();
    return r;
  };
  runs_ahead ahead(kernels, search_processes(o.workers));
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const auto left = [&] { return bound.seconds > 0 ? std::max(bound.seconds - elapsed(), kShortestRun) : 0; };
  std::int64_t disturbed = 0;
  bool out_of_time = false;
  found_orders orders;
  const auto is_run = [&](const step_record& run) { return s.is_run(run); };
  while (!s.is_done() && !runs.ended() && !(out_of_time = bound.seconds > 0 && elapsed() > bound.seconds)) {
    const auto request_of_next = [&](std::size_t i) { return request_of(s.planned(i)); };
    ahead.make(s.planned(), request_of_next, runs, left());
    planned_run next = s.take();
    if (runs.count() % 16 == 0)
      shown.show(fmt::format("{}: exploring, run {}", o.program, with_commas(runs.count() + 1)));
    if (!next.again)
      if (const std::optional<runs_ahead::made_run> made = ahead.take(runs, is_run)) {
        unit.learn(made->steps.threads, made->steps.units);
        next.tells_others = made->tells_others;
        s.learn(next, made->steps);
        continue;
      }
    run_request now = request_of(next);
    now.give_up_seconds = left();
    run_report report = ahead.run(now);
    if ((out_of_time = report.steps.given_up)) {
      s.give_back(next);
      break;
    }
    const step_record record = std::move(report.steps);
    report.steps = {};
    const bool by_others = unit.learn(record.threads, record.units);
    disturbed += record.disturbed || record.missed || record.cut ? 1 : 0;
    const auto learn = [&] {
      const bool goes_on = s.learn(next, record);
      if (by_others) s.begin_again();
      if (!goes_on || by_others) ahead.forget();
    };
    if (next.again || !is_run(record)) {
      learn();
      continue;
    }
    std::int64_t in_block = 1;
    for (const recorded_launch& l : report.orders.empty() ? std::vector<recorded_launch>{} : report.orders[0].launches)
      in_block = std::max(in_block, l.threads);
    orders.add(runs, std::move(report), called(next, now.steps.places ? now.steps.places->size() : 0, in_block), now);
    learn();
  }
  const bool ended = runs.ended();  // by what a run was, not by what is said of all
  run_report& r = runs.report();
  r.schedule = "explore";
  if (runs.count() == 0) {
    r.verdict = verdict::error;
    r.error = fmt::format("--explore: no run came to its end in {:.3g} s, so nothing is known", bound.seconds);
  } else if (out_of_time && !ended && s.runs() == 0 && r.findings.empty()) {
    // A run with its threads in order has shown where they meet; the search itself has not begun.
    r.verdict = verdict::error;
    r.error = fmt::format(
        "--explore: {:.3g} s were not enough for one run after the first, which shows where threads meet, so nothing "
        "is known of other orders; give it more time, as in time={:.0f}s",
        bound.seconds, std::max(10 * bound.seconds, 1.0));
  }
  if (r.interrupted_by == 0 && bound.seconds > 0)
    orders.shorten(kernels, r, is_run, std::max(left(), bound.seconds * kPartForOrders));
  else if (r.interrupted_by == 0)
    orders.shorten(kernels, r, is_run);
  const std::size_t found = r.findings.size();
  const std::string result = found == 0 ? "no finding" : counted(static_cast<std::int64_t>(found), "finding", kCommas);
  const std::string covered =
      s.depth() == 0
          ? ""
          : fmt::format("; all that depart less than {} from the order of thread numbers were run",
                        s.depth() == 1 ? "once" : counted(static_cast<std::int64_t>(s.depth()), "time", kCommas));
  if (r.interrupted_by != 0) {  // the last run was not whole
    r.notes.push_back(fmt::format("explored until interrupted, and not to the end: {} of {}, {}{}",
                                  counted(runs.count() - 1, "run", kCommas), unit.text(), result, covered));
  } else if (ended) {
    r.notes.push_back(fmt::format("explored until a kernel did not finish: {}", counted(runs.count(), "run", kCommas)));
  } else if (out_of_time && runs.count() == 0) {  // the error says it
  } else if (out_of_time && s.runs() == 0) {      // each run showed new places
    r.notes.push_back(
        fmt::format("explored in {:.3g} s, and to no bound: which places threads share was not known by "
                    "then. {} that learned it {} judged, and no other order: {}",
                    bound.seconds, counted(runs.count(), "run", kCommas), runs.count() == 1 ? "was" : "were", result));
  } else if (out_of_time) {
    r.notes.push_back(fmt::format("explored in {:.3g} s, and not to the end: {} of {}, {}{}", bound.seconds,
                                  counted(s.runs(), "run", kCommas), unit.text(), result, covered));
  } else {
    r.notes.push_back(fmt::format("{} of {}: {}, {}", bound_text(bound, s.left_out(), request.steps.weak_memory),
                                  unit.text(), counted(s.runs(), "run", kCommas), result));
  }
  if (disturbed > 0)
    r.notes.push_back(
        fmt::format("{} did not go as planned (a thread ran alone for too long, or more than {} steps): "
                    "what {} was to cover is not covered",
                    counted(disturbed, "run", kCommas), with_commas(kMostSteps), disturbed == 1 ? "it" : "they"));
}

}  // namespace simt::cli
