// SPDX-License-Identifier: Apache-2.0
// A loop that is told in short counts exactly as one that is told turn by turn: random loops, both ways.
#include <doctest/doctest.h>

#include <random>

#include "counted_numbers.hpp"
#include "sim/profile/block_counts.hpp"

using namespace simt::profile;

namespace {

struct moving {
  step first;                           // of lane 0, in the first turn
  std::vector<std::uintptr_t> of_lane;  // beyond that
  std::intptr_t move;                   // each turn
  std::vector<std::intptr_t> more;      // beyond that, of a lane; empty: all move alike
  std::uintptr_t address(std::uint32_t lane, std::uint64_t turn) const {
    const std::intptr_t by = move + (more.empty() ? 0 : more[lane]);
    return first.address + of_lane[lane] + turn * static_cast<std::uintptr_t>(by);
  }
};
struct loop {
  std::vector<moving> accesses;
  std::vector<std::uint64_t> turns;  // by lane
};

class counted {
 public:
  counted() {
    simt::sim::event::block b;
    b.threads = kLanes;
    counts_.begin(b);
  }
  void access(std::uint32_t lane, const moving& m, std::uint64_t turn) {
    step s = m.first;
    s.address = m.address(lane, turn);
    counts_.add(lane, 1, s);
  }
  void note(std::uint32_t lane, operation what, std::uintptr_t number) {
    counts_.add(lane, 1, {1, number, 0, 4, what});
  }
  void turn_by_turn(const loop& l) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      for (std::uint64_t t = 0; t < l.turns[lane]; ++t) {
        note(lane, operation::marker, 7);
        for (const moving& m : l.accesses) access(lane, m, t);
      }
  }
  void in_short(const loop& l) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (l.turns[lane] == 0) continue;
      note(lane, operation::turns, l.turns[lane]);
      note(lane, operation::marker, 7);
      for (const moving& m : l.accesses) access(lane, m, 0);
      note(lane, operation::second_turn, 0);
      for (const moving& m : l.accesses) access(lane, m, l.turns[lane] > 1 ? 1 : 0);
      note(lane, operation::loop_ends, 0);
    }
  }
  // The same for all lanes at once, as batches of neighbours are.
  void in_short_by_strands(const loop& l, std::uint32_t width) {
    const auto all = [&](std::uint32_t first, std::uintptr_t number, operation what) {
      counts_.add(first, width, {1, number, 0, 4, what});
    };
    for (std::uint32_t first = 0; first < kLanes; first += width) {
      const auto accesses = [&](std::uint64_t turn) {
        for (const moving& m : l.accesses) {
          step s = m.first;
          s.address = m.address(first, turn);
          s.stride = static_cast<std::intptr_t>(m.address(first + 1, turn) - s.address);
          counts_.add(first, width, s);
        }
      };
      all(first, l.turns[first], operation::turns);
      all(first, 7, operation::marker);
      accesses(0);
      all(first, 0, operation::second_turn);
      accesses(l.turns[first] > 1 ? 1 : 0);
      all(first, 0, operation::loop_ends);
    }
  }
  // What follows it, which may go on with its last instruction.
  void behind(std::uintptr_t site, const moving& m, std::uint64_t turn) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      step s = m.first;
      s.site = site;
      s.address = m.address(lane, turn) + s.size;
      counts_.add(lane, 1, s);
    }
  }
  counted_numbers all() {
    counts_.all_wait();
    return all_numbers(counts_.sites, counts_.runs);
  }

 private:
  block_counts counts_;
};

constexpr std::intptr_t kMoves[] = {0, 1, 2, 4, 8, 12, 16, 32, 64, 128, 132, 4096, -4, -32};
constexpr std::uint32_t kSizes[] = {1, 2, 4, 4, 4, 8, 16};
constexpr operation kOperations[] = {operation::global_load, operation::global_store, operation::shared_load,
                                     operation::shared_store, operation::shared_load};

class chance {
 public:
  explicit chance(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  template <class T, std::size_t N>
  T one_of(const T (&all)[N]) {
    return all[below(N)];
  }

 private:
  std::mt19937_64 engine_;
};

loop random_loop(chance& c, bool same_turns, bool in_strands, std::uint32_t width) {
  loop l;
  const std::uint64_t turns = 1 + c.below(c.below(3) == 0 ? 3 : 40);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) l.turns.push_back(same_turns ? turns : c.below(turns + 1));
  for (std::uintptr_t k = 0, n = c.below(4); k < n; ++k) {
    moving m;
    const std::uint32_t size = c.one_of(kSizes);
    m.first = {100 + k, 0x100000 + size * c.below(64), 0, size, c.one_of(kOperations)};
    m.move = c.one_of(kMoves) * static_cast<std::intptr_t>(size);
    if (k > 0 && c.below(2) == 0) {  // side by side with the one before
      m = l.accesses.back();
      m.first.site = 100 + k;
      m.first.address += m.first.size;
      if (c.below(2) == 0) m.move = c.one_of(kMoves) * static_cast<std::intptr_t>(size);
    } else {
      const std::intptr_t stride = c.one_of(kMoves) * static_cast<std::intptr_t>(size);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t at = in_strands ? lane % width : lane;
        m.of_lane.push_back(static_cast<std::uintptr_t>(stride * static_cast<std::intptr_t>(at)) +
                            (in_strands ? lane / width * 256 : 0));
      }
    }
    if (!in_strands && m.more.empty() && c.below(6) == 0)
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        m.more.push_back(static_cast<std::intptr_t>(size * c.below(3)));
    if (in_strands && m.more.empty() && c.below(6) == 0)  // the first lane moves as if all did
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        m.more.push_back(static_cast<std::intptr_t>(size * (lane % width)));
    l.accesses.push_back(std::move(m));
  }
  return l;
}

}  // namespace

TEST_CASE("loops in short count as loops turn by turn") {
  for (unsigned seed = 0; seed < 3000; ++seed) {
    chance c(seed);
    const bool in_strands = c.below(2) == 0, same_turns = in_strands || c.below(2) == 0;
    const std::uint32_t width = c.below(2) == 0 ? 32 : 16;
    const loop l = random_loop(c, same_turns, in_strands, width);
    const bool goes_on = !l.accesses.empty() && same_turns && c.below(2) == 0;
    counted whole, in_short;
    whole.turn_by_turn(l);
    in_strands ? in_short.in_short_by_strands(l, width) : in_short.in_short(l);
    if (goes_on)
      for (counted* one : {&whole, &in_short}) one->behind(300, l.accesses.back(), l.turns[0] - 1);
    CAPTURE(seed);
    CHECK(whole.all() == in_short.all());
  }
}
