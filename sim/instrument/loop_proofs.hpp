// SPDX-License-Identifier: Apache-2.0
// Whether the loops of a region may run unwatched: its accesses are put together as one batch (gathered_batch) from
// what the compiler pass knows of them (loop_region.hpp), and the judge of batches is asked. Of one OS thread.
//
// Invariant: begin() says yes only where every access that the loops will make is in the batch, and no other, and the
// judge has proved the whole batch, but for accesses that the loops announce one by one (loop_region::lone): then the
// batch is committed before. Between begin() and commit() this OS thread has no other event.
// loop_entries.cpp makes entries of accesses, loop_lanes.cpp has the conditions that hold for some threads only,
// known_batches.cpp the batches that come again.
#pragma once

#include <utility>
#include <vector>

#include <sim/instrument/access_cursor.hpp>
#include <sim/instrument/loop_region.hpp>

namespace simt::sim {

class loop_proofs {
 public:
  static loop_proofs& of_this_thread();
  loop_answer begin(const block_context& b, const loop_region& r, const std::int64_t* numbers);
  // Of the region's first loop that threads run: simt_loop_turns.
  std::int64_t turns(std::int64_t limit) const;
  // The loops have run; or, where they announce more accesses (loop_region::lone), they are about to.
  void commit();

 private:
  enum class truth : std::uint8_t { no, yes, mixed };
  // For whom a condition holds: at least, and at most.
  struct known_lanes {
    lane_set surely, maybe;
    bool found = false;
  };
  struct span {
    std::int64_t low = 0, high = 0;
    bool known = false;
  };
  // low <= number a - number b <= high; place -1 is zero.
  struct number_bound {
    std::int32_t a, b;
    std::int64_t low, high;
  };
  // A number that addresses begin with, as it was last seen, and what the batch touches from there.
  struct address_number {
    std::int32_t place;
    std::uint64_t seen;
    std::uint64_t within = 0;  // bits in which it must not differ: of alignment
    std::uintptr_t from = ~std::uintptr_t{0}, to = 0;
    bool reads = false, writes = false;
    // Each row of the block touches bytes of `width`, the first one from `from` on, each next one `pitch` further. 0:
    // all is within `width`.
    std::uint64_t pitch = 0, width = 0;
    std::uint64_t moved = 0;  // while it is asked about
  };
  struct silent_read {
    std::int32_t place;
    std::int64_t low, high;  // from the number on; behind the last byte
    std::uint64_t seen, within;
  };
  // A comparison of bits (loop_test::no_bits), how it came out, and what its number began with then.
  struct asked_bits {
    std::int32_t condition;
    truth found;
    std::uint64_t seen;
  };
  // How often it runs at most, and how far from the start's base on its index begins at most. 0: not known.
  struct first_loop {
    std::int64_t turns = 0, begins = 0;
  };
  // A batch that has come before and stays what it is while its numbers move within bounds, from turn to turn or from
  // block to block: see known_batches.cpp.
  struct known_batch {
    bool known = false;
    std::uint32_t tries = 0;  // since its last use: how often one was put together to be kept here
    std::uint64_t used = 0;   // when it was used or kept last, counted by history::uses
    extent3 extent;
    std::vector<std::int64_t> fixed;
    std::vector<number_bound> bounds;
    std::vector<address_number> addresses;
    std::vector<silent_read> silent;
    std::vector<asked_bits> bits;
    std::vector<std::uint32_t> address_of_entry;  // in `addresses`
    gathered_batch batch;
    std::uint32_t positions = 0;
    std::uint64_t silent_accesses = 0;
    first_loop turns;
    known_batch* next = nullptr;  // which one came after it
  };
  static constexpr std::size_t kKnown = 64, kMostKnown = 4096;  // batches a region, entries a batch
  // What is known of a region from earlier blocks, and how often in a row it could not be proved.
  struct history {
    const loop_region* region = nullptr;
    std::uint32_t failures = 0, pause = 0;
    std::vector<std::int32_t> fixed;  // places of numbers that must be the same for a batch to be
    std::vector<known_batch> known;
    known_batch* last = nullptr;
    std::uint64_t uses = 0;
    // Batches are kept for each place in shared memory, as for the halves of a double buffer: the judge knows them
    // again then. Of more than kMostPlaces they are not.
    std::uint32_t places = 0;
  };
  static constexpr std::uint32_t kMostPlaces = 8;
  // Of the numbers that a region has now: never seen, seen, or those of a batch that fits.
  enum class seen : std::uint8_t { never, before, fits };
  // Of a block's plane, which threads of `some` are in it: both as batch_fact::some has them.
  struct plane {
    std::int64_t z;
    std::uint32_t some, there;
  };
  static constexpr std::size_t kMostEntries = 16384, kMostOfFew = 4096;  // the latter of few positions
  static constexpr std::uint32_t kManyPositions = 64;
  static constexpr std::int32_t kNoCondition = -1;     // in some_conditions_
  static constexpr std::int64_t kMostTimes = 1 << 24;  // batch_fact::times

