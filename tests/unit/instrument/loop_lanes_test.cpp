// SPDX-License-Identifier: Apache-2.0
// The batch that stands for a piece's loops (sim/instrument/loop_proofs.hpp), against the same loops run thread by
// thread: random accesses under random conditions. Where the loops may run unwatched, the batch has each access of each
// thread and no other, but for reads of an array that the launch only reads, which were told as a range.
// Long because: the region, what its threads do and what is said of it are held against each other in one place.
// SIMT_LANES_SEEDS: how many regions (default 20000). SIMT_LANES_FIRST: the first seed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include <sim/exec/launch.hpp>
#include <sim/instrument/dispatcher.hpp>
#include <sim/instrument/loop_proofs.hpp>

using namespace simt::sim;

namespace {

constexpr std::int64_t kReadOnly = std::int64_t{1} << 40, kReadOnlyBytes = 1 << 16;

// The bytes of an entry, of the positions that make it: begin and end of each access, in order of the addresses.
std::vector<std::pair<std::uintptr_t, std::uintptr_t>> bytes_of(const gathered_batch& b, std::size_t k,
                                                                std::uint32_t positions) {
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> all;
  b.each_stretch(k, positions, [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i)
      all.emplace_back(b.address_of(k, i), b.address_of(k, i) + b.facts[k].size);
    return true;
  });
  std::ranges::sort(all);
  return all;
}

// What is wrong with a batch that has come again and may have moved: entries of which one writes, and which touch what
// the other does, now or then, have moved together; and shapes with their entries. "": nothing.
std::string compare_with_first(const gathered_batch& first, const gathered_batch& b, std::uint32_t positions) {
  if (first.count != b.count) return "another count of entries";
  for (std::size_t k = 0; k < b.count; ++k) {
    const std::uintptr_t moved = b.facts[k].base - first.facts[k].base;
    if (moved != 0 && b.same == first.same) return "an entry has moved, and the batch has the same number";
    if (b.shape[k].from != first.shape[k].from + moved || b.shape[k].to != first.shape[k].to + moved)
      return "a shape has not moved with its entry";
    for (std::size_t j = 0; j < k; ++j) {
      if (!(b.facts[k].write || b.facts[j].write) || b.facts[j].base - first.facts[j].base == moved) continue;
      const auto meet = [&](const gathered_batch& in) {
        const auto x = bytes_of(in, k, positions), y = bytes_of(in, j, positions);
        for (std::size_t i = 0, o = 0; i < x.size() && o < y.size();) {
          if (x[i].first < y[o].second && y[o].first < x[i].second) return true;
          x[i].second < y[o].second ? ++i : ++o;
        }
        return false;
      };
      if (meet(first) || meet(b)) return "entries that meet have moved apart";
    }
  }
  return "";
}

// Takes every batch as proved, and keeps it.
class keeping_judge final : public consumer, public batch_judge {
 public:
  gathered_batch batch;
  bool asked = false;
  std::map<const gathered_batch*, gathered_batch> first;  // of the region: batches that come again, as they first came
  std::uint64_t moved = 0;
  std::string wrong;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> told;

  batch_judge* judge_of_batches() override { return this; }
  std::uint64_t interval_of(const watched_thread&) override { return 0; }
  std::uint32_t prove(const gathered_batch& b, std::uint32_t, std::uint32_t most, std::uint32_t) override {
    batch = b;
    asked = true;
    if (!b.comes_again) return most;
    if (b.shape.empty()) {
      for (std::size_t k = 0; k < b.count; ++k) b.shape.push_back({b.facts[k].base, b.facts[k].base + 1, 0, false});
      first[&b] = b;
      return most;
    }
    wrong = compare_with_first(first[&b], b, most);
    moved += b.same != first[&b].same;
    return most;
  }
  void commit(const gathered_batch&, std::uint32_t, std::size_t) override {}
  void loops_begin(watched_thread&) override {}
  void loops_wait_at_grid(watched_thread&) override {}
  void ask_read_only(watched_thread&, std::span<const std::uintptr_t>, std::span<quiet_array>, bool) override {}
  bool has_read(watched_thread&, std::uintptr_t from, std::uintptr_t to) override {
    const auto base = static_cast<std::uintptr_t>(kReadOnly);
    if (from < base || to > base + kReadOnlyBytes || from >= to) return false;
    told.emplace_back(from, to);
    return true;
  }
};

