// SPDX-License-Identifier: Apache-2.0
// Summaries of rows (sim/check/row_summary.hpp) against cells: random programs of batches and single accesses run with
// summaries and without. After every step each cell must say the same, and so must all findings; judging access by
// access, without batches, must find the same as well.
// Long because: programs, who makes them up, what their cells say and the cases by hand share one vocabulary.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

#include "sim/check/batch_checker.hpp"
#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr std::size_t kArena = 1 << 16, kDevice = 1 << 14, kSlot = 2048;

unsigned char* arena() {
  static auto* const at =
      static_cast<unsigned char*>(mmap(nullptr, kArena, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return at;
}

struct mode {
  bool batches = true, rows = true;
  int workers = 1;
  bool shared_stretches = false;  // another worker has been everywhere
  std::uint32_t epochs_at_once = 1;
};

struct entry {
  std::uintptr_t pc, base;  // base: in the arena
  std::intptr_t stride, row_stride;
  std::uint32_t size;
  bool write;
  bool some = false;  // made by the threads of runner::some_ only
};

options options_of(const mode& m) {
  options o = with(4096, false, m.workers);
  o.epochs_at_once = m.epochs_at_once;
  return o;
}

// What is done is made up while it runs, from one seed: nothing of it depends on the mode.
class runner {
 public:
  runner(std::uint32_t seed, mode m)
      : mode_(m),
        random_(seed),
        base_(reinterpret_cast<std::uintptr_t>(arena())),
        d_(options_of(m), {base_, kDevice}, {base_ + kDevice, kArena - kDevice}) {
    std::memset(arena(), 0, kArena);
    d_.core().log.on_instance_data = this;
    d_.core().log.on_instance = [](void* self, const finding_log::race_instance& s) {
      static_cast<runner*>(self)->see(s);
    };
    d_.new_stream("s1");
  }

  // A line for each step; lines that begin with '*' speak of cells.
  std::vector<std::string> run() {
    friendly_ = one_in(2);
    element_words_ = of(2, 7);
    for (int n = 0; n < 3; ++n) allocate(n);
    const int launches = of(1, 3);
    for (int l = 0; l < launches; ++l) launch();
    std::vector<std::string> all = lines_;
    std::map<std::string, std::int64_t> counts;  // which of several instructions is named may differ
    for (const finding& f : d_.findings())
      counts[std::string(name(f.rule)) + ' ' + std::string(name(f.severity)) + ' ' + f.object] += f.count;
    for (const auto& [what, count] : counts) all.push_back(what + ' ' + std::to_string(count));
    return all;
  }
  std::uint64_t proved() const { return proved_; }
  std::uint64_t summaries() const { return summaries_; }

 private:
  int of(int from, int to) { return from + static_cast<int>(random_() % static_cast<std::uint32_t>(to - from + 1)); }
  bool one_in(int n) { return of(1, n) == 1; }

  void see(const finding_log::race_instance& s) {
    const operation& op = *s.op;
    std::ostringstream t;
    t << name(s.what) << ' ' << s.address - base_ << ' ' << int{s.mask} << ' ' << op.thread.block->number << ' '
      << op.thread.rank << ' ' << op.pc;
    if (lines_.empty() || lines_.back() != t.str()) lines_.push_back(t.str());
  }

  void allocate(int n) {
    allocation a;
    a.address = base_ + static_cast<std::uintptr_t>(n) * 4096;
    a.size = friendly_ || one_in(3) ? 4096 : static_cast<std::size_t>(of(40, 1000)) * 4;
    a.info = {"abc" + std::to_string(n), "int", 4, {}};
    d_.allocated(a, friendly_ || !one_in(4));
    buffers_[n] = a.address, sizes_[n] = a.size;
  }

  void launch() {
    for (int i = of(0, 2); i > 0; --i) host();
    const int shape = of(0, 4);
    width_ = shape == 0 ? 64 : shape == 1 ? 8 : shape == 2 ? 40 : 16;
    height_ = shape == 0 ? 1 : shape == 1 ? 8 : shape == 2 ? 2 : of(1, 8);
    const int stream = one_in(4) ? 1 : 0, blocks = of(1, 3);
    launch_state& l = d_.launch_begin(stream, "k", {blocks, 1, 1}, {width_, height_, 1});
    if (mode_.shared_stretches)
      std::thread([&] {
        for (std::uintptr_t at = 0; at < kDevice; at += 4096) const cell_guard guard(d_.core().shadow, base_ + at);
      }).join();
    const bool together = one_in(2);
    int number = 0;
    const auto begin = [&] {
      const std::uintptr_t slot = base_ + kDevice + static_cast<std::uintptr_t>(blocks_.size()) * kSlot;
      blocks_.push_back(&d_.block_begin(l, number, {number, 0, 0}, number, {slot, kSlot}));
      ++number;
      shared_array(*blocks_.back(), slot, one_in(2) ? kSlot : 1040, {"tile", "int", 4, {}});
      if (!friendly_) return;
      block_ = blocks_.back();
      make_all({{0x600, slot - base_, 4, 4 * width_, 4, true}}, width_ * height_, height_);
      barrier();
    };
    while (number < blocks || !blocks_.empty()) {
      while (number < blocks && (blocks_.empty() || together)) begin();
      for (int i = of(2, 10); i > 0; --i) {
        block_ = blocks_[static_cast<std::size_t>(of(0, static_cast<int>(blocks_.size()) - 1))];
        step();
        if (one_in(3)) describe();
      }
      for (auto* b : blocks_) d_.block_end(*b);
      blocks_.clear();
    }
    d_.launch_end(l);
    if (one_in(2)) d_.wait(0, d_.record(stream));
  }

  void host() {
    const int n = of(0, 2);
    const std::uintptr_t from = static_cast<std::uintptr_t>(of(0, 20)) * 4,
                         bytes = std::min<std::uintptr_t>(sizes_[n] - from, static_cast<std::uintptr_t>(of(1, 900)));
    const std::uintptr_t stack[] = {0x7000};
    switch (of(0, 5)) {
      case 0:
        return d_.copy_to_device(of(0, 1), buffers_[n] + from, bytes, stack, one_in(2));
      case 1:
        return d_.copy_to_host(of(0, 1), buffers_[n] + from, bytes, stack, one_in(2));
      case 2:
        return d_.fill(0, buffers_[n] + from, bytes, stack);
      case 3: {
        d_.freed(buffers_[n], stack, 0);
        return allocate(n);
      }
      case 4:
        lines_.push_back("unwritten " + std::to_string(d_.unwritten_elements(buffers_[n], 4, 40)) + ' ' +
                         std::to_string(d_.uninitialised_bytes(buffers_[n] + from, bytes)));
        return;
      default:
        return d_.copy_on_device(0, buffers_[n], buffers_[(n + 1) % 3],
                                 std::min(sizes_[n], sizes_[(n + 1) % 3]) & ~std::size_t{3}, stack);
    }
  }

  void step() {
    const int what = of(0, 19);
    if (what < (friendly_ ? 18 : 11)) {
      region();
      if (friendly_) barrier();
      return;
    }
    if (what < 14) return barrier();
    const int rank = of(0, width_ * height_ - 1);
    thread_state& t = thread_of(*block_, rank);
    const std::uint32_t size = 1U << of(0, 4);
    const std::uintptr_t at = base_ + place(size);
    if (what < 17) {
      make({0x900 + size, at - base_, 0, 0, size, one_in(2)}, rank);
    } else if (what == 17) {
      atomic_section lock(t, at & ~std::uintptr_t{3}, 4);
      atomic(t, at & ~std::uintptr_t{3}, 4, atomic_op::rmw, one_in(2) ? order::acq_rel : order::relaxed,
             one_in(2) ? scope::device : scope::block, 0xa00);
    } else if (what == 18) {
      fence(t, order::acq_rel, scope::device);
    } else {
      const int warp = rank / 32;
      if ((warp + 1) * 32 <= width_ * height_) warp_sync(*block_, warp, 0xffffffff);
    }
  }

  void barrier() { block_barrier(*block_); }

  std::uintptr_t place(std::uint32_t size) {
    const std::uintptr_t where = one_in(2) ? block_->shared.base - base_ : buffers_[of(0, 2)] - base_;
    return where + static_cast<std::uintptr_t>(of(0, one_in(20) ? 1100 / 4 : 60)) * 16 / size * size;
  }

  // The accesses of a piece between barriers, as the pass gives them.
  void region() {
    std::vector<entry> es;
    const int kinds = of(1, 3);
    for (int i = 0; i < kinds; ++i) {
      const std::uint32_t size = one_in(4) ? 8U << of(0, 1) : 4;
      const auto step = static_cast<std::intptr_t>(size);
      const std::uintptr_t where = one_in(2) ? block_->shared.base - base_ : buffers_[of(0, 2)] - base_,
                           base = where + (one_in(4) ? static_cast<std::uintptr_t>(of(0, 16)) * size
                                                     : static_cast<std::uintptr_t>(of(0, 6)) * 64);
      const std::uintptr_t pc = static_cast<std::uintptr_t>(of(1, 3)) * 0x100;
      const bool write = one_in(3);
      const std::intptr_t pitch = (friendly_ && write) || one_in(3) ? step * width_ : 64 * of(0, 3);
      switch (of(0, 7)) {
        case 0:
        case 1:  // side by side
          es.push_back({pc, base, step, pitch, size, write});
          if (!write && one_in(2)) es.push_back({pc + 4, base, step, pitch, size, true});
          break;
        case 2:  // all rows alike
          es.push_back({pc, base, step, 0, size, false});
          break;
        case 3: {  // each row of threads reads all of its words, one by one
          const int n = one_in(5) ? of(1, 20) : 16;
          const bool rolled = one_in(3);
          for (int j = 0; j < n; ++j)
            es.push_back({rolled ? pc : pc + static_cast<std::uintptr_t>(j) * 4,
                          base + static_cast<std::uintptr_t>(j) * size, 0, pitch, size, false});
          break;
        }
        case 4: {  // each thread has words of its own
          const bool mine = one_in(2);
          for (int j = 0; j < 16; ++j)
            es.push_back({pc + static_cast<std::uintptr_t>(j) * 4, base + static_cast<std::uintptr_t>(j) * size,
                          64 * (size / 4), mine ? 64 * static_cast<std::intptr_t>(size / 4) * width_ : 0, size, false});
          break;
        }
        case 5:
          es.push_back({pc, base, one_in(2) ? -step : 2 * step, pitch, size, write});
          break;
        default:
          structures(es, base, pitch);
      }
    }
    const int rows = one_in(8) ? 1 : height_;
    const int threads = rows == 1 && one_in(3) ? of(1, width_) : rows * width_;
    if (one_in(3)) choose_some(es, threads);
    make_all(es, threads, rows);
  }

  // Conditions that hold for some threads: a rectangle of them, all others, or one here and one there.
  void choose_some(std::vector<entry>& es, int threads) {
    some_.reset(static_cast<std::uint32_t>(threads), false);
    const int left = of(0, width_ - 1), right = of(left, width_ - 1), top = of(0, height_ - 1),
              bottom = of(top, height_ - 1), kind = of(0, 3);
    for (int i = 0; i < threads; ++i) {
      const int x = i % width_, y = i / width_;
      const bool inside = x >= left && x <= right && y >= top && y <= bottom;
      if (kind == 0 ? one_in(2) : kind == 1 ? !inside : inside)
        some_.add(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i) + 1);
    }
    for (entry& e : es) e.some = !one_in(3);
  }
  bool makes(const entry& e, int rank) const {
    const auto at = static_cast<std::uint32_t>(rank);
    return !e.some || some_.next(at) == at;
  }

  // Each thread touches some words of an element. Most launches of a program agree on what an element is.
  void structures(std::vector<entry>& es, std::uintptr_t base, std::intptr_t pitch) {
    const bool usual = !one_in(4);
    if (usual) base = buffers_[element_words_ % 3] - base_ + 64 * (element_words_ % 2U);
    const int words = usual ? element_words_ : one_in(3) ? of(2, 20) : of(2, 7);
    const std::intptr_t stride = 4 * words;
    if (!one_in(3)) pitch = stride * width_;
    const bool writes = !one_in(3), at_once = one_in(3), whole = one_in(3);
    for (int word = whole ? 0 : of(0, words - 1); word < words; ++word) {
      if (!whole && one_in(3)) continue;
      const std::uintptr_t pc = at_once ? 0x500 : 0x500 + static_cast<std::uintptr_t>(word) * 8, at = base + 4 * word;
      const bool wide = words % 2 == 0 && word % 2 == 0 && at % 8 == 0 && one_in(3);
      const std::uint32_t size = wide ? 8 : 4;
      const bool writes_this = writes && !one_in(3);
      if (!writes_this || one_in(2)) es.push_back({pc, at, stride, pitch, size, false});
      if (writes_this) es.push_back({pc + 4, at, stride, pitch, size, true});
      word += wide;
    }
  }

  void make_all(const std::vector<entry>& es, int threads, int rows) {
    if (mode_.batches && one_batch(es, threads, rows)) return;
    if (!mode_.batches) random_();  // one_batch() takes one
    for (int rank = 0; rank < threads; ++rank)
      for (const entry& e : es)
        if (makes(e, rank)) make(e, rank);
  }

  bool one_batch(const std::vector<entry>& es, int threads, int rows) {
    random_();
    batch_checker& judge = batch_checker::of_this_thread();
    batch_checker::use_rows = mode_.rows;
    for (const entry& e : es)
      if (e.base % e.size != 0) return false;
    simt::sim::gathered_batch b;
    b.first = &thread_of(*block_, 0);
    b.width = static_cast<std::uint32_t>(width_);
    b.in_rows = rows > 1;
    b.count = es.size();
    b.entries.resize(es.size() + 1);
    b.facts.resize(es.size() + 1);
    b.stacks.resize(1);
    for (std::size_t k = 0; k < es.size(); ++k) {
      b.entries[k].pc = es[k].pc;
      b.entries[k].stride = es[k].stride;
      b.facts[k].base = base_ + es[k].base;
      b.facts[k].row_stride = b.in_rows ? es[k].row_stride : 0;
      b.facts[k].size = static_cast<std::uint8_t>(es[k].size);
      b.facts[k].write = es[k].write;
      b.facts[k].some = es[k].some;
    }
    b.some = {some_};
    const auto positions = static_cast<std::uint32_t>(threads);
    if (judge.prove(b, 0, positions, positions) != positions) return false;
    ++proved_;
    judge.commit(b, positions, 0);
    for (int rank = 0; rank < threads; ++rank)
      for (const entry& e : es)
        if (makes(e, rank)) store(e, address_of(e, rank));
    return true;
  }

  void make(const entry& e, int rank) {
    const std::uintptr_t at = address_of(e, rank);
    if (at < base_ || at + e.size > base_ + kArena) return;
    thread_state& t = thread_of(*block_, rank);
    e.write ? write(t, at, e.size, e.pc) : read(t, at, e.size, e.pc);
    store(e, at);
  }
  std::uintptr_t address_of(const entry& e, int rank) const {
    const int row = rank / width_;
    return base_ + e.base + static_cast<std::uintptr_t>(e.stride * (rank - row * width_) + e.row_stride * row);
  }
  void store(const entry& e, std::uintptr_t at) {
    if (e.write) std::memset(reinterpret_cast<void*>(at), ++value_, e.size);
    for (std::uintptr_t c = at & ~std::uintptr_t{3}; !e.write && c < at + e.size; c += 4)
      if (const auto [one, fresh] = readers_.try_emplace(c, e.pc); one->second != e.pc) one->second = 0;
  }

  // What every cell that differs from zero says, without numbers that depend on the way there.
  void describe() {
    detector_core& d = d_.core();
    std::uint64_t sum = 0;
    const auto mix = [](std::uint64_t h, std::uint64_t x) { return (h ^ x) * 0x9e3779b97f4a7c15ULL + (h >> 31); };
    const auto of_epoch = [&](std::uint64_t h, epoch e, bool pc) {
      if (e <= kAncient || e < d.agents.horizon) return mix(h, 0);
      const epoch_record& r = d.epochs[e];
      return mix(mix(mix(h, pc ? r.pc : 0), r.agent), r.block);
    };
    for (std::uintptr_t at = base_; at < base_ + kDevice + 3 * kSlot; at += 4) {
      const cell c = d.shadow.look(at);
      summaries_ += !in_cells(d.shadow.row_of(at)->writer) && d.shadow.row_of(at)->writer != 0;
      if (c.writer == 0 || (c.writer & kSlow)) {
        if (c.writer != 0) sum += mix(at, 7);
        continue;
      }
      const std::uint64_t h = mix(of_epoch(at - base_, epoch_of(c.writer), true),
                                  epoch_of(c.writer) < d.agents.horizon ? 0 : who_of(c.writer));
      const auto one = readers_.find(at);
      const bool pc = one == readers_.end() || one->second != 0;
      std::uint64_t readers = 0;  // which of two groups is the younger one may depend on when they were joined
      for (shadow_word rest = readers_of(c); const shadow_word group = next_group(d.epochs, rest, d.agents.horizon);) {
        std::uint64_t one_group = of_epoch(0, epoch_of(group), pc);
        d.sets.any(who_of(group), [&](std::uint32_t rank) { return one_group = mix(one_group, rank), false; });
        readers += one_group;
      }
      sum += mix(h, readers);
    }
    if (mode_.batches) lines_.push_back("* " + std::to_string(sum));
  }

  mode mode_;
  std::mt19937 random_;
  std::uintptr_t base_;
  detector d_;
  std::uintptr_t buffers_[3] = {};
  std::size_t sizes_[3] = {};
  int width_ = 1, height_ = 1, element_words_ = 0;
  simt::sim::lane_set some_;
  std::vector<block_state*> blocks_;
  block_state* block_ = nullptr;
  std::vector<std::string> lines_;
  std::uint64_t proved_ = 0, summaries_ = 0;
  unsigned char value_ = 0;
  bool friendly_ = false;                             // most of what it does is in order
  std::map<std::uintptr_t, std::uintptr_t> readers_;  // of cells: who reads there; 0: several instructions
};

std::vector<std::string> without_cells(std::vector<std::string> lines) {
  std::erase_if(lines, [](const std::string& s) { return s[0] == '*'; });
  return lines;
}

// exactly: and with no batches; with epochs that are drawn ahead, which of the groups that no longer matter a chain of
// readers keeps depends on which block drew first, so only findings are the same.
void compare(std::uint32_t from, std::uint32_t programs, mode m, bool exactly) {
  std::uint64_t proved = 0, summaries = 0;
  for (std::uint32_t seed = from; seed < from + programs; ++seed) {
    CAPTURE(seed);
    runner with_rows(seed, m);
    const auto told = [&](std::vector<std::string> of) {
      return m.epochs_at_once > 1 ? without_cells(std::move(of)) : std::move(of);
    };
    const auto lines = told(with_rows.run());
    proved += with_rows.proved();
    summaries += with_rows.summaries();
    mode plain = m;
    plain.rows = false;
    const auto cells = told(runner(seed, plain).run());
    const auto differs = std::mismatch(lines.begin(), lines.end(), cells.begin(), cells.end());
    if (std::getenv("DBG") && differs.first != lines.end()) {
      for (auto i = -6; i < 6; ++i)
        std::fprintf(stderr, "%s  |  %s\n", (differs.first + i)->c_str(), (differs.second + i)->c_str());
      std::fprintf(stderr, "%zu %zu\n", lines.size(), cells.size());
    }
    CAPTURE(differs.first - lines.begin());
    CAPTURE(differs.first == lines.end() ? "" : *differs.first);
    CAPTURE(differs.second == cells.end() ? "" : *differs.second);
    CHECK((differs.first == lines.end() && differs.second == cells.end()));
    if (!exactly) continue;
    plain.batches = false;
    CHECK(without_cells(lines) == without_cells(runner(seed, plain).run()));
  }
  batch_checker::use_rows = true;
  CHECK(proved > programs);
  CHECK(summaries > programs * 200);
}

}  // namespace

