// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/row_copies.hpp>

#include <algorithm>
#include <memory>

#include <sim/exec/async_copy.hpp>
#include <sim/exec/executors/fiber_calls.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/instrument/dispatcher.hpp>

namespace simt::sim {

row_copies& row_copies::of_this_thread() {
  static thread_local const auto one = std::make_unique<row_copies>();
  return *one;
}

void row_copies::begin_block() {
  under_way_.clear();
  group_ = 0;
  by_threads_ = false;
}

void row_copies::issue(const gathered_batch& batch, std::uint32_t k, std::uint32_t positions, std::uintptr_t source,
                       const copy_source& from, const copy_start& began) {
  const batch_fact& f = batch.facts[k];
  row& r = under_way_.emplace_back();
  if (f.some == 0)
    r.who.reset(positions, true);
  else
    r.who = batch.some[f.some - 1];
  r.first = batch.first, r.width = batch.width, r.in_rows = batch.in_rows;
  r.to = f.base, r.to_stride = batch.entries[k].stride, r.to_row = f.row_stride;
  r.from = source, r.from_stride = from.stride, r.from_row = from.row_stride;
  r.size = f.size, r.pc = batch.entries[k].pc, r.group = group_, r.began = began;
}

void row_copies::wait(std::uint32_t keep) {
  std::erase_if(under_way_, [&](const row& r) { return r.group + keep < group_; });
}

void row_copies::hand_over(block_context& b) {
  by_threads_ = true;
  if (under_way_.empty()) return;
  loop_executor& executor = b.queue->owner->loops;
  {
    const uninterrupted list(b.queue->owner);
    for (std::int32_t rank = 0; rank < b.threads; ++rank) executor.copies_of(rank).group = group_;
    for (const row& r : under_way_)
      r.who.each_stretch([&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i) {
          const auto at_row = static_cast<std::intptr_t>(r.in_rows ? i / r.width : 0),
                     at = static_cast<std::intptr_t>(i) - at_row * static_cast<std::intptr_t>(r.width);
          const std::uintptr_t target = r.to + static_cast<std::uintptr_t>(r.to_row * at_row + r.to_stride * at),
                               source = r.from + static_cast<std::uintptr_t>(r.from_row * at_row + r.from_stride * at);
          const auto rank = static_cast<std::int32_t>(state_at(r.first, i)->rank);
          executor.copies_of(rank).pending.push_back(
              {reinterpret_cast<void*>(target), reinterpret_cast<const void*>(source), r.size, r.group, r.pc, r.began});
        }
        return true;
      });
    under_way_.clear();
  }
  const dispatcher* const d = dispatcher::current();
  if (d != nullptr && b.observed != nullptr && b.observed->states != nullptr)
    d->judge_of_batches()->copies_go_on_by_threads(*state_at(b.observed->states, 0));
}

}  // namespace simt::sim
