// SPDX-License-Identifier: Apache-2.0
// Every way in which a kernel can die ends as simt::error(device_fault) that names the thread, and the next launch
// works.
#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>

#include <backends/sim/faults.hpp>

#include "launch_settings.hpp"

using engine_tests::contains;
using engine_tests::error_of;
using engine_tests::launch_settings;

namespace {

SIMT_DEVICE void count_up(simt::thread t, simt::view<int> x) {
  t.sync();
  t.atomic_add(x[0], 1);
  t.sync();
}

void next_launch_works() {
  simt::buffer<int> x(1, "x");
  x.fill_bytes(0);
  simt::launch<count_up>({.grid = 50, .block = 64}, x);
  CHECK(x.to_host()[0] == 50 * 64);
}

// An integer division by zero ends a program on x86-64; elsewhere it has a result.
#if defined(__x86_64__)
constexpr bool kDivisionTraps = true;
#else
constexpr bool kDivisionTraps = false;
#endif

// Runs the body, which must end in a fault, with one worker and with three.
template <class F>
std::string fault_of(F body, simt::sim::wanted_execution how = simt::sim::wanted_execution::fibers) {
  std::string text;
  for (const int workers : {3, 1}) {
    CAPTURE(workers);
    // Hardware faults name the thread on fibers only; tests/compile/loops.cpp has those of loops.
    launch_settings settings({.workers = workers, .timeout_seconds = 60, .executed_by = how});
    text = error_of(body, simt::error_kind::device_fault);
    CHECK_MESSAGE(!text.empty(), "no fault");
    next_launch_works();
  }
  return text;
}

SIMT_DEVICE void throws(simt::thread t, int waits, simt::view<int> x) {
  if (waits == 1) t.sync();
  if (t.block_index() == 7 && t.rank() == 21) throw std::runtime_error("seventh block, thread 21");
  if (waits == 2) t.sync();
  x[t.grid<1>()] = 1;
}
SIMT_DEVICE void throws_int(simt::thread t) {
  if (t.rank() == 3) throw 5;
}

TEST_CASE("faults: exceptions") {
  simt::buffer<int> x(20 * 32, "x");
  for (const int waits : {0, 1, 2}) {
    CAPTURE(waits);
    const std::string text = fault_of([&] { simt::launch<throws>({.grid = 20, .block = 32}, waits, x); });
    CHECK_MESSAGE(contains(text, "seventh block, thread 21"), text);
    CHECK_MESSAGE(contains(text, "thread (21,0,0) of block (7,0,0)"), text);
    CHECK_MESSAGE(contains(text, "throws"), text);
  }
  CHECK(contains(fault_of([] { simt::launch<throws_int>({.grid = 2, .block = simt::dim3(1, 5)}); }), "thread (0,3,0)"));
}

SIMT_DEVICE void divides(simt::thread t, simt::view<int> x, int waits) {
  if (waits) t.sync();
  const auto i = t.grid<1>();
  x[i] = 1000 / x[i];
}
SIMT_DEVICE void writes_null(simt::thread t, int* p, int waits) {
  if (waits) t.sync();
  if (t.block_index() == 3 && t.rank() == 9) *p = 1;
}
SIMT_DEVICE void reads_far(simt::thread t, simt::view<int> x) {
  t.sync();
  if (t.rank() == 9) x[0] = x[std::int64_t{1} << 36];
}

TEST_CASE("faults: division by zero and bad addresses") {
  std::vector<int> values(10 * 16, 1);
  values[5 * 16 + 11] = 0;
  for (const int waits : {0, 1}) {
    CAPTURE(waits);
    if (kDivisionTraps) {
      const std::string text =
          fault_of([&] { simt::launch<divides>({.grid = 10, .block = 16}, simt::to_device(values), waits); });
      CHECK_MESSAGE(contains(text, "divided an integer by zero"), text);
      CHECK_MESSAGE(contains(text, "of block (5,0,0)"), text);
      CHECK_MESSAGE(contains(text, waits ? "thread (11,0,0)" : "a thread"), text);  // none rather than a wrong one
    }
    const std::string null =
        fault_of([&] { simt::launch<writes_null>({.grid = 10, .block = 16}, static_cast<int*>(nullptr), waits); });
    CHECK_MESSAGE(contains(null, "dereferences a null pointer"), null);
    CHECK_MESSAGE(contains(null, "of block (3,0,0)"), null);
    if (waits) CHECK_MESSAGE(contains(null, "thread (9,0,0)"), null);
  }
  simt::buffer<int> x(10, "x");
  const std::string far = fault_of([&] { simt::launch<reads_far>({.grid = 4, .block = 16}, x); });
  CHECK_MESSAGE(contains(far, "thread (9,0,0)"), far);
}

SIMT_DEVICE void spins_alone(simt::thread t, int* x) {
  if (t.block_index() == 1 && t.rank() == 21)
    for (;;) *static_cast<volatile int*>(x) = 1;
  x[1 + t.rank()] = 1;
}

TEST_CASE("faults: thread by thread, plain code names its thread") {
  constexpr auto kSingle = simt::sim::wanted_execution::single;
  std::vector<int> values(10 * 16, 1);
  values[5 * 16 + 11] = 0;
  for (const int waits : {0, 1}) {
    CAPTURE(waits);
    if (kDivisionTraps) {
      const std::string text =
          fault_of([&] { simt::launch<divides>({.grid = 10, .block = 16}, simt::to_device(values), waits); }, kSingle);
      CHECK_MESSAGE(contains(text, "thread (11,0,0) of block (5,0,0)"), text);
    }
    const std::string null = fault_of(
        [&] { simt::launch<writes_null>({.grid = 10, .block = 16}, static_cast<int*>(nullptr), waits); }, kSingle);
    CHECK_MESSAGE(contains(null, "thread (9,0,0) of block (3,0,0)"), null);
  }
  for (const int workers : {1, 2}) {
    launch_settings settings({.workers = workers, .timeout_seconds = 0.3, .executed_by = kSingle});
    simt::buffer<int> x(65, "x");
    simt::sim::take_faults();
    CHECK(!error_of([&] { simt::launch<spins_alone>({.grid = 3, .block = simt::dim3(8, 4)}, x.data()); },
                    simt::error_kind::device_fault)
               .empty());
    const std::vector<simt::finding> found = simt::sim::take_faults();
    REQUIRE(found.size() == 1);
    REQUIRE(!found[0].accesses.empty());
    CHECK(found[0].accesses[0].thread == simt::index3{5, 2, 0});
    CHECK(found[0].accesses[0].block == simt::index3{1, 0, 0});
  }
}

[[gnu::noinline]] SIMT_DEVICE int deep(volatile int* n) {
  volatile int here[16] = {*n};
  if (*n < 0) return here[0];
  return deep(n) + here[3];
}
SIMT_DEVICE void recurses(simt::thread t, simt::view<int> x, int waits) {
  if (waits) t.sync();
  if (t.rank() == 4) x[0] = deep(&x[1]);
}
SIMT_DEVICE void large_array(simt::thread t, simt::view<int> x) {
  volatile int local[40'000];
  t.sync();
  for (int i = 0; i < 40'000; ++i) local[i] = i;
  t.sync();
  x[t.grid<1>()] = local[x[t.grid<1>()] % 40'000];
}

TEST_CASE("faults: stack overflow names the thread and how to raise the stack") {
  auto x = simt::to_device(std::vector<int>(64, 3), "x");
  for (const int waits : {0, 1}) {
    CAPTURE(waits);
    using simt::sim::wanted_execution;
    const std::string text = fault_of([&] { simt::launch<recurses>({.grid = 2, .block = 32}, x, waits); },
                                      waits ? wanted_execution::fibers : wanted_execution::single);
    CHECK_MESSAGE(contains(text, "used up its stack of 65536 bytes"), text);
    CHECK_MESSAGE(contains(text, "--stack 262144"), text);
    CHECK_MESSAGE(contains(text, "thread (4,0,0)"), text);
  }
  // A frame larger than a guard page must not jump over it.
  const std::string text = fault_of([&] { simt::launch<large_array>({.grid = 1, .block = 4}, x); });
  CHECK_MESSAGE(contains(text, "used up its stack"), text);
  launch_settings settings({.stack_bytes = 256 * 1024});
  simt::launch<large_array>({.grid = 1, .block = 64}, x);
  CHECK(x.to_host() == std::vector<int>(64, 3));
}

SIMT_DEVICE void traps(simt::thread t, int how) {
  if (t.rank() == 6 && t.block_index() == 2) {
    if (how == 0) t.trap();
    if (how == 1) t.expect(t.rank() == 5, "rank is five");
    if (how == 2) __builtin_trap();
  }
  t.sync();
}

TEST_CASE("faults: trap and expect") {
  for (const int how : {0, 1, 2}) {
    CAPTURE(how);
    const auto executed = how == 2 ? simt::sim::wanted_execution::single : simt::sim::wanted_execution::fibers;
    const std::string text = fault_of([&] { simt::launch<traps>({.grid = 4, .block = 8}, how); }, executed);
    CHECK_MESSAGE(contains(text, "thread (6,0,0) of block (2,0,0) of kernel"), text);
    CHECK_MESSAGE(contains(text, "trapped"), text);
    if (how == 1) CHECK_MESSAGE(contains(text, "rank is five"), text);
  }
}

SIMT_DEVICE void endless(simt::thread t, int* x, int how) {
  if (how == 0)
    for (;;) *static_cast<volatile int*>(x) = *static_cast<volatile int*>(x) + 1;
  if (how == 1)
    for (;;) t.sync();
  if (how == 2)
    for (;;) t.atomic_add(x[0], 1);
  if (how == 3) {
    t.sync();
    for (;;) *static_cast<volatile int*>(x) = 1;
  }
}

TEST_CASE("faults: an endless kernel ends by the time limit") {
  simt::buffer<int> x(1, "x");
  x.fill_bytes(0);
  for (const int workers : {1, 2})
    for (const int how : {0, 1, 2, 3}) {
      CAPTURE(workers);
      CAPTURE(how);
      {
        launch_settings settings({.workers = workers, .timeout_seconds = 0.05});
        const auto start = std::chrono::steady_clock::now();
        const std::string text =
            error_of([&] { simt::launch<endless>({.grid = 4, .block = 64}, x, how); }, simt::error_kind::device_fault);
        CHECK_MESSAGE(contains(text, "did not end within the time limit"), text);
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
      }
      next_launch_works();
    }
}

// One block dies while others never end: the launch ends all the same, without a time limit.
SIMT_DEVICE void one_dies(simt::thread t, int* x) {
  if (t.block_index() == 0) t.trap();
  for (;;) *static_cast<volatile int*>(x) = 1;
}

TEST_CASE("faults: a fault ends what other workers run") {
  simt::buffer<int> x(1, "x");
  {
    launch_settings settings({.workers = 2});
    CHECK(
        contains(error_of([&] { simt::launch<one_dies>({.grid = 8, .block = 4}, x); }, simt::error_kind::device_fault),
                 "trapped"));
  }
  next_launch_works();
}

}  // namespace
