// SPDX-License-Identifier: Apache-2.0
// What a row becomes when each of several threads touches some cells of one element there (element_layout.hpp): asked
// once, and held against the rows that follow. Internal to sim/check: for batches.
//
// Invariant: change() answers true only where judging each cell of the row would have found nothing, and left the
// cells as the new summary says.
#pragma once

#include "sim/check/element_layout.hpp"
#include "sim/check/quiet_rule.hpp"

namespace simt::check {

// What the threads of a batch do to the cells of their elements.
struct structure_access {
  struct touch {
    bool reads = false, writes = false;
    bool fresh = false;        // the write may be the first one
    std::uint8_t ranks = 0;    // element_layout::word::ranks
    std::uint16_t epochs = 0;  // from `first` on
  };
  std::uint32_t cells = 0;  // of an element
  epoch first = 0;
  shadow_word thread = 0;  // of the base word, in element `element`
  std::uintptr_t element = 0;
  std::array<touch, element_layout::kMostCells> of;

  shadow_word base_in(std::uintptr_t e) const { return (first | thread) + (e - element) * kNextThread; }
};

// What a row says before and after, here and in the rows that follow where these are alike: as the words of a summary.
class row_change {
 public:
  using words = std::array<std::uint64_t, sizeof(row_summary) / 8>;
  row_change() = default;
  row_change(const row_summary& before) : before_(words_of(before)), after_(before_) {}

  bool is_from(const row_summary& r) const {
    const words now = words_of(r);
    return !in_cells(r.writer) && now[0] == before_[0] && now[1] == before_[1] && now[2] == before_[2] &&
           static_cast<std::uint32_t>(now[3]) == static_cast<std::uint32_t>(before_[3]);
  }
  // The row has its own count of how often it was broken up, and its lock.
  void make(row_summary& r) const {
    const auto a = std::bit_cast<row_summary>(after_);
    r.readers = a.readers, r.written = a.written, r.read = a.read, r.set = a.set;
    store(r.writer, a.writer);
  }
  // To the next row, whose first cell is kRowCells / cells elements further, or one more.
  void go_on(bool one_more) {
    for (std::size_t i = 0; i < element_layout::kBases; ++i) {
      before_[i] += before_steps_[one_more][i];
      after_[i] += after_steps_[one_more][i];
    }
  }
  void before_is(const element_layout& l) { before_steps_ = steps_of(l); }
  // A summary of which each cell says the same, or what the next threads did.
  void before_is_summary(const row_summary& r) {
    before_steps_[0] = {r.written.at(0, kRowCells), r.readers != 0 ? r.read.at(0, kRowCells) : 0};
    before_steps_[1] = before_steps_[0];
  }
  void after_is(std::uint16_t number, const laid_out_row& row) {
    auto a = std::bit_cast<row_summary>(after_);
    lay_out(a, number, row.bases);
    after_ = words_of(a);
    after_steps_ = steps_of(*row.layout);
  }
  std::uintptr_t until = ~std::uintptr_t{0};  // no further than rows that end here

 private:
  static words words_of(const row_summary& r) { return std::bit_cast<words>(r); }
  using steps = std::array<std::array<std::uint64_t, element_layout::kBases>, 2>;  // by one_more
  static steps steps_of(const element_layout& l) {
    steps all{};
    for (const std::uint32_t more : {0, 1})
      for (std::size_t i = 0; i < l.goes_on.size(); ++i)
        all[more][i] = l.goes_on[i] ? (kRowCells / l.cells + more) * kNextThread : 0;
    return all;
  }
  words before_{}, after_{};
  steps before_steps_{}, after_steps_{};
};

enum class row_use : std::uint8_t { ask, record, record_locked };  // locked: in a stretch that workers share

class structure_rows {
 public:
  // newest: when the last of the threads began its interval.
  structure_rows(block_state& b, quiet_rule& q, const structure_access& a, epoch newest)
      : b_(b), q_(q), a_(a), newest_(newest) {}
  // How many of `count` rows from `address` on find nothing and can be said by a layout, up to the first that does
  // not. Records them, guarded, where that is the use. They lie on one page.
  std::uintptr_t pass(std::uintptr_t address, std::uintptr_t count, row_use use);
  // What the first row became that was asked about, for who records it.
  struct known_change {
    std::uintptr_t address = 0;
    row_change change;
  };
  const known_change& first() const { return first_; }
  void knows(const known_change& c) { next_ = c; }

 private:
  // `before`: what the row at `address` says.
  bool change(std::uintptr_t address, const row_summary& before, bool from_cells, row_change& c);
  bool see(std::uintptr_t address, const row_summary& r, row_change& c);
  bool see_cells(std::uintptr_t address);
  bool touch(std::uint32_t cell, std::uintptr_t address, row_change& c);
  bool is_over(shadow_word w) const { return (w & kAge) < b_.agents->horizon; }
  bool keep(std::uint32_t cell, bool writer);
  bool take(element_layout::word& to, shadow_word base, bool goes_on, element_layout::word as);
  std::uint16_t number_of(const element_layout& l) const;

  block_state& b_;
  quiet_rule& q_;
  const structure_access& a_;
  epoch newest_;
  element_layout seen_;  // what the row says, where it is not laid out
  laid_out_row was_;
  bool keeps_writers_ = true, keeps_readers_ = true;  // a layout can say what there was
  element_layout now_;
  laid_out_row becomes_;
  std::uint32_t bases_ = 0;
  known_change first_, next_;
};

}  // namespace simt::check
