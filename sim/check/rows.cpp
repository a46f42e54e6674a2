// SPDX-License-Identifier: Apache-2.0
#include "sim/check/rows.hpp"

#include <algorithm>

#include "sim/check/hot.hpp"
#include "sim/check/wide_cells.hpp"

namespace simt::check {

constinit row_entry no_row;

namespace {

constexpr std::uintptr_t kPage = 4096;  // cells of a page of data follow each other (cell_index), and have one lease (lease_table::index)
constexpr word kLane = word{1} << kIdBits;  // from a thread's word to the next one's
constexpr word kAge = kExtended | kIdMask;  // a pointer to an extended cell compares as younger than all

// What cells of device or own shared memory must say so that an access of any thread of the block finds nothing.
struct quiet_rule {
  bool device;
  time_id oldest, floor;
  const block_state::uniform_region* uniform = nullptr;  // device memory: what untouched cells stand for
  address_range array;                                   // shared memory: whole cells of the array there

  quiet_rule(const block_state& block, std::uintptr_t address)
      : device(address - block.device.base < block.device.size), oldest(device ? kAncient : block.first_id),
        floor(device ? block.device_floor : block.shared_floor) {}

  bool is_old(word w) const { return (w & kAge) >= oldest && (w & kAge) < floor; }
  // The writer word that w stands for; 0: it is not older than all that could race. `fresh`: of untouched or stale cells
  // that nothing has written, too, which then is not 0 either.
  word old_writer(word w, word r, std::uintptr_t granule, bool fresh) const {
    if (is_old(w)) return w;
    if (device) {
      if (w != 0 || uniform == nullptr || granule - uniform->from >= uniform->size || uniform->writer >= floor) return 0;
      return uniform->writer != 0 ? uniform->writer : fresh ? word{kAncient} : 0;
    }
    const bool stale = (w & kAge) < oldest && (r & kIdMask) < oldest;
    return fresh && stale && granule - array.base < array.size ? word{kAncient} : 0;
  }
};

// What the rule asks for of cells that nothing has touched.
void look_up(quiet_rule& q, block_state& b, std::uintptr_t address) {
  if (q.device) {
    q.uniform = b.core->uniform_at(b, address & ~std::uintptr_t{3});
    return;
  }
  for (const shared_object& a : b.arrays)
    if (address - a.address < a.size) q.array = whole_cells({a.address, a.size});
}

cell* cell_for(block_state& b, bool device, std::uintptr_t address) {
  return device ? cell_at(b.device_cells, address - b.device.base) : cell_at(b.shared_cells, address - b.all_shared.base);
}

// How many lanes from `address` on, of at most `most`, lie on its page.
std::uint32_t on_page(std::uintptr_t address, std::intptr_t stride, std::uint32_t most) {
  if (stride == 0 || most <= 1) return most;
  const auto left = static_cast<std::intptr_t>(stride > 0 ? kPage - 1 - (address & (kPage - 1)) : address & (kPage - 1));
  const std::intptr_t step = stride > 0 ? stride : -stride;
  if (left >= step * static_cast<std::intptr_t>(most - 1)) return most;
  return static_cast<std::uint32_t>(left / step) + 1;
}

}  // namespace

// ---- segments ---------------------------------------------------------------------------------------------------

row_entry* row_log::begin_other(thread_state& t, std::uint32_t width) {
  if (open_ && &t == thread_) {
    if (armed_ && lanes() < limit_) {
      aim();
      running_ = role::follows;
      return entries_.data();
    }
    if (!armed_) {
      width_ = width;
      if ((lanes() == 2 || strides_known_) && arm()) {
        running_ = role::follows;
        return entries_.data();
      }
      if (lanes() == 1 && !strides_known_) {
        running_ = role::second;
        noted_ = 0;
        return &no_row;
      }
    }
  }
  if (open_) settle(&no_row);
  if (pause_ > 0) {
    --pause_;
    return &no_row;
  }
  width_ = width;
  begin_first(t);
  return &no_row;
}

void row_log::begin_first(thread_state& t) {
  const auto& before = last_first_;
  learns_lines_ = before.block == t.block && before.since == min_id(t) && before.rank % width_ == 0 && t.rank == before.rank + width_;
  lines_known_ = lines_known_ || learns_lines_;
  first_ = &t;
  last_first_ = {t.block, t.rank, min_id(t)};
  open_ = true;
  armed_ = false;
  thread_ = first_;
  judged_ = 0;
  running_ = role::first;
  noted_ = 0;
}

// The entries become those that begin at `pc`, if any; 0: none.
void row_log::exchange_shape(std::uintptr_t pc) {
  const auto swap_with = [&](shape& s) {
    entries_.swap(s.entries);
    facts_.swap(s.facts);
    std::swap(count_, s.count);
    std::swap(strides_known_, s.strides_known);
    std::swap(lines_known_, s.lines_known);
  };
  if (count_ > 0) swap_with(shape_of(entries_[0].pc));
  count_ = 0;
  learns_lines_ = false;
  strides_known_ = lines_known_ = pc == 0;  // of no entries all is known
  if (pc == 0) return;
  swap_with(shape_of(pc));
  if (count_ > 0 && entries_[0].pc != pc) count_ = 0;
}

void row_log::set_base(std::size_t k, std::uintptr_t address) {
  fact& f = facts_[k];
  if (learns_lines_) f.line = static_cast<std::intptr_t>(address - f.base);
  f.base = address;
}

// The running thread t is the first of its kind: entries up to `known` are its own.
void row_log::make_first(thread_state& t, std::size_t known) {
  for (std::size_t k = 0; k < known; ++k) facts_[k].base += static_cast<std::uintptr_t>(entries_[k].stride);
  count_ = known;
  first_ = &t;
  last_first_ = {t.block, t.rank, min_id(t)};
  thread_ = first_;
  judged_ = 0;
  strides_known_ = lines_known_ = learns_lines_ = false;
}

void row_log::end_other(const row_entry* at) {
  switch (running_) {
    case role::none:
      return;
    case role::follows:
      settle(at);
      return;
    case role::first:
      if (noted_ == 0 && count_ > 0) exchange_shape(0);
      if (noted_ != count_) strides_known_ = lines_known_ = false;
      count_ = noted_;
      thread_ = first_ + 1;
      judged_ = 1;
      break;
    case role::second:
      if (noted_ == count_) {
        thread_ = first_ + 2;
        judged_ = 2;
        strides_known_ = true;
      } else {
        make_first(first_[1], noted_);
        thread_ = first_ + 1;
        judged_ = 1;
      }
      break;
  }
  running_ = role::none;
}

void row_log::note(std::uintptr_t pc, std::uintptr_t address, std::uint32_t size, bool write, std::span<const std::uintptr_t> calls) {
  const std::size_t k = noted_;
  if (running_ == role::second) {
    if (k < count_ && entries_[k].pc == pc && facts_[k].write == write) {
      entries_[k].stride = static_cast<std::intptr_t>(address - facts_[k].base);
      ++noted_;
      return;
    }
    make_first(first_[1], k);  // another way through the kernel
    running_ = role::first;
  }
  if (k == kMost) {
    settle(&no_row);
    rest();
    return;
  }
  if (k == 0 && running_ == role::first && (count_ == 0 || entries_[0].pc != pc)) exchange_shape(pc);
  if (k + 1 >= entries_.size()) {
    entries_.resize(2 * (k + 1));
    facts_.resize(2 * (k + 1));
  }
  ++noted_;
  fact& f = facts_[k];
  if (k < count_ && entries_[k].pc == pc && f.size == size && f.write == write) {
    set_base(k, address);
  } else {
    strides_known_ = lines_known_ = learns_lines_ = false;
    count_ = k;
    entries_[k].pc = pc;
    f.base = address;
    f.size = static_cast<std::uint8_t>(size);
    f.write = write;
  }
  f.calls = call_stack(calls);
}

std::uint32_t row_log::call_stack(std::span<const std::uintptr_t> calls) {
  for (std::size_t i = stacks_.size(); i > 0; --i)
    if (std::equal(stacks_[i - 1].begin(), stacks_[i - 1].end(), calls.begin(), calls.end())) return static_cast<std::uint32_t>(i - 1);
  constexpr std::size_t kStacks = 16;
  if (stacks_.size() >= kStacks) stacks_.clear();  // those of earlier entries are others then: the lines differ, nothing else
  stacks_.emplace_back(calls.begin(), calls.end());
  return static_cast<std::uint32_t>(stacks_.size() - 1);
}

void row_log::deviate(const row_entry* at) {
  thread_state& t = *thread_;
  const std::uint32_t lane = lanes();
  const auto done = static_cast<std::size_t>(at - entries_.data());
  const bool bad_strides = lane == judged_ && judged_ == 1, bad_lines = in_lines_ && lane % width_ == 0;
  settle(at);
  if (bad_lines) lines_known_ = false;
  begin_first(t);
  if (bad_strides) strides_known_ = false;
  for (std::size_t k = 0; k < done; ++k) set_base(k, entries_[k].address - static_cast<std::uintptr_t>(entries_[k].stride));
  noted_ = done;
}

void row_log::settle(const row_entry* at) {
  const std::size_t partial = running_ == role::follows ? static_cast<std::size_t>(at - entries_.data()) : 0;
  if (armed_) {
    counts_.accesses += (lanes() - judged_) * count_ + partial;
    counts_.writes += (lanes() - judged_) * writes_;
    for (std::size_t k = 0; k < partial; ++k) counts_.writes += facts_[k].write;
    judge_all(partial);
  }
  if (lanes() - judged_ >= kLeast) {
    failures_ = next_pause_ = 0;
  } else if ((noted_ > 0 || armed_) && count_ > 0 && ++failures_ >= 16) {
    rest();
  }
  running_ = role::none;
  open_ = armed_ = false;
  noted_ = 0;
}

// Rows do not come about: for some segments none are begun, each time for more of them.
void row_log::rest() {
  failures_ = 8;
  next_pause_ = std::min(2 * next_pause_ + 32, 2048U);
  pause_ = next_pause_;
}

row_log::counts row_log::take_counts() {
  const counts c = counts_;
  counts_ = {};
  return c;
}

// ---- what a row promises ----------------------------------------------------------------------------------------

std::uintptr_t row_log::address_of(std::size_t k, std::uint32_t lane) const { return address_of(k, lane, in_lines_ ? lane / width_ : 0); }
std::uintptr_t row_log::address_of(std::size_t k, std::uint32_t lane, std::uint32_t line) const {
  const fact& f = facts_[k];
  return f.base + static_cast<std::uintptr_t>(f.line * static_cast<std::intptr_t>(line) +
                                              entries_[k].stride * static_cast<std::intptr_t>(lane - line * width_));
}

void row_log::aim() {
  for (std::size_t k = 0; k < count_; ++k) entries_[k].address = address_of(k, lanes());
  bounds_.stop = first_ + (in_lines_ ? std::min(limit_, (lanes() / width_ + 1) * width_) : limit_);
}

bool row_log::arm() {
  const block_state& b = *first_->block;
  if (b.owing || b.device_floor == 0) return false;
  if (detector_ != b.core->serial) {
    detector_ = b.core->serial;
    std::fill(steps_.begin(), steps_.end(), cached_step{});
  }
  const bool whole_lines = first_->rank % width_ == 0 && first_->rank + width_ < static_cast<std::uint32_t>(b.threads);
  return (lines_known_ && whole_lines && arm(true)) || arm(false);
}

// `lines`: of all lines of the block from the first thread's on; else of its line.
bool row_log::arm(bool lines) {
  block_state& b = *first_->block;
  const std::uint32_t of_block = static_cast<std::uint32_t>(b.threads) - first_->rank;
  std::uint32_t lanes = lines ? of_block : std::min(of_block, width_ - first_->rank % width_);
  in_lines_ = lines;
  const std::uint32_t through = this->lanes();
  const auto enough = [&] { return lanes >= through + kLeast && (!lines || lanes > width_); };
  if (!enough()) return false;

  time_id oldest_id = kIdMask;
  std::uintptr_t from[2] = {~std::uintptr_t{0}, ~std::uintptr_t{0}}, to[2] = {0, 0};  // of reads, of writes
  writes_ = 0;
  for (std::size_t k = 0; k < count_; ++k) {
    fact& f = facts_[k];
    f.id = descriptor_for(*first_, entries_[k].pc);
    f.covered = 0;
    f.covers = false;
    oldest_id = std::min(oldest_id, f.id);
    writes_ += f.write;
    for (const std::uint32_t corner : {0U, lines ? width_ - 1 : 0U, lines ? (lanes - 1) / width_ * width_ : 0U, lanes - 1}) {
      const std::uintptr_t at = address_of(k, corner);
      from[f.write] = std::min(from[f.write], at);
      to[f.write] = std::max(to[f.write], at + f.size);
    }
  }
  newest_ = min_id(*first_);
  for (std::uint32_t i = 1; i < lanes && b.quiet_from > b.base; ++i) {
    const time_id m = min_id(first_[i]);
    if (m > oldest_id) {
      lanes = i;
      break;
    }
    newest_ = std::max(newest_, m);
  }

  if (writes_ > 0) {
    if (writes_ * count_ > 65536) return false;
    const bool apart = to[0] <= from[1] || to[1] <= from[0];
    for (std::size_t w = 0; w < count_ && enough(); ++w) {
      if (!facts_[w].write) continue;
      for (std::size_t k = 0; k < count_ && enough(); ++k) {
        if (apart && !facts_[k].write) continue;
        if (!lines)
          lanes = std::min(lanes, until_conflict(w, k, lanes));
        else if (meet_in_lines(w, k, lanes))
          return false;
      }
    }
    for (std::size_t w = 0; w < count_ && !apart; ++w) {
      if (!facts_[w].write || facts_[w].covers) continue;
      for (std::size_t k = 0; k < w; ++k) {
        fact& r = facts_[k];
        if (r.write || r.covered != 0 || r.base != facts_[w].base || r.size != facts_[w].size ||
            entries_[k].stride != entries_[w].stride || (lines && r.line != facts_[w].line))
          continue;
        r.covered = static_cast<std::uint32_t>(w) + 1;
        facts_[w].covers = true;
      }
    }
  }
  for (std::size_t k = 0; k < count_ && enough(); ++k)
    if (facts_[k].covered == 0) lanes = quiet_lanes(k, through, lanes);
  if (!enough()) return false;

  limit_ = lanes;
  aim();
  entries_[count_].pc = 0;
  bounds_.first = entries_.data();
  bounds_.last = bounds_.first + count_;
  armed_ = true;
  return true;
}

namespace {

std::intptr_t floor_of(std::intptr_t a, std::intptr_t b) { return a / b - (a % b != 0 && a < 0); }  // b > 0

// Is there a multiple of s > 0, other than 0 itself, by a factor of at most `most`, in [low, high]? Its least factor,
// without sign; 0: none.
std::intptr_t least_factor(std::intptr_t s, std::intptr_t low, std::intptr_t high, std::intptr_t most) {
  const std::intptr_t least = -floor_of(-low, s), last = floor_of(high, s);
  if (least > last) return 0;
  std::intptr_t m = most + 1;
  if (last >= 1) m = std::min(m, std::max<std::intptr_t>(least, 1));
  if (least <= -1) m = std::min(m, -std::min<std::intptr_t>(last, -1));
  return m <= most ? m : 0;
}

}  // namespace

// Do two lanes touch one byte by these two entries? Where the answer is not simple, it is yes.
bool row_log::meet_in_lines(std::size_t write, std::size_t other, std::uint32_t lanes) const {
  const fact &w = facts_[write], &o = facts_[other];
  const auto height = static_cast<std::intptr_t>((lanes + width_ - 1) / width_), across = static_cast<std::intptr_t>(width_);
  const std::intptr_t step = entries_[write].stride;
  if (step != entries_[other].stride || w.line != o.line) {
    const auto span = [&](std::size_t k) {
      const fact& f = facts_[k];
      const std::uintptr_t x = f.base + static_cast<std::uintptr_t>(entries_[k].stride * (across - 1));
      const auto y = static_cast<std::uintptr_t>(f.line * (height - 1));
      return std::pair{std::min({f.base, x, f.base + y, x + y}), std::max({f.base, x, f.base + y, x + y}) + f.size};
    };
    const auto a = span(write), c = span(other);
    return a.first < c.second && c.first < a.second;
  }
  // Lane (x, y) of the one and (x - m, y - n) of the other overlap where -size_w < step * m + line * n - d < size_o.
  const auto d = static_cast<std::intptr_t>(o.base - w.base);
  for (std::intptr_t n = 1 - height; n < height; ++n) {
    const std::intptr_t low = d - w.line * n - w.size + 1, high = d - w.line * n + o.size - 1;
    if (n != 0 && low <= 0 && high >= 0) return true;
    if (step == 0) {
      if (n == 0 && low <= 0 && high >= 0 && across > 1) return true;
      continue;
    }
    const bool meets = step > 0 ? least_factor(step, low, high, across - 1) : least_factor(-step, -high, -low, across - 1);
    if (meets) return true;
  }
  return false;
}

// Lanes of one line of which no two touch one byte by these two entries: fewer than the smallest distance of two that do.
std::uint32_t row_log::until_conflict(std::size_t write, std::size_t other, std::uint32_t lanes) const {
  const fact &w = facts_[write], &o = facts_[other];
  const std::intptr_t step = entries_[write].stride;
  if (step == entries_[other].stride) {
    // Lane i of the one and lane i - m of the other overlap where -size_w < step * m - d < size_o.
    const auto d = static_cast<std::intptr_t>(o.base - w.base);
    const std::intptr_t low = d - w.size + 1, high = d + o.size - 1;
    if (step == 0) return low <= 0 && high >= 0 ? 1 : lanes;
    const std::intptr_t m = step > 0 ? least_factor(step, low, high, lanes) : least_factor(-step, -high, -low, lanes);
    return m != 0 ? static_cast<std::uint32_t>(m) : lanes;
  }
  const auto meet = [&](std::uint32_t n) {
    const auto span = [&](const fact& f, std::intptr_t stride) {
      const std::uintptr_t last = f.base + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(n - 1));
      return std::pair{std::min(f.base, last), std::max(f.base, last) + f.size};
    };
    const auto a = span(w, step), c = span(o, entries_[other].stride);
    return a.first < c.second && c.first < a.second;
  };
  while (lanes > 1 && meet(lanes)) lanes /= 2;
  return lanes;
}

