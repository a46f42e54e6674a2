// SPDX-License-Identifier: Apache-2.0
// A batch as the recorder has it, and what it asks of the judge before and after the batch: whether the accesses to
// come may be compared only, and what to do with them when they have been made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <sim/exec/copy_end.hpp>
#include <sim/instrument/batch_bounds.hpp>
#include <sim/instrument/events.hpp>
#include <sim/instrument/lane_set.hpp>
#include <sim/instrument/loop_region.hpp>
#include <sim/instrument/read_only.hpp>

namespace simt::sim {

// Threads of one block from `a` to `b`; their states lie one behind the other.
inline std::ptrdiff_t threads_between(const watched_thread* a, const watched_thread* b) {
  return (reinterpret_cast<std::intptr_t>(b) - reinterpret_cast<std::intptr_t>(a)) /
         static_cast<std::intptr_t>(kThreadStateBytes);
}
inline watched_thread* state_at(watched_thread* first, std::int64_t rank) {
  return reinterpret_cast<watched_thread*>(reinterpret_cast<char*>(first) +
                                           rank * static_cast<std::int64_t>(kThreadStateBytes));
}

// What is known of an entry besides where it is and how far its neighbour's is.
struct batch_fact {
  std::uintptr_t base = 0;       // address at position 0
  std::intptr_t row_stride = 0;  // to the address of the thread one row of the block on
  std::uint32_t calls = 0;       // in gathered_batch::stacks
  std::uint8_t size = 0;         // 4, 8 or 16, in loops (loop_proofs.hpp) also 1 or 2; a divisor of the address
  bool write = false;
  bool moved = false;       // see gathered_batch::comes_again
  bool copy = false;        // a write by asynchronous copies that are issued: gathered_batch::copies says what follows
  std::uint32_t some = 0;   // all positions make it; or those of gathered_batch::some[some - 1] only
  std::uint32_t times = 1;  // how often each position makes it, one time like the other: in turns of a loop
};

// What a judge has found of an entry by itself and the batch's other entries.
struct entry_shape {
  std::uintptr_t from = 0, to = 0;  // from its least address to behind the last one
  std::uint32_t covered = 0;        // 1 + the entry that writes the same bytes by the same positions; 0: none
  bool covers = false;              // a write that stands for a read before it
};

// What all threads of a batch do about their asynchronous copies, in this order, whatever else they do.
struct copy_step {
  copy_act act;
  std::uint32_t keep = 0;          // of a wait: the last so many groups may go on
  std::uint32_t from = 0, to = 0;  // of an issue: the entries that it writes
};
// What the copies of an entry read: `behind` bytes from the number at `place` on for position 0.
struct copy_source {
  std::int32_t place;
  std::uintptr_t behind;
  std::intptr_t stride, row_stride;
};

// Positions are the threads of a batch: 0 is the first, each next one has the next rank.
struct gathered_batch {
  const event::block* block = nullptr;
  watched_thread* first = nullptr;  // position 0
  std::uint32_t width = 1;          // threads of a row of the block, which have consecutive ranks
  bool in_rows = false;             // position i is in row i / width of the batch; else all are of one row
  std::uint32_t judged = 0;         // positions that were judged access by access: the first ones
  std::size_t count = 0;            // entries: accesses of each position
  std::vector<batch_entry> entries = std::vector<batch_entry>(1);
  std::vector<batch_fact> facts = std::vector<batch_fact>(1);
  std::vector<std::vector<std::uintptr_t>> stacks;
  std::vector<lane_set> some;  // see batch_fact
  std::vector<copy_step> copies;
  std::vector<copy_source> sources;  // of the entries that `copies` name, in their order
  // Accesses of the same threads are judged one by one between commit() and when these are made. So none of these may
  // be the first write of its bytes: a read of them would find them written too early.
  bool written_before = false;
  // It will be asked for again, with all positions and the same entries and facts, or moved: then what of it touches
  // the same bytes moves together, and `shape` with it. The judge may keep `shape`, an element for each entry, once it
  // knows that no two positions meet.
  bool comes_again = false;
  // Not 0: batches that ever had or will have this number are the same, but for `first` and for where those entries lie
  // that have `moved`.
  std::uint64_t same = 0;
  mutable std::vector<entry_shape> shape;

