// SPDX-License-Identifier: Apache-2.0
#include <sim/instrument/batch_recorder.hpp>

#include <algorithm>

namespace simt::sim {

constinit batch_entry no_batch;

batch_entry* batch_recorder::begin_other(watched_thread& t, const event::block& block) {
  if (open_ && &t == thread_) {
    if (armed_ && through() < limit_) {
      aim();
      running_ = role::follows;
      return b_.entries.data();
    }
    if (!armed_) {
      if ((through() == 2 || strides_known_) && arm()) {
        running_ = role::follows;
        return b_.entries.data();
      }
      if (through() == 1 && !strides_known_) {
        running_ = role::second;
        noted_ = 0;
        return &no_batch;
      }
    }
  }
  const bool at_usual = open_ && armed_ && &t == thread_ && !b_.in_rows && place_in_row() % usual_ == 0;
  const std::uintptr_t goes_on = at_usual ? b_.address_of(0, through()) : 0;
  if (open_) flush(&no_batch);
  if (pause_ > 0) {
    --pause_;
    return &no_batch;
  }
  b_.block = &block;
  const std::int64_t width = block.launch->block.x * block.joined;
  b_.width = static_cast<std::uint32_t>(width == 1 ? block.threads : width);
  begin_first(t);
  goes_on_ = goes_on;
  return &no_batch;
}

void batch_recorder::begin_first(watched_thread& t) {
  const std::uint64_t interval = judge_->interval_of(t);
  const auto& before = last_first_;
  learns_rows_ = before.block == b_.block && before.interval == interval && before.rank % b_.width == 0 &&
                 t.rank == before.rank + b_.width;
  rows_known_ = rows_known_ || learns_rows_;
  b_.first = &t;
  last_first_ = {b_.block, t.rank, interval};
  open_ = true;
  armed_ = false;
  thread_ = b_.first;
  b_.judged = 0;
  running_ = role::first;
  noted_ = 0;
  goes_on_ = 0;
}

// The entries become those that begin at `pc`, if any; 0: none.
void batch_recorder::exchange_shape(std::uintptr_t pc) {
  const auto swap_with = [&](shape& s) {
    b_.entries.swap(s.entries);
    b_.facts.swap(s.facts);
    std::swap(b_.count, s.count);
    std::swap(strides_known_, s.strides_known);
    std::swap(rows_known_, s.rows_known);
    std::swap(usual_, s.usual);
  };
  if (b_.count > 0) swap_with(shape_of(b_.entries[0].pc));
  b_.count = 0;
  learns_rows_ = false;
  strides_known_ = rows_known_ = pc == 0;  // of no entries all is known
  usual_ = kAll;
  if (pc == 0) return;
  swap_with(shape_of(pc));
  if (b_.count > 0 && b_.entries[0].pc != pc) b_.count = 0;
}

void batch_recorder::set_base(std::size_t k, std::uintptr_t address) {
  batch_fact& f = b_.facts[k];
  if (learns_rows_) f.row_stride = static_cast<std::intptr_t>(address - f.base);
  f.base = address;
}

// The running thread t is the first of its kind: entries up to `known` are its own.
void batch_recorder::make_first(watched_thread& t, std::size_t known) {
  for (std::size_t k = 0; k < known; ++k) b_.facts[k].base += static_cast<std::uintptr_t>(b_.entries[k].stride);
  b_.count = known;
  b_.first = &t;
  last_first_ = {b_.block, t.rank, judge_->interval_of(t)};
  thread_ = b_.first;
  b_.judged = 0;
  strides_known_ = rows_known_ = learns_rows_ = false;
}

void batch_recorder::end_other(const batch_entry* at) {
  switch (running_) {
    case role::none:
      return;
    case role::follows:
      flush(at);
      return;
    case role::first:
      if (noted_ == 0 && b_.count > 0) exchange_shape(0);
      if (noted_ != b_.count) strides_known_ = rows_known_ = false;
      b_.count = noted_;
      thread_ = state_at(b_.first, 1);
      b_.judged = 1;
      break;
    case role::second:
      if (noted_ == b_.count) {
        thread_ = state_at(b_.first, 2);
        b_.judged = 2;
        strides_known_ = true;
      } else if (!give_up()) {
        make_first(*state_at(b_.first, 1), noted_);
        thread_ = state_at(b_.first, 1);
        b_.judged = 1;
      }
      break;
  }
  running_ = role::none;
}

void batch_recorder::note(std::uintptr_t pc, std::uintptr_t address, std::uint32_t size, bool write,
                          std::span<const std::uintptr_t> calls) {
  const std::size_t k = noted_;
  if (running_ == role::second) {
    if (k < b_.count && b_.entries[k].pc == pc && b_.facts[k].write == write) {
      b_.entries[k].stride = static_cast<std::intptr_t>(address - b_.facts[k].base);
      ++noted_;
      return;
    }
    if (give_up()) return;
    make_first(*state_at(b_.first, 1), k);  // another way through the kernel
    running_ = role::first;
  }
  if (k == kMost) {
    flush(&no_batch);
    rest();
    return;
  }
  if (k == 0 && goes_on_ == address && b_.entries[0].pc == pc) usual_ = usual_ > kAll / 2 ? kAll : 2 * usual_;
  if (k == 0 && running_ == role::first && (b_.count == 0 || b_.entries[0].pc != pc)) exchange_shape(pc);
  if (k + 1 >= b_.entries.size()) {
    b_.entries.resize(2 * (k + 1));
    b_.facts.resize(2 * (k + 1));
  }
  ++noted_;
  batch_fact& f = b_.facts[k];
  if (k < b_.count && b_.entries[k].pc == pc && f.size == size && f.write == write) {
    set_base(k, address);
  } else {
    strides_known_ = rows_known_ = learns_rows_ = false;
    usual_ = kAll;
    b_.count = k;
    b_.entries[k].pc = pc;
    f.base = address;
    f.size = static_cast<std::uint8_t>(size);
    f.write = write;
  }
  f.calls = call_stack(calls);
}

std::uint32_t batch_recorder::call_stack(std::span<const std::uintptr_t> calls) {
  auto& stacks = b_.stacks;
  for (std::size_t i = stacks.size(); i > 0; --i)
    if (std::equal(stacks[i - 1].begin(), stacks[i - 1].end(), calls.begin(), calls.end()))
      return static_cast<std::uint32_t>(i - 1);
  if (stacks.size() >= kStacks)
    stacks.clear();  // those of earlier entries are others then: the source lines differ, nothing else
  stacks.emplace_back(calls.begin(), calls.end());
  return static_cast<std::uint32_t>(stacks.size() - 1);
}

void batch_recorder::deviate(const batch_entry* at) {
  watched_thread& t = *thread_;
  const std::uint32_t position = through();
  const auto done = static_cast<std::size_t>(at - b_.entries.data());
  const bool bad_strides = position == b_.judged && b_.judged == 1;
  const bool bad_rows = b_.in_rows && position % b_.width == 0;
  const std::uint32_t place = b_.in_rows ? 0 : place_in_row();
  flush(at);
  if (bad_rows) rows_known_ = false;
  if (const std::uint32_t last = place & -place; !bad_strides && last >= kFew) usual_ = std::min(usual_, last);
  begin_first(t);
  if (bad_strides) strides_known_ = false;
  for (std::size_t k = 0; k < done; ++k)
    set_base(k, b_.entries[k].address - static_cast<std::uintptr_t>(b_.entries[k].stride));
  noted_ = done;
}

void batch_recorder::flush(const batch_entry* at) {
  const std::size_t partial = running_ == role::follows ? static_cast<std::size_t>(at - b_.entries.data()) : 0;
  if (armed_) commit(partial);
  if (through() - b_.judged >= kLeast) {
    failures_ = next_pause_ = 0;
  } else if ((noted_ > 0 || armed_) && b_.count > 0 && ++failures_ >= kTries) {
    rest();
  }
  running_ = role::none;
  open_ = armed_ = false;
  noted_ = 0;
}

void batch_recorder::commit(std::size_t partial) {
  const std::uint32_t compared = through() - b_.judged;
  counts_.accesses += compared * b_.count + partial;
  counts_.writes += compared * writes_;
  for (std::size_t k = 0; k < partial; ++k) counts_.writes += b_.facts[k].write;
  judge_->commit(b_, through(), partial);
  if (listener_ == nullptr) return;
  for (std::size_t k = 0; k < b_.count; ++k)
    if (const std::uint32_t to = through() + (k < partial); to > b_.judged) tell(k, to);
}

void batch_recorder::tell(std::size_t k, std::uint32_t to) const {
  const batch_fact& f = b_.facts[k];
  listener_({.block = b_.block,
             .site = b_.entries[k].pc,
             .base = b_.address_of(k, b_.judged),
             .stride = b_.entries[k].stride,
             .row_stride = b_.in_rows ? f.row_stride : 0,
             .first_rank = static_cast<std::int32_t>(b_.first->rank + b_.judged),
             .count = to - b_.judged,
             .width = b_.width,
             .size = f.size,
             .kind = f.write ? event::access_kind::write : event::access_kind::read});
}

// The second thread has gone another way through the kernel than the first. Where neighbours do that all along, nothing
// is flushed that would count it. True: no batch is begun for a while, and this thread's accesses are in none.
bool batch_recorder::give_up() {
  if (++failures_ < kTries) return false;
  running_ = role::none;
  open_ = false;
  noted_ = 0;
  rest();
  return true;
}

// Batches do not come about: for some segments none are begun, each time for more of them.
void batch_recorder::rest() {
  failures_ = kTries / 2;
  next_pause_ = std::min(2 * next_pause_ + 32, 2048U);
  pause_ = next_pause_;
}

batch_recorder::counts batch_recorder::take_counts() {
  const counts c = counts_;
  counts_ = {};
  return c;
}

void batch_recorder::aim() {
  const std::uint32_t at = through();
  for (std::size_t k = 0; k < b_.count; ++k) b_.entries[k].address = b_.address_of(k, at);
  bounds_.stop = state_at(b_.first, b_.in_rows ? std::min(limit_, (at / b_.width + 1) * b_.width) : limit_);
}

bool batch_recorder::arm() {
  const auto threads = static_cast<std::uint32_t>(b_.block->threads);
  const bool whole_rows = b_.first->rank % b_.width == 0 && b_.first->rank + b_.width < threads;
  return (rows_known_ && whole_rows && arm(true)) || arm(false);
}

// `rows`: of all rows of the block from the first thread's on; else of its row.
bool batch_recorder::arm(bool rows) {
  const std::uint32_t of_block = static_cast<std::uint32_t>(b_.block->threads) - b_.first->rank;
  const std::uint32_t place = b_.first->rank % b_.width;
  const std::uint32_t most = rows ? of_block : std::min({of_block, b_.width - place, usual_ - place % usual_});
  b_.in_rows = rows;
  const auto enough = [&](std::uint32_t positions) {
    return positions >= through() + kLeast && (!rows || positions > b_.width);
  };
  if (!enough(most)) return false;
  const std::uint32_t least = std::max(through() + kLeast, rows ? b_.width + 1 : 0);
  limit_ = judge_->prove(b_, through(), most, least);
  if (!enough(limit_)) return false;
  writes_ = 0;
  for (std::size_t k = 0; k < b_.count; ++k) writes_ += b_.facts[k].write;
  aim();
  b_.entries[b_.count].pc = 0;
  bounds_.first = b_.entries.data();
  bounds_.last = bounds_.first + b_.count;
  armed_ = true;
  return true;
}

}  // namespace simt::sim