// Lanes up to the first from `from` on whose access might find something.
std::uint32_t row_log::quiet_lanes(std::size_t k, std::uint32_t from, std::uint32_t to) const {
  block_state& b = *first_->block;
  const fact& f = facts_[k];
  const std::intptr_t stride = entries_[k].stride, step = stride / 4;
  quiet_rule q(b, f.base);
  const address_range where = q.device ? b.device : address_range{b.shared.base, b.quick_shared};
  const std::uint32_t cells = f.size / 4;
  bool looked = false;
  const auto is_quiet = [&](const cell* c, std::uintptr_t address, std::uint32_t lane) {
    for (std::uint32_t j = 0; j < cells; ++j) {
      const word w = load(c[j].writer);
      if (!q.is_old(w)) [[unlikely]] {
        if (!looked) look_up(q, b, address + j * 4);
        looked = true;
        if (q.old_writer(w, readers_of(c[j]), address + j * 4, f.write && !f.covers) == 0) return false;
      }
      if (!f.write) continue;
      const word r = readers_of(c[j]);
      if ((r & kIdMask) >= q.floor && !is_own(b, r, first_[lane].who, newest_)) return false;
    }
    return true;
  };
  const std::uint32_t last = in_lines_ && f.line == 0 ? std::min(to, from + width_) : to;  // all lines touch the same
  std::uint32_t line = in_lines_ ? from / width_ : 0;
  for (std::uint32_t i = from; i < last; ++line) {
    const std::uint32_t line_end = in_lines_ ? std::min(last, (line + 1) * width_) : last;
    std::uintptr_t address = address_of(k, i, line);
    if (stride == 0 && !f.write) {  // all of the line read the same
      if (address - where.base >= where.size || !is_quiet(cell_for(b, q.device, address), address, i)) return i;
      i = line_end;
      continue;
    }
    while (i < line_end) {
      if (address - where.base >= where.size) return i;
      std::uint32_t until = i + on_page(address, stride, line_end - i);
      if (address + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(until - 1 - i)) - where.base >= where.size) until = i + 1;
      const cell* c = cell_for(b, q.device, address);
      while (i < until) {
        if (wide::usable && stride == f.size) {
          const std::uint32_t more = f.size == 4   ? wide::quiet<1>(c, until - i, q.oldest, q.floor, f.write)
                                     : f.size == 8 ? wide::quiet<2>(c, until - i, q.oldest, q.floor, f.write)
                                                   : wide::quiet<4>(c, until - i, q.oldest, q.floor, f.write);
          i += more, c += more * cells, address += std::uintptr_t{more} * f.size;
          if (i == until) break;
        }
        if (!is_quiet(c, address, i)) return i;
        ++i, c += step, address += static_cast<std::uintptr_t>(stride);
      }
    }
  }
  return to;
}

