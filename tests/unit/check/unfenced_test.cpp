// SPDX-License-Identifier: Apache-2.0
// Volatile data and its flags: which fences are asked for. One mechanism a case, then random sequences beside an oracle
// that searches the graph of events.
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

constexpr std::uintptr_t kFlagAt = 64;

// A device-wide fence of the thread.
void full_fence(world& w, int block, int rank = 0, scope s = scope::device) {
  fence(w.t(block, rank), order::seq_cst, s);
}

// A block writes volatile data, then a flag; another sees the flag and reads the data. -1: no fence.
std::string message(bool atomic_flag, int of_writer, int of_reader) {
  world w;
  const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
  w.launch(2, 1);
  write_volatile(w.t(0, 0), data, 4, 0x40);
  if (of_writer >= 0) full_fence(w, 0, 0, static_cast<scope>(of_writer));
  if (atomic_flag) {
    w.at(0, 0, flag, atomic_op::rmw, order::relaxed, scope::device);
    w.at(1, 0, flag, atomic_op::rmw, order::relaxed, scope::device);
  } else {
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
  }
  if (of_reader >= 0) full_fence(w, 1, 0, static_cast<scope>(of_reader));
  read_volatile(w.t(1, 0), data, 4, 0x70);
  return w.found();
}

}  // namespace

TEST_CASE("volatile data needs a fence before its flag, and one behind it") {
  constexpr int kNone = -1, kDevice = static_cast<int>(scope::device);
  for (const bool atomic_flag : {false, true})
    for (int of_writer = kNone; of_writer <= static_cast<int>(scope::system); ++of_writer)
      for (int of_reader = kNone; of_reader <= static_cast<int>(scope::system); ++of_reader) {
        CAPTURE(atomic_flag);
        CAPTURE(of_writer);
        CAPTURE(of_reader);
        const char* const expected = of_writer < kDevice   ? "missing-fence data"
                                     : of_reader < kDevice ? "missing-fence data (warning)"
                                                           : "";
        CHECK(message(atomic_flag, of_writer, of_reader) == expected);
      }
}

TEST_CASE("a fence on the wrong side of the flag, or before the data, keeps nothing") {
  for (const bool before_data : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(2, 1);
    if (before_data) full_fence(w, 0);
    write_volatile(w.t(0, 0), data, 4, 0x40);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    if (!before_data) full_fence(w, 0);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
    full_fence(w, 1);
    read_volatile(w.t(1, 0), data, 4, 0x70);
    CHECK(w.found() == "missing-fence data");
  }
}

TEST_CASE("the last block reads volatile results: the writers' fence, a ticket, a barrier") {
  for (const bool fenced : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), ticket = w.buffer("ticket", 1, true, kFlagAt);
    w.launch(3, 64);
    for (int b = 0; b < 3; ++b) {
      write_volatile(w.t(b, 0), data + static_cast<std::uintptr_t>(b) * 4, 4, 0x40);
      if (fenced) full_fence(w, b);
      w.at(b, 0, ticket, atomic_op::rmw, order::relaxed, scope::device, 0x45);
      block_barrier(*w.blocks[static_cast<std::size_t>(b)]);
    }
    for (int i = 0; i < 3; ++i) read_volatile(w.t(2, i), data + static_cast<std::uintptr_t>(i) * 4, 4, 0x50);
    CHECK(w.found() == (fenced ? "" : "missing-fence data"));
    if (fenced) continue;
    const auto all = w.d.findings();
    REQUIRE(all[0].accesses.size() == 3);
    CHECK(all[0].accesses[2].pc == 0x45);
  }
}

TEST_CASE("what one lane has seen, a warp sync tells the others") {
  for (const bool synced : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(2, 32);
    write_volatile(w.t(0, 0), data, 4, 0x40);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
    if (synced) warp_sync(*w.blocks[1], 0, 0xffffffff);
    read_volatile(w.t(1, 7), data, 4, 0x70);
    CHECK(w.found() == (synced ? "missing-fence data" : ""));  // not told of it: polled
  }
}

