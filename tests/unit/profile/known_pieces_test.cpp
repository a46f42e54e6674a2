// SPDX-License-Identifier: Apache-2.0
// A piece that comes again, moved, counts as if it had been counted anew; and it is known again where it may be.
#include <doctest/doctest.h>

#include <random>

#include "counted_numbers.hpp"
#include "sim/profile/block_counts.hpp"

using namespace simt::profile;

namespace {

constexpr std::uint32_t kThreads = 64, kWidth = 16;

// One step of all threads, at addresses that are linear in the thread's place in its row and in the row.
struct entry {
  step did;
  std::intptr_t row_stride = 0;
  std::vector<std::uintptr_t> moved;  // of each range of threads
};
struct piece {
  std::vector<std::uint32_t> ends;  // of the ranges of threads, which come one after the other
  std::vector<entry> entries;
};

template <class Add>
void tell(const piece& p, Add&& add) {
  std::uint32_t first = 0;
  for (std::size_t r = 0; r < p.ends.size(); ++r) {
    for (const entry& e : p.entries) {
      told_step t{e.did, first, p.ends[r] - first, 0, e.row_stride};
      if (e.did.what < operation::marker) {
        const std::uint32_t row = first / kWidth, column = first % kWidth;
        t.did.address += e.moved[r] + static_cast<std::uintptr_t>(e.row_stride * static_cast<std::intptr_t>(row) +
                                                                  e.did.stride * static_cast<std::intptr_t>(column));
        t.width = kWidth;
      }
      add(t);
    }
    first = p.ends[r];
  }
}

struct fresh_block : block_counts {
  fresh_block() {
    simt::sim::event::block b;
    b.threads = kThreads;
    begin(b);
  }
};

class chance {
 public:
  explicit chance(unsigned seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::mt19937_64 engine_;
};

step marker(std::uintptr_t number) { return {number, number, 0, 4, operation::marker}; }

piece random_piece(chance& c) {
  piece p;
  for (std::uint32_t end = 0; end < kThreads;) {
    end = c.one_in(2) ? kThreads : end + 1 + static_cast<std::uint32_t>(c.below(kThreads - end));
    p.ends.push_back(end);
  }
  const std::vector<std::uintptr_t> still(p.ends.size(), 0);
  constexpr std::uint32_t kSizes[] = {1, 4, 4, 8, 16};
  constexpr std::intptr_t kStrides[] = {0, 1, 1, 2, 7, 32};
  std::uintptr_t site = 100;
  const auto access = [&]() -> entry {
    const auto is = [&](std::size_t back, operation o) {
      return back <= p.entries.size() && p.entries[p.entries.size() - back].did.what == o;
    };
    // Behind a loop whose second turn told nothing, its last access is that of the first.
    const std::size_t last = is(1, operation::loop_ends) && is(2, operation::second_turn) ? 3 : 1;
    if (last <= p.entries.size() && p.entries[p.entries.size() - last].did.what < operation::marker && c.one_in(2)) {
      entry e = p.entries[p.entries.size() - last];  // side by side with the one before
      e.did.site = site++, e.did.address += e.did.size;
      return e;
    }
    const std::uint32_t size = kSizes[c.below(std::size(kSizes))];
    const auto of = [&](std::size_t i) { return kStrides[i] * static_cast<std::intptr_t>(size); };
    return {{site++, 0x100000 + c.below(64) * size, of(c.below(std::size(kStrides))), size,
             static_cast<operation>(c.below(6))},
            of(c.below(std::size(kStrides))) * 16,
            still};
  };
  for (std::uintptr_t n = 1 + c.below(6), k = 0; k < n; ++k) {
    if (c.one_in(2)) p.entries.push_back({marker(k + 1), 0, still});
    if (!c.one_in(4)) {
      p.entries.push_back(access());
      continue;
    }
    p.entries.push_back({{site++, 2 + c.below(20), 0, 4, operation::turns}, 0, still});
    p.entries.push_back({marker(k + 1), 0, still});
    const std::size_t from = p.entries.size(), accesses = 1 + c.below(2);
    for (std::size_t a = 0; a < accesses; ++a) p.entries.push_back(access());
    p.entries.push_back({{site++, 0, 0, 4, operation::second_turn}, 0, still});
    for (std::size_t a = 0, told = c.one_in(5) ? 0 : accesses; a < told; ++a) {  // none: its addresses stay
      entry e = p.entries[from + a];
      e.did.site = site++, e.did.address += 4 * c.below(17);
      p.entries.push_back(e);
    }
    p.entries.push_back({{site++, 0, 0, 4, operation::loop_ends}, 0, still});
  }
  return p;
}

// The same piece elsewhere: mostly by whole sectors, and together.
piece moved(const piece& p, chance& c) {
  piece out = p;
  const bool apart = c.one_in(3), by_words = c.one_in(6), in_ranges = c.one_in(6), other_turns = c.one_in(8),
             other_strides = c.one_in(8);
  const std::uintptr_t all = 32 * c.below(8);
  for (entry& e : out.entries) {
    const std::uintptr_t by = (apart ? 32 * c.below(3) : all) + (by_words ? 4 * c.below(2) : 0);
    for (std::uintptr_t& m : e.moved) m += by + (in_ranges ? 32 * c.below(2) : 0);
    if (other_strides && c.one_in(2))
      e.did.stride += static_cast<std::intptr_t>(e.did.what < operation::marker ? e.did.size : 0);
    if (other_turns && e.did.what == operation::turns) e.did.address += c.below(2);
  }
  return out;
}

}  // namespace

TEST_CASE("pieces that come again count as they would anew") {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    chance c(seed);
    const piece first = random_piece(c);
    fresh_block one;
    site_table sites;
    run_table runs;
    for (int turn = 0; turn < 6; ++turn) {
      const piece now = turn == 0 ? first : moved(first, c);
      fresh_block anew;
      tell(now, [&](const told_step& t) { one.add(t), anew.add(t); });
      one.all_wait();
      anew.all_wait();
      anew.sites.each([&](const place& p, const tally& t) { sites[p] += t; });
      for (const auto& [key, t] : anew.runs) runs[key] += t;
    }
    CAPTURE(seed);
    CHECK(all_numbers(one.sites, one.runs) == all_numbers(sites, runs));
  }
}

