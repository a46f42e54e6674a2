// SPDX-License-Identifier: Apache-2.0
// Whether two positions of a batch touch one byte, and one of them writes it: a question for each two entries. Most
// entries of a long loop are far from each other, as the turns of a grid-stride loop, so only those are compared whose
// reaches overlap: they are gone through in the order of their addresses.
#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/check/batch_checker.hpp"

namespace simt::check {

namespace {

constexpr std::size_t kMostPairs = 65536;  // of entries that are compared with each other
constexpr std::size_t kFew = 1024;         // pairs that are compared in any order
constexpr std::uint32_t kMany = 64;        // positions for which more entries are worth it
constexpr std::size_t kFewEntries = 32;    // in which a write looks for those that it covers

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

// Up to which position no two touch one byte, or both only read it; below `least` the answer is any smaller number.
// Fills the shapes of entries.
std::uint32_t batch_checker::positions_apart(std::uint32_t positions, std::uint32_t least) {
  const bool rows = b_->in_rows;
  const auto enough = [&] { return positions >= least; };
  std::uintptr_t from[2] = {~std::uintptr_t{0}, ~std::uintptr_t{0}}, to[2] = {0, 0};  // of reads, of writes
  std::size_t writes = 0;
  const std::uint32_t last_row = rows ? (positions - 1) / b_->width : 0;
  const std::pair<std::uint32_t, std::uint32_t> corners[] = {
      {0, 0}, {rows ? b_->width - 1 : 0, 0}, {rows ? last_row * b_->width : 0, last_row}, {positions - 1, last_row}};
  for (std::size_t k = 0; k < b_->count; ++k) {
    const sim::batch_fact& f = b_->facts[k];
    entry_proof& p = proofs_[k];
    p.from = ~std::uintptr_t{0};
    const auto reach = [&](std::uint32_t position, std::uint32_t row) {
      const std::uintptr_t address = b_->address_of(k, position, row);
      p.from = std::min(p.from, address);
      p.to = std::max(p.to, address + f.size);
    };
    if (f.some == 0)
      for (const auto& [position, row] : corners) reach(position, row);
    else
      b_->each_part(k, positions, [&](std::uint32_t first, std::uint32_t end) {
        for (const std::uint32_t i : {first, end - 1}) reach(i, rows ? i / b_->width : 0);
        return true;
      });
    writes += f.write;
    from[f.write] = std::min(from[f.write], p.from);
    to[f.write] = std::max(to[f.write], p.to);
  }
  if (writes == 0) return positions;
  if (positions < kMany && writes * b_->count > kMostPairs) return 0;
  const bool apart = to[0] <= from[1] || to[1] <= from[0];
  const auto compare = [&](std::size_t w, std::size_t k) {
    if ((apart && !b_->facts[k].write) || are_parts_apart(w, k, positions)) return true;
    if (!rows)
      positions = std::min(positions, until_conflict(w, k, positions));
    else if (meet_in_rows(w, k, positions))
      return false;
    return enough();
  };
  if (writes * b_->count <= kFew) {
    for (std::size_t w = 0; w < b_->count; ++w)
      for (std::size_t k = 0; k < b_->count && b_->facts[w].write; ++k)
        if (!compare(w, k)) return rows ? 0 : positions;
  } else if (!each_overlap(compare)) {
    return 0;
  }
  find_covered();
  return positions;
}

// Calls compare(write, other) for entries whose reaches overlap, both ways round where both write, until it gives
// false. False: it did, or there are too many.
template <class F>
bool batch_checker::each_overlap(F compare) {
  order_.resize(b_->count);
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, {}, [&](std::uint32_t k) { return proofs_[k].from; });
  open_.clear();  // those that reach as far as the next one
  std::size_t pairs = 0;
  for (const std::uint32_t k : order_) {
    std::erase_if(open_, [&](std::uint32_t o) { return proofs_[o].to <= proofs_[k].from; });
    pairs += open_.size() + 1;
    if (pairs > kMostPairs) return false;
    const bool write = b_->facts[k].write;
    if (write && !compare(k, k)) return false;
    for (const std::uint32_t o : open_)
      if ((write && !compare(k, o)) || (b_->facts[o].write && !compare(o, k))) return false;
    open_.push_back(k);
  }
  return true;
}

// Entries of which a write of the same bytes by the same positions says it all: whatever comes before it, and reads
// that come after it. Where a write stands for a read that comes before it, its bytes must have been written.
void batch_checker::find_covered() {
  const auto compare = [&](std::size_t w, std::size_t k) {
    const sim::batch_fact &write = b_->facts[w], &f = b_->facts[k];
    if (k == w || proofs_[k].covered != 0 || (k > w && f.write)) return;
    if (f.size > write.size || f.base - write.base > std::uintptr_t{write.size} - f.size || f.some != write.some ||
        b_->entries[k].stride != b_->entries[w].stride || (b_->in_rows && f.row_stride != write.row_stride))
      return;
    proofs_[k].covered = static_cast<std::uint32_t>(w) + 1;
    proofs_[w].covers |= k < w && (!f.write || proofs_[k].covers);
  };
  const auto base = [&](std::uint32_t k) { return b_->facts[k].base; };
  const bool few = b_->count <= kFewEntries;
  if (!few) {
    order_.resize(b_->count);
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_, {}, base);
  }
  for (std::size_t w = 0; w < b_->count; ++w) {
    if (!b_->facts[w].write) continue;
    for (std::size_t k = 0; k < b_->count && few; ++k) compare(w, k);
    if (few) continue;
    for (auto k = std::ranges::lower_bound(order_, b_->facts[w].base, {}, base);
         k != order_.end() && base(*k) - b_->facts[w].base < b_->facts[w].size; ++k)
      compare(w, *k);
  }
}