TEST_CASE("a chain of flags: each writer keeps its own data, nobody else's") {
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      CAPTURE(first);
      CAPTURE(second);
      world w;
      const auto data = w.buffer("data", 4), more = w.buffer("more", 4, true, 32),
                 one = w.buffer("one", 1, true, kFlagAt), two = w.buffer("two", 1, true, 96);
      w.launch(3, 1);
      write_volatile(w.t(0, 0), data, 4, 0x40);
      if (first) full_fence(w, 0);
      write_volatile(w.t(0, 0), one, 4, 0x50);
      read_volatile(w.t(1, 0), one, 4, 0x60);
      write_volatile(w.t(1, 0), more, 4, 0x65);
      if (second) full_fence(w, 1);
      write_volatile(w.t(1, 0), two, 4, 0x70);
      read_volatile(w.t(2, 0), two, 4, 0x80);
      full_fence(w, 2);
      read_volatile(w.t(2, 0), data, 4, 0x90);
      read_volatile(w.t(2, 0), more, 4, 0xa0);
      const std::string of_data = !first ? "missing-fence data" : !second ? "missing-fence data (warning)" : "";
      const std::string of_more = second ? "" : "missing-fence more";
      CHECK(w.found() == of_data + (of_data.empty() || of_more.empty() ? "" : ", ") + of_more);
      for (const finding& f : w.d.findings())
        if (f.severity == severity::error) CHECK(f.accesses[2].pc == (f.object == "data" ? 0x50 : 0x70));
    }
}

TEST_CASE("within a block a fence of block scope will do; lanes of one warp are left alone") {
  for (const int reader : {1, 32})
    for (const bool fenced : {false, true})
      for (const bool shared_flag : {false, true}) {
        CAPTURE(reader);
        CAPTURE(shared_flag);
        world w;
        const auto data = w.buffer("data", 8), global_flag = w.buffer("flag", 1, true, kFlagAt);
        w.launch(1, 64);
        shared_array(*w.blocks[0], w.tile(0) + 512, 4, {"ready", "int", 4, {}});
        const auto flag = shared_flag ? w.tile(0) + 512 : global_flag;
        write_volatile(w.t(0, 0), data, 4, 0x40);
        if (fenced) full_fence(w, 0, 0, scope::block);
        write_volatile(w.t(0, 0), flag, 4, 0x50);
        read_volatile(w.t(0, reader), flag, 4, 0x60);
        full_fence(w, 0, reader, scope::block);
        read_volatile(w.t(0, reader), data, 4, 0x70);
        CHECK(w.found() == (fenced || reader == 1 ? "" : "missing-fence data"));
      }
}

TEST_CASE("arrays in shared memory are no flags") {
  world w;
  const auto data = w.buffer("data", 8);
  w.launch(1, 64);
  write_volatile(w.t(0, 0), data, 4, 0x40);
  write_volatile(w.t(0, 0), w.tile(0), 4, 0x50);
  read_volatile(w.t(0, 32), w.tile(0), 4, 0x60);
  read_volatile(w.t(0, 32), data, 4, 0x70);
  CHECK(w.found() == "");
}

TEST_CASE("an array that is polled holds flags, which need no fence") {
  for (const bool polled : {false, true}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(2, 1);
    if (polled) read_volatile(w.t(1, 0), data + 4, 4, 0x70);
    write_volatile(w.t(0, 0), data + 4, 4, 0x30);
    write_volatile(w.t(0, 0), data, 4, 0x40);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    read_volatile(w.t(1, 0), flag, 4, 0x60);
    read_volatile(w.t(1, 0), data, 4, 0x70);
    CHECK(w.found() == (polled ? "" : "missing-fence data"));
  }
}

TEST_CASE("a missing fence of the writer says more than one of the reader") {
  world w;
  const auto data = w.buffer("data", 8), flag = w.buffer("flag", 2, true, kFlagAt);
  w.launch(3, 1);
  for (const int b : {0, 1}) {
    const auto at = static_cast<std::uintptr_t>(b) * 4;
    write_volatile(w.t(b, 0), data + at, 4, 0x40);
    if (b == 0) full_fence(w, b);
    write_volatile(w.t(b, 0), flag + at, 4, 0x50);
    read_volatile(w.t(2, 0), flag + at, 4, 0x60);
    read_volatile(w.t(2, 0), data + at, 4, 0x70);
  }
  CHECK(w.found() == "missing-fence data");
  CHECK(w.d.findings()[0].cause == simt::cause::fence_missing);
  CHECK(w.d.findings()[0].count == 2);
}

TEST_CASE("the host needs the device's fence at system scope") {
  for (const scope s : {scope::device, scope::system}) {
    world w;
    const auto data = w.buffer("data", 8), flag = w.buffer("flag", 1, true, kFlagAt);
    w.launch(1, 1, w.d.new_stream("a"));
    write_volatile(w.t(0, 0), data, 4, 0x40);
    full_fence(w, 0, 0, s);
    write_volatile(w.t(0, 0), flag, 4, 0x50);
    w.end();
    w.d.host_atomic(0, flag, 4, atomic_op::load, order::acquire, 0x60);
    w.d.host_atomic(0, data, 4, atomic_op::load, order::acquire, 0x70);
    CHECK(w.found() == (s == scope::system ? "" : "missing-fence data"));
  }
}

// ---- random sequences and an oracle ----
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
