// SPDX-License-Identifier: Apache-2.0
// What --memory-model ptx lets loads read: the classic litmus tests, and small random programs, on the engine, against
// the axioms of the model (ptx_model.hpp). Every outcome that the axioms allow must show, but for those that the
// simulator leaves out by its design (docs/schedules.md), and no other.
// Long because: the tests are one list, each with its outcomes.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "cli/schedule_search.hpp"
#include "ptx_model.hpp"

#include <simt/session.hpp>
#include <simt/simt.hpp>

namespace {

using namespace ptx_model;

constexpr int kCells = 3, kMost = 4, kFields = 5;

SIMT_DEVICE void interpret(simt::thread t, simt::view<const int> codes, simt::view<int> cells, simt::view<int> got) {
  const std::int64_t me = t.block_idx().x * t.block_dim().x + t.thread_idx().x;
  int seen[kMost];
  for (int i = 0; i < kMost; ++i) {
    const int* const c = &codes[(me * kMost + i) * kFields];
    const auto o = static_cast<simt::memory_order>(c[3]);
    const auto s = static_cast<simt::scope>(c[4]);
    int& cell = cells[c[1] * 2];
    seen[i] = -1;
    switch (c[0]) {
      case 0:
        seen[i] = t.atomic_load(cell, o, s);
        break;
      case 1:
        t.atomic_store(cell, c[2], o, s);
        break;
      case 2:
        seen[i] = t.atomic_exch(cell, c[2], o, s);
        break;
      case 3:
        t.fence(o, s);
        break;
      case 4:
        seen[i] = cell;
        break;
      case 5:
        cell = c[2];
        break;
      case 6:
        t.sync();
        break;
      default:
        break;
    }
  }
  for (int i = 0; i < kMost; ++i) got[me * kMost + i] = seen[i];
}

simt::memory_order order_of(order o) {
  constexpr simt::memory_order kAll[] = {simt::memory_order::relaxed, simt::memory_order::acquire,
                                         simt::memory_order::release, simt::memory_order::acq_rel,
                                         simt::memory_order::seq_cst};
  return kAll[static_cast<int>(o)];
}

simt::scope scope_of(scope s) {
  constexpr simt::scope kAll[] = {simt::scope::block, simt::scope::device, simt::scope::system};
  return kAll[static_cast<int>(s)];
}

// How many loads of the run read an older value, and stores went before a newer one.
std::int64_t older_values_of(const simt::run_report& r) {
  return std::ranges::count(r.orders.front().launches.front().older_values, ':');
}

struct found {
  std::set<outcome> outcomes;
  std::int64_t runs = 0;
  std::set<std::uint64_t> earlier;  // the sources of stores of the last thread that may go before newer ones
};

void add_earlier(found& f, const std::vector<simt::explored_step>& trail, std::int64_t last) {
  const auto add = [&](const simt::step_choice& s) {
    if (s.thread == last && s.kind == simt::step_kind::write && s.older > 0) f.earlier.insert(s.source);
  };
  for (const simt::explored_step& s : trail) {
    add(s.did);
    std::ranges::for_each(s.others, add);
  }
}

found explore(const program& p, int most = -1) {
  found out;
  std::vector<int> codes;
  for (const auto& thread : p.code)
    for (std::size_t i = 0; i < kMost; ++i) {
      const instruction none{static_cast<op>(9)};
      const instruction& x = i < thread.size() ? thread[i] : none;
      codes.insert(codes.end(), {static_cast<int>(x.what), x.cell, x.value, static_cast<int>(order_of(x.o)),
                                 static_cast<int>(scope_of(x.s))});
    }
  simt::cli::schedule_search search({.preemptions = most});
  while (!search.is_done()) {
    const simt::cli::planned_run next = search.take();
    simt::run_request request;
    request.checks.barrier = true;  // races are not what is asked here
    request.schedule = "explore";
    request.workers = 1;
    request.steps.departures = next.departures;
    request.steps.places = search.places();
    request.steps.weak_memory = true;
    simt::backend::begin_run(request);
    std::vector<int> got(p.code.size() * kMost);
    simt::run_report report;
    {
      simt::buffer<int> code(static_cast<std::int64_t>(codes.size())), cells(kCells * 2),
          end(static_cast<std::int64_t>(got.size()));
      code.copy_from(codes);
      cells.copy_from(std::vector<int>(kCells * 2, 0));
      end.copy_from(got);
      simt::launch<interpret>({.grid = {p.blocks}, .block = {p.threads}}, code, cells, end);
      end.copy_to(got);
    }
    simt::backend::end_run(report);
    REQUIRE(report.error == "");
    CHECK(!report.steps.missed);
    CHECK(older_values_of(report) == std::ranges::count_if(next.departures, [](const auto& d) { return d.older > 0; }));
    std::erase(got, -1);
    if (search.is_run(report.steps)) out.outcomes.insert(got);
    add_earlier(out, report.steps.trail, static_cast<std::int64_t>(p.code.size()) - 1);
    search.learn(next, report.steps);
  }
  out.runs = search.runs();
  return out;
}

std::string shown(const std::set<outcome>& all) {
  std::string out;
  for (const outcome& o : all) {
    out += " (";
    for (const int v : o) out += std::to_string(v) + " ";
    out.back() = ')';
  }
  return out;
}

instruction ld(int cell, order o = order::relaxed, scope s = scope::device) { return {op::load, cell, 0, o, s}; }
instruction st(int cell, int value, order o = order::relaxed, scope s = scope::device) {
  return {op::store, cell, value, o, s};
}
instruction fence(order o, scope s = scope::device) { return {op::fence, 0, 0, o, s}; }
instruction swap(int cell, int value, order o = order::relaxed, scope s = scope::device) {
  return {op::swap, cell, value, o, s};
}

struct litmus {
  const char* name;
  program p;
  outcome weak;  // the one that is asked for
  bool allowed;  // by PTX
  bool shows;    // here
};

constexpr order rlx = order::relaxed, acq = order::acquire, rel = order::release, ar = order::acq_rel,
                sc = order::seq_cst;
constexpr scope cta = scope::block, gpu = scope::device, sys = scope::system;

const litmus kTests[] = {
    // A message: its data, then its flag; the flag is read, then the data.
    {"MP relaxed", {2, 1, {{st(0, 1), st(1, 1)}, {ld(1), ld(0)}}}, {1, 0}, true, true},
    {"MP release, relaxed", {2, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1), ld(0)}}}, {1, 0}, true, true},
    {"MP relaxed, acquire", {2, 1, {{st(0, 1), st(1, 1)}, {ld(1, acq), ld(0)}}}, {1, 0}, true, true},
    {"MP release, acquire", {2, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1, acq), ld(0)}}}, {1, 0}, false, false},
    {"MP fences", {2, 1, {{st(0, 1), fence(ar), st(1, 1)}, {ld(1), fence(ar), ld(0)}}}, {1, 0}, false, false},
    {"MP fence, acquire", {2, 1, {{st(0, 1), fence(rel), st(1, 1)}, {ld(1, acq), ld(0)}}}, {1, 0}, false, false},
    {"MP one fence", {2, 1, {{st(0, 1), fence(ar), st(1, 1)}, {ld(1), ld(0)}}}, {1, 0}, true, true},
    {"MP block scope in a block",
     {1, 2, {{st(0, 1), st(1, 1, rel, cta)}, {ld(1, acq, cta), ld(0)}}},
     {1, 0},
     false,
     false},
    {"MP block scope across blocks",
     {2, 1, {{st(0, 1), st(1, 1, rel, cta)}, {ld(1, acq, cta), ld(0)}}},
     {1, 0},
     true,
     true},
    {"MP release of the block, acquire of the device",
     {2, 1, {{st(0, 1), st(1, 1, rel, cta)}, {ld(1, acq, gpu), ld(0)}}},
     {1, 0},
     true,
     true},
    {"MP fences of the block across blocks",
     {2, 1, {{st(0, 1), fence(sc, cta), st(1, 1)}, {ld(1), fence(sc, cta), ld(0)}}},
     {1, 0},
     true,
     true},
    {"MP through a swap",
     {3, 1, {{st(0, 1), st(1, 1, rel)}, {swap(1, 2)}, {ld(1, acq), ld(0)}}},
     {1, 2, 0},
     false,
     false},
    {"MP through a store",
     {3, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1), st(1, 2)}, {ld(1, acq), ld(0)}}},
     {1, 2, 0},
     true,
     true},
    {"MP acquire elsewhere", {2, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1), ld(2, acq), ld(0)}}}, {1, 0, 0}, true, true},
    {"MP release, then a relaxed store",
     {2, 1, {{st(0, 1), st(1, 1, rel), st(1, 2)}, {ld(1, acq), ld(0)}}},
     {2, 0},
     false,
     false},
    {"MP plain data",
     {2, 1, {{{op::plain_store, 0, 1}, st(1, 1, rel)}, {ld(1, acq), {op::plain_load, 0}}}},
     {1, 0},
     false,
     false},
    // Store buffering: each stores, then reads what the other one stores.
    {"SB relaxed", {2, 1, {{st(0, 1), ld(1)}, {st(1, 1), ld(0)}}}, {0, 0}, true, true},
    {"SB release, acquire", {2, 1, {{st(0, 1, rel), ld(1, acq)}, {st(1, 1, rel), ld(0, acq)}}}, {0, 0}, true, true},
    {"SB acq_rel fences", {2, 1, {{st(0, 1), fence(ar), ld(1)}, {st(1, 1), fence(ar), ld(0)}}}, {0, 0}, true, true},
    {"SB sc fences", {2, 1, {{st(0, 1), fence(sc), ld(1)}, {st(1, 1), fence(sc), ld(0)}}}, {0, 0}, false, false},
    {"SB seq_cst", {2, 1, {{st(0, 1, sc), ld(1, sc)}, {st(1, 1, sc), ld(0, sc)}}}, {0, 0}, false, false},
    {"SB sc fences of the block across blocks",
     {2, 1, {{st(0, 1), fence(sc, cta), ld(1)}, {st(1, 1), fence(sc, cta), ld(0)}}},
     {0, 0},
     true,
     true},
    {"SB sc fences of the block in a block",
     {1, 2, {{st(0, 1), fence(sc, cta), ld(1)}, {st(1, 1), fence(sc, cta), ld(0)}}},
     {0, 0},
     false,
     false},
    // Load buffering: each reads what the other one stores afterwards.
    {"LB relaxed", {2, 1, {{ld(0), st(1, 1)}, {ld(1), st(0, 1)}}}, {1, 1}, true, true},
    {"LB release, acquire", {2, 1, {{ld(0, acq), st(1, 1, rel)}, {ld(1, acq), st(0, 1, rel)}}}, {1, 1}, false, false},
    {"LB one fence", {2, 1, {{ld(0), fence(ar), st(1, 1)}, {ld(1), st(0, 1)}}}, {1, 1}, true, true},
    {"LB fences", {2, 1, {{ld(0), fence(ar), st(1, 1)}, {ld(1), fence(ar), st(0, 1)}}}, {1, 1}, false, false},
    {"LB fences of the block across blocks",
     {2, 1, {{ld(0), fence(sc, cta), st(1, 1)}, {ld(1), fence(sc, cta), st(0, 1)}}},
     {1, 1},
     true,
     true},
    {"LB block scope in a block",
     {1, 2, {{ld(0, acq, cta), st(1, 1, rel, cta)}, {ld(1, acq, cta), st(0, 1, rel, cta)}}},
     {1, 1},
     false,
     false},
    {"LB plain",
     {2, 1, {{{op::plain_load, 0}, {op::plain_store, 1, 1}}, {{op::plain_load, 1}, {op::plain_store, 0, 1}}}},
     {1, 1},
     true,
     true},
    // The load orders nothing by itself: what was released and acquired behind it does.
    {"LB of plain data, release and acquire",
     {2, 1, {{{op::plain_load, 0}, st(1, 1, rel)}, {ld(1, acq), {op::plain_store, 0, 1}}}},
     {1, 1},
     false,
     false},
    {"LB of three", {3, 1, {{ld(0), st(1, 1)}, {ld(1), st(2, 1)}, {ld(2), st(0, 1)}}}, {1, 1, 1}, true, true},
    {"LB, then a look at what was read",
     {2, 1, {{ld(0), st(1, 1), ld(0)}, {ld(1), st(0, 1)}}},
     {1, 0, 1},
     false,
     false},
    {"LB between two stores", {2, 1, {{ld(0), st(1, 1)}, {ld(1), st(0, 2), st(0, 1)}}}, {1, 1}, true, true},
    {"LB swap", {2, 1, {{ld(0), swap(1, 1)}, {st(1, 2), st(0, 1)}}}, {1, 0}, true, true},
    // Of a store that lies between the promised one and its load only the place behind it is tried.
    {"LB and a store before what was read",
     {2, 1, {{ld(1, acq, cta), st(0, 1), st(1, 1)}, {swap(1, 2, sc), st(1, 3)}}},
     {3, 1},
     true,
     false},
    {"LB swap sc", {2, 1, {{ld(0, sc), swap(1, 1)}, {st(1, 2), st(0, 1)}}}, {1, 0}, true, true},
    // What an atomic update stores is read by nobody earlier: here the other load reads what comes later,
    {"LB, and a swap stores what was read", {2, 1, {{ld(0), st(1, 1)}, {ld(1), swap(0, 1)}}}, {1, 1, 0}, true, true},
    // and here both would have to.
    {"LB of two swaps", {2, 1, {{ld(0), swap(1, 1)}, {ld(1), swap(0, 1)}}}, {1, 0, 1, 0}, true, false},
    {"LB, and a swap stores what was read, with fences",
     {2, 1, {{ld(0), fence(ar), st(1, 1)}, {ld(1), fence(ar), swap(0, 1)}}},
     {1, 1, 0},
     false,
     false},
    {"LB and a swap of what was read",
     {2, 1, {{st(1, 1, rel, cta)}, {ld(1, acq, cta), swap(1, 2)}}},
     {1, 0},
     true,
     true},
    // Independent reads of independent writes: two readers see two stores in opposite orders.
    {"IRIW relaxed", {4, 1, {{st(0, 1)}, {st(1, 1)}, {ld(0), ld(1)}, {ld(1), ld(0)}}}, {1, 0, 1, 0}, true, true},
    {"IRIW release, acquire",
     {4, 1, {{st(0, 1, rel)}, {st(1, 1, rel)}, {ld(0, acq), ld(1, acq)}, {ld(1, acq), ld(0, acq)}}},
     {1, 0, 1, 0},
     true,
     true},
    {"IRIW sc fences",
     {4, 1, {{st(0, 1)}, {st(1, 1)}, {ld(0), fence(sc), ld(1)}, {ld(1), fence(sc), ld(0)}}},
     {1, 0, 1, 0},
     false,
     false},
    {"IRIW sc fences of the block across blocks",
     {4, 1, {{st(0, 1)}, {st(1, 1)}, {ld(0), fence(sc, cta), ld(1)}, {ld(1), fence(sc, cta), ld(0)}}},
     {1, 0, 1, 0},
     true,
     true},
    // Coherence of reads: new, then old.
    {"CoRR relaxed", {2, 1, {{st(0, 1)}, {ld(0), ld(0)}}}, {1, 0}, false, false},
    {"CoRR block scope across blocks",
     {2, 1, {{st(0, 1, rlx, cta)}, {ld(0, rlx, cta), ld(0, rlx, cta)}}},
     {1, 0},
     true,
     true},
    {"CoRR block scope in a block",
     {1, 2, {{st(0, 1, rlx, cta)}, {ld(0, rlx, cta), ld(0, rlx, cta)}}},
     {1, 0},
     false,
     false},
    {"CoRR plain", {2, 1, {{{op::plain_store, 0, 1}}, {{op::plain_load, 0}, {op::plain_load, 0}}}}, {1, 0}, true, true},
    {"CoWR", {2, 1, {{st(0, 1), ld(0)}, {st(0, 2)}}}, {0}, false, false},
    // Three threads: what the second has seen and released, the third must know.
    {"WRC release, acquire",
     {3, 1, {{st(0, 1)}, {ld(0), st(1, 1, rel)}, {ld(1, acq), ld(0)}}},
     {1, 1, 0},
     false,
     false},
    {"WRC relaxed", {3, 1, {{st(0, 1)}, {ld(0), st(1, 1)}, {ld(1), ld(0)}}}, {1, 1, 0}, true, true},
    {"WRC fences",
     {3, 1, {{st(0, 1)}, {ld(0), fence(ar), st(1, 1)}, {ld(1), fence(ar), ld(0)}}},
     {1, 1, 0},
     false,
     false},
    {"WRC one fence", {3, 1, {{st(0, 1)}, {ld(0), fence(ar), st(1, 1)}, {ld(1), ld(0)}}}, {1, 1, 0}, true, true},
    {"WRC through a swap",
     {3, 1, {{st(0, 1)}, {ld(0), swap(1, 1, rel)}, {ld(1, acq), ld(0)}}},
     {1, 0, 1, 0},
     false,
     false},
    // A message whose flag another thread passes on.
    {"ISA2 relaxed", {3, 1, {{st(0, 1), st(1, 1)}, {ld(1), st(2, 1)}, {ld(2), ld(0)}}}, {1, 1, 0}, true, true},
    {"ISA2 release, acquire",
     {3, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1, acq), st(2, 1, rel)}, {ld(2, acq), ld(0)}}},
     {1, 1, 0},
     false,
     false},
    {"ISA2, relaxed in its middle",
     {3, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1), st(2, 1, rel)}, {ld(2, acq), ld(0)}}},
     {1, 1, 0},
     true,
     true},
    {"ISA2 fences",
     {3, 1, {{st(0, 1), fence(ar), st(1, 1)}, {ld(1), fence(ar), st(2, 1)}, {ld(2), fence(ar), ld(0)}}},
     {1, 1, 0},
     false,
     false},
    {"ISA2 at the block's scope, then at the device's",
     {2, 2, {{st(0, 1), st(1, 1, rel, cta)}, {ld(1, acq, cta), st(2, 1, rel)}, {ld(2, acq), ld(0)}, {}}},
     {1, 1, 0},
     false,
     false},
    {"ISA2 at the block's scope twice",
     {2, 2, {{st(0, 1), st(1, 1, rel, cta)}, {ld(1, acq, cta), st(2, 1, rel, cta)}, {ld(2, acq), ld(0)}, {}}},
     {1, 1, 0},
     true,
     true},
    // A store that one thread has seen, and another not yet.
    {"RWC relaxed", {3, 1, {{st(0, 1)}, {ld(0), ld(1)}, {st(1, 1), ld(0)}}}, {1, 0, 0}, true, true},
    {"RWC acq_rel fences",
     {3, 1, {{st(0, 1)}, {ld(0), fence(ar), ld(1)}, {st(1, 1), fence(ar), ld(0)}}},
     {1, 0, 0},
     true,
     true},
    {"RWC sc fences",
     {3, 1, {{st(0, 1)}, {ld(0), fence(sc), ld(1)}, {st(1, 1), fence(sc), ld(0)}}},
     {1, 0, 0},
     false,
     false},
    {"W+RWC release, acquire, sc fences",
     {3, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1, acq), fence(sc), ld(2)}, {st(2, 1), fence(sc), ld(0)}}},
     {1, 0, 0},
     false,
     false},
    {"W+RWC release, acquire",
     {3, 1, {{st(0, 1), st(1, 1, rel)}, {ld(1, acq), ld(2)}, {st(2, 1), fence(sc), ld(0)}}},
     {1, 0, 0},
     true,
     true},
    // System scope holds whom device scope holds.
    {"MP release and acquire of the system",
     {2, 1, {{st(0, 1), st(1, 1, rel, sys)}, {ld(1, acq, sys), ld(0)}}},
     {1, 0},
     false,
     false},
    {"MP release of the system, acquire of the device",
     {2, 1, {{st(0, 1), st(1, 1, rel, sys)}, {ld(1, acq, gpu), ld(0)}}},
     {1, 0},
     false,
     false},
    {"MP release of the system, acquire of the block",
     {2, 1, {{st(0, 1), st(1, 1, rel, sys)}, {ld(1, acq, cta), ld(0)}}},
     {1, 0},
     true,
     true},
    {"MP fences of the system",
     {2, 1, {{st(0, 1), fence(ar, sys), st(1, 1)}, {ld(1), fence(ar, sys), ld(0)}}},
     {1, 0},
     false,
     false},
    {"SB sc fences of the system and of the device",
     {2, 1, {{st(0, 1), fence(sc, sys), ld(1)}, {st(1, 1), fence(sc), ld(0)}}},
     {0, 0},
     false,
     false},
    {"CoRR of the system and the block across blocks",
     {2, 1, {{st(0, 1, rlx, sys)}, {ld(0, rlx, cta), ld(0, rlx, cta)}}},
     {1, 0},
     true,
     true},
    {"CoRR of the system and the device", {2, 1, {{st(0, 1, rlx, sys)}, {ld(0), ld(0)}}}, {1, 0}, false, false},
    // Stores that take a place before one that was done earlier.
    {"S relaxed", {2, 1, {{st(0, 2), st(1, 1)}, {ld(1), st(0, 1), ld(0)}}}, {1, 2}, true, true},
    {"S release, acquire", {2, 1, {{st(0, 2), st(1, 1, rel)}, {ld(1, acq), st(0, 1), ld(0)}}}, {1, 2}, false, false},
    {"R relaxed", {2, 1, {{st(0, 1), st(1, 1), ld(1)}, {st(1, 2), ld(0)}}}, {2, 0}, true, true},
    {"R sc fences",
     {2, 1, {{st(0, 1), fence(sc), st(1, 1), ld(1)}, {st(1, 2), fence(sc), ld(0)}}},
     {2, 0},
     false,
     false},
    {"S one fence", {2, 1, {{st(0, 2), fence(ar), st(1, 1)}, {ld(1), st(0, 1), ld(0)}}}, {1, 2}, true, true},
    {"S fences", {2, 1, {{st(0, 2), fence(ar), st(1, 1)}, {ld(1), fence(ar), st(0, 1), ld(0)}}}, {1, 2}, false, false},
    {"R acq_rel fences",
     {2, 1, {{st(0, 1), fence(ar), st(1, 1), ld(1)}, {st(1, 2), fence(ar), ld(0)}}},
     {2, 0},
     true,
     true},
    {"2+2W one fence",
     {2, 1, {{st(0, 1), fence(sc), st(1, 2), ld(1)}, {st(1, 1), st(0, 2), ld(0)}}},
     {1, 1},
     true,
     true},
    {"2+2W relaxed", {2, 1, {{st(0, 1), st(1, 2), ld(1)}, {st(1, 1), st(0, 2), ld(0)}}}, {1, 1}, true, true},
    {"2+2W release", {2, 1, {{st(0, 1), st(1, 2, rel), ld(1)}, {st(1, 1), st(0, 2, rel), ld(0)}}}, {1, 1}, true, true},
    {"2+2W sc fences",
     {2, 1, {{st(0, 1), fence(sc), st(1, 2), ld(1)}, {st(1, 1), fence(sc), st(0, 2), ld(0)}}},
     {1, 1},
     false,
     false},
    {"2+2W plain",
     {2,
      1,
      {{{op::plain_store, 0, 1}, {op::plain_store, 1, 2}, {op::plain_load, 1}},
       {{op::plain_store, 1, 1}, {op::plain_store, 0, 2}, {op::plain_load, 0}}}},
     {1, 1},
     true,
     true},
    // Coherence of stores: a store is behind what its thread has read or stored there.
    {"CoRW", {2, 1, {{ld(0), st(0, 2), ld(0)}, {st(0, 1), ld(0)}}}, {1, 1, 1}, false, false},
    {"CoRW of one thread", {2, 1, {{ld(0), st(0, 1)}, {ld(0)}}}, {1, 1}, false, false},
    {"CoWR after another's", {2, 1, {{st(0, 1), ld(0), ld(0)}, {st(0, 2)}}}, {2, 1}, false, false},
    {"CoWW", {2, 1, {{st(0, 1), st(0, 2)}, {ld(0), ld(0)}}}, {2, 1}, false, false},
    // A swap and what it reads are neighbours.
    {"a store between a swap's two sides", {2, 1, {{swap(0, 1)}, {st(0, 2), ld(0)}}}, {0, 1}, false, false},
};

}  // namespace