  // loop_counts.cpp
  struct even_access {
    std::uintptr_t base;  // of position 0
    std::intptr_t stride, row_stride;
    std::uint32_t size;
    event::access_kind kind;
  };
  loop_answer count(const block_context& b, const loop_region& r, const std::int64_t* numbers);
  bool put_in_order(const block_context& b);
  bool put_in_order(std::int32_t from, std::int32_t to, std::uint32_t inside, std::int64_t (&turn)[kLoopTurns]);
  bool is_short(std::int32_t from, std::int32_t to, std::uint32_t inside) const;
  bool put_in_short(std::int32_t from, std::int32_t to, unsigned t, std::int64_t (&turn)[kLoopTurns]);
  const lane_set* makers_of(std::int32_t access, const std::int64_t (&turn)[kLoopTurns]);
  bool put_one(std::int32_t access, const std::int64_t (&turn)[kLoopTurns]);
  bool put(const lane_set* makers, std::uintptr_t site, const even_access& a);

  static extent3 extent_of(const block_context& b) {
    const extent3& e = b.launch->block;
    return {e.x * b.joined, e.y, e.z};
  }
  // loop_copies.cpp
  bool may_take_copies(const block_context& b) const;
  loop_answer without_copies(const loop_region& r) const;
  bool add_copy(const block_context& b, std::int32_t target, std::uintptr_t site, std::uint32_t some);
  static bool is_declared(const block_context& b, std::uintptr_t target, std::int32_t alignment);
  bool put_copy_steps();
  void commit_copies();

  loop_answer unjudged(const block_context& b, const loop_region& r, const std::int64_t* numbers);
  bool is_listed();
  bool holds_for_all(std::int32_t condition);
  bool put_together(const block_context& b, history& h);
  static std::vector<std::int32_t> fixed_numbers(const loop_region& r);
  known_batch& known_for(const block_context& b, history& h, seen& how);
  bool fits(const block_context& b, known_batch& k, bool in_place);
  bool has_same_bits(const known_batch& k) const;
  static bool stay_apart(const known_batch& k);
  static bool in_other_columns(const address_number& p, std::uintptr_t p_from, const address_number& q,
                               std::uintptr_t q_from);
  static void move(known_batch& k);
  bool keep(known_batch& k);
  void keep_turns(known_batch& k, std::int32_t loop) const;
  bool keep_bounds(known_batch& k, std::int32_t condition) const;
  bool keep_silent(known_batch& k, const loop_access& a);
  bool widen(address_number& n, const loop_access& a) const;
  bool gather(const block_context& b);
  first_loop look_at_first_loop() const;
  void begin_batch(gathered_batch& batch, const block_context& b) const;
  bool find_positions(const block_context& b);
  bool find_split_positions(const block_context& b, std::int64_t first, std::int64_t end);
  bool find_turns();
  // `some`: as batch_fact has it.
  bool add(const loop_access& a, std::uintptr_t site, std::uint32_t some);
  bool add_varying(const loop_access& a, std::uintptr_t site);
  const known_lanes& lanes(std::int32_t condition);
  std::uint32_t some_of(std::int32_t condition);
  std::uint32_t some_of_plane(std::int64_t z, std::uint32_t some);
  template <class F>
  void each_row(const loop_form& form, F f) const;
  bool depends_on_turns(const loop_form& f) const;
  void compare_lanes(const loop_form& left, const loop_form& right, __int128 more, lane_set& all) const;
  void lanes_without_bits(const loop_condition& c, lane_set& all) const;
  bool varies(const loop_access& a) const { return (static_cast<std::uint32_t>(a.turns) & varying_) != 0; }
  bool lanes_of_turns(const loop_access& a, const std::int64_t (&turn)[kLoopTurns], lane_set& some) const;
  template <class F>
  bool each_varying_turn(const loop_access& a, F f);
  bool lanes_of_access(const loop_access& a, bool at_most, lane_set& all);
  span span_of_access(const loop_access& a, truth made, std::int64_t& times);
  span span_of_lanes(const loop_access& a, const lane_set& some) const;
  std::int32_t written_anyway(const loop_access& a) const;
  bool is_silent(const block_context& b, const loop_access& a, truth made);
  void judge_conditions();
  truth judge(const loop_condition& c) const;
  truth judge_bits(const loop_condition& c) const;
  span reach_of(const loop_form& f) const;  // from its base on
  span span_of(const loop_form& f) const;
  std::int64_t number(std::int32_t place) const { return place < 0 ? 0 : numbers_[place]; }
  history& history_of(const loop_region& r);
  void tell() const;

