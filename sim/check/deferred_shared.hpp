// SPDX-License-Identifier: Apache-2.0
// Proved accesses of a block to its own shared memory, which stand in no shadow cell. Of one OS thread.
//
// Between two barriers only what is not ordered can race, and what a block leaves in shared memory nobody reads. So for
// a block whose pieces are all proved (batch_judge.hpp) it is enough to know which words it has written, and what has
// been touched since its last barrier. Both are kept here until the block ends, and are then forgotten.
//
// Invariants
// 1. While it is open, nobody has looked at a cell of the block's shared memory since the block began, so the cells say
//    what an earlier block left there: nothing. `block_state::quick_shared` is 0 then, which keeps the fast path away;
//    whoever else comes to such a cell, or lets a clock of the block out, closes first (close_deferred).
// 2. close() leaves cells that say of the block what its accesses would have left, as far as anything can still ask:
//    words written before the last barrier count as written by its first thread then; what came after the barrier is
//    recorded entry by entry. It stays closed until the block ends.
// 3. Blocks of a launch mostly do the same in shared memory, piece by piece. What was found of a piece holds for each
//    block that has done the same before it, so pieces are steps of a tree, from the block's beginning on, and a piece
//    that is known there (gathered_batch::same) is one comparison. `log_` and `words_` are made of the steps when
//    somebody has to look at them.
// 4. Accesses that are announced one by one are put off as well, as entries of one position or as updates, as long as
//    there are few of them or they go on evenly from thread to thread. So a piece of which only a part is shared
//    memory's need not be proved.
// 5. What copies that are under way write (gathered_batch::copies) is touched by nothing that is put off, from before
// they
//    are issued in the same interval until they are waited for, be it by the thread that has issued them. At the wait
//    they become writes of their issuers in log_. Who closes before leaves them to be performed one by one, by cells
//    that say the same: own_copies.cpp.
// 6. Only its OS thread uses it. If a block that another one runs touches this memory, which is a defect without
//    clusters, the next piece or the block's end closes, and meets what that block has left in the cells.
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "sim/check/block_state.hpp"
#include "sim/check/shared_updates.hpp"
#include "sim/instrument/batch_judge.hpp"

namespace simt::check {

class deferred_shared {
 public:
  static deferred_shared& of_this_thread();

  // b has begun, and nothing has happened in it.
  void open(block_state& b);
  void close();
  void drop();  // the block has ended

  // From the least address to behind the last one of an entry.
  struct extent {
    std::uintptr_t from = 0, to = 0;
    bool meets(const extent& o) const { return from < o.to && o.from < to; }
    void widen(const extent& o) { *this = to == 0 ? o : extent{std::min(from, o.from), std::max(to, o.to)}; }
  };
  bool has(std::uintptr_t address) const { return address - where_.base < where_.size; }
  // A piece is asked about: may all its entries on shared memory be put off? Asked one by one, and then recorded one by
  // one, and remember()ed. What they touch among each other is not asked here.
  void begin_piece();
  bool may_take(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e);
  void take(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e);
  // The same of copies. may_issue: an entry that nothing else of its batch touches.
  bool may_issue(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e);
  void issue(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e);
  void commit_copies() { ++copies_.group; }
  void wait_for_copies(std::uint32_t keep);
  // same: gathered_batch::same, or 0; whole: it had no other entries.
  void remember(std::uint64_t same, const sim::watched_thread& first, bool whole);
  // Or: has a block that had done the same done this piece before? Then its entries on shared memory may be put off,
  // and repeat() has done so. `whole` as above.
  bool repeats(const sim::gathered_batch& batch, bool& whole);
  void repeat();
  // A plain access of whole aligned words, or an update (shared_updates.hpp: a relaxed read-modify-write of 4 or 8
  // bytes, in no section), that is announced by itself: it is put off, too. False: it is not, and close() comes next.
  bool take_one(std::uint32_t rank, std::uintptr_t address, std::uint32_t size, bool write, std::uintptr_t pc);
  [[gnu::always_inline]] bool take_update(std::uint32_t rank, std::uintptr_t address, const shared_updates::site& s) {
    return (!b_->foreign_shared && updates_.add(rank, address, s, b_->barriers)) || take_other_update(rank, address, s);
  }

