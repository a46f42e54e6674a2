// SPDX-License-Identifier: Apache-2.0
// Batches of which each row of the block touches a few words, apart from the next row's (batch_short_rows.cpp): what
// the cells say of them afterwards, word by word, and what is not proved. rows_test has random ones.
#include <doctest/doctest.h>

#include "sim/check/batch_checker.hpp"
#include "sim/check/core.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

constexpr std::uint32_t kWidth = 4, kRows = 4;
constexpr std::size_t kWords = 4096;  // four pages

struct tiles : world {
  std::uintptr_t x = buffer("x", kWords);
  // All words stand in cells, written by an earlier launch; the last launch is of one block.
  tiles() {
    launch(1, 32);
    for (std::uintptr_t i = 0; i < kWords; ++i) wr(0, static_cast<int>(i % 32), x + 4 * i, 1, 0x100);
    launch(1, 32);
  }
  // Rows of four threads from `base` on, `pitch` apart, from thread `from` to before `to`.
  bool access(std::uintptr_t base, std::intptr_t pitch, bool write, std::uint32_t from = 0,
              std::uint32_t to = kWidth * kRows) {
    simt::sim::gathered_batch b;
    b.first = &t(0, 0);
    b.width = kWidth;
    b.in_rows = true;
    b.count = 1;
    b.entries.resize(2);
    b.stacks.resize(1);
    b.entries[0].pc = 0x600;
    b.entries[0].stride = 4;
    b.facts[0].base = base;
    b.facts[0].row_stride = pitch;
    b.facts[0].size = 4;
    b.facts[0].write = write;
    b.some.resize(1);
    b.some[0].reset(kWidth * kRows, false);
    b.some[0].add(from, to);
    b.facts[0].some = 1;
    batch_checker& judge = batch_checker::of_this_thread();
    if (judge.prove(b, 0, kWidth * kRows, kWidth * kRows) != kWidth * kRows) return false;
    judge.commit(b, kWidth * kRows, 0);
    return true;
  }
  std::uintptr_t pc_of(shadow_word w) { return d.core().epochs[epoch_of(w)].pc; }
};

}  // namespace

TEST_CASE("rows of few threads: each word is its own thread's") {
  // Rows of one page; of pages, which the first one's end and the second's beginning meet in; the other way round.
  const std::pair<std::uintptr_t, std::intptr_t> places[] = {{0, 64}, {16, 80}, {4096 - 8, 1024}, {4096 * 3, -1028}};
  for (const auto& [base, pitch] : places)
    for (const bool write : {true, false})
      for (const std::uint32_t from : {0U, 2U, 5U}) {
        tiles w;
        const std::uint32_t to = from == 0 ? kWidth * kRows : 14;
        CAPTURE(base);
        CAPTURE(write);
        CAPTURE(from);
        w.rd(0, 31, w.x + 4 * 777);  // of no row
        REQUIRE(w.access(w.x + base, pitch, write, from, to));
        for (std::size_t i = 0; i < kWords; ++i) {
          std::uint32_t rank = kWidth * kRows;
          for (std::uint32_t r = from; r < to; ++r)
            if (static_cast<std::intptr_t>(4 * i) == static_cast<std::intptr_t>(base) +
                                                         static_cast<std::intptr_t>(r / kWidth) * pitch +
                                                         static_cast<std::intptr_t>(4 * (r % kWidth)))
              rank = r;
          const cell c = w.d.core().shadow.look(w.x + 4 * i);
          const bool mine = rank < kWidth * kRows;
          const shadow_word written = c.writer, read = readers_of(c);
          if (who_of(written) != (mine && write ? rank : i % 32) ||
              w.pc_of(written) != (mine && write ? 0x600U : 0x100U) || (read != 0) != ((mine && !write) || i == 777) ||
              (mine && !write && (who_of(read) != rank || w.pc_of(read) != 0x600)))
            FAIL_CHECK("word " << i << " says another thing");
        }
        CHECK(w.found() == "");
      }
}

TEST_CASE("rows of few threads: what one word says counts") {
  for (const std::uint32_t rank : {0U, 6U, 15U})
    for (const bool other_writes : {true, false})
      for (const bool write : {true, false}) {
        tiles w;
        const std::uintptr_t at = w.x + 256 * (rank / kWidth) + 4 * (rank % kWidth);
        other_writes ? w.wr(0, 31, at, 2) : w.rd(0, 31, at);
        CHECK(w.access(w.x, 256, write) == (!other_writes && !write));
        CHECK(w.found() == "");
      }
}

TEST_CASE("rows of few threads: who has read a word is forgotten when it is written") {
  tiles w;
  w.rd(0, 3, w.x + 12);
  w.launch(1, 32);
  REQUIRE(w.access(w.x, 256, true));
  CHECK(readers_of(w.d.core().shadow.look(w.x + 12)) == 0);
  w.launch(1, 32);
  REQUIRE(w.access(w.x, 256, false));
  CHECK(!w.access(w.x + 4, 256, true));
  CHECK(w.access(w.x, 256, true));
  CHECK(w.found() == "");
}
