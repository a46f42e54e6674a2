// SPDX-License-Identifier: Apache-2.0
// Missing fences of random sequences of volatile accesses, updates, fences and barriers, beside an oracle that searches
// the graph of events.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "sim/check/core.hpp"
#include "sim/check/happens_before.hpp"
#include "world.hpp"

using namespace check_tests;

namespace {

enum class act { write, read, update, fence, barrier };
struct step {
  act what;
  int block, rank, variable;
  scope s;
};

// Judges a sequence by searching the graph of its events: every question is a walk, there are no clocks.
class graph {
 public:
  explicit graph(const std::vector<step>& steps) : steps_(steps), known_(steps.size() * steps.size()) {}

  // The steps whose volatile read has what each volatile write left without the fences for it: (read, write, whether
  // the writer has its fence).
  std::set<std::tuple<int, int, bool>> unfenced() const {
    std::set<std::tuple<int, int, bool>> out;
    for (int r = 0; r < size(); ++r) {
      if (at(r).what != act::read) continue;
      for (int w = 0; w < r; ++w) {
        if (at(w).what != act::write || at(w).variable != at(r).variable || at(w).block == at(r).block) continue;
        if (ordered(w, r) || replaced(w, r)) continue;
        const bool fenced = kept(w, r);
        if (fenced || told(w, r)) out.emplace(r, w, fenced);
      }
    }
    return out;
  }

 private:
  int size() const { return static_cast<int>(steps_.size()); }
  const step& at(int i) const { return steps_[static_cast<std::size_t>(i)]; }
  bool follows(int a, int b) const {  // within a block: by program order or a barrier between
    if (a >= b || at(a).block != at(b).block) return false;
    if (at(a).what == act::barrier || at(b).what == act::barrier || at(a).rank == at(b).rank) return true;
    for (int i = a + 1; i < b; ++i)
      if (at(i).what == act::barrier && at(i).block == at(a).block) return true;
    return false;
  }
  bool replaced(int w, int r) const {  // by a write of its block that comes after it
    for (int i = w + 1; i < r; ++i)
      if (stores(i) && at(i).variable == at(w).variable && at(i).block == at(w).block &&
          (follows(w, i) || ordered(w, i)))
        return true;
    return false;
  }
  bool stores(int i) const { return at(i).what == act::write || at(i).what == act::update; }
  bool loads(int i) const { return at(i).what == act::read || at(i).what == act::update; }
  bool tells(int a, int b) const {  // b reads from a, or from the updates that follow it
    if (a >= b || !stores(a) || !loads(b) || at(a).variable != at(b).variable) return false;
    for (int i = a + 1; i < b; ++i)
      if (at(i).what == act::write && at(i).variable == at(a).variable) return false;
    return true;
  }
  // Is there a way from a to b by steps of blocks and by flags, with at least one flag?
  bool told(int a, int b) const {
    for (int f = a + 1; f < b; ++f)
      if ((follows(a, f) || ordered(a, f)) && stores(f) && passes(f, b)) return true;
    return false;
  }
  bool passes(int flag, int b) const {
    for (int r = flag + 1; r < b; ++r)
      if (tells(flag, r) && follows(r, b)) return true;
    for (int r = flag + 1; r < b; ++r) {
      if (!tells(flag, r)) continue;
      for (int next = r; next < b; ++next)
        if ((next == r ? at(r).what == act::update : follows(r, next) && stores(next)) && passes(next, b)) return true;
    }
    return false;
  }
  bool fences(int i, scope s) const { return at(i).what == act::fence && at(i).s >= s; }
  // A fence of the block that wrote, or of one that has acquired it, comes before a flag that b has been told of.
  bool kept(int a, int b) const {
    for (int f = a + 1; f < b; ++f) {
      if (!fences(f, scope::device) || !(follows(a, f) || ordered(a, f))) continue;
      for (int flag = f + 1; flag < b; ++flag)
        if (follows(f, flag) && stores(flag) && passes(flag, b)) return true;
    }
    return false;
  }
  // A release pattern and an acquire pattern: fence, flag; flag, fence. Or an update and a barrier (decision 7).
  bool ordered(int a, int b) const {
    std::optional<bool>& known = known_[static_cast<std::size_t>(a * size() + b)];
    if (!known) known = search(a, b);
    return *known;
  }
  bool search(int a, int b) const {
    if (follows(a, b)) return true;
    for (int f = a + 1; f < b; ++f) {
      if (at(f).what != act::fence || !(follows(a, f) || ordered(a, f))) continue;
      for (int flag = f + 1; flag < b; ++flag)
        for (int r = flag + 1; r < b && follows(f, flag) && stores(flag); ++r)
          for (int g = r + 1; g < b && tells(flag, r); ++g) {
            const scope needed = at(f).block == at(r).block ? scope::block : scope::device;
            const bool by_barrier = at(g).what == act::barrier && at(r).what == act::update;
            if (fences(f, needed) && (fences(g, needed) || by_barrier) && follows(r, g) &&
                (follows(g, b) || ordered(g, b)))
              return true;
          }
    }
    return false;
  }