TEST_CASE("litmus tests show what the model allows, and nothing else") {
  for (const litmus& l : kTests) {
    INFO(std::string(l.name));
    const std::set<outcome> allowed = executions(l.p, false).outcomes, simulated = executions(l.p, true).outcomes;
    CHECK(allowed.contains(l.weak) == l.allowed);
    const found f = explore(l.p);
    CHECK(f.outcomes.contains(l.weak) == l.shows);
    INFO("allowed:" << shown(allowed));
    INFO("simulated:" << shown(simulated));
    INFO("found:" << shown(f.outcomes));
    if (l.shows == l.allowed) CHECK(f.outcomes == simulated);
  }
}

// Not a part of the axioms' programs: a barrier of the block. The first load makes the place one that threads share.
TEST_CASE("behind a barrier nobody reads what was overwritten before it") {
  const instruction barrier{static_cast<op>(6)};
  const found f = explore({1, 2, {{st(0, 1), barrier}, {ld(0), barrier, ld(0)}}});
  CHECK(f.outcomes == std::set<outcome>{{0, 1}, {1, 1}});
}

// A bound counts loads of older values as it counts preemptions.
TEST_CASE("a bound holds for older values, too") {
  const program sb{2, 1, {{st(0, 1), ld(1)}, {st(1, 1), ld(0)}}},
      iriw = {4, 1, {{st(0, 1)}, {st(1, 1)}, {ld(0), ld(1)}, {ld(1), ld(0)}}};
  CHECK(!explore(sb, 0).outcomes.contains({0, 0}));
  CHECK(explore(sb, 1).outcomes.contains({0, 0}));
  CHECK(!explore(iriw, 0).outcomes.contains({1, 0, 1, 0}));
  CHECK(explore(iriw, 1).outcomes.contains({1, 0, 1, 0}));
}