using index_values = std::array<std::int64_t, kLoopDimensions>;
struct made_access {
  std::uint32_t rank;
  std::uintptr_t pc, address;
  auto operator<=>(const made_access&) const = default;
};

// A piece of a kernel: what the pass would say of it, and its numbers.
class random_region {
 public:
  explicit random_region(std::uint64_t seed) : random_(seed) {
    block_ = one_of<extent3>({{pick(1, 70), 1, 1},
                              {pick(2, 20), pick(2, 12), 1},
                              {pick(2, 8), pick(2, 6), pick(2, 5)},
                              {1, pick(2, 40), 1},
                              {pick(2, 9), 1, pick(2, 6)}});
    const bool row = block_.y * block_.z == 1;
    if (chance(row ? 30 : 3)) {
      split_ = pick(1, 16);
      if (row && chance(80)) block_.x = split_ * pick(1, 6);
    }
    first_ = row && chance(30) ? pick(0, block_.x - 1) : 0;
    end_ = row && chance(30) ? pick(first_ + 1, block_.x) : block_.x;
    for (int loops = static_cast<int>(pick(0, 2)); loops > 0; --loops) add_loop();
    by_turns_ = chance(20);
    for (int n = static_cast<int>(pick(1, 7)); n > 0; --n) add_condition();
    if (chance(10)) add_guarded_range();
    for (int n = static_cast<int>(pick(1, 5)); n > 0; --n) add_access();
    sites_.resize(accesses_.size());
    for (std::size_t i = 0; i < sites_.size(); ++i) {
      accesses_[i].site = static_cast<std::int32_t>(sites_.size() - 1 - i);
      sites_[sites_.size() - 1 - i] = 0x1000 + 16 * i;
    }
    if (chance(10)) never_.push_back(any_condition());
    if (chance(10)) always_.push_back(any_condition());
    region_ = {.accesses = accesses_.data(),
               .conditions = conditions_.data(),
               .never = never_.data(),
               .always = always_.data(),
               .turns = turns_.data(),
               .sites = sites_.data(),
               .copies = nullptr,
               .access_count = size_of(accesses_),
               .condition_count = size_of(conditions_),
               .never_count = size_of(never_),
               .always_count = size_of(always_),
               .turn_count = size_of(turns_),
               .first = place(first_),
               .end = place(end_),
               .rank = -1,
               .lone = 0,
               .copy_count = 0,
               .split = static_cast<std::int32_t>(split_)};
  }
  const loop_region& region() const { return region_; }
  const std::int64_t* numbers() const { return numbers_.data(); }
  extent3 block() const { return block_; }
  // What addresses and comparisons begin with is another number: as from block to block, or more than that. Addresses
  // that one number begins stay together; others move alike or not.
  void move() {
    const std::int64_t together = 16 * pick(-20, 20);
    const bool slightly = chance(50), alike = chance(60);
    for (loop_access& a : accesses_) {
      std::int64_t& base = numbers_[static_cast<std::size_t>(a.address.base)];
      const std::int64_t by = alike ? together : chance(50) ? 0 : a.size * pick(-40, 40);
      base += chance(3) ? 1 : by;
    }
    for (loop_condition& c : conditions_)
      if (c.test == loop_test::no_bits && chance(50))
        numbers_[static_cast<std::size_t>(c.left.base)] += 16 * pick(-4, 4);
    for (loop_condition& c : conditions_) {
      const bool range = c.test == loop_test::in_range;
      for (const std::int32_t at : {c.left.base, c.right.base, range ? c.a : -1, range ? c.b : -1})
        if (at >= 0 && chance(50)) numbers_[static_cast<std::size_t>(at)] += slightly ? pick(-1, 1) : pick(-20, 20);
    }
  }

