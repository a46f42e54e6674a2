// SPDX-License-Identifier: Apache-2.0
// Additions that a log has (sim/check/quick_additions.hpp), and the summaries by which accesses are not
// compared with what is ordered before all threads (cell_summary.hpp): nothing that can race is lost.
#include <doctest/doctest.h>

#include <utility>

#include "sim/check/core.hpp"
#include "sim/check/quick_additions.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr int kBlocks = 6, kThreads = 40;
constexpr std::uintptr_t kFirst = 0x30, kAdds = 0x40, kOther = 0x50, kLater = 0x60;

struct sum_world : world {
  std::uintptr_t sum;
  const int first = d.new_stream("first"), second = d.new_stream("second");
  explicit sum_world(std::uint32_t longest_chain = 128, int workers = 1) : world(options_with(longest_chain, workers)) {
    sum = buffer("sum", 4);
    launch(kBlocks, kThreads, first);
  }
  static options options_with(std::uint32_t longest_chain, int workers) {
    options o = with(4096, false, workers);
    o.longest_chain = longest_chain;
    return o;
  }
  void add(int block, int rank, std::uintptr_t pc = kAdds, scope s = scope::device, std::uint32_t size = 4) {
    atomic_section lock(t(block, rank), sum, size);
    atomic(t(block, rank), sum, size, atomic_op::rmw, order::relaxed, s, pc);
  }
  // As the only worker tells of it before it does it. Is it in the log?
  bool tell(int block, int rank, std::uintptr_t pc = kAdds, scope s = scope::device, std::uint32_t size = 4) {
    return addition_by_only_worker(t(block, rank), sum, size, s, pc);
  }
  void add_all(std::uint32_t size = 4) {
    add(0, 0, kFirst, scope::device, size);
    for (int b = 0; b < kBlocks; ++b)
      for (int r = 0; r < kThreads; ++r) add(b, r, kAdds, scope::device, size);
  }
  void meet() { blocks_sync(blocks); }
  slow_cell& cell_at(std::uintptr_t address) { return slow_cell_of(d.core().shadow.cell_of(address)->writer); }
  // How many additions the log has.
  std::size_t logged() {
    const cell& c = *d.core().shadow.cell_of(sum);
    return readers_of(c) == 0 ? 0 : chain_length(c.writer);
  }
  // How many findings show the line `pc`.
  int shown(std::uintptr_t pc) {
    int n = 0;
    for (const finding& f : d.findings())
      for (const auto& a : f.accesses) n += a.pc == pc;
    return n;
  }
};

}  // namespace