namespace {

// Whether the second piece is known by the first. Steps a and b of it move together.
bool is_known(const std::vector<told_step>& first, const std::vector<told_step>& second) {
  known_pieces k;
  k.begin();
  for (const told_step& t : first) CHECK(k.note(t));
  CHECK(k.find() == nullptr);
  k.learn({}, {});
  k.begin();
  for (const told_step& t : second) CHECK(k.note(t));
  return k.find() != nullptr;
}
told_step load(std::uintptr_t site, std::uintptr_t address, std::uint32_t first = 0, std::uint32_t count = 32) {
  return {{site, address, 4, 4, operation::global_load}, first, count};
}

}  // namespace

TEST_CASE("what is known again") {
  const std::vector<told_step> two{load(1, 0x1000, 0, 1), load(1, 0x1004, 1, 31), load(2, 0x2000)};
  CHECK(is_known(two, two));
  CHECK(is_known(two, {load(1, 0x1020, 0, 1), load(1, 0x1024, 1, 31), load(2, 0x5000)}));
  CHECK(!is_known(two, {load(1, 0x1010, 0, 1), load(1, 0x1014, 1, 31), load(2, 0x2000)}));
  CHECK(!is_known(two, {load(1, 0x1020, 0, 1), load(1, 0x1044, 1, 31), load(2, 0x2000)}));
  CHECK(!is_known(two, {load(1, 0x1000, 0, 1), load(1, 0x1004, 1, 30), load(2, 0x2000)}));
  CHECK(!is_known(two, {load(1, 0x1000, 0, 1), load(1, 0x1004, 1, 31)}));
  CHECK(!is_known({{marker(3), 0, 32}}, {{marker(4), 0, 32}}));
  const auto update = [](std::uintptr_t at) { return told_step{{1, at, 4, 4, operation::global_reduction}, 0, 32}; };
  CHECK(is_known({update(0x1000)}, {update(0x1000)}));
  CHECK(!is_known({update(0x1000)}, {update(0x1080)}));  // another set of tags
}

TEST_CASE("pieces that do not come again are given up") {
  known_pieces k;
  for (std::uintptr_t n = 0; n < 1000 && (k.begin(), k.follows()); ++n) {
    CHECK(k.note({marker(n), 0, 32}));
    CHECK(k.find() == nullptr);
    k.learn({}, {});
  }
  CHECK(!k.follows());
}

TEST_CASE("a piece of many steps is counted step by step") {
  fresh_block one;
  constexpr std::uintptr_t kMany = 10000;
  for (std::uintptr_t n = 0; n < kMany; ++n) one.add(load(1, 0x1000 + 128 * n));
  one.all_wait();
  CHECK(one.sites[{1, operation::global_load}].executions == kMany);
  CHECK(one.sites[{1, operation::global_load}].cost == 4 * kMany);
}

TEST_CASE("lanes that wait apart are counted apart") {
  fresh_block one;
  one.add(load(1, 0x1000));
  one.warp_waits(0, 0xffff);
  one.all_wait();
  CHECK(one.sites[{1, operation::global_load}].executions == 2);
}

TEST_CASE("swaps in shared memory are no part of an instruction, and lanes of one word take turns") {
  fresh_block one;
  for (std::uintptr_t at = 0; at < 2; ++at)  // side by side, as the pieces of a load
    one.add({{2 + at, 0x1000 + 4 * at, 0, 4, operation::shared_swap}, 0, kLanes});
  one.all_wait();
  CHECK(one.runs.empty());
  for (const std::uintptr_t site : {2, 3}) CHECK(one.sites[{site, operation::shared_swap}].cost == 2 * kLanes);
}