  const std::vector<step>& steps_;
  mutable std::vector<std::optional<bool>> known_;
};

std::vector<step> random_steps(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<step> steps(static_cast<std::size_t>(8 + below(10)));
  for (step& s : steps) {
    constexpr act kActs[] = {act::write, act::write, act::write, act::read,    act::read,
                             act::read,  act::read,  act::fence, act::barrier, act::update};
    s = {kActs[below(10)], below(5) / 2, below(3) == 0 ? 32 : 0, below(3),
         below(4) == 0 ? scope::block : scope::device};
    if (s.what == act::update) s.variable = 3;  // a counter: nobody else touches it
    if (s.what == act::read && below(4) == 0) s = {act::update, s.block, s.rank, 3, s.s};
  }
  return steps;
}

// What the detector finds, as graph::unfenced() says it.
struct judged {
  int step = 0;
  std::set<std::tuple<int, int, bool>> found;
};

std::set<std::tuple<int, int, bool>> run(const std::vector<step>& steps) {
  options exact;
  exact.volatile_reads_lag = false;
  world w(exact);
  const auto base = w.buffer("data", 64);
  w.launch(3, 64);
  judged j;
  w.d.core().log.on_instance_data = &j;
  w.d.core().log.on_instance = [](void* self, const finding_log::race_instance& i) {
    judged& to = *static_cast<judged*>(self);
    const block_state& b = *i.op->thread.block;
    if (i.what != rule::missing_fence || is_of(b, i.before->when)) return;
    to.found.emplace(to.step, static_cast<int>(b.core->epochs[i.before->when].pc) - 0x1000, i.fenced);
  };
  for (const step& s : steps) {
    const auto at = base + static_cast<std::uintptr_t>(s.variable) * 16;
    const auto pc = static_cast<std::uintptr_t>(0x1000 + j.step);
    switch (s.what) {
      case act::write:
        write_volatile(w.t(s.block, s.rank), at, 4, pc);
        break;
      case act::read:
        read_volatile(w.t(s.block, s.rank), at, 4, pc);
        break;
      case act::update:
        w.at(s.block, s.rank, at, atomic_op::rmw, order::relaxed, scope::device, pc);
        break;
      case act::fence:
        fence(w.t(s.block, s.rank), order::seq_cst, s.s);
        break;
      case act::barrier:
        block_barrier(*w.blocks[static_cast<std::size_t>(s.block)]);
    }
    ++j.step;
  }
  w.end();
  return j.found;
}

std::string text(const std::vector<step>& steps, const std::set<std::tuple<int, int, bool>>& slow,
                 const std::set<std::tuple<int, int, bool>>& fast) {
  constexpr const char* kNames[] = {"write", "read", "update", "fence", "barrier"};
  std::ostringstream o;
  for (std::size_t i = 0; i < steps.size(); ++i)
    o << i << ": " << kNames[static_cast<int>(steps[i].what)] << " b" << steps[i].block << " t" << steps[i].rank << " v"
      << steps[i].variable << (steps[i].s == scope::block ? " block" : "") << '\n';
  for (const auto& [r, w, fenced] : slow) o << "oracle: " << r << " of " << w << (fenced ? " fenced" : "") << '\n';
  for (const auto& [r, w, fenced] : fast) o << "found: " << r << " of " << w << (fenced ? " fenced" : "") << '\n';
  return o.str();
}

}  // namespace

TEST_CASE("missing fences of random sequences are those of the oracle") {
  std::mt19937 random(7);
  int with_findings = 0, fenced = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<step> steps = random_steps(random);
    const auto slow = graph(steps).unfenced(), fast = run(steps);
    with_findings += !slow.empty();
    for (const auto& f : slow) fenced += std::get<2>(f);
    INFO(text(steps, slow, fast));
    REQUIRE(slow == fast);
  }
  CHECK(with_findings > 500);
  CHECK(fenced > 10);
}