TEST_CASE("additions: a log has them, and nothing is found") {
  for (const std::uint32_t size : {4U, 8U}) {
    sum_world w;
    w.add_all(size);
    CHECK(w.logged() > 0);
    CHECK(w.found() == "");
  }
}
TEST_CASE("additions: the only worker tells of them before it does them") {
  for (const std::uint32_t size : {4U, 8U})
    for (const bool read : {false, true}) {
      sum_world w;
      CHECK_FALSE(w.tell(0, 0, kFirst, scope::device, size));  // nobody has opened the word
      w.add(0, 0, kFirst, scope::device, size);
      for (int r = 1; r < 20; ++r) CHECK(w.tell(1, r, kAdds, scope::device, size));
      CHECK(w.logged() == 19);
      for (int r = 0; r < kThreads; ++r)  // until the chain is long
        if (!w.tell(2, r, kAdds, scope::device, size)) w.add(2, r, kAdds, scope::device, size);
      if (read) w.rd(2, 9, w.sum, kOther);
      for (const auto pc : {kAdds, kOther}) CHECK((w.shown(pc) > 0) == read);
    }
}
TEST_CASE("additions: what is not like those in the log is not told before it is done") {
  sum_world w;
  w.add(0, 0, kFirst);
  for (const scope s : {scope::block, scope::system}) CHECK_FALSE(w.tell(1, 1, kAdds, s));
  CHECK((!w.tell(1, 1, kAdds, scope::device, 8) && w.tell(1, 1)));
  fence(w.t(1, 1), order::release, scope::device);
  CHECK((!w.tell(1, 1) && w.tell(1, 2)));  // it may pass something on
  w.rd(2, 9, w.sum, kOther);
  CHECK_FALSE(w.tell(1, 2));  // somebody has read it
  sum_world two(128, 2);
  two.add_all();
  CHECK_FALSE(two.tell(1, 1));  // there are several workers
}
TEST_CASE("additions: a plain read beside them, by a thread of another block or of the same") {
  for (const int block : {0, kBlocks - 1})
    for (const std::uint32_t most : {1U, 7U, 128U}) {
      sum_world w(most);
      w.add(0, 0, kFirst);
      w.add(kBlocks - 1, 3);
      w.add(kBlocks - 1, 4);
      CHECK((w.logged() > 0) == (most > 1));
      w.rd(block, 9, w.sum, kOther);
      CHECK(w.shown(kAdds) > 0);
      CHECK(w.shown(kOther) > 0);
    }
}
TEST_CASE("additions: whose chain was full are found as well") {
  sum_world w(8);
  w.add(0, 0, kFirst);
  w.add(1, 1, kAdds);
  for (int b = 2; b < kBlocks; ++b)
    for (int r = 0; r < kThreads; ++r) w.add(b, r, kLater);
  w.rd(0, 0, w.sum, kOther);
  CHECK(w.shown(kAdds) > 0);
}
TEST_CASE("additions: one more beside a plain read") {
  sum_world w;
  w.add_all();
  w.rd(2, 9, w.sum, kOther);
  w.add(3, 3, kLater);
  CHECK(w.shown(kLater) > 0);
}
TEST_CASE("additions: one more beside a plain write") {
  sum_world w;
  w.add_all();
  w.meet();
  w.wr(2, 9, w.sum, 0, kOther);
  CHECK(w.shown(kOther) == 0);
  w.add(2, 9, kFirst);
  CHECK(w.shown(kOther) == 0);
  w.add(3, 3, kLater);
  CHECK(w.shown(kLater) > 0);
}
TEST_CASE("additions: a narrower scope, and another size") {
  for (const bool narrow : {true, false}) {
    sum_world w;
    w.add_all();
    w.add(4, 4, kOther, narrow ? scope::block : scope::device, narrow ? 4 : 8);
    CHECK(w.shown(kOther) > 0);
    CHECK(w.shown(kAdds) > 0);
    CHECK(w.found().find(narrow ? "race-scope sum" : "race-global sum") == 0);
  }
}
TEST_CASE("additions: one of a wider scope, or of another size, does not take the place of others") {
  for (const auto& [s, size] : {std::pair{scope::system, 4U}, std::pair{scope::device, 8U}})
    for (const bool others : {true, false}) {
      sum_world w;
      w.add(1, 0, kFirst);
      if (others) w.add(0, 0, kAdds);
      w.add(1, 0, kLater, s, size);
      w.rd(1, 0, w.sum, kOther);
      CHECK((w.shown(kOther) > 0) == others);
    }
}
TEST_CASE("additions: read after a barrier of the grid, or of the block only") {
  for (const bool grid : {true, false}) {
    sum_world w;
    w.add_all();
    grid ? w.meet() : block_barrier(*w.blocks[1]);
    for (int r = 0; r < kThreads; ++r) w.rd(1, r, w.sum, kOther);
    CHECK((w.shown(kAdds) > 0) == !grid);
  }
}
TEST_CASE("additions: round after round with a barrier of the grid") {
  sum_world w;
  for (int round = 0; round < 200; ++round) {
    w.add_all();
    w.meet();
    for (int b = 0; b < kBlocks; ++b)
      for (int r = 0; r < kThreads; ++r) w.rd(b, r, w.sum, kOther);
    w.meet();
  }
  CHECK(w.cell_at(w.sum).records.size() <= 512);
  CHECK(w.found() == "");
}
TEST_CASE("additions: what a barrier of the grid has ordered still races with another stream") {
  for (const bool other : {true, false})
    for (const bool reads : {true, false}) {
      sum_world w;
      w.add_all();
      w.meet();
      for (int b = 0; b < kBlocks; ++b) w.rd(b, 0, w.sum, kOther);
      w.meet();
      w.launch(1, 1, other ? w.second : w.first);
      reads ? w.rd(0, 0, w.sum, kLater) : w.wr(0, 0, w.sum, 1, kLater);
      w.end();
      CHECK((w.shown(kLater) > 0) == other);
      CHECK((w.shown(kAdds) > 0) == other);
    }
}
TEST_CASE("additions: an addition after the barrier of the grid, and a read beside it") {
  sum_world w;
  w.add_all();
  w.meet();
  w.rd(1, 1, w.sum, kOther);
  w.meet();
  w.add(2, 2, kLater);
  w.rd(3, 3, w.sum, kOther);
  CHECK(w.shown(kLater) > 0);
  CHECK(w.shown(kAdds) == 0);
}
TEST_CASE("additions: those after the barrier of the grid, in a cell that stays open") {
  for (const bool again : {true, false}) {
    sum_world w;
    w.add_all();
    w.meet();
    if (again) w.add(2, 2, kLater);
    w.rd(3, 3, w.sum, kOther);
    CHECK((w.shown(kLater) > 0) == again);
    CHECK(w.shown(kAdds) == 0);
  }
}
TEST_CASE("additions: of a launch that the host has not waited for, after one that it has") {
  for (const bool waits : {true, false}) {
    sum_world w;
    w.add_all();
    w.end();
    w.d.wait(0, w.d.record(w.first));
    w.launch(kBlocks, kThreads, w.first);
    w.add(1, 1, kLater);
    w.add(2, 2, kLater);
    w.end();
    if (waits) w.d.wait(w.second, w.d.record(w.first));
    const int third = w.d.new_stream("third");
    w.launch(1, 1, third);
    w.end();
    w.launch(1, 1, w.second);
    w.rd(0, 0, w.sum, kOther);
    CHECK((w.shown(kLater) > 0) == !waits);
    CHECK(w.shown(kAdds) == 0);
  }
}
TEST_CASE("additions: of a launch that another one does not follow") {
  for (const bool follows : {true, false}) {
    sum_world w;
    w.add(0, 0, kFirst);
    w.add(1, 1, kAdds);
    w.launch(kBlocks, kThreads, follows ? w.first : w.second);
    w.add(1, 1, kLater);
    w.add(2, 2, kLater);
    const int third = w.d.new_stream("third");
    w.end();
    w.d.wait(third, w.d.record(follows ? w.first : w.second));
    w.launch(1, 1, third);
    w.rd(0, 0, w.sum, kOther);
    CHECK((w.shown(kAdds) > 0) == !follows);
    CHECK(w.shown(kLater) == 0);
  }
}
TEST_CASE("additions: launch after launch that the host does not wait for") {
  for (const bool ordered : {true, false}) {
    sum_world w;
    for (int n = 0; n < 10; ++n) {
      w.add_all();
      w.launch(kBlocks, kThreads, ordered || n % 2 == 1 ? w.first : w.second);
    }
    w.add_all();
    CHECK(w.cell_at(w.sum).records.size() < 600);
    w.rd(0, 0, w.sum, kOther);
    CHECK(w.shown(kAdds) > 0);
    w.end();
  }
}
TEST_CASE("additions: of a launch that goes on where an earlier one has added") {
  for (const bool others : {true, false}) {
    sum_world w(2);
    w.add_all();
    w.launch(kBlocks, kThreads, w.first);
    w.add(1, 0);
    w.add(others ? 0 : 1, 0);
    CHECK(w.logged() == 2);
    w.add(1, 0);  // the chain is full: what the log has of this launch becomes records
    w.rd(1, 0, w.sum, kOther);
    CHECK((w.shown(kOther) > 0) == others);
  }
}
TEST_CASE("additions: of two streams, a third reads") {
  for (const int after : {0, 1, 2}) {
    sum_world w;
    const int third = w.d.new_stream("third");
    w.add(0, 0, kFirst);
    w.add(1, 1, kAdds);
    w.launch(kBlocks, kThreads, w.second);
    w.add(0, 0, kFirst);
    w.add(1, 1, kOther);
    w.end();
    if (after >= 1) w.d.wait(third, w.d.record(w.second));
    if (after >= 2) w.d.wait(third, w.d.record(w.first));
    w.launch(1, 1, third);
    w.rd(0, 0, w.sum, kLater);
    w.end();
    CHECK((w.shown(kAdds) > 0) == (after < 2));
    CHECK((w.shown(kOther) > 0) == (after < 1));
  }
}
TEST_CASE("additions: a chain that became records leaves the log to the other chains of its launch") {
  sum_world w;
  const std::uintptr_t other = w.sum + 8;
  const auto add_both = [&](int block) {
    w.add(block, 1);
    const std::uintptr_t sum = std::exchange(w.sum, other);
    w.add(block, 1, block == 0 ? kAdds : kFirst);  // the first one is a record, the log has the others
    w.sum = sum;
  };
  for (int b = 0; b < kBlocks; ++b) add_both(b);
  w.add(0, 1, kOther, scope::block);  // of another kind: what the log has becomes records
  CHECK(w.logged() == 0);
  w.launch(kBlocks, kThreads, w.first);
  w.add_all();
  w.launch(1, 1, w.second);
  w.rd(0, 0, other, kLater);
  w.end();
  CHECK(w.shown(kFirst) > 0);
}
TEST_CASE("additions: before a barrier of the block and after it, only the later ones stay") {
  sum_world w;
  w.add(1, 0, kFirst);
  for (int round = 0; round < 1000; ++round) {
    for (int r = 0; r < kThreads; ++r) w.add(1, r, round == 999 ? kAdds : kOther);
    block_barrier(*w.blocks[1]);
  }
  CHECK(w.cell_at(w.sum).records.size() <= 128);
  w.rd(2, 2, w.sum, kLater);
  CHECK(w.shown(kAdds) > 0);
}
TEST_CASE("additions: a thread with a fence behind it releases by its addition") {
  sum_world w;
  const auto data = w.buffer("data", 4, true, 4096);
  w.add_all();
  w.wr(3, 5, data, 1);
  fence(w.t(3, 5), order::acq_rel, scope::device);
  w.add(3, 5);
  w.add(4, 5);
  fence(w.t(4, 5), order::acq_rel, scope::device);
  w.rd(4, 5, data, kOther);
  CHECK(w.found() == "");
}
TEST_CASE("additions: where something was released, each one takes it over") {
  for (const bool releases : {true, false}) {
    sum_world w;
    const auto data = w.buffer("data", 4, true, 4096);
    w.wr(3, 5, data, 1);
    w.at(3, 5, w.sum, atomic_op::rmw, releases ? order::release : order::relaxed, scope::device);
    for (int b = 1; b < 5; ++b) w.add(b, 1);
    fence(w.t(4, 1), order::acq_rel, scope::device);
    w.rd(4, 1, data, kOther);
    CHECK((w.shown(kOther) > 0) == !releases);
  }
}
TEST_CASE("additions: who added last may reset the sum, another may not") {
  for (const bool last : {true, false}) {
    sum_world w;
    w.add_all();
    w.add(2, 5);
    w.wr(last ? 2 : 3, 5, w.sum, 0, kOther);
    CHECK((w.shown(kOther) > 0) == !last);
  }
}
TEST_CASE("additions: one more by the same line and thread, after the reset of who added last") {
  for (const bool resets : {true, false}) {
    sum_world w;
    w.add(0, 5);
    w.add(3, 5);
    if (resets) w.wr(3, 5, w.sum, 0, kOther);
    w.add(0, 5);
    CHECK((w.shown(kOther) > 0) == resets);
  }
}
TEST_CASE("additions: after the reset of who added last, and a barrier") {
  for (const bool meets : {false, true}) {
    sum_world w;
    w.add(0, 5);
    w.add(3, 5);
    w.wr(3, 5, w.sum, 0, kOther);
    if (meets) w.meet();
    w.add(0, 5);
    w.add(0, 5);
    CHECK((w.shown(kOther) > 0) == !meets);
  }
}
TEST_CASE("additions: the last write of a cell is the last addition that the log has") {
  sum_world w;
  w.add_all();
  w.launch(kBlocks, kThreads, w.first);
  const detector_core& d = w.d.core();
  CHECK(epoch_of(d.forms.last_write(d.shadow.look(w.sum))) < w.l->first_epoch);
  w.add(1, 1);
  w.add(2, 2);
  CHECK(w.logged() == 2);
  CHECK(epoch_of(d.forms.last_write(d.shadow.look(w.sum))) >= w.l->first_epoch);
}
TEST_CASE("additions: to what nothing has written") {
  sum_world w;
  const auto fresh = w.buffer("fresh", 4, false, 4096);
  w.at(0, 0, fresh, atomic_op::rmw, order::relaxed, scope::device);
  CHECK(w.found() == "uninitialized-read fresh");
}
