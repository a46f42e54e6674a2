// SPDX-License-Identifier: Apache-2.0
// The detector as the judge of batches (sim/instrument/batch_judge.hpp): the proof that the accesses to come leave no
// finding (batch_proof.cpp, batch_apart.cpp), and what they make of the shadow cells (batch_commit.cpp), of those that
// several threads read (batch_readers.cpp), of rows of them (batch_rows.cpp), of rows of few threads
// (batch_short_rows.cpp), of arrays of structures (batch_structures.cpp) and of cells that are touched in parts
// (batch_bytes.cpp). Of one OS thread.
//
// Invariants
// - While a batch is open, this OS thread has no event but the accesses in it. So the threads' clocks, their epochs and
//   all shadow cells that no other worker touches are the same at commit() as when the accesses were made.
// - prove() promises positions: in whatever order their accesses are made, and whichever of them are missing, no cell
//   would get a finding. So with one worker commit() reports nothing, and the cells tell of the same threads as if each
//   access had been judged in its turn. (Where threads of a block read a cell by several instructions in one interval,
//   the cell keeps one of these. It may be another one than without batches, and a later race then names that one.)
// - Another worker may touch a cell between an access and commit(). Whoever comes second finds the other's record,
//   and no clock of this OS thread's threads has changed meanwhile, so a race is found. Its report shows the call stack
//   that the batch's first thread had there, and counts the write as one that changed the value.
#pragma once

#include <array>
#include <vector>

#include "sim/check/block_state.hpp"
#include "sim/check/deferred_shared.hpp"
#include "sim/check/row_summary.hpp"
#include "sim/check/structure_rows.hpp"
#include "sim/check/thread_sets.hpp"
#include "sim/instrument/batch_judge.hpp"

namespace simt::check {

class alike_cells;
struct quiet_rule;

class batch_checker final : public sim::batch_judge {
 public:
  // The one of this OS thread.
  static batch_checker& of_this_thread();

  std::uint64_t interval_of(const sim::watched_thread& t) override;
  std::uint32_t prove(const sim::gathered_batch& b, std::uint32_t through, std::uint32_t most,
                      std::uint32_t least) override;
  void commit(const sim::gathered_batch& b, std::uint32_t through, std::size_t partial) override;
  void loops_begin(sim::watched_thread& first) override;
  void ask_read_only(sim::watched_thread& first, std::span<const std::uintptr_t> written,
                     std::span<sim::quiet_array> read, bool others_ran) override;
  bool has_read(sim::watched_thread& first, std::uintptr_t from, std::uintptr_t to) override;
  void loops_wait_at_grid(sim::watched_thread& first) override;
  bool takes_copies(const sim::watched_thread& first) override;
  sim::copy_start copies_began(const sim::watched_thread& first) override;
  void copies_go_on_by_threads(sim::watched_thread& first) override;
  // What the one entry of b does to the cells; its accesses were proved before.
  void record_alone(const sim::gathered_batch& b, std::uint32_t positions);
  // The call stack at the access that commit() judges; null: none is judged.
  const std::vector<std::uintptr_t>* judged_calls() const { return judged_calls_; }

  inline static bool use_rows = true;  // and rows of few threads by themselves; tests turn it off