  const loop_region* region_ = nullptr;
  const std::int64_t* numbers_ = nullptr;
  std::int64_t low_[kLoopDimensions] = {}, high_[kLoopDimensions] = {};  // of the indices, both reached
  extent3 extent_;
  std::uint32_t varying_ = 0;  // bit t: threads turn differently often in the loop of index 3 + t
  std::vector<truth> truths_;
  std::vector<known_lanes> lanes_;             // by condition, of the batch that is put together
  std::vector<std::int32_t> some_conditions_;  // of batch_.some; -1: a plane's
  std::vector<plane> planes_;
  gathered_batch batch_;
  gathered_batch* asked_ = &batch_;
  std::uint32_t positions_ = 0;
  first_loop first_loop_;
  bool pending_ = false, other_place_ = false;     // the latter: a batch did not fit for that alone
  std::vector<copy_step> issues_;                  // of batch_, by loop_region::copies; a copy of nobody has no entries
  std::vector<std::vector<copy_source>> sources_;  // of each
  std::uint64_t silent_ = 0;                       // accesses that are in no batch, because nobody has to hear of them
  std::vector<std::uint32_t> access_of_entry_;     // of batch_
  std::vector<std::uint32_t> silent_reads_;        // accesses that it leaves out
  std::vector<std::pair<std::int32_t, std::int32_t>> written_anyway_;  // numbers whose distance that depends on
  bool unknown_site_ = false;  // the last batch failed because a code address is not known
  std::vector<event::access_batch> told_;
  std::vector<lane_set> makers_;  // of each access, who comes to it
  lane_set makers_in_turn_;
  std::vector<history> histories_ = std::vector<history>(64);
};

// Calls f(turn) with each turn of the loops in which threads turn differently often, 0 in others, until it gives false.
template <class F>
bool loop_proofs::each_varying_turn(const loop_access& a, F f) {
  std::int64_t turns[kLoopTurns], count = 1;
  for (unsigned t = 0; t < kLoopTurns; ++t) {
    turns[t] = (static_cast<std::uint32_t>(a.turns) & varying_ & 1U << t) != 0 ? high_[3 + t] + 1 : 1;
    if (turns[t] > static_cast<std::int64_t>(kMostEntries) ||
        (count *= turns[t]) > static_cast<std::int64_t>(kMostEntries))
      return false;
  }
  std::int64_t turn[kLoopTurns];
  for (turn[0] = 0; turn[0] < turns[0]; ++turn[0])
    for (turn[1] = 0; turn[1] < turns[1]; ++turn[1])
      for (turn[2] = 0; turn[2] < turns[2]; ++turn[2])
        if (!f(turn)) return false;
  return true;
}

}  // namespace simt::sim
