// SPDX-License-Identifier: Apache-2.0
#include "sim/check/barrier_rules.hpp"

#include <algorithm>

namespace simt::check {

namespace event = sim::event;

namespace {

access side(const event::block& b, const event::thread_at& t, deed what) {
  const event::coordinates& d = b.launch->block;
  access a;
  a.kind = access_kind::read;
  a.pc = t.site;
  a.block = {b.at.x, b.at.y, b.at.z};
  a.thread = {t.rank % d.x, t.rank / d.x % d.y, t.rank / (d.x * d.y)};
  a.kernel = b.launch->kernel;
  a.deed = what;
  return a;
}

finding of_block(rule r, cause what, const event::block& b) {
  finding f;
  f.rule = r;
  f.cause = what;
  f.space = memory_space::shared;
  f.kernel = b.launch->kernel;
  return f;
}

static_assert(static_cast<int>(sim::warp_op_kind::reduction) == static_cast<int>(warp_operation::reduction));
warp_operation in_report(sim::warp_op_kind k) { return static_cast<warp_operation>(k); }

void judge_divergence(const event::barrier& b, rule_findings& found, bool of_grid) {
  // Two call sites may be one line of the source; who resolves symbols looks, for that takes more stack than a fiber
  // has.
  for (const event::thread_at& other : b.elsewhere) {
    finding d = of_block(rule::barrier_divergence, cause::barriers_differ, *b.block);
    d.facts.of_grid = of_grid;
    d.accesses = {side(*b.block, other, deed::waits_here), side(*b.block, b.first, deed::waits_here)};
    const auto [low, high] = std::minmax(b.first.site, other.site);
    found.add(std::move(d), low, high);
  }
}

void judge_exits(const event::barrier& b, rule_findings& found, bool of_grid) {
  if (const event::exits& late = b.after_one; late.count > 0) {
    finding d = of_block(rule::barrier_divergence, cause::barrier_unreachable, *b.block);
    d.facts.barriers = late.phase;
    d.facts.of_grid = of_grid;
    d.facts.count = b.live;
    d.accesses = {side(*b.block, b.first, deed::waits_here), side(*b.block, late.first, deed::exited)};
    found.add(std::move(d), b.first.site, late.first.site);
  }
  if (const event::exits& early = b.before_first_barrier; early.count > 0) {
    finding d = of_block(rule::barrier_early_exit, cause::barrier_after_exit, *b.block);
    // A GPU's block speaks to the grid by its first thread: without it nobody ever goes on.
    const bool first_left = of_grid && early.first.rank == 0;
    d.severity = first_left ? severity::error : severity::warning;
    d.facts.of_grid = of_grid;
    d.facts.count = early.count;
    d.facts.size = b.block->threads;
    d.accesses = {side(*b.block, b.first, deed::waits_here), side(*b.block, early.first, deed::exited)};
    found.add(std::move(d), b.first.site, early.first.site);
  }
}

}  // namespace

void judge_barrier(const event::barrier& b, rule_findings& found, bool of_grid) {
  judge_divergence(b, found, of_grid);
  judge_exits(b, found, of_grid);
}

void judge_absent_lanes(const event::absent_lanes& e, rule_findings& found) {
  finding f;
  f.rule = rule::warp_mask;
  f.severity = severity::warning;
  f.cause = cause::lanes_exited;
  f.facts.operation = in_report(e.operation);
  f.facts.warp = e.speaker.rank / 32;
  f.facts.mask = e.mask;
  f.facts.lanes = e.left;
  f.kernel = e.block->launch->kernel;
  f.accesses = {side(*e.block, e.speaker, deed::takes_part)};
  if (e.first_left.site != 0) f.accesses.push_back(side(*e.block, e.first_left, deed::exited));
  found.add(std::move(f), e.speaker.site, 0);
}

void judge_absent_source(const event::absent_source& e, rule_findings& found) {
  finding f;
  f.rule = rule::warp_mask;
  f.severity = severity::warning;
  f.cause = cause::shuffle_from_outside;
  f.facts.mask = e.mask;
  f.facts.lane = e.lane;
  f.kernel = e.block->launch->kernel;
  f.accesses = {side(*e.block, e.reader, deed::reads_value)};
  found.add(std::move(f), e.reader.site, 1);
}

}  // namespace simt::check