  // Calls f(rank, indices) for each thread and turn.
  template <class F>
  void each(F f) const {
    for (std::int64_t z = 0; z < block_.z; ++z)
      for (std::int64_t y = 0; y < block_.y; ++y)
        for (std::int64_t x = first_; x < end_; ++x) {
          index_values v{x, y, z};
          if (split_ > 0) v[0] = x % split_, v[1] = x / split_;
          for (v[3] = 0; v[3] < times(0, v); ++v[3])
            for (v[4] = 0; v[4] < times(1, v); ++v[4])
              f(static_cast<std::uint32_t>((z * block_.y + y) * block_.x + x), v);
          v[3] = v[4] = 0;
        }
  }
  std::string describe() const {
    std::string s = "block " + std::to_string(block_.x) + "x" + std::to_string(block_.y) + "x" +
                    std::to_string(block_.z) + ", x from " + std::to_string(first_) + " to " + std::to_string(end_) +
                    ", turns";
    const auto add = [&](const loop_form& f) {
      s += " (" + std::to_string(number(f.base));
      for (const std::int32_t at : f.factor) s += " " + std::to_string(number(at));
      s += ")";
    };
    for (const loop_turns& t : turns_) {
      s += t.count >= 0 ? " " + std::to_string(number(t.count)) : " by " + std::to_string(number(t.step));
      s += " compared " + std::to_string(t.compared) + (t.inclusive != 0 ? " inclusive" : "");
      add(t.start), add(t.bound);
    }
    for (const loop_condition& c : conditions_) {
      s += "\ncondition: test " + std::to_string(static_cast<int>(c.test)) + " of " + std::to_string(c.a) + ", " +
           std::to_string(c.b);
      add(c.left), add(c.right);
    }
    for (const loop_access& a : accesses_) {
      s += "\naccess: when " + std::to_string(a.when) + ", turns " + std::to_string(a.turns) + ", " +
           std::to_string(a.size) + (a.write != 0 ? " written" : " read");
      add(a.address);
    }
    return s;
  }
  // Does the condition hold? Those that are not known hold as `unknown` has it.
  bool holds(std::int32_t at, const index_values& v, bool unknown) const {
    const loop_condition& c = conditions_[static_cast<std::size_t>(at)];
    const std::int64_t left = value(c.left, v), right = value(c.right, v);
    switch (c.test) {
      case loop_test::number:
        return number(c.a) != 0;
      case loop_test::both:
        return holds(c.a, v, unknown) && holds(c.b, v, unknown);
      case loop_test::either:
        return holds(c.a, v, unknown) || holds(c.b, v, unknown);
      case loop_test::neither:
        return !holds(c.a, v, unknown);
      case loop_test::equal:
        return left == right;
      case loop_test::less:
        return left < right;
      case loop_test::less_or_equal:
        return left <= right;
      case loop_test::less_unsigned:
        return static_cast<std::uint64_t>(left) < static_cast<std::uint64_t>(right);
      case loop_test::less_or_equal_unsigned:
        return static_cast<std::uint64_t>(left) <= static_cast<std::uint64_t>(right);
      case loop_test::in_range:
        return left >= number(c.a) && left <= number(c.b);
      case loop_test::no_bits:
        return (left & number(c.a)) == 0;
      case loop_test::unknown:
        return unknown;
    }
    return false;
  }
  // Some thread meets a condition that no thread may meet, or misses one that all must.
  bool must_be_refused(bool unknown) const {
    bool refused = wraps_;
    if (split_ > 0) refused |= block_.y * block_.z != 1 || first_ != 0 || end_ % split_ != 0;
    each([&](std::uint32_t, const index_values& v) {
      for (const std::int32_t c : never_) refused |= holds(c, v, unknown);
      for (const std::int32_t c : always_) refused |= !holds(c, v, unknown);
    });
    return refused;
  }
  struct expected {
    int times = 0;
    std::int32_t size = 0;
    bool write = false;
  };
  std::map<made_access, expected> made(bool unknown) const {
    std::map<made_access, expected> all;
    each([&](std::uint32_t rank, const index_values& v) {
      for (std::size_t i = 0; i < accesses_.size(); ++i) {
        const loop_access& a = accesses_[i];
        bool once = true;  // outside of a loop: in its first turn
        for (unsigned t = 0; t < turns_.size(); ++t) once &= (a.turns >> t & 1) != 0 || v[3 + t] == 0;
        if (!once || (a.when >= 0 && !holds(a.when, v, unknown))) continue;
        expected& e =
            all[{rank, sites_[static_cast<std::size_t>(a.site)], static_cast<std::uintptr_t>(value(a.address, v))}];
        ++e.times, e.size = a.size, e.write = a.write != 0;
      }
    });
    return all;
  }

