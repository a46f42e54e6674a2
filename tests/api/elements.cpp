// SPDX-License-Identifier: Apache-2.0
// Element functions: each index once, by the right thread; arguments, refusals, and what happens when an element fails.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <sim/report/phrasebook.hpp>
#include <simt/check.hpp>
#include <simt/simt.hpp>

namespace {

struct runner {
  std::int64_t times, position, size, block, rank;
  bool operator==(const runner&) const = default;
};
SIMT_DEVICE void visit(std::int64_t i, simt::view<int> visits) { visits[i] += 1; }
SIMT_DEVICE void report_runner(simt::thread t, std::int64_t i, simt::view<runner> out) {
  out[i] = {out[i].times + 1, t.grid<1>(), t.grid_size<1>(), t.block_idx().x + t.block_idx().y + t.block_idx().z,
            t.rank()};
}
SIMT_DEVICE void count(simt::thread t, std::int64_t i, simt::view<const int> x, simt::view<int> bins) {
  t.atomic_add(bins[x[i]], 1);
}
template <int Factor>
SIMT_DEVICE void scale(std::int64_t i, int plus, simt::view<const int> x, simt::view<int> y) {
  y[i] = Factor * x[i] + plus;
}
SIMT_DEVICE void copy_by_pointer(std::int64_t i, const int* x, int* y) { y[i] = x[i]; }

std::vector<int> ones(std::int64_t n) { return std::vector<int>(static_cast<std::size_t>(n), 1); }
std::vector<int> zeros(std::int64_t n) { return std::vector<int>(static_cast<std::size_t>(n)); }

// Grids of one block, of several, of more threads than elements; blocks that are no multiple of anything.
const simt::launch_config kGeometries[] = {{.grid = 1, .block = 1},   {.grid = 1, .block = 64},
                                           {.grid = 3, .block = 33},  {.grid = 7, .block = 1},
                                           {.grid = 5, .block = 256}, {.grid = 2048, .block = 1024}};

}  // namespace

