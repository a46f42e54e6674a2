// SPDX-License-Identifier: Apache-2.0
// Gathers accesses that neighbouring threads of a block make by the same instructions at evenly spaced addresses. Of
// one OS thread. Knows nothing of what the accesses mean: that is the judge's (batch_judge.hpp).
//
// A segment is what a thread does between two events other than plain accesses: from its start or a wait to the next
// wait, or its exit. The first thread's segment is judged access by access and noted; so is the second's, which gives
// the strides. Then all that is to come is known, and if the judge says so, the threads that follow only compare:
// instruction and address of the next entry. What they did is committed when something else happens (flush()).
//
// Invariants
// - While a batch is open, this OS thread has no event but the accesses in it: the dispatcher flushes before any other.
//   So what the judge said before the batch still holds when it is committed.
// - A thread that only compares has made the accesses of the entries before the one that it is at, and no other.
#pragma once

#include <span>
#include <vector>

#include <sim/instrument/batch_judge.hpp>

namespace simt::sim {

extern constinit batch_entry no_batch;  // none

class batch_recorder {
 public:
  // Whom begin() asks from now on; this OS thread's, and not while a batch is open that another one judges.
  void set_judge(batch_judge* judge) { judge_ = judge; }

  // Thread t begins a segment. What its next access is compared with; &no_batch: it is to be judged, and then note()d
  // if notes().
  batch_entry* begin(watched_thread& t, const event::block& block) {
    if (open_ && armed_ && &t == thread_ && thread_ < bounds_.stop) [[likely]] {
      running_ = role::follows;
      return bounds_.first;
    }
    return begin_other(t, block);
  }
  // The segment is over; `at`: the entry that its next access would have been compared with.
  void end(const batch_entry* at) {
    if (running_ == role::follows && at == bounds_.last) [[likely]] {
      thread_ = state_at(thread_, 1);
      running_ = role::none;
      return;
    }
    end_other(at);
  }
  // end() and begin(t) where t is the batch's next thread and nothing else is to be done. A thread that is to come to
  // bounds().last follows.
  bool passes_on(const batch_entry* at, const watched_thread* t) {
    if (at != bounds_.last || t != state_at(thread_, 1) || t >= bounds_.stop) return false;
    thread_ = state_at(thread_, 1);
    return true;
  }
  // Of the batch that was armed last. A thread that has come to `last` may be followed by the one before `stop`;
  // whoever lets one follow says so later, of all in between.
  const batch_bounds& bounds() const { return bounds_; }
  void passed(std::ptrdiff_t threads) { thread_ = state_at(thread_, threads); }
  // The running thread's access is not the one expected at `at`: it is to be judged, and what it did so far begins a
  // new batch.
  void deviate(const batch_entry* at);
  bool follows() const { return running_ == role::follows; }
  bool notes() const { return running_ == role::first || running_ == role::second; }
  // An access of the running thread that was judged. `size`: a power of two to 16, and a divisor of the address; of
  // shared memory at least 4. `calls`: the active calls, outermost first.
  void note(std::uintptr_t pc, std::uintptr_t address, std::uint32_t size, bool write,
            std::span<const std::uintptr_t> calls);
  // Commits what is outstanding. The running thread's accesses from here on are in no batch.
  void flush(const batch_entry* at);
  bool is_open() const { return open_; }
  // Accesses, and writes among them, that were compared only, since the last call.
  struct counts {
    std::uint64_t accesses = 0, writes = 0;
  };
  counts take_counts();
  // Who else hears of accesses that were compared only: called for each entry when the judge has committed them all.
  using listener = void (*)(const event::access_batch& b);
  void tell(listener l) { listener_ = l; }

 private:
  enum class role : std::uint8_t { none, first, second, follows };
  // What was learned of other ways through kernels: by the first access's pc.
  struct shape {
    std::vector<batch_entry> entries = std::vector<batch_entry>(1);
    std::vector<batch_fact> facts = std::vector<batch_fact>(1);
    std::size_t count = 0;
    bool strides_known = false, rows_known = false;
    std::uint32_t usual = kAll;
  };
  static constexpr std::size_t kShapes = 64;
  static constexpr std::size_t kMost = 4096;  // accesses of a segment
  static constexpr std::uint32_t kLeast = 3;  // positions that are worth a batch
  static constexpr std::uint32_t kAll = ~0U;
  static constexpr std::uint32_t kFew = 8;     // no batches are made to end after fewer positions
  static constexpr std::uint32_t kTries = 16;  // batches in a row that did not come about, before a pause
  static constexpr std::size_t kStacks = 16;   // call stacks that are kept
  std::uint32_t through() const { return static_cast<std::uint32_t>(threads_between(b_.first, thread_)); }
  batch_entry* begin_other(watched_thread& t, const event::block& block);
  void end_other(const batch_entry* at);
  void begin_first(watched_thread& t);
  void exchange_shape(std::uintptr_t pc);
  shape& shape_of(std::uintptr_t pc) { return shapes_[(pc * 0x9e3779b97f4a7c15ULL >> 32) % kShapes]; }
  void set_base(std::size_t k, std::uintptr_t address);
  std::uint32_t place_in_row() const { return (b_.first->rank + through()) % b_.width; }  // of the next thread
  void make_first(watched_thread& t, std::size_t known);
  void rest();
  bool give_up();
  bool arm();
  bool arm(bool rows);
  void aim();  // entries at the row that *thread_ begins or is in
  void commit(std::size_t partial);
  void tell(std::size_t k, std::uint32_t to) const;  // entry k, positions b_.judged .. to - 1
  std::uint32_t call_stack(std::span<const std::uintptr_t> calls);

  // What every thread asks for comes first.
  batch_bounds bounds_;
  watched_thread* thread_ = nullptr;  // the one that follows; the next one, if none does
  bool open_ = false;
  bool armed_ = false;
  role running_ = role::none;
  std::uint32_t limit_ = 0;  // positions of the batch
  counts counts_;
  gathered_batch b_;            // b_.count: entries that are known; of the last batch, while a first thread is noted
  std::size_t noted_ = 0;       // of the running thread
  std::uint64_t writes_ = 0;    // entries that write
  bool strides_known_ = false;  // of all entries; a first thread's differ until that is seen
  bool rows_known_ = false;     // batch_fact::row_stride, likewise
  bool learns_rows_ = false;    // the first thread of the last batch is one row before
  // A batch of these entries goes to the next thread whose place in its row is a multiple of this, where another one
  // ended because a thread had other addresses: lanes 0 to 15 and 16 to 31, say, each touch the rows of a tile. What
  // lies beyond would be proved in vain. kAll: it goes to the end of the row.
  std::uint32_t usual_ = kAll;
  std::uintptr_t goes_on_ = 0;  // where the first access of a first thread lies if `usual_` was too few; 0: it was not
  // The first thread of the last batch. Only compared; the block may be gone.
  struct {
    const event::block* block = nullptr;
    std::uint32_t rank = 0;
    std::uint64_t interval = 0;
  } last_first_;
  std::uint32_t failures_ = 0, pause_ = 0, next_pause_ = 0;
  std::vector<shape> shapes_ = std::vector<shape>(kShapes);
  batch_judge* judge_ = nullptr;
  listener listener_ = nullptr;
};

}  // namespace simt::sim