// ---- judging ----------------------------------------------------------------------------------------------------

void row_log::judge_all(std::size_t partial) {
  for (std::size_t k = 0; k < count_; ++k) {
    const fact& f = facts_[k];
    const std::uint32_t to = lanes() + (k < partial);
    std::uint32_t from = judged_;
    if (f.covered != 0) from = f.covered <= partial ? to : lanes();  // the writes say it all
    if (from >= to) continue;
    judged_calls_ = &stacks_[f.calls < stacks_.size() ? f.calls : 0];
    const auto as = [&]<std::uint32_t Size>(std::integral_constant<std::uint32_t, Size>) {
      f.write ? judge<true, Size>(k, from, to) : judge<false, Size>(k, from, to);
    };
    if (f.size == 4)
      as(std::integral_constant<std::uint32_t, 4>{});
    else if (f.size == 8)
      as(std::integral_constant<std::uint32_t, 8>{});
    else
      as(std::integral_constant<std::uint32_t, 16>{});
  }
  judged_calls_ = nullptr;
}

namespace {

// What the lanes of one line touch on one page.
struct stretch_of_lanes {
  block_state& b;
  quiet_rule& q;
  block_state::access_site& site;
  cell* c;
  std::intptr_t step;  // cells from lane to lane
  std::uintptr_t address;
  word self;  // of the first
  time_id newest;
};

// Judges lanes until one cannot be decided; how many were.
template <bool Write, bool Locked, std::uint32_t Cells>
std::uint32_t judge_lanes(stretch_of_lanes s, std::uint32_t count) {
  const quiet_rule& q = s.q;
  for (std::uint32_t i = 0; i < count; ++i, s.c += s.step, s.address += static_cast<std::uintptr_t>(s.step * 4), s.self += kLane) {
    if (!Locked && wide::usable && s.step == Cells) {
      const std::uint32_t more = wide::record<Write, Cells>(s.c, count - i, q.oldest, q.floor, s.self, kLane);
      i += more, s.c += more * Cells, s.address += std::uintptr_t{more} * Cells * 4, s.self += more * kLane;
      if (i == count) break;
    }
    if (Locked) lock_group(s.c);
    bool done = true;
    for (std::uint32_t j = 0; j < Cells; ++j) {
      cell& c = s.c[j];
      const word w = load(c.writer), r = Locked ? readers_of(c) : load(c.readers);
      if (!q.is_old(w)) [[unlikely]] {
        const bool own = is_own(s.b, w, s.self, s.newest);
        if (!Write && r == 0 && own) continue;  // a read after its own write adds nothing
        const word as = q.old_writer(w, r, s.address + j * 4, Write);
        if (as == 0 && !(Write && own)) {
          done = false;
          break;
        }
        if (!Write) store(c.writer, as);
      }
      if constexpr (Write) {
        if ((r & kIdMask) >= q.floor && !is_own(s.b, r, s.self, s.newest)) [[unlikely]] {
          done = false;
          break;
        }
        if (r != 0) Locked ? set_readers(c, 0) : store(c.readers, 0);
        store(c.writer, s.self);
      } else {
        word readers = s.self;
        if ((r & kIdMask) >= q.floor && r != s.self && !known_step(s.b, s.site, r, s.self, readers)) [[unlikely]] {
          done = false;
          break;
        }
        Locked ? set_readers(c, readers) : store(c.readers, readers);
      }
    }
    if (Locked) unlock_group(s.c);
    if (!done) return i;
  }
  return count;
}

// Calls f(locked) with what lies on the page of device memory guarded.
template <class F>
auto guarded(block_state& b, bool device, std::uintptr_t address, F f) {
  if (!device || b.leases == nullptr) return f(std::false_type{});
  const std::uint32_t stretch = lease_table::index((address - b.device.base) / 4);
  if (b.core->leases->hold(stretch)) {
    const auto result = f(std::false_type{});
    end_lease();
    return result;
  }
  return f(std::true_type{});
}

}  // namespace