TEST_CASE("rows agree with cells") { compare(1, 200, {}, true); }
TEST_CASE("rows agree with cells: stretches that a worker owns") { compare(5001, 100, {.workers = 2}, false); }
TEST_CASE("rows agree with cells: stretches that workers share") {
  compare(9001, 100, {.workers = 2, .shared_stretches = true}, false);
}
TEST_CASE("rows agree with cells: epochs that are drawn ahead") {
  compare(13001, 100, {.workers = 2, .epochs_at_once = 8}, true);
}

namespace {

// The positions from rank `first` on make one access each, side by side from `base` on. Were they proved (and
// recorded)?
bool side_by_side(world& w, int first, std::uint32_t positions, std::uintptr_t base, bool write, std::uintptr_t pc) {
  simt::sim::gathered_batch b;
  b.first = &w.t(0, first);
  b.width = 32;
  b.count = 1;
  b.entries.resize(2);
  b.stacks.resize(1);
  b.entries[0].pc = pc;
  b.entries[0].stride = 4;
  b.facts[0].base = base;
  b.facts[0].size = 4;
  b.facts[0].write = write;
  batch_checker& judge = batch_checker::of_this_thread();
  if (judge.prove(b, 0, positions, positions) != positions) return false;
  judge.commit(b, positions, 0);
  return true;
}

}  // namespace