 private:
  std::int64_t pick(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random_);
  }
  bool chance(int percent) { return pick(1, 100) <= percent; }
  template <class T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(all.size()) - 1))];
  }
  template <class T>
  static std::int32_t size_of(const std::vector<T>& v) {
    return static_cast<std::int32_t>(v.size());
  }
  std::int32_t place(std::int64_t number) {
    numbers_.push_back(number);
    return static_cast<std::int32_t>(numbers_.size() - 1);
  }
  std::int64_t number(std::int32_t place) const { return place < 0 ? 0 : numbers_[static_cast<std::size_t>(place)]; }
  std::int64_t value(const loop_form& f, const index_values& v) const {
    std::int64_t sum = number(f.base);
    for (unsigned d = 0; d < kLoopDimensions; ++d) sum += number(f.factor[d]) * v[d];
    return sum;
  }
  // How often a thread runs the loop.
  std::int64_t times(unsigned loop, const index_values& v) const {
    if (loop >= turns_.size()) return 1;
    const loop_turns& t = turns_[loop];
    if (t.count >= 0) return number(t.count);
    std::int64_t count = 1, i = value(t.start, v) + number(t.step);
    for (const std::int64_t bound = value(t.bound, v); t.inclusive != 0 ? i <= bound : i < bound; i += number(t.step))
      ++count;
    return count;
  }
  std::int32_t any_condition() { return static_cast<std::int32_t>(pick(0, size_of(conditions_) - 1)); }
  static constexpr loop_form zero() { return {-1, {-1, -1, -1, -1, -1, -1}}; }

  void add_loop() {
    loop_turns t{-1, -1, 0, 0, -1, zero(), zero()};
    if (chance(40)) {
      t.count = place(pick(1, 4));
    } else {
      const std::int64_t start = pick(-3, 3), step = pick(1, 3), bound = start + pick(-1, 7);
      t.inclusive = chance(50);
      t.step = place(step);
      t.start.base = place(start), t.bound.base = place(bound);
      if (chance(40)) {  // each thread its own number of turns
        for (unsigned d = 0; d < 3; ++d) {
          if (chance(40)) t.start.factor[d] = place(pick(-1, 1));
          if (chance(40)) t.bound.factor[d] = place(pick(-1, 1));
        }
      }
      std::int64_t last = INT64_MIN, least = INT64_MAX, nearest = INT64_MAX;
      each([&](std::uint32_t, const index_values& v) {
        const std::int64_t from = value(t.start, v), to = value(t.bound, v);
        least = std::min({least, from, to}), nearest = std::min(nearest, to - from);
        std::int64_t i = from + step;
        while (t.inclusive ? i <= to : i < to) i += step;
        last = std::max(last, i);  // what the last turn steps to
      });
      if (chance(20) && least >= 0) t.compared = static_cast<std::int32_t>(loop_compared::without_sign);
      if (chance(30) && step == 1 && t.inclusive == 0 && nearest > 0)
        t.compared = static_cast<std::int32_t>(loop_compared::unequal);
      // A batch may be refused where the greatest number is not above that.
      if (chance(30)) {
        t.most = place(last + pick(-1, 4));
        wraps_ |= number(t.most) < last;
      }
    }
    turns_.push_back(t);
  }
  loop_form form(std::int64_t most, bool turns) {
    loop_form f = zero();
    f.base = place(pick(-most * 10, most * 30));
    for (unsigned d = 0; d < 3 + turns_.size(); ++d)
      if (d < 3 ? chance(60) : turns && chance(30)) f.factor[d] = place(pick(-most, most));
    return f;
  }
  void add_condition() {
    const bool none = conditions_.empty();
    loop_condition c{loop_test::number, -1, -1, zero(), zero()};
    const auto what = pick(none ? 3 : 0, 12);
    if (what < 3) {
      c.test = std::array{loop_test::both, loop_test::either, loop_test::neither}[static_cast<std::size_t>(what)];
      c.a = any_condition(), c.b = any_condition();
    } else if (what == 3) {
      c.a = place(pick(0, 1));
    } else if (what == 4 && chance(50)) {
      c.test = loop_test::unknown;
    } else {
      c.test = one_of<loop_test>({loop_test::equal, loop_test::less, loop_test::less_or_equal, loop_test::less_unsigned,
                                  loop_test::less_or_equal_unsigned, loop_test::in_range, loop_test::no_bits});
      c.left = form(3, by_turns_);
      if (c.test == loop_test::no_bits)
        c.a = place(chance(70) ? std::int64_t{1} << pick(0, 6) : pick(0, 70));
      else if (c.test == loop_test::in_range)
        c.a = place(pick(-20, 10)), c.b = place(pick(10, 120));
      else
        c.right = chance(70) ? form(chance(50) ? 0 : 3, by_turns_) : c.left, c.right.base = place(pick(-10, 60));
    }
    conditions_.push_back(c);
  }
  // A number lies in a range, or the thread is not one of those that rely on that (as affine_forms::of_some has it).
  void add_guarded_range() {
    const auto add = [&](loop_test test, std::int32_t a, std::int32_t b, const loop_form& left,
                         const loop_form& right) {
      conditions_.push_back({test, a, b, left, right});
      return size_of(conditions_) - 1;
    };
    const loop_form f = form(3, by_turns_);
    const std::int64_t end = number(f.base) + pick(-20, 20);
    const bool lower = chance(50);
    loop_form guard = zero();
    guard.base = place(end + (lower ? 1 : -1) * pick(0, 2));
    const std::int32_t range = add(loop_test::in_range, place(lower ? end : end - 1000),
                                   place(lower ? end + 1000 : end), f, zero()),
                       needed = add(loop_test::less_or_equal, -1, -1, lower ? guard : f, lower ? f : guard),
                       other = add(loop_test::neither, needed, 0, zero(), zero());
    always_.push_back(add(loop_test::either, range, other, zero(), zero()));
  }
  void add_access() {
    const auto size = one_of<std::int32_t>({1, 2, 4, 4, 4, 8, 16});
    loop_access a{zero(), chance(85) ? any_condition() : -1, 0, size, chance(40), 0, 0};
    const bool read_only = a.write == 0 && chance(30);
    a.address.base =
        place(read_only ? kReadOnly + a.size * pick(0, 1500) : 4096 * pick(100, 200) + a.size * pick(0, 64));
    for (unsigned d = 0; d < 3 + turns_.size(); ++d)
      if (d < 3 ? chance(80) : chance(60)) a.address.factor[d] = place(a.size * pick(-2, 40));
    if (!accesses_.empty() && chance(20)) {  // the bytes of another one, by the same number or by one of the same value
      const loop_access& other = one_of(accesses_);
      a.address = other.address, a.turns = other.turns, a.size = other.size, a.write |= chance(30);
      if (chance(50)) a.address.base = place(number(other.address.base));
      accesses_.push_back(a);
      return;
    }
    for (unsigned t = 0; t < turns_.size(); ++t)
      if (by_turns_ || chance(70))
        a.turns |= 1 << t;
      else
        a.address.factor[3 + t] = -1;
    accesses_.push_back(a);
  }

  std::mt19937_64 random_;
  extent3 block_;
  std::int64_t first_ = 0, end_ = 0, split_ = 0;
  bool wraps_ = false;     // an index of a loop does
  bool by_turns_ = false;  // conditions depend on the turns of loops, and all accesses are in all loops
  std::vector<std::int64_t> numbers_;
  std::vector<loop_access> accesses_;
  std::vector<loop_condition> conditions_;
  std::vector<loop_turns> turns_;
  std::vector<std::int32_t> never_, always_;
  std::vector<std::uintptr_t> sites_;
  loop_region region_{};
};

