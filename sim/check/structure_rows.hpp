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

// What a row says before and after, here and in the rows that follow where these are alike.
struct row_change {
  row_summary before{}, after{};
  std::uintptr_t until = ~std::uintptr_t{0};  // no further than rows that end here
  bool is_from(const row_summary& r) const {
    return !in_cells(r.writer) && r.writer == before.writer && r.readers == before.readers &&
           r.written == before.written && r.read == before.read && r.set == before.set;
  }
  // To the next row, whose first cell is in a later element by so many.
  void go_on(std::uint32_t elements);

  std::array<bool, element_layout::kBases> before_goes_on{}, after_goes_on{};
  bool before_is_laid_out = false;
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
};

}  // namespace simt::check