TEST_CASE("each element once") {
  for (const simt::launch_config& config : kGeometries)
    for (const std::int64_t n : {0, 1, 31, 99, 100, 256, 10'007}) {
      CAPTURE(config.grid.x);
      CAPTURE(config.block.x);
      CAPTURE(n);
      auto visits = simt::to_device(zeros(n), "visits");
      simt::launch_each<visit>(config, n, visits);
      CHECK(visits.to_host() == ones(n));
    }
}

TEST_CASE("elements up to n, not of the array") {
  auto visits = simt::to_device(zeros(100), "visits");
  simt::launch_each<visit>({.grid = 2, .block = 16}, 37, visits);
  std::vector<int> wanted = zeros(100);
  std::fill_n(wanted.begin(), 37, 1);
  CHECK(visits.to_host() == wanted);
}

TEST_CASE("element i is run by thread i mod the threads of the grid") {
  for (const simt::launch_config& config : kGeometries) {
    CAPTURE(config.grid.x);
    CAPTURE(config.block.x);
    const std::int64_t n = 1000, block = config.block.x, threads = config.grid.x * block;
    auto out = simt::to_device(std::vector<runner>(static_cast<std::size_t>(n)), "runners");
    simt::launch_each<report_runner>(config, n, out);
    std::vector<runner> wanted;
    for (std::int64_t i = 0; i < n; ++i) wanted.push_back({1, i % threads, threads, i % threads / block, i % block});
    CHECK(out.to_host() == wanted);
  }
}

TEST_CASE("few elements on the largest grid") {
#if defined(SIMT_VARIANT_CUDA)
  const std::int64_t grid = 1 << 16;  // there every block is started
#else
  const std::int64_t grid = (std::int64_t{1} << 31) - 1;
#endif
  auto visits = simt::to_device(zeros(3), "visits");
  simt::launch_each<visit>({.grid = grid, .block = 1024}, 3, visits);
  CHECK(visits.to_host() == ones(3));
}

TEST_CASE("an element function that uses atomics") {
  std::vector<int> x(10'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i % 7);
  auto bins = simt::to_device(zeros(7), "bins");
  simt::launch_each<count>({.grid = 3, .block = 64}, 10'000, x, bins);
  CHECK(bins.to_host() == std::vector<int>{1429, 1429, 1429, 1429, 1428, 1428, 1428});
}

TEST_CASE("arguments: values, buffers, views, pointers, host arrays; with and without a stream") {
  const std::vector<int> x = ones(300);
  auto device_x = simt::to_device(x, "x");
  simt::buffer<int> y(300, "y");
  simt::launch_each<scale<3>>({.grid = 2, .block = 32}, 300, 4, device_x, y);
  CHECK(y.to_host() == std::vector<int>(300, 7));
  simt::launch_each<&scale<2>>({.grid = 2, .block = 32}, y.size(), 'a', x, y.view());
  CHECK(y.to_host() == std::vector<int>(300, 2 + 'a'));
  simt::stream s;
  simt::launch_each<copy_by_pointer>(s, {.grid = 2, .block = 32}, 300, device_x, y.data());
  s.synchronize();
  CHECK(y.to_host() == x);
  std::vector<int> host = zeros(300);
  simt::launch_each<copy_by_pointer>({.grid = 2, .block = 32}, 200, x, std::span(host));
  CHECK(std::ranges::count(host, 1) == 200);
  std::array<int, 5> few{};
  simt::launch_each<scale<1>>({.grid = 2, .block = 32}, 5, 1, x, few);
  CHECK(few == std::array{2, 2, 2, 2, 2});
}

TEST_CASE("element launches in a graph") {
  auto visits = simt::to_device(zeros(1000), "visits");
  simt::stream s;
  auto exec =
      simt::capture(s, [&] { simt::launch_each<visit>(s, {.grid = 2, .block = 32}, 1000, visits); }).instantiate();
  for (int i = 0; i < 3; ++i) exec.launch(s);
  s.synchronize();
  CHECK(visits.to_host() == std::vector<int>(1000, 3));
}

TEST_CASE("refusals") {
  auto visits = simt::to_device(zeros(64), "visits");
  const auto refusal = [&](const simt::launch_config& config, std::int64_t n, simt::error_kind kind) {
    std::string text;
    try {
      simt::launch_each<visit>(config, n, visits);
    } catch (const simt::error& e) {
      CHECK(e.kind() == kind);
      text = e.what();
      CHECK(text.find("launch of visit refused: ") == 0);
    }
    CHECK(visits.to_host() == zeros(64));
    return text;
  };
  const auto contains = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  using enum simt::error_kind;
  CHECK(contains(refusal({.grid = 1, .block = 32}, -5, invalid_argument), "-5 elements"));
  CHECK(contains(refusal({.grid = {2, 3}, .block = 32}, 64, invalid_argument), "more than one dimension"));
  CHECK(contains(refusal({.grid = {2, 1, 3}, .block = 32}, 64, invalid_argument), "more than one dimension"));
  CHECK(contains(refusal({.grid = 2, .block = {8, 8}}, 64, invalid_argument), "more than one dimension"));
  CHECK(contains(refusal({.grid = 2, .block = {8, 1, 8}}, 0, invalid_argument), "more than one dimension"));
  CHECK(contains(refusal({.grid = 2, .block = 32, .cooperative = true}, 64, invalid_argument), "must not wait"));
  CHECK(contains(refusal({.grid = 2, .block = 32, .cluster = 2}, 64, invalid_argument), "must not wait"));
  CHECK(contains(refusal({.grid = 1, .block = 1025}, 64, launch_limit), "1024"));
  CHECK(contains(refusal({.grid = 0, .block = 32}, 64, launch_limit), "at least 1"));
  CHECK(contains(refusal({.grid = 1, .block = 32, .shared_bytes = -1}, 64, launch_limit), "negative"));
}

#if !defined(SIMT_VARIANT_CUDA)  // a fault ends a process's use of a GPU; tests/api/faults.cpp has them

namespace {

// Element 300 of the launches below: turn 2 of a grid of 3 x 48 threads, thread 12 of block 0.
constexpr std::int64_t kBad = 300;
constexpr simt::launch_config kFewThreads{.grid = 3, .block = 48};
constexpr const char* kBadThread = "thread (12,0,0) of block (0,0,0)";

SIMT_DEVICE void demands(simt::thread t, std::int64_t i, simt::view<int> x) {
  t.expect(i != kBad, "not the bad element");
  x[i] = 1;
}
SIMT_DEVICE void throws(std::int64_t i, simt::view<int> x) {
  if (i == kBad) throw std::runtime_error("the bad element");
  x[i] = 1;
}
SIMT_DEVICE void yields(simt::thread t, std::int64_t i, simt::view<int> x) {
  if (i % 3 != 1) t.yield();
  x[i] += 1;
}
// Waits for its right neighbour, as it must not; a GPU would not end this where both are one warp's.
SIMT_DEVICE void waits_for_next(simt::thread t, std::int64_t i, std::int64_t n, simt::view<int> done) {
  if (i % 2 == 0 && i + 1 < n)
    while (t.atomic_load(done[i + 1], simt::memory_order::acquire) == 0) t.yield();
  t.atomic_store(done[i], 1, simt::memory_order::release);
}
SIMT_DEVICE void waits_for_ever(simt::thread t, std::int64_t i, simt::view<int> x) {
  while (i == kBad && t.atomic_load(x[i]) == 0) t.yield();
}
SIMT_DEVICE void halves_racy(std::int64_t i, simt::view<int> z) { z[i / 2] = static_cast<int>(i); }
SIMT_DEVICE void halves(std::int64_t i, simt::view<int> z) {
  if (i % 2 == 0) z[i / 2] = static_cast<int>(i);
}

// The launch's error, or what the check of it found.
template <auto Element>
std::string fault_of() {
  auto x = simt::to_device(zeros(1000), "x");
  std::string text;
  const auto findings = simt::check({}, [&] {
    try {
      simt::launch_each<Element>(kFewThreads, 1000, x);
    } catch (const simt::error& e) {
      CHECK(e.kind() == simt::error_kind::device_fault);
      text = e.what();
    }
  });
  for (const auto& f : findings) text += simt::phrase(f, simt::dialect::api).message + "\n";
  CHECK(!text.empty());
  return text;
}

}  // namespace

TEST_CASE("an element that fails is named by its thread and function") {
  const auto trap = fault_of<demands>();
  CHECK_MESSAGE(
      trap.find(std::string(kBadThread) + " of kernel demands trapped: not the bad element") != std::string::npos,
      trap);
  const auto thrown = fault_of<throws>();
  CHECK_MESSAGE(thrown.find(std::string(kBadThread) + " of kernel throws threw an exception: the bad element") !=
                    std::string::npos,
                thrown);
}

TEST_CASE("elements that wait all the same are not lost") {
  for (const std::int64_t n : {1, 100, 1000, 1001}) {
    CAPTURE(n);
    auto x = simt::to_device(zeros(n), "x");
    simt::launch_each<yields>(kFewThreads, n, x);
    CHECK(x.to_host() == ones(n));
    auto done = simt::to_device(zeros(n), "done");
    simt::launch_each<waits_for_next>(kFewThreads, n, n, done);
    CHECK(done.to_host() == ones(n));
  }
  const auto hang = fault_of<waits_for_ever>();
  CHECK_MESSAGE(hang.find("kernel waits_for_ever does not end") != std::string::npos, hang);
}

TEST_CASE("races between elements") {
  for (const char* schedule : {"natural", "reverse", "lockstep", "random"}) {
    CAPTURE(schedule);
    const auto find = [&](auto body) {
      auto z = simt::to_device(zeros(500), "z");
      return simt::check({.schedule = schedule, .seed = 3}, [&] { body(z); });
    };
    CHECK(find([](auto& z) { simt::launch_each<halves>(kFewThreads, 1000, z); }).empty());
    const auto found = find([](auto& z) { simt::launch_each<halves_racy>(kFewThreads, 1000, z); });
#if defined(SIMT_VARIANT_CHECK)
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == simt::rule::race_global);
    CHECK(found[0].object == "z");
    CHECK(found[0].kernel == "halves_racy");
    for (const auto& a : found[0].accesses) {
      CHECK(a.function == "halves_racy");
      CHECK(a.file.find("elements.cpp") != std::string::npos);
    }
#else
    CHECK(found.empty());
#endif
  }
}

#endif