// Entries that some positions make: are their bytes apart, or is it one position that makes both?
bool batch_checker::are_parts_apart(std::size_t a, std::size_t b, std::uint32_t positions) const {
  if (b_->facts[a].some == 0 && b_->facts[b].some == 0) return false;
  const entry_proof &p = proofs_[a], &q = proofs_[b];
  if (p.to <= q.from || q.to <= p.from) return true;
  const std::uint32_t one = b_->only_position(a, positions);
  return one < positions && one == b_->only_position(b, positions);
}

// Do two positions touch one byte, as far as the stretches go in which rows of the block touch memory? For entries that
// go on differently, as a row and a column of one matrix.
bool batch_checker::stretches_meet(std::size_t write, std::size_t other, std::uint32_t positions) const {
  constexpr std::size_t kMost = 1024;
  static thread_local std::vector<std::pair<std::uintptr_t, std::uintptr_t>> spans[2];
  const std::size_t entries[] = {write, other};
  for (const int e : {0, 1}) {
    const std::size_t k = entries[e];
    spans[e].clear();
    const bool all = b_->each_part(k, positions, [&](std::uint32_t from, std::uint32_t to) {
      const std::uintptr_t first = b_->address_of(k, from), last = b_->address_of(k, to - 1);
      spans[e].emplace_back(std::min(first, last), std::max(first, last) + b_->facts[k].size);
      return spans[e].size() <= kMost;
    });
    if (!all) return true;
    std::sort(spans[e].begin(), spans[e].end());
  }
  for (auto a = spans[0].begin(), c = spans[1].begin(); a != spans[0].end() && c != spans[1].end();) {
    if (a->first < c->second && c->first < a->second) return true;
    a->second <= c->first ? ++a : ++c;
  }
  return false;
}