 private:
  struct entry {
    sim::batch_entry at;
    sim::batch_fact fact;
    std::uint32_t first;  // the rank of position 0
    std::uint32_t positions, width;
    bool in_rows;
    extent where;
  };
  struct copy {
    entry what;
    std::uint32_t group;
  };
  struct copies {
    std::vector<copy> under_way;
    std::uint32_t group = 0;  // that the next copies belong to
  };
  // A piece, after those that led to it.
  struct step {
    std::uint64_t same = 0;  // of its batch
    std::uint32_t first = 0;
    bool barrier = false;  // between it and the piece before
    bool whole = false;
    std::uint64_t arrays = 0;
    std::vector<entry> entries;
    copies left;
    const step* before = nullptr;
    std::vector<step*> next;
    step* usual = nullptr;  // of `next`
  };
  static bool is_apart(const entry& before, const entry& now);
  bool may_take(const entry& e) const;
  bool are_words_written(const entry& e) const;
  bool goes_on(const entry& e) const;
  bool meets_copy(const extent& e) const;
  bool take_other_update(std::uint32_t rank, std::uintptr_t address, const shared_updates::site& s);
  bool add_updated_array(std::uintptr_t address, std::uint32_t size);
  void begin_work();
  void begin_interval();
  // Calls f with what entry k is in log_, until it gives false: of some positions, each stretch in a row by itself.
  template <class F>
  static bool each_entry(const sim::gathered_batch& batch, std::size_t k, std::uint32_t positions, const extent& e,
                         F f);
  std::size_t word(std::uintptr_t address) const { return (address - where_.base) / 4; }
  bool is_written(std::uintptr_t from, std::uintptr_t to) const;
  void mark(std::uintptr_t from, std::uintptr_t to);
  void record(const entry& e);
  void pass_barrier();
  void look_up_to_date();
  std::uint64_t arrays();
  void forget();
  void record_old_words();
  void record_updates();

  block_state* b_ = nullptr;    // null: not open
  std::uint64_t detector_ = 0;  // b_'s
  address_range where_;
  epoch old_ = 0;                       // of the block, before what it did before its last barrier; 0: it did nothing
  std::int64_t began_ = 0, since_ = 0;  // barriers: before the first of what it did, and before what log_ has
  step first_step_;                     // of all blocks: nothing
  std::deque<step> steps_;              // after it
  std::size_t known_ = 0;               // how many these are, and their entries
  std::uint32_t agent_ = 0;             // of the last block's launch
  step* at_ = nullptr;                  // the block's last piece; null: log_ and words_ say more
  const step* shown_ = nullptr;         // the one that log_ and words_ are of, while at_ is not null
  step* before_ = nullptr;              // at_ before the piece that is asked about
  step* found_ = nullptr;               // by repeats()
  bool barrier_ = false;                // before that piece
  std::size_t piece_ = 0;               // where it begins in log_
  std::size_t arrays_known_ = 0;        // of the block, when arrays_ was worked out
  std::uint64_t arrays_ = 0;            // what identifies them
  std::vector<entry> log_;              // since the last barrier
  extent read_, written_;               // by log_
  copies copies_;                       // of the block; while at_ is not null, of shown_
  std::vector<std::uint64_t> words_;    // a bit for each that the block has written
  std::size_t first_ = 0, last_ = 0;    // in words_: where bits may be
  step* resumed_ = nullptr;             // at_ again behind the next barrier: meanwhile single accesses only read
  shared_updates updates_;
  unsigned failures_ = 0, pause_ = 0;  // blocks that had to close, and how many are not opened therefore
};

// Whoever looks at a cell of the block's shared memory, or publishes a clock of its threads, comes here first.
inline void close_deferred(block_state& b) {
  if (b.deferred != nullptr) [[unlikely]]
    b.deferred->close();
}
inline void close_deferred(block_state& b, std::uintptr_t address) {
  if (b.deferred != nullptr && b.deferred->has(address)) [[unlikely]]
    b.deferred->close();
}

}  // namespace simt::check