TEST_CASE("rows: a batch may read what its own threads have written since the barrier, and nobody else's") {
  for (const int reader : {16, 0}) {
    world w;
    w.launch(1, 32);
    REQUIRE(side_by_side(w, 0, 32, w.tile(0), true, 0x600));
    w.rd(0, 0, w.tile(0));  // now the block knows the epoch
    CHECK(!in_cells(w.d.core().shadow.row_of(w.tile(0) + 64)->writer));
    CHECK(side_by_side(w, reader, 16, w.tile(0) + 64, false, 0x700) == (reader == 16));
    CHECK(w.found() == "");
  }
}

TEST_CASE("rows: blocks whose threads differ do not join in one summary") {
  world w;
  const std::uintptr_t x = w.buffer("x", 64);
  w.launch(2, 32);
  for (const int block : {0, 1}) {
    simt::sim::gathered_batch b;  // 16 threads read all words of a row, one by one
    b.first = &w.t(block, block * 16);
    b.width = 32;
    b.count = 16;
    b.entries.resize(17);
    b.facts.resize(17);
    b.stacks.resize(1);
    for (std::size_t k = 0; k < 16; ++k) {
      b.entries[k].pc = 0x600;
      b.facts[k].base = x + k * 4;
      b.facts[k].size = 4;
    }
    batch_checker& judge = batch_checker::of_this_thread();
    REQUIRE(judge.prove(b, 0, 16, 16) == 16);
    judge.commit(b, 16, 0);
    CHECK(in_cells(w.d.core().shadow.row_of(x)->writer) == (block == 1));
  }
  detector_core& d = w.d.core();
  std::vector<std::uint32_t> readers[2];
  for (shadow_word rest = readers_of(d.shadow.look(x + 4)); const shadow_word group = next_group(d.epochs, rest, 1);)
    d.sets.any(who_of(group),
               [&](std::uint32_t rank) { return readers[d.epochs[epoch_of(group)].block].push_back(rank), false; });
  for (const std::uint32_t block : {0U, 1U}) {
    CHECK(readers[block].size() == 16);
    CHECK(std::all_of(readers[block].begin(), readers[block].end(), [&](auto rank) { return rank / 16 == block; }));
  }
  CHECK(w.found() == "");
}