// What is wrong with the batch; "": nothing.
std::string compare(const random_region& r, const keeping_judge& judge, const std::byte* states, bool unknown) {
  auto left = r.made(unknown);
  // What a thread may do where it writes anyway may be left out, or be put down for all.
  std::set<std::tuple<std::uint32_t, std::uintptr_t, std::int32_t>> written;
  for (const auto& [a, e] : left)
    if (e.write) written.insert({a.rank, a.address, e.size});
  const gathered_batch& b = judge.batch;
  std::string wrong;
  if (judge.asked) {
    const auto first = static_cast<std::uint32_t>((reinterpret_cast<const std::byte*>(b.first) - states) /
                                                  static_cast<std::ptrdiff_t>(kThreadStateBytes));
    // Positions of a batch: all threads of the rows.
    std::vector<std::uint32_t> ranks;
    std::uint32_t before = ~0U;
    r.each([&](std::uint32_t rank, const index_values&) {
      if (rank != before) ranks.push_back(before = rank);
    });
    if (ranks.front() != first) return "the batch begins with another thread";
    for (std::size_t k = 0; k < b.count && wrong.empty(); ++k)
      b.each_stretch(k, static_cast<std::uint32_t>(ranks.size()), [&](std::uint32_t from, std::uint32_t to) {
        for (std::uint32_t i = from; i < to; ++i) {
          const auto at = left.find({ranks[i], b.entries[k].pc, b.address_of(k, i)});
          if (b.address_of(k, i) % b.facts[k].size != 0) {
            wrong = "entry " + std::to_string(k) + " is misaligned";
            return false;
          }
          const auto times = static_cast<int>(b.facts[k].times);
          const bool is_like_it =
              at != left.end() && at->second.size == b.facts[k].size && at->second.write == b.facts[k].write;
          const bool is_it = is_like_it && at->second.times >= times;
          if (!is_it && !b.facts[k].write && written.count({ranks[i], b.address_of(k, i), b.facts[k].size}) != 0) {
            if (is_like_it) left.erase(at);
            continue;
          }
          if (!is_it) {
            wrong = "rank " + std::to_string(ranks[i]) + " does not make entry " + std::to_string(k);
            return false;
          }
          if ((at->second.times -= times) == 0) left.erase(at);
        }
        return true;
      });
  }
  for (const auto& [a, e] : left) {
    // Of that write itself, an entry was there.
    bool told = e.write && std::ranges::any_of(r.made(!unknown), [&, of = a](const auto& m) {
                  return m.second.write && m.first.rank == of.rank && m.first.address == of.address &&
                         m.first.pc != of.pc && m.second.size == e.size;
                });
    for (const auto& [from, to] : judge.told)
      told |= !e.write && a.address >= from && a.address + static_cast<std::uintptr_t>(e.size) <= to;
    if (!told && wrong.empty())
      wrong = "an access of rank " + std::to_string(a.rank) + " is missing: entry " +
              std::to_string((a.pc - 0x1000) / 16) + (e.write ? ", a write" : ", a read") + " of " +
              std::to_string(e.size) + " at " + std::to_string(a.address);
  }
  return wrong;
}

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const s = std::getenv(name);
  return s == nullptr ? otherwise : std::strtoull(s, nullptr, 10);
}

}  // namespace

