// SPDX-License-Identifier: Apache-2.0
// Updates whose old value nobody reads are made to a copy of the worker's (sim/compile/worker_sums.hpp): what kernels
// leave in memory is what they leave on fibers, with one worker and several. And when there is no copy.
#include <doctest/doctest.h>

#include <vector>

#include <sim/exec/launch.hpp>
#include <sim/exec/worker_sums.hpp>
#include <sim/memory/device_memory.hpp>
#include <simt/simt.hpp>

namespace {

using simt::sim::wanted_execution;
using values = simt::view<unsigned>;
using wide_values = simt::view<unsigned long long>;

void use(wanted_execution how, int workers) {
  simt::sim::launch_options options;
  options.executed_by = how;
  options.workers = workers;
  simt::sim::set_launch_options(options);
}

SIMT_DEVICE unsigned mixed(std::int64_t i) { return static_cast<unsigned>(i) * 2654435761u >> 7; }

SIMT_DEVICE void adds(simt::thread t, values out) {
  t.atomic_add(out[mixed(t.grid<1>()) % out.size()], mixed(t.grid<1>()) % 5);
}
SIMT_DEVICE void subtracts(simt::thread t, values out) {
  if (mixed(t.grid<1>()) % 3 == 0) t.atomic_sub(out[t.grid<1>() % out.size()], 7u);
}
SIMT_DEVICE void adds_in_turns(simt::thread t, values out) {
  for (auto i : t.grid_stride(20000)) t.atomic_add(out[mixed(i) % out.size()], 1u);
}
SIMT_DEVICE void adds_several(simt::thread t, values out) {
  for (int k = 0; k < 5; ++k) {
    t.atomic_add(out[(t.grid<1>() * 5 + k) % out.size()], 1u);
    t.atomic_sub(out[(t.grid<1>() * 3 + k) % out.size()], 2u);
  }
}
SIMT_DEVICE void sets_bits(simt::thread t, values out) {
  t.atomic_or(out[mixed(t.grid<1>()) % out.size()], 1u << (t.grid<1>() % 32));
}
SIMT_DEVICE void turns_bits(simt::thread t, values out) {
  t.atomic_xor(out[mixed(t.grid<1>()) % out.size()], mixed(t.grid<1>()));
}
SIMT_DEVICE void clears_bits(simt::thread t, values out) {
  t.atomic_and(out[mixed(t.grid<1>()) % out.size()], ~(1u << (t.grid<1>() % 32)));
}
// Two kinds of updates of one array: neither may be moved past the other.
SIMT_DEVICE void sets_and_adds(simt::thread t, values out) {
  const std::int64_t i = t.grid<1>();
  if (i >= out.size()) return;
  t.atomic_and(out[i], 0u);
  t.atomic_add(out[i], 3u);
  t.atomic_or(out[i], 8u);
  t.atomic_add(out[i], 1u);
}
// What a thread adds to it reads afterwards.
SIMT_DEVICE void reads_again(simt::thread t, values out) {
  const std::int64_t i = t.grid<1>();
  if (i >= out.size() / 2) return;
  t.atomic_add(out[i], 5u);
  out[i + out.size() / 2] = out[i];
}
SIMT_DEVICE void writes_first(simt::thread t, values out) {
  const std::int64_t i = t.grid<1>();
  if (i >= out.size()) return;
  t.atomic_add(out[i], 5u);
  out[i] = 1;
  t.atomic_add(out[i], static_cast<unsigned>(i));
}
SIMT_DEVICE void sums_of_blocks(simt::thread t, values out) {
  auto& part = t.shared<"part", unsigned[64]>();
  if (t.rank() < 64) part[t.rank()] = 0;
  t.sync();
  t.atomic_add(part[mixed(t.grid<1>()) % 64], 1u);
  t.sync();
  if (t.rank() < 64) t.atomic_add(out[t.rank() % out.size()], part[t.rank()]);
}
SIMT_DEVICE void tickets(simt::thread t, values out) {
  const unsigned mine = t.atomic_add(out[0], 1u);
  if (mine == 100) t.atomic_add(out[1], 1u);
}

template <auto Kernel>
std::vector<unsigned> left_by(wanted_execution how, int workers, std::int64_t size, std::int64_t grid,
                              std::int64_t block) {
  use(how, workers);
  std::vector<unsigned> before(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = static_cast<unsigned>(i) * 77777u;
  auto out = simt::to_device(before, "out");
  simt::launch<Kernel>({.grid = grid, .block = block}, out);
  std::vector<unsigned> after = out.to_host();
  use(wanted_execution::automatic, 0);
  return after;
}

template <auto Kernel>
void same_everywhere(const char* what, std::int64_t least = 1) {
  INFO(what);
  for (const std::int64_t size : {std::int64_t{2}, std::int64_t{150}, std::int64_t{5000}, std::int64_t{70000}})
    for (const std::int64_t block : {std::int64_t{1}, std::int64_t{64}, std::int64_t{100}}) {
      if (size < least) continue;
      const std::vector<unsigned> wanted = left_by<Kernel>(wanted_execution::fibers, 1, size, 300, block);
      for (const int workers : {1, 2, 3})
        CHECK(left_by<Kernel>(wanted_execution::automatic, workers, size, 300, block) == wanted);
    }
}

TEST_CASE("updates in copies leave what updates in memory leave") {
  same_everywhere<adds>("adds");
  same_everywhere<subtracts>("subtracts");
  same_everywhere<adds_in_turns>("adds in turns");
  same_everywhere<adds_several>("adds several");
  same_everywhere<sets_bits>("sets bits");
  same_everywhere<turns_bits>("turns bits");
  same_everywhere<clears_bits>("clears bits");
  same_everywhere<sets_and_adds>("sets and adds");
  same_everywhere<reads_again>("reads again");
  same_everywhere<writes_first>("writes first");
  same_everywhere<sums_of_blocks>("sums of blocks");
  same_everywhere<tickets>("tickets");
}

SIMT_DEVICE void adds_wide(simt::thread t, wide_values out) {
  t.atomic_add(out[mixed(t.grid<1>()) % out.size()], 0x100000001ull * mixed(t.grid<1>()));
}
TEST_CASE("words of eight bytes") {
  std::vector<unsigned long long> wanted(100);
  for (std::int64_t i = 0; i < 6400; ++i) wanted[mixed(i) % 100] += 0x100000001ull * mixed(i);
  for (const int workers : {1, 2}) {
    use(wanted_execution::automatic, workers);
    auto out = simt::to_device(std::vector<unsigned long long>(100), "out");
    simt::launch<adds_wide>({.grid = 100, .block = 64}, out);
    CHECK(out.to_host() == wanted);
  }
  use(wanted_execution::automatic, 0);
}

SIMT_DEVICE void counts_and_copies(simt::thread t, const unsigned* from, unsigned* counts, unsigned* to) {
  const std::int64_t i = t.grid<1>();
  t.atomic_add(counts[i % 8], 1u);
  to[i] = from[i];
}
TEST_CASE("what is read or written lies in the array of the counters") {
  for (const int workers : {1, 2}) {
    use(wanted_execution::automatic, workers);
    auto all = simt::to_device(std::vector<unsigned>(2048, 1), "all");
    const values whole = all.view();
    unsigned* const p = whole.data_handle();
    // counters 0 to 7 are read as from[i] by the threads whose element they are: each sees its own addition at least
    simt::launch<counts_and_copies>({.grid = 1, .block = 8}, p, p, p + 1024);
    const std::vector<unsigned> left = all.to_host();
    for (int i = 0; i < 8; ++i) CHECK(left[1024 + i] == 2);
  }
  use(wanted_execution::automatic, 0);
}

// ---- what the engine asks ----

struct arrays {
  simt::sim::launch_state l;
  void* counters = simt::sim::device_allocate(400, {});
  void* other = simt::sim::device_allocate(400, {});
  arrays() {
    l.grid = {1000, 1, 1};
    l.block = {64, 1, 1};
    l.blocks = 1000;
  }
  ~arrays() {
    simt::sim::device_free(counters);
    simt::sim::device_free(other);
  }
  std::uint64_t words(std::vector<const void*> others, std::uint32_t kind = 0, void* base = nullptr) {
    simt::sim::worker_sums sums;
    return sums
        .open(l, base != nullptr ? base : counters, kind, others.data(), static_cast<std::uint32_t>(others.size()))
        .words;
  }
};

TEST_CASE("a copy is for arrays of the device that nothing else reaches") {
  arrays a;
  const int on_host = 0;
  CHECK(a.words({a.other, &on_host}) == 100);
  CHECK(a.words({a.other}, 1) == 50);
  CHECK(a.words({a.other}, 0, static_cast<char*>(a.counters) + 40) == 100);
  CHECK(a.words({a.other, a.counters}) == 0);
  CHECK(a.words({static_cast<char*>(a.counters) + 396}) == 0);
  CHECK(a.words({static_cast<char*>(a.other) + 400}) == 0);  // of no array: it may be any
  CHECK(a.words({}, 0, const_cast<int*>(&on_host)) == 0);
  CHECK(a.words({}, 0, static_cast<char*>(a.counters) + 400) == 0);
  for (const auto home : {simt::sim::memory_home::managed, simt::sim::memory_home::pinned}) {
    simt::sim::allocation of_host;
    of_host.home = home;
    void* const p = simt::sim::device_allocate(400, of_host);
    CHECK(a.words({}, 0, p) == 0);
    simt::sim::device_free(p);
  }
  a.l.traits.scheduled = true;
  CHECK(a.words({}) == 0);
}

TEST_CASE("a copy is for arrays that a cache holds and enough threads update") {
  arrays a;
  a.l.grid = {1 << 20, 1, 1};
  void* const large = simt::sim::device_allocate(simt::sim::worker_sums::kMostBytes + 4, {});
  CHECK(a.words({}, 0, large) == 0);
  simt::sim::device_free(large);
  void* const fitting = simt::sim::device_allocate(simt::sim::worker_sums::kMostBytes, {});
  CHECK(a.words({}, 0, fitting) == simt::sim::worker_sums::kMostBytes / 4);
  a.l.grid = {1, 1, 1};
  a.l.blocks = 1;
  CHECK(a.words({}, 0, fitting) == 0);
  simt::sim::device_free(fitting);
}

TEST_CASE("copies go to memory at the end, and are empty then") {
  arrays a;
  simt::sim::worker_sums sums;
  auto* const memory = static_cast<std::uint32_t*>(a.counters);
  for (int i = 0; i < 100; ++i) memory[i] = 1000;
  for (int round = 1; round <= 2; ++round) {
    const auto s = sums.open(a.l, a.counters, 0, nullptr, 0);
    REQUIRE(s.words == 100);
    auto* const copy = reinterpret_cast<std::uint32_t*>(s.copy);
    CHECK(copy[3] == 0);
    copy[3] += 5;
    copy[99] -= 1;
    CHECK(sums.open(a.l, memory + 7, 0, nullptr, 0).copy == s.copy);
    CHECK(sums.open(a.l, memory, 2, nullptr, 0).words == 0);  // another operation
    sums.end();
    CHECK(sums.empty());
    CHECK(memory[3] == 1000u + 5u * round);
    CHECK(memory[99] == 1000u - round);
    CHECK(memory[4] == 1000);
  }
  const auto masks = sums.open(a.l, a.counters, 6, nullptr, 0);
  CHECK(reinterpret_cast<std::uint32_t*>(masks.copy)[5] == 0xffffffff);
  reinterpret_cast<std::uint32_t*>(masks.copy)[5] &= 8;
  sums.end();
  CHECK(memory[5] == (1000 & 8));
}

}  // namespace
