// SPDX-License-Identifier: Apache-2.0
// A consumer beside the detector hears of each access once, in its thread's order, and before the event that orders it.
// Most accesses come in batches, which are gathered over many threads: the order of one thread's steps is what the
// dispatcher must keep.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <simt/check.hpp>
#include <simt/session.hpp>
#include <simt/simt.hpp>

#include "event_log.hpp"

using namespace event_tests;

namespace {

constexpr int kBlocks = 3;
constexpr std::int64_t kWidth = 32, kThreads = 64;  // one row, or two
constexpr std::int64_t kOdd = 17;                   // the rank of the thread that does something else

SIMT_DEVICE void saxpy(simt::thread t, const float* x, float* y) {
  const auto i = t.grid<1>();
  y[i] = 2 * x[i] + y[i];
}
// Reads what another thread of the block has written.
SIMT_DEVICE void exchange(simt::thread t, const float* x, float* y) {
  const auto i = t.grid<1>();
  y[i] = x[i];
  t.sync();
  const float other = y[i ^ 1];
  t.sync();
  y[i] = other;
}
// One thread counts between its two stores, when its neighbours have formed a batch and it follows in it.
SIMT_DEVICE void count_between(simt::thread t, float* y, int* count) {
  const auto i = t.grid<1>();
  y[2 * i] = 1;
  if (t.rank() == kOdd) t.atomic_add(*count, 1);
  y[2 * i + 1] = 2;
}
SIMT_DEVICE void fence_between(simt::thread t, float* y) {
  const auto i = t.grid<1>();
  y[2 * i] = 1;
  if (t.rank() == kOdd) t.fence();
  y[2 * i + 1] = 2;
}
// One thread takes another way through the kernel.
SIMT_DEVICE void one_strays(simt::thread t, const float* x, float* y) {
  const auto i = t.grid<1>();
  float v = x[i];
  if (t.rank() == kOdd) v += x[0];
  y[i] = v;
}
SIMT_DEVICE void two_rows(simt::thread t, const float* x, float* y) {
  const auto [column, row] = t.grid<2>();
  const auto i = row * kWidth + column;
  y[i] = x[i];
}
SIMT_DEVICE void copies(simt::thread t, const float* x, float* y) {
  const auto i = t.grid<1>();
  y[i] = x[i];
}
// The same, and reads tables that are in the host's memory, as arguments are.
SIMT_DEVICE void reads_of_the_host(simt::thread t, const float* x, float* y, const float* words, const char* bytes) {
  const auto i = t.grid<1>();
  y[i] = x[i] + words[i % 4] + static_cast<float>(bytes[i % 4]);
}

// Steps of a thread.
using steps = std::vector<step>;

std::uintptr_t address_of(const float* p) { return reinterpret_cast<std::uintptr_t>(p); }

struct thread_program {
  std::int64_t block;
  std::int32_t rank;
  std::int64_t index;  // in the grid
  steps done;
  void read(const float* p) { done.push_back({step_kind::read, block, rank, address_of(p)}); }
  void write(const float* p) { done.push_back({step_kind::write, block, rank, address_of(p)}); }
  void order(step_kind k, std::uintptr_t address = 0) { done.push_back({k, block, rank, address}); }
};

bool same(const step& a, const step& b) { return a.kind == b.kind && a.address == b.address; }

struct fixture {
  simt::buffer<float> x{kBlocks * kThreads, "x"}, y{2 * kBlocks * kThreads, "y"};
  simt::buffer<int> count{1, "count"};
  std::unique_ptr<event_log> log = std::make_unique<event_log>();

  fixture() {
    x.copy_from(std::vector<float>(kBlocks * kThreads, 1));
    y.copy_from(std::vector<float>(2 * kBlocks * kThreads, 1));
    count.copy_from(std::vector<int>(1, 0));
  }

  // `launch` runs a kernel of kBlocks blocks; `program` says what one of its threads does.
  void expect(const std::function<void()>& launch, const std::function<void(thread_program&)>& program) {
    const auto findings = simt::check({.schedule = "natural", .workers = 1, .leaks = false}, [&] {
      write_events_to(*log);
      launch();
    });
    CHECK(findings.empty());
    REQUIRE(log->count <= event_log::kMost);
    std::size_t accesses = 0;
    for (int b = 0; b < kBlocks; ++b)
      for (std::int32_t r = 0; r < kThreads; ++r) {
        thread_program p{b, r, b * kThreads + r, {}};
        program(p);
        accesses += static_cast<std::size_t>(std::count_if(p.done.begin(), p.done.end(), [](const step& s) {
          return s.kind == step_kind::read || s.kind == step_kind::write;
        }));
        p.order(step_kind::exit);
        const steps told = told_of(b, r);
        INFO("block " << b << " thread " << r << ": " << told.size() << " steps, " << p.done.size() << " expected");
        CHECK(std::equal(told.begin(), told.end(), p.done.begin(), p.done.end(), same));
      }
    CHECK(log->singles + log->in_batches == accesses);
    CHECK(log->batches > 0);
    MESSAGE(accesses << " accesses, " << log->in_batches << " of them in " << log->batches << " batches");
  }

