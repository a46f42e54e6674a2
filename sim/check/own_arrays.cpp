// SPDX-License-Identifier: Apache-2.0
// Makes a finding of an access outside a variable of the thread's own, which has no shadow cells.
#include <algorithm>
#include <mutex>

#include "sim/check/core.hpp"
#include "sim/check/memory_rules.hpp"
#include "sim/check/sides.hpp"

namespace simt::check {

namespace {

// Where an offset would lie, one index an axis; the outermost one is what leaves the array.
std::vector<std::int64_t> index_at(const sim::event::own_array_outside& e) {
  std::vector<std::int64_t> index;
  std::int64_t stride = e.element_bytes, left = e.offset;
  for (const std::int64_t n : e.extents) stride *= n;
  for (const std::int64_t n : e.extents) {
    if (n == 0 || stride == 0) return {};
    stride /= n;
    std::int64_t at = left / stride;
    if (left % stride < 0) --at;
    index.push_back(at);
    left -= at * stride;
  }
  return index;
}

}  // namespace

void judge_own_array(const sim::event::own_array_outside& e) {
  thread_state& t = *static_cast<thread_state*>(e.thread);
  detector_core& d = *t.block->core;
  const access_kind kind = e.kind == sim::event::access_kind::write ? access_kind::write : access_kind::read;
  const operation op{t, 0, static_cast<std::size_t>(e.size), e.site, kind, 0};
  std::lock_guard guard(d.log.mutex);
  const auto [number, fresh, found] =
      d.log.count({rule::out_of_bounds, std::string(e.name), e.site, e.site, severity::error});
  if (!fresh) return;
  finding& f = *found;
  f.cause = e.offset < 0 ? cause::outside_before : cause::outside_behind;
  f.space = memory_space::local;
  f.index = index_at(e);
  f.bytes = e.size;
  f.kernel = t.block->launch->kernel;
  f.facts.size = e.whole;
  f.facts.distance = e.offset < 0 ? -e.offset : std::max<std::int64_t>(e.offset - e.whole, 0);
  f.facts.extents.assign(e.extents.begin(), e.extents.end());
  f.accesses.push_back(side_here(d.reports, op));
}

}  // namespace simt::check