TEST_CASE("lines: each word has the threads that read it, whatever other lines did") {
  world w;
  const std::uintptr_t x = w.buffer("x", 64);
  w.launch(1, 64);
  for (const int block : {0, 1, 2}) {
    if (block > 0) w.blocks.push_back(&w.d.block_begin(*w.l, block, {block, 0, 0}, block, {w.tile(block), 1024}));
    simt::sim::gathered_batch b;  // 8 rows of 8 threads read a word each, of block 1 without one thread
    b.first = &w.t(block, 0);
    b.width = 8;
    b.in_rows = true;
    b.count = 1;
    b.entries.resize(2);
    b.stacks.resize(1);
    b.entries[0].pc = 0x600;
    b.facts[0].base = x;
    b.facts[0].row_stride = 4;
    b.facts[0].size = 4;
    if (block == 1) {
      b.some.resize(1);
      b.some[0].reset(64, true);
      b.some[0].invert();
      b.some[0].add(0, 43), b.some[0].add(44, 64);
      b.facts[0].some = 1;
    }
    batch_checker& judge = batch_checker::of_this_thread();
    REQUIRE(judge.prove(b, 0, 64, 64) == 64);
    judge.commit(b, 64, 0);
  }
  detector_core& d = w.d.core();
  for (std::uint32_t row = 0; row < 8; ++row) {
    std::vector<std::uint32_t> readers[3];
    for (shadow_word rest = readers_of(d.shadow.look(x + row * 4));
         const shadow_word group = next_group(d.epochs, rest, 1);)
      d.sets.any(who_of(group),
                 [&](std::uint32_t rank) { return readers[d.epochs[epoch_of(group)].block].push_back(rank), false; });
    for (const std::uint32_t block : {0U, 1U, 2U}) {
      std::vector<std::uint32_t> expected;
      for (std::uint32_t rank = row * 8; rank < row * 8 + 8; ++rank)
        if (block != 1 || rank != 43) expected.push_back(rank);
      CHECK(readers[block] == expected);
    }
  }
  CHECK(w.found() == "");
}