TEST_CASE("what is said of a piece's loops is what its threads do") {
  dispatcher run({});
  keeping_judge judge;
  run.add_judge(judge);
  static std::array<std::byte, 1024 * kThreadStateBytes> states{};
  launch_state launch;
  watched_block watched;
  block_context block;
  block.launch = &launch;
  block.observed = &watched;
  watched.states = reinterpret_cast<watched_thread*>(states.data());
  std::deque<random_region> regions;  // proofs remember them by address
  const std::uint64_t first = setting("SIMT_LANES_FIRST", 1), seeds = setting("SIMT_LANES_SEEDS", 20000);
  std::uint64_t proved = 0, of_some = 0, silent = 0, refused = 0;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    random_region& r = regions.emplace_back(seed);
    judge.first.clear();
    launch.block = r.block();
    block.threads = watched.threads = static_cast<std::int32_t>(launch.block.x * launch.block.y * launch.block.z);
    // The third time the batch is known, if it may be kept, and may move from then on.
    for (int again = 0; again < 9; ++again) {
      if (again >= 3) r.move();
      judge.asked = false;
      judge.told.clear();
      const loop_answer answer = loop_proofs::of_this_thread().begin(block, r.region(), r.numbers());
      if (answer != loop_answer::proved) {
        refused += again < 3;
        if (again < 3) break;
        continue;
      }
      loop_proofs::of_this_thread().commit();
      ++proved;
      of_some += judge.asked && !judge.batch.some.empty();
      silent += !judge.told.empty();
      for (const bool unknown : {false, true}) {
        CAPTURE(seed);
        CAPTURE(r.describe());
        REQUIRE_FALSE(r.must_be_refused(unknown));
        REQUIRE(compare(r, judge, states.data(), unknown) == "");
        REQUIRE(judge.wrong == "");
      }
    }
  }
  MESSAGE(proved << " proofs, " << of_some << " with accesses of some threads, " << silent << " with reads left out; "
                 << refused << " regions refused; " << judge.moved << " batches had moved");
  if (seeds >= 1000) {
    CHECK(proved > seeds / 4);
    CHECK(of_some > seeds / 20);
    CHECK(silent > seeds / 20);
    CHECK(refused > seeds / 20);
    CHECK(judge.moved > seeds / 20);
  }
}