template <bool Write, std::uint32_t Size>
void row_log::judge(std::size_t k, std::uint32_t from, std::uint32_t to) {
  block_state& b = *first_->block;
  const fact& f = facts_[k];
  const std::uintptr_t pc = entries_[k].pc;
  const std::intptr_t stride = entries_[k].stride;
  if constexpr (!Write) {
    const bool one_line_of_cells = in_lines_ && f.line == 0;
    if (stride == 0 && (!in_lines_ || one_line_of_cells)) return judge_readers<Size>(k, f.base, {from, 1, to - from});
    if (stride == 0) {
      std::uint32_t line = from / width_;
      std::uintptr_t address = f.base + static_cast<std::uintptr_t>(f.line * static_cast<std::intptr_t>(line));
      for (std::uint32_t i = from; i < to; ++line, address += static_cast<std::uintptr_t>(f.line)) {
        const std::uint32_t until = std::min(to, (line + 1) * width_);
        judge_readers<Size>(k, address, {i, 1, until - i});
        i = until;
      }
      return;
    }
    if (one_line_of_cells && to - from > width_) {
      // Column by column; the first ones may begin a line further down, the last ones end a line further up.
      const std::uint32_t above = from % width_, below = to % width_, lines = to / width_ - from / width_;
      for (std::uint32_t x = 0; x < width_; ++x) {
        const std::uint32_t skipped = x < above;
        judge_readers<Size>(k, f.base + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(x)),
                            {from - above + skipped * width_ + x, width_, lines - skipped + (x < below)});
      }
      return;
    }
  }
  quiet_rule q(b, f.base);
  auto& site = site_of(b, pc);
  bool looked = false;
  for (std::uint32_t i = from; i < to;) {
    const std::uintptr_t address = address_of(k, i);
    const std::uint32_t line_end = in_lines_ ? std::min(to, (i / width_ + 1) * width_) : to;
    const std::uint32_t count = on_page(address, stride, line_end - i);
    const stretch_of_lanes lanes{b, q, site, cell_for(b, q.device, address), stride / 4, address, f.id | first_[i].who, newest_};
    const std::uint32_t done = guarded(b, q.device, address, [&](auto locked) {
      return judge_lanes<Write, decltype(locked)::value, Size / 4>(lanes, count);
    });
    i += done;
    if (done == count) continue;
    if (!looked) {
      looked = true;
      look_up(q, b, address_of(k, i));
      if (q.uniform != nullptr || q.array.size != 0) continue;
    }
    cold_access<Write, Size>(first_[i], address_of(k, i), pc, true);
    ++i;
  }
}