 private:
  // What is known of an entry.
  struct entry_proof : sim::entry_shape {
    epoch when = 0;
    bool in_rows = false;    // proved by whole rows, as part of a run or by columns
    bool deferred = false;   // proved by deferred_shared
    std::uint32_t next = 0;  // the next entry of its run
    bool in_run = false;
  };
  // Entries one behind the other: see find_runs().
  struct run {
    std::uint32_t first, count;
    std::uint8_t epochs;  // from each entry's epoch to the next one's
  };
  // Entries by which each thread touches parts of one element of an array: see find_structures().
  struct structure {
    std::uint32_t cells = 0;  // of an element
    std::uint32_t count = 0;
    std::array<std::uint32_t, 32> entries;
    epoch first_epoch = 0;
    structure_rows::known_change first;  // when it was asked about
    std::uintptr_t begin = 0;            // where the first thread's accesses begin
    std::uintptr_t bytes = 0;            // from there to behind its last one
  };
  // What a batch does to the words of a row.
  struct row_access {
    shadow_word self;  // cell 0's
    row_step step;
    row_set set;
    bool write;
    bool fresh;  // a write that nobody has read before it
  };
  enum class row_says : std::uint8_t { quiet, other, cells };
  // Which positions read the same words.
  enum class lines : std::uint8_t { none, all, rows, columns };
  // The threads of each of those lines.
  struct line_sets {
    static constexpr std::uint32_t kNobody = thread_sets::kFull - 1;
    struct question {
      std::uint64_t detector = 0, generation = 0;
      lines by = lines::none;
      std::uint32_t first_rank = 0, width = 0, from = 0, to = 0;
      bool some = false;
      bool operator==(const question&) const = default;
    };
    question asked;
    sim::lane_set some;
    std::uint32_t first = 0;  // the number of the first line
    struct line {
      std::uint32_t set, first;  // of threads: kNobody, thread_sets::kFull; the rank of the first one
    };
    std::vector<line> of_lines;
  };
  // What a cell's readers become when the threads of a set read it. kAnyLine: those of any line, whose threads are left
  // out of both words.
  static constexpr std::uint64_t kAnyLine = ~std::uint64_t{0};
  struct cached_step {
    shadow_word before = 0;
    std::uint64_t set = 0;
    epoch when = 0, quiet_from = 0;
    shadow_word after = 0;
  };
  thread_state& at(std::uint32_t position) const {
    return static_cast<thread_state&>(*sim::state_at(b_->first, position));
  }
  bool are_parts_apart(std::size_t a, std::size_t b, std::uint32_t positions) const;
  bool stretches_meet(std::size_t write, std::size_t other, std::uint32_t positions) const;
  bool strides_meet(std::size_t one, std::size_t other, std::uint32_t n) const;
  bool meet_in_rows(std::size_t write, std::size_t other, std::uint32_t positions) const;
  std::uint32_t until_conflict(std::size_t write, std::size_t other, std::uint32_t positions) const;
  std::uint32_t quiet_positions(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  std::uint32_t quiet(std::size_t k, std::uint32_t from, std::uint32_t to) const {
    if (b_->facts[k].size < 4) return quiet_bytes(k, from, to);
    from = quiet_short_rows(k, from, to);
    return from == to ? to : quiet_positions(k, from, to);
  }
  std::uint32_t quiet_bytes(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  std::uint32_t quiet_cells_like(std::uintptr_t granule, std::uint32_t threads, std::uint32_t positions,
                                 const quiet_rule& q) const;
  std::uint32_t record_cells_like(const alike_cells& alike, cell& first, std::uintptr_t granule,
                                  std::uint32_t most) const;
  // A write that may be the first one of its bytes.
  bool may_be_first(std::size_t k) const { return b_->facts[k].write && !proofs_[k].covers && !b_->written_before; }
  void find_covered();
  std::uint32_t positions_apart(std::uint32_t positions, std::uint32_t least);
  template <class F>
  bool each_overlap(F compare);
  bool defer_shared(std::uint32_t positions);
  bool is_alone(std::size_t k) const;
  void take_copies(std::uint32_t positions);
  bool is_own_row(shadow_word word, row_step step, row_set set, const row_access& a) const;
  row_says ask_row(const row_summary& r, std::uintptr_t address, const row_access& a, quiet_rule& q) const;
  shadow_word joined_readers(thread_state& t, const row_summary& r, const row_access& a, std::uintptr_t pc);
  static void write_row(row_summary& r, const row_access& a);
  bool record_row(row_summary& r, std::uintptr_t address, const row_access& a, quiet_rule& q, std::uintptr_t pc,
                  bool lock);
  bool begin_row(row_summary& r, std::uintptr_t address, const row_access& a, quiet_rule& q) const;
  row_access side_by_side(std::size_t k, std::uint32_t position) const;
  bool is_by_columns(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  template <class F>
  bool each_row_of_columns(std::size_t k, std::uint32_t positions, F f) const;
  template <class F>
  bool each_row_of_run(const run& u, std::uint32_t positions, F f) const;
  void find_runs();
  bool give_epochs(run& u);
  void ask_runs(std::uint32_t positions);
  bool is_quiet_row(std::uintptr_t address, const row_access& a, quiet_rule& q) const;
  bool are_quiet_columns(std::size_t k, std::uint32_t positions) const;
  std::uint32_t quiet_rows(std::size_t k, std::uintptr_t address, std::uint32_t i, std::uint32_t until,
                           quiet_rule& q) const;
  bool record_guarded(std::uintptr_t address, const row_access& a, quiet_rule& q, std::uintptr_t pc);
  std::uint32_t record_rows(std::size_t k, std::uintptr_t address, std::uint32_t i, std::uint32_t until, quiet_rule& q);
  bool record_columns(std::size_t k, std::uint32_t positions);
  bool has_short_rows(std::size_t k) const;
  template <class F>
  std::uint32_t each_short_row(std::size_t k, std::uint32_t from, std::uint32_t to, F f) const;
  std::uint32_t quiet_short_rows(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  template <bool Write, std::uint32_t Size>
  std::uint32_t record_short_rows_of(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  std::uint32_t record_short_rows(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  void record_runs(std::uint32_t positions);
  void find_structures(std::uint32_t positions);
  bool gather(structure& s, std::size_t k) const;
  bool give_epochs(structure& s);
  bool is_apart(const structure& s) const;
  structure_access access_of(const structure& s, std::uint32_t first, std::uintptr_t skipped) const;
  template <class Rows, class Rest>
  bool each_part_of(const structure& s, std::uint32_t positions, Rows rows, Rest rest) const;
  void ask_structures(std::uint32_t positions);
  void record_structures(std::uint32_t positions);
  std::uint32_t in_cells_from(std::uintptr_t address, std::uint32_t size, std::uint32_t most) const;
  void forget_other_detectors();
  lines lines_of(std::size_t k, std::uint32_t from, std::uint32_t to) const;
  const line_sets& sets_of(std::size_t k, lines by, std::uint32_t from, std::uint32_t to);
  shadow_word joined_set(thread_state& t, shadow_word before, epoch when, std::uint32_t set);
  template <std::uint32_t Size, bool Locked>
  std::uint32_t read_lines(std::size_t k, const line_sets& sets, std::uint32_t first, std::uint32_t count,
                           std::uintptr_t address, std::intptr_t apart, const quiet_rule& q);
  template <std::uint32_t Size>
  void commit_lines(std::size_t k, lines by, std::uint32_t from, std::uint32_t to);
  bool commit_lines(std::size_t k, std::uint32_t from, std::uint32_t to);
  void commit_entry(std::size_t k, std::uint32_t from, std::uint32_t to);
  template <bool Write, std::uint32_t Size>
  void commit_entry(std::size_t k, std::uint32_t from, std::uint32_t to);
  template <bool Write, std::uint32_t Size>
  void commit_bytes(std::size_t k, std::uint32_t from, std::uint32_t to);

  const sim::gathered_batch* b_ = nullptr;  // while prove() or commit() runs
  std::vector<entry_proof> proofs_;
  std::vector<std::uint32_t> order_, open_;  // entries: in the order of addresses; that are still to be compared
  std::vector<run> runs_;
  std::vector<structure> structures_;
  bool defers_ = false;         // entries on shared memory are put off
  bool repeats_ = false;        // and are known by an earlier block (deferred_shared::repeats)
  bool stays_ = false;          // none of them has moved (sim::batch_fact)
  bool whole_ = false;          // and there are no others
  std::uint32_t promised_ = 0;  // positions that prove() has promised
  epoch newest_ = 0;            // the youngest interval_start of the positions
  std::uint64_t detector_ = 0;  // serial of the one whose epochs steps_ has
  static constexpr int kLineSetBits = 9;
  std::vector<line_sets> line_sets_ = std::vector<line_sets>(1 << kLineSetBits);  // found by a hash of the question
  static constexpr std::size_t kSteps = 1024;
  zeroed_array<cached_step> steps_ = make_zeroed<cached_step>(kSteps);
  const std::vector<std::uintptr_t>* judged_calls_ = nullptr;
};

}  // namespace simt::check