// Two states that differ in what stands behind a store are two: of B and C, a third store goes before B or C behind the
// first value, or between the two, whichever comes first.
TEST_CASE("a store's source tells both of its neighbours") {
  CHECK(explore({3, 1, {{st(0, 1)}, {st(0, 2)}, {st(0, 3)}}}).earlier.size() == 4);
}

TEST_CASE("small random programs show what the model allows, and nothing else") {
  std::mt19937 random(11);
  const auto number = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  std::int64_t runs = 0, weak = 0;
  for (int round = 0; round < 120; ++round) {
    program p;
    const int threads = 2 + number(2);
    p.blocks = number(2) == 0 ? threads : 1;
    p.threads = threads / p.blocks;
    int next[kCells] = {1, 1, 1};
    for (int t = 0; t < threads; ++t) {
      auto& code = p.code.emplace_back();
      for (int i = 0, n = threads == 2 ? 3 : 2; i < n; ++i) {
        instruction x;
        const int kind = number(13);
        x.what = kind < 5    ? op::load
                 : kind < 8  ? op::store
                 : kind < 9  ? op::swap
                 : kind < 11 ? op::fence
                 : kind < 12 ? op::plain_load
                             : op::plain_store;
        x.cell = number(2);
        x.o = static_cast<order>(number(5));
        x.s = number(4) == 0 ? scope::block : scope::device;
        if (x.what == op::load && (x.o == rel || x.o == ar)) x.o = acq;
        if (x.what == op::store && (x.o == acq || x.o == ar)) x.o = rel;
        if (x.what == op::fence && x.o == rlx) x.o = ar;
        if (x.what == op::plain_load || x.what == op::plain_store) x.o = rlx;
        if (x.what == op::store || x.what == op::swap || x.what == op::plain_store) x.value = next[x.cell]++;
        code.push_back(x);
      }
    }
    const std::set<outcome> simulated = executions(p, true).outcomes;
    const found f = explore(p);
    CAPTURE(round);
    INFO("allowed:" << shown(executions(p, false).outcomes));
    INFO("simulated:" << shown(simulated));
    INFO("found:" << shown(f.outcomes));
    CHECK(f.outcomes == simulated);
    runs += f.runs;
    weak += static_cast<std::int64_t>(f.outcomes.size());
  }
  MESSAGE(runs << " runs for " << weak << " outcomes");
}