// The lanes read the same cells.
template <std::uint32_t Size>
void row_log::judge_readers(std::size_t k, std::uintptr_t address, lane_set lanes) {
  block_state& b = *first_->block;
  const fact& f = facts_[k];
  const std::uintptr_t pc = entries_[k].pc;
  quiet_rule q(b, address);
  cell* const cells = cell_for(b, q.device, address);
  const std::uint64_t set = first_[lanes.first].rank | std::uint64_t{lanes.step} << 16 | std::uint64_t{lanes.count} << 32;
  const auto all = [&](auto locked) {
    constexpr bool kLocked = decltype(locked)::value;
    bool done = true;
    if (kLocked) lock_group(cells);
    for (std::uint32_t j = 0; j < Size / 4 && done; ++j) {
      cell& c = cells[j];
      const word w = load(c.writer), r = kLocked ? readers_of(c) : load(c.readers);
      word as = w;
      if (!q.is_old(w)) [[unlikely]] {
        if (q.uniform == nullptr && q.array.size == 0) look_up(q, b, address);
        as = q.old_writer(w, r, address + j * 4, false);
        if (as == 0) {
          done = false;
          break;
        }
      }
      const word before = (r & kIdMask) < q.floor ? 0 : r;
      cached_step& known = steps_[((before ^ set * 0x9e3779b97f4a7c15ULL ^ f.id << 7) * 0x9e3779b97f4a7c15ULL) >> 54];
      word after = known.after;
      if (known.before != before || known.set != set || known.id != f.id || known.quiet_from != b.quiet_from || b.knows) {
        after = b.core->add_reader(first_[lanes.first], before, f.id, lanes.step, lanes.count);
        if (after == 0) {
          done = false;
          break;
        }
        known = {before, set, f.id, b.quiet_from, after};
      }
      if (as != w) store(c.writer, as);
      kLocked ? set_readers(c, after) : store(c.readers, after);
    }
    if (kLocked) unlock_group(cells);
    return done;
  };
  if (guarded(b, q.device, address, all)) return;
  for (std::uint32_t n = 0, i = lanes.first; n < lanes.count; ++n, i += lanes.step) cold_access<false, Size>(first_[i], address, pc, true);
}

}  // namespace simt::check