namespace {

// 32 threads from rank `first` on touch a member of three words each: of neighbouring elements from `base` on. Were
// they proved (and recorded)?
bool members(world& w, int first, std::uintptr_t base, int member, bool write, std::uintptr_t pc) {
  simt::sim::gathered_batch b;
  b.first = &w.t(0, first);
  b.width = 64;
  b.count = 1;
  b.entries.resize(2);
  b.stacks.resize(1);
  b.entries[0].pc = pc;
  b.entries[0].stride = 12;
  b.facts[0].base = base + static_cast<std::uintptr_t>(member) * 4;
  b.facts[0].size = 4;
  b.facts[0].write = write;
  batch_checker& judge = batch_checker::of_this_thread();
  if (judge.prove(b, 0, 32, 32) != 32) return false;
  judge.commit(b, 32, 0);
  return true;
}

struct three_words : world {
  std::uintptr_t x = buffer("x", 96);
  three_words() { launch(1, 64); }
  bool is_laid_out() { return simt::check::is_laid_out(d.core().shadow.row_of(x + 64)->writer); }
};

}  // namespace

TEST_CASE("rows of structures: who has read a member races with its writer") {
  three_words w;
  REQUIRE(members(w, 0, w.x, 1, false, 0x600));
  CHECK(w.is_laid_out());
  CHECK(!members(w, 32, w.x, 1, true, 0x700));
  CHECK(members(w, 32, w.x, 2, true, 0x800));
}

TEST_CASE("rows of structures: a member's readers are all kept") {
  three_words w;
  REQUIRE(members(w, 0, w.x, 1, false, 0x600));
  REQUIRE(members(w, 32, w.x, 1, false, 0x700));
  w.wr(0, 32 + 10, w.x + 10 * 12 + 4, 1);
  CHECK(w.found() != "");
}

TEST_CASE("rows of structures: what a thread has written is its own, and nobody else's") {
  for (const bool own : {true, false}) {
    three_words w;
    REQUIRE(members(w, 0, w.x, 1, true, 0x600));
    w.rd(0, 0, w.x + 4);  // now the block knows the epoch
    CHECK(w.is_laid_out());
    CHECK(members(w, own ? 0 : 32, w.x, 1, false, 0x700) == own);
    CHECK(w.found() == "");
  }
}