  // Calls f(from, to) with the positions below `end` that make entry k, until it gives false. False: it did.
  template <class F>
  bool each_stretch(std::size_t k, std::uint32_t end, F f) const {
    if (facts[k].some == 0) return f(0, end);
    return some[facts[k].some - 1].each_stretch(
        [&](std::uint32_t from, std::uint32_t to) { return from >= end || f(from, std::min(to, end)); });
  }
  // The same in parts whose addresses are evenly spaced: each lies in one row.
  template <class F>
  bool each_part(std::size_t k, std::uint32_t end, F f) const {
    return each_stretch(k, end, [&](std::uint32_t from, std::uint32_t to) {
      while (from < to) {
        const std::uint32_t next = in_rows ? std::min(to, (from / width + 1) * width) : to;
        if (!f(from, next)) return false;
        from = next;
      }
      return true;
    });
  }
  // The only position below `end` that makes entry k; `end`: there are several, or none.
  std::uint32_t only_position(std::size_t k, std::uint32_t end) const {
    std::uint32_t one = end;
    const bool single = each_stretch(k, end, [&](std::uint32_t from, std::uint32_t to) {
      const bool first = one == end && to - from == 1;
      one = from;
      return first;
    });
    return single ? one : end;
  }
  std::uintptr_t address_of(std::size_t k, std::uint32_t position, std::uint32_t row) const {
    const batch_fact& f = facts[k];
    return f.base + static_cast<std::uintptr_t>(f.row_stride * static_cast<std::intptr_t>(row) +
                                                entries[k].stride * static_cast<std::intptr_t>(position - row * width));
  }
  std::uintptr_t address_of(std::size_t k, std::uint32_t position) const {
    return address_of(k, position, in_rows ? position / width : 0);
  }
  const std::vector<std::uintptr_t>& calls(std::size_t k) const {
    const std::uint32_t i = facts[k].calls;
    return stacks[i < stacks.size() ? i : 0];
  }
};

class batch_judge {
 public:
  virtual ~batch_judge() = default;
  // Threads of one block with the same number have no event between them that orders.
  virtual std::uint64_t interval_of(const watched_thread& t) = 0;
  // Up to which position, at most `most`, accesses may be compared only: in whatever order they are made, and whichever
  // of them are missing, there would be nothing to find. That holds until commit(). The first `through` positions have
  // made theirs. Below `least` no batch is begun, so any smaller number says no.
  virtual std::uint32_t prove(const gathered_batch& b, std::uint32_t through, std::uint32_t most,
                              std::uint32_t least) = 0;
  // Positions up to `through` have made all accesses, and the next one the first `partial` of them. Those of the first
  // b.judged are known.
  virtual void commit(const gathered_batch& b, std::uint32_t through, std::size_t partial) = 0;
  // The block of this thread has begun and runs as loops (checked_loops.cpp): it is the OS thread's only one, and tells
  // when its threads first go on access by access.
  virtual void loops_begin(watched_thread& first) = 0;
  virtual void loops_wait_at_grid(watched_thread& first) = 0;
  // May batches of this block have copies now? Else its threads issue them and wait one by one.
  virtual bool takes_copies(const watched_thread&) { return false; }
  // When copies of the batch that was committed last began.
  virtual copy_start copies_began(const watched_thread&) { return {}; }
  // Threads of the block go on with the copies that are under way one by one.
  virtual void copies_go_on_by_threads(watched_thread&) {}
  // A block that runs as loops is about to make its first access. Its launch writes device memory through the pointers
  // `written` only. How far reads through the others may go without being announced, because nothing could be found
  // but by launches and copies to come, which has_read() is for: fills from and size of each.
  // others_ran: other blocks of the launch may have run on fibers before; none does now.
  virtual void ask_read_only(watched_thread& first, std::span<const std::uintptr_t> written,
                             std::span<quiet_array> read, bool others_ran) = 0;
  // Threads of the block have read bytes of [from, to), which lies in one of those, without announcement. True: it
  // does, and they may.
  virtual bool has_read(watched_thread& first, std::uintptr_t from, std::uintptr_t to) = 0;
};

}  // namespace simt::sim
