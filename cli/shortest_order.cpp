// SPDX-License-Identifier: Apache-2.0
#include "shortest_order.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "runs_ahead.hpp"

namespace simt::cli {
namespace {

constexpr std::size_t kMostOrders = 8;  // findings that get one
constexpr int kMostOrderRuns = 200;     // runs for each

using switches = std::vector<schedule_switch>;

std::int64_t threads_of_block(const run_report& r) {
  std::int64_t most = 1;
  for (const recorded_order& o : r.orders)
    for (const recorded_launch& l : o.launches) most = std::max(most, l.threads);
  return most;
}

std::vector<std::string> keys_of(const run_report& r) {
  std::vector<std::string> out;
  for (const finding& f : r.findings) out.push_back(finding_key(f));
  return out;
}

// Delta debugging: leaves out what can be left out of the run's departures, halves of them first. try_with: makes the
// run with these alone, and puts it in the place of `shown` if that still shows the finding.
void take_out(const run_report& shown, const std::function<bool(const switches&)>& try_with) {
  switches needed = switches_of(shown.steps.trail);
  for (std::size_t part = std::max<std::size_t>(needed.size() / 2, 1); !needed.empty();) {
    bool fewer = false;
    for (std::size_t at = 0; at < needed.size();) {
      switches without = needed;
      const auto from = without.begin() + static_cast<std::ptrdiff_t>(at);
      without.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, needed.size() - at)));
      if (try_with(without))
        needed = switches_of(shown.steps.trail), fewer = true;
      else
        at += part;
    }
    if (part == 1 && !fewer) break;
    part = std::max<std::size_t>(part / 2, 1);
  }
}

}  // namespace

bool found_orders::found::is_shown_by(const run_report& r) const {
  if (r.steps.cut || r.steps.given_up) return false;
  const std::vector<std::string> its = keys_of(r);
  return r.result.status == status &&
         std::ranges::all_of(own, [&](const std::string& key) { return std::ranges::count(its, key) > 0; });
}

std::vector<schedule_switch> switches_of(const std::vector<explored_step>& trail) {
  switches out;
  std::map<std::int64_t, std::int64_t> done;
  for (const explored_step& s : trail) {
    if (s.did.thread != s.usual || s.did.older > 0 || s.later)
      out.push_back({s.usual, done[s.usual], s.did.thread, s.did.older, s.later});
    ++done[s.did.thread];
  }
  return out;
}

void found_orders::add(schedule_runs& runs, run_report&& run, const std::string& called, const run_request& request) {
  const std::size_t before = runs.report().findings.size();
  found f{{}, request, run.result.status, keys_of(run)};
  runs.add(std::move(run), called, false);
  const std::vector<finding>& all = runs.report().findings;
  if (runs.count() < 2 || all.size() <= before || all_.size() >= kMostOrders) return;
  for (std::size_t i = before; i < all.size(); ++i) f.keys.push_back(finding_key(all[i]));
  all_.push_back(std::move(f));
}

// First each finding gets the order in which it was found, for which one run is enough; then what it does not need is
// taken out, as long as there is time.
void found_orders::shorten(module& kernels, run_report& report, const std::function<bool(const step_record&)>& is_run,
                           double seconds) const {
  const auto start = std::chrono::steady_clock::now();
  const auto left = [&] {
    return seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto make = [&](run_request& request) {
    request.give_up_seconds = std::max(left(), kShortestRun);
    return kernels.run(request).report;
  };
  const auto tell = [&](const found& f, const run_report& shown) {
    const thread_order order = order_of(shown.steps, threads_of_block(shown));
    for (finding& g : report.findings)
      if (std::ranges::count(f.keys, finding_key(g)) > 0) g.order = order;
  };
  struct found_again {
    const found* which;
    run_report shown;
  };
  std::vector<found_again> all;
  for (const found& f : all_) {
    if (left() <= 0) break;
    run_request request = f.request;
    request.steps.keeps_trail = true;
    run_report shown = make(request);
    if (!f.is_shown_by(shown)) continue;
    tell(f, shown);
    all.push_back({&f, std::move(shown)});
  }
  for (found_again& again : all) {
    if (left() <= 0) break;
    const found& f = *again.which;
    run_report& shown = again.shown;
    const auto outputs = shown.result.outputs;
    const std::string printed = shown.result.printed;
    run_request request = f.request;
    request.schedule = "explore";
    request.steps.keeps_trail = true;
    request.steps.departures.clear();
    request.steps.draws_older = false;
    int attempts = 0;
    const auto try_with = [&](const switches& fewer) {
      if (++attempts > kMostOrderRuns || left() <= 0) return false;
      request.steps.switches = fewer;
      run_report r = make(request);
      // Where only the outputs tell, they must be those that were found.
      if (!f.is_shown_by(r) || r.steps.missed || !is_run(r.steps)) return false;
      if (f.own.empty() && (r.result.outputs != outputs || r.result.printed != printed)) return false;
      shown = std::move(r);
      return true;
    };
    take_out(shown, try_with);
    tell(f, shown);
  }
}

}  // namespace simt::cli