  steps told_of(std::int64_t block, std::int32_t rank) const {
    steps of_thread;
    std::copy_if(log->steps, log->steps + log->count, std::back_inserter(of_thread),
                 [&](const step& s) { return s.block == block && (s.rank == rank || s.rank == -1); });
    return of_thread;
  }
};

const simt::launch_config kFlat{.grid = kBlocks, .block = kThreads};

}  // namespace

TEST_CASE_FIXTURE(fixture, "accesses come before the block's end") {
  const float* const from = x.data();
  float* const to = y.data();
  expect([&] { simt::launch<saxpy>(kFlat, from, to); },
         [&](thread_program& p) {
           p.read(from + p.index);
           p.read(to + p.index);
           p.write(to + p.index);
         });
}

TEST_CASE_FIXTURE(fixture, "accesses come before the barrier that orders them") {
  const float* const from = x.data();
  float* const to = y.data();
  expect([&] { simt::launch<exchange>(kFlat, from, to); },
         [&](thread_program& p) {
           p.read(from + p.index);
           p.write(to + p.index);
           p.order(step_kind::barrier);
           p.read(to + (p.index ^ 1));
           p.order(step_kind::barrier);
           p.write(to + p.index);
         });
}

TEST_CASE_FIXTURE(fixture, "accesses come before the atomic operation that follows") {
  float* const to = y.data();
  int* const counted = count.data();
  expect([&] { simt::launch<count_between>(kFlat, to, counted); },
         [&](thread_program& p) {
           p.write(to + 2 * p.index);
           if (p.rank == kOdd) p.order(step_kind::atomic, reinterpret_cast<std::uintptr_t>(counted));
           p.write(to + 2 * p.index + 1);
         });
}

TEST_CASE_FIXTURE(fixture, "accesses come before the fence that follows") {
  float* const to = y.data();
  expect([&] { simt::launch<fence_between>(kFlat, to); },
         [&](thread_program& p) {
           p.write(to + 2 * p.index);
           if (p.rank == kOdd) p.order(step_kind::fence);
           p.write(to + 2 * p.index + 1);
         });
}

TEST_CASE_FIXTURE(fixture, "a thread that strays from its batch") {
  const float* const from = x.data();
  float* const to = y.data();
  expect([&] { simt::launch<one_strays>(kFlat, from, to); },
         [&](thread_program& p) {
           p.read(from + p.index);
           if (p.rank == kOdd) p.read(from);
           p.write(to + p.index);
         });
}

TEST_CASE_FIXTURE(fixture, "batches of several rows") {
  const float* const from = x.data();
  float* const to = y.data();
  expect(
      [&] {
        simt::launch<two_rows>({.grid = {1, kBlocks}, .block = {kWidth, kThreads / kWidth}}, from, to);
      },
      [&](thread_program& p) {
        p.read(from + p.index);
        p.write(to + p.index);
      });
}

// A run of which nothing is judged has listeners where it is counted (simrun profile); else nobody follows it at all.
TEST_CASE_FIXTURE(fixture, "where nothing is judged, what concerns nobody is not told and ends no batch") {
  static constexpr float kWords[] = {1, 2, 3, 4};
  static constexpr char kBytes[] = {1, 2, 3, 4};
  const float* const from = x.data();
  float* const to = y.data();
  const float* const words = kWords;
  const char* const bytes = kBytes;
  simt::run_request request;
  request.checks = {.races = false, .memory = false, .uninit = false, .barrier = false};
  request.profile = true;
  request.workers = 1;
  request.execution = "fibers";
  const auto told_in = [&](const std::function<void()>& launch) {
    *log = event_log();
    simt::backend::begin_run(request);
    write_events_to(*log);
    launch();
    simt::run_report report;
    simt::backend::end_run(report);
    return std::pair(log->singles, log->in_batches);
  };
  const auto alone = told_in([&] { simt::launch<copies>(kFlat, from, to); });
  CHECK(alone.first + alone.second == 2 * kBlocks * kThreads);
  CHECK(alone.first <= 2 * 2 * kBlocks);  // of a block's first threads, until there is a batch
  CHECK(told_in([&] { simt::launch<reads_of_the_host>(kFlat, from, to, words, bytes); }) == alone);
}
