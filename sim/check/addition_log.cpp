// SPDX-License-Identifier: Apache-2.0
#include "sim/check/addition_log.hpp"

#include <algorithm>

namespace simt::check {

addition_log::addition_log(bool several_workers)
    : several_(several_workers), chunks_(make_zeroed<std::atomic<entry*>>(kMostChunks)) {}

std::uint32_t addition_log::begin(epoch horizon) {
  epoch newest = 0;
  for (const worker& w : workers_) newest = std::max(newest, w.newest);
  if (newest < horizon && newest != 0) {
    workers_.fill({});
    next_chunk_ = 0;
    first_live_ = next_ticket_;
  }
  return next_ticket_ < kTickets - 1 ? next_ticket_++ : 0;
}

bool addition_log::take_chunk(worker& w) {
  std::lock_guard guard(mutex_);
  if (next_chunk_ == made_.size()) {
    if (made_.size() == kMostChunks || bytes() >= limit) return false;
    made_.push_back(std::make_unique_for_overwrite<entry[]>(kChunk));
    chunks_[next_chunk_].store(made_.back().get(), std::memory_order_relaxed);
    used_.store(static_cast<std::uint32_t>(made_.size()), std::memory_order_relaxed);
  }
  w.next = next_chunk_ << kChunkBits;
  w.end = w.next + kChunk;
  if (next_chunk_ == 0) w.next = 1;  // 0 is none
  ++next_chunk_;
  if (w.end == 0) w.end = ~std::uint32_t{0};
  return true;
}

void addition_log::give_back(std::uint32_t first, std::uint32_t last) {
  const std::uint32_t number = several_ ? owner_number() : 0;
  if (first == 0 || (number == 0 && several_)) return;
  at(last).before = workers_[number].free;
  workers_[number].free = first;
}

}  // namespace simt::check
