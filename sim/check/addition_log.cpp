// SPDX-License-Identifier: Apache-2.0
#include "sim/check/addition_log.hpp"

#include <algorithm>

namespace simt::check {

addition_log::addition_log(bool several_workers)
    : several_(several_workers), chunks_(make_zeroed<std::atomic<entry*>>(kMostChunks)) {}

std::uint32_t addition_log::begin(epoch horizon, std::uint32_t agent) {
  for (worker& w : workers_) {
    if (!generations_.empty() && generations_.back().ticket == ticket_) {
      generations_.back().newest = std::max(generations_.back().newest, w.newest);
      generations_.back().in_chains += w.made;
    }
    w.next = w.end = w.free = 0;
    w.newest = 0;
    w.made = 0;
  }
  for (worker& w : workers_) {
    for (const auto& [ticket, count] : w.closed)
      if (generation* const g = find(generations_, ticket)) g->in_chains -= count;
    w.closed.clear();
  }
  std::erase_if(generations_, [&](const generation& g) {
    if (g.newest >= horizon && g.in_chains != 0) return false;
    free_chunks_.insert(free_chunks_.end(), g.chunks.rbegin(), g.chunks.rend());
    return true;
  });
  if (ticket_ + 2 >= kTickets || generations_.size() == kMostGenerations) return 0;
  generations_.push_back({++ticket_, agent, 0, 0, {}});
  return ticket_;
}

bool addition_log::take_chunk(worker& w) {
  std::lock_guard guard(mutex_);
  if (free_chunks_.empty()) {
    if (made_.size() == kMostChunks || bytes() >= limit) return false;
    free_chunks_.push_back(static_cast<std::uint32_t>(made_.size()));
    made_.push_back(std::make_unique_for_overwrite<entry[]>(kChunk));
    chunks_[free_chunks_.back()].store(made_.back().get(), std::memory_order_relaxed);
    used_.store(static_cast<std::uint32_t>(made_.size()), std::memory_order_relaxed);
  }
  const std::uint32_t chunk = free_chunks_.back();
  free_chunks_.pop_back();
  generations_.back().chunks.push_back(chunk);
  w.next = chunk << kChunkBits;
  w.end = w.next + kChunk - 1;  // the very last number stays unused, so that `end` is one
  if (w.next == 0) w.next = 1;  // 0 is none
  return true;
}

void addition_log::close(shadow_word writer, shadow_word readers) {
  const std::uint32_t count = chain_length(writer), number = several_ ? owner_number() : 0;
  if (count == 0) return;
  std::unique_lock lock(mutex_, std::defer_lock);
  if (number == 0 && several_) lock.lock();
  auto& closed = workers_[number].closed;
  const std::uint32_t ticket = ticket_of(readers);
  for (auto& [of, n] : closed)
    if (of == ticket) {
      n += count;
      return;
    }
  closed.emplace_back(ticket, count);
}

void addition_log::close(shadow_word writer, shadow_word readers, std::uint32_t first) {
  close(writer, readers);
  const std::uint32_t number = several_ ? owner_number() : 0;
  if (ticket_of(readers) != ticket_ || (number == 0 && several_)) return;
  worker& w = workers_[number];
  at(first).before = w.free;
  w.free = last_of(readers);
}

}  // namespace simt::check