// Do two positions touch one byte by these two entries? Where the answer is not simple, it is yes.
bool batch_checker::meet_in_rows(std::size_t write, std::size_t other, std::uint32_t positions) const {
  const sim::batch_fact &w = b_->facts[write], &o = b_->facts[other];
  const auto height = static_cast<std::intptr_t>((positions + b_->width - 1) / b_->width),
             across = static_cast<std::intptr_t>(b_->width);
  const std::intptr_t step = b_->entries[write].stride;
  if (step != b_->entries[other].stride || w.row_stride != o.row_stride) {
    const auto span = [&](std::size_t k) {
      const sim::batch_fact& f = b_->facts[k];
      const std::uintptr_t x = f.base + static_cast<std::uintptr_t>(b_->entries[k].stride * (across - 1));
      const auto y = static_cast<std::uintptr_t>(f.row_stride * (height - 1));
      return std::pair{std::min({f.base, x, f.base + y, x + y}), std::max({f.base, x, f.base + y, x + y}) + f.size};
    };
    const auto a = span(write), c = span(other);
    return a.first < c.second && c.first < a.second && stretches_meet(write, other, positions);
  }
  // Of some positions the sum below knows nothing: it may be others that meet.
  const auto yes = [&] {
    return write == other || (w.some == 0 && o.some == 0) || stretches_meet(write, other, positions);
  };
  // Position (x, y) of the one and (x - m, y - n) of the other overlap where -size_w < step * m + row * n - d < size_o.
  const auto d = static_cast<std::intptr_t>(o.base - w.base);
  for (std::intptr_t n = 1 - height; n < height; ++n) {
    const std::intptr_t low = d - w.row_stride * n - w.size + 1, high = d - w.row_stride * n + o.size - 1;
    if (n != 0 && low <= 0 && high >= 0) return yes();
    if (step == 0) {
      if (n == 0 && low <= 0 && high >= 0 && across > 1) return yes();
      continue;
    }
    const bool meets =
        step > 0 ? least_factor(step, low, high, across - 1) : least_factor(-step, -high, -low, across - 1);
    if (meets) return yes();
  }
  return false;
}

// Do the first n positions of one row touch one byte by two entries that go on differently? Exact where one of them
// leaves nothing out, as the first column of a tile and one of its rows; else the answer may be yes by mistake.
bool batch_checker::strides_meet(std::size_t one, std::size_t other, std::uint32_t n) const {
  struct steps {
    std::uintptr_t first, by, size;  // the lowest address, and the distance of the next
  };
  const auto steps_of = [&](std::size_t k) {
    const std::intptr_t stride = b_->entries[k].stride;
    const sim::batch_fact& f = b_->facts[k];
    const auto last = static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(n - 1));
    return stride < 0 ? steps{f.base + last, static_cast<std::uintptr_t>(-stride), f.size}
                      : steps{f.base, static_cast<std::uintptr_t>(stride), f.size};
  };
  steps whole = steps_of(one), apart = steps_of(other);
  if (whole.by > whole.size) std::swap(whole, apart);
  if (whole.by > whole.size) return true;
  const std::uintptr_t from = whole.first, to = whole.first + whole.by * (n - 1) + whole.size;
  // The first of the other's that ends behind `from`.
  const std::uintptr_t i =
      from < apart.first + apart.size || apart.by == 0 ? 0 : (from - apart.first - apart.size) / apart.by + 1;
  return i < n && apart.first + apart.by * i < to && apart.first + apart.by * i + apart.size > from;
}

// Positions of one row of which no two touch one byte by these two entries: fewer than the smallest distance of two
// that do.
std::uint32_t batch_checker::until_conflict(std::size_t write, std::size_t other, std::uint32_t positions) const {
  const sim::batch_fact &w = b_->facts[write], &o = b_->facts[other];
  const std::intptr_t step = b_->entries[write].stride;
  if (step == b_->entries[other].stride) {
    // Position i of the one and position i - m of the other overlap where -size_w < step * m - d < size_o.
    const auto d = static_cast<std::intptr_t>(o.base - w.base);
    const std::intptr_t low = d - w.size + 1, high = d + o.size - 1;
    if (step == 0) return low <= 0 && high >= 0 ? 1 : positions;
    const std::intptr_t m =
        step > 0 ? least_factor(step, low, high, positions) : least_factor(-step, -high, -low, positions);
    return m != 0 ? static_cast<std::uint32_t>(m) : positions;
  }
  const auto meet = [&](std::uint32_t n) {
    const auto span = [&](const sim::batch_fact& f, std::intptr_t stride) {
      const std::uintptr_t last = f.base + static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(n - 1));
      return std::pair{std::min(f.base, last), std::max(f.base, last) + f.size};
    };
    const auto a = span(w, step), c = span(o, b_->entries[other].stride);
    return a.first < c.second && c.first < a.second && strides_meet(write, other, n);
  };
  while (positions > 1 && meet(positions)) positions /= 2;
  return positions;
}

}  // namespace simt::check
