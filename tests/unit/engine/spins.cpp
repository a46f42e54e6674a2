// SPDX-License-Identifier: Apache-2.0
// Loops that wait for what another thread or block does must end, with one worker and with several; loops that nobody
// can end must be told from loops that only take long.
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>

#include "launch_settings.hpp"

using engine_tests::contains;
using engine_tests::error_of;
using engine_tests::launch_settings;

namespace {

// Thread 0 waits for the last thread of its block.
SIMT_DEVICE void later_thread(simt::thread t, simt::view<int> flag, simt::view<int> out) {
  if (t.rank() == 0)
    while (t.atomic_load(flag[t.block_index()]) == 0) {
    }
  if (t.rank() == t.block_dim().x - 1) t.atomic_store(flag[t.block_index()], 1);
  out[t.grid<1>()] = 1;
}

// Block i waits for block i + step, those without one go ahead.
SIMT_DEVICE void chain(simt::thread t, simt::view<int> done, int step) {
  const std::int64_t other = t.block_index() + step;
  if (other >= 0 && other < t.grid_dim().x)
    while (t.atomic_load(done[other], simt::memory_order::acquire) == 0) {
    }
  t.sync();
  if (t.rank() == 0) t.atomic_store(done[t.block_index()], 1, simt::memory_order::release);
}

SIMT_DEVICE void lock_by_cas(simt::thread t, simt::view<int> lock, simt::view<int> sum) {
  while (t.atomic_cas(lock[0], 0, 1) != 0) {
  }
  t.threadfence();
  sum[0] = sum[0] + 1;
  t.threadfence();
  t.atomic_exch(lock[0], 0);
}
SIMT_DEVICE void lock_by_exch(simt::thread t, simt::view<int> lock, simt::view<int> sum) {
  while (t.atomic_exch(lock[0], 1) != 0) {
  }
  t.threadfence();
  sum[0] = sum[0] + 1;
  t.threadfence();
  t.atomic_store(lock[0], 0, simt::memory_order::release);
}
// lock[0]: next ticket, lock[1]: being served.
SIMT_DEVICE void lock_by_ticket(simt::thread t, simt::view<int> lock, simt::view<int> sum) {
  const int mine = t.atomic_add(lock[0], 1);
  while (t.atomic_add(lock[1], 0) != mine) {
  }
  t.threadfence();
  sum[0] = sum[0] + 1;
  t.threadfence();
  t.atomic_add(lock[1], 1);
}

// Not one call to the engine: a plain volatile flag that another block sets.
SIMT_DEVICE void volatile_block(simt::thread t, int* flag, int* out) {
  if (t.block_index() + 1 < t.grid_dim().x)
    while (*static_cast<volatile int*>(flag) == 0) {
    }
  else
    *static_cast<volatile int*>(flag) = 1;
  out[t.grid<1>()] = 1;
}
// The same between threads of a block, after they have waited once.
SIMT_DEVICE void volatile_thread(simt::thread t, int* flag, int* out) {
  t.sync();
  if (t.rank() + 1 < t.block_dim().x)
    while (*static_cast<volatile int*>(flag + t.block_index()) == 0) {
    }
  else
    *static_cast<volatile int*>(flag + t.block_index()) = 1;
  out[t.grid<1>()] = 1;
}
// Producer and consumer blocks with fences, as CUDA programs before atomics with orders wrote it.
SIMT_DEVICE void volatile_chain(simt::thread t, int* flag, int* data) {
  const std::int64_t b = t.block_index();
  if (t.rank() == 0) {
    int carried = 0;
    if (b + 1 < t.grid_dim().x) {
      while (*static_cast<volatile int*>(flag + b + 1) == 0) {
      }
      t.threadfence();
      carried = data[b + 1];
    }
    data[b] = carried + 1;
    t.threadfence();
    *static_cast<volatile int*>(flag + b) = 1;
  }
}

TEST_CASE("spins: flags, chains and locks end") {
  for (const int workers : {1, 2, 4}) {
    CAPTURE(workers);
    launch_settings settings({.workers = workers, .timeout_seconds = 60});
    for (const int threads : {2, 33, 256}) {
      simt::buffer<int> flag(40, "flag"), out(40 * threads, "out");  // 40 blocks
      flag.fill_bytes(0);
      out.fill_bytes(0);
      simt::launch<later_thread>({.grid = 40, .block = threads}, flag, out);
      CHECK(out.to_host() == std::vector<int>(static_cast<std::size_t>(40 * threads), 1));
    }
    for (const int step : {-1, 1, 7}) {
      const int blocks = step < 0 && workers == 1 ? 2000 : 100;
      simt::buffer<int> done(blocks, "done");
      done.fill_bytes(0);
      simt::launch<chain>({.grid = blocks, .block = 32}, done, step);
      CHECK(done.to_host() == std::vector<int>(static_cast<std::size_t>(blocks), 1));
    }
    const auto locked = [](auto launch) {
      simt::buffer<int> lock(2, "lock"), sum(1, "sum");
      lock.fill_bytes(0);
      sum.fill_bytes(0);
      launch(lock, sum);
      return sum.to_host()[0];
    };
    CHECK(locked([](auto& l, auto& s) { simt::launch<lock_by_cas>({.grid = 8, .block = 64}, l, s); }) == 512);
    CHECK(locked([](auto& l, auto& s) { simt::launch<lock_by_exch>({.grid = 8, .block = 64}, l, s); }) == 512);
    CHECK(locked([](auto& l, auto& s) { simt::launch<lock_by_ticket>({.grid = 8, .block = 64}, l, s); }) == 512);
  }
}

TEST_CASE("spins: volatile flags end without a call to the engine") {
  for (const int workers : {1, 2}) {
    CAPTURE(workers);
    launch_settings settings({.workers = workers, .timeout_seconds = 60});
    simt::buffer<int> flag(100, "flag"), out(100 * 32, "out");
    const auto clear = [&] {
      flag.fill_bytes(0);
      out.fill_bytes(0);
    };
    clear();
    simt::launch<volatile_block>({.grid = 20, .block = 32}, flag, out);
    CHECK(out.to_host()[20 * 32 - 1] == 1);
    clear();
    simt::launch<volatile_block>({.grid = 100, .block = 1}, flag, out);
    CHECK(out.to_host()[99] == 1);
    clear();
    simt::launch<volatile_thread>({.grid = 3, .block = 32}, flag, out);
    CHECK(out.to_host()[3 * 32 - 1] == 1);
    clear();
    simt::launch<volatile_chain>({.grid = 50, .block = 32}, flag, out);
    CHECK(out.to_host()[0] == 50);
  }
}

// The limitation (docs/limitations.md): thread 0 spins before its first wait for a later thread of its own block.
SIMT_DEVICE void volatile_first(simt::thread t, int* flag) {
  if (t.rank() == 0)
    while (*static_cast<volatile int*>(flag) == 0) {
    }
  else
    *static_cast<volatile int*>(flag) = 1;
}
// The same, and it counts: it does not come back to any state.
SIMT_DEVICE void volatile_count(simt::thread t, int* flag, std::int64_t* out) {
  std::int64_t rounds = 0;
  while (*static_cast<volatile int*>(flag) == 0) ++rounds;
  out[t.rank()] = rounds;
}
// Block 0 hears of block 1, takes long, and answers. Who computes is not stuck, though it was before.
SIMT_DEVICE void slow_answer(simt::thread t, simt::view<int> flags, simt::view<std::int64_t> out) {
  const std::int64_t me = t.block_index();
  const auto compute = [&] {
    std::uint64_t x = static_cast<std::uint64_t>(me) + 1;
    for (int i = 0; i < 200'000'000; ++i) x = (x ^ (x >> 13)) * 6364136223846793005ULL + 1;
    out[me] = static_cast<std::int64_t>(x >> 40);
  };
  if (me == 0) {
    while (t.atomic_load(flags[0]) == 0) {
    }
    compute();
    t.atomic_store(flags[1], 1);
  } else {
    compute();
    t.atomic_store(flags[0], 1);
    while (t.atomic_load(flags[1]) == 0) {
    }
  }
}
SIMT_DEVICE void nobody_sets(simt::thread t, simt::view<int> flag) {
  while (t.atomic_load(flag[0]) == 0) {
  }
}
// Takes long and loads often, but comes to its end.
SIMT_DEVICE void slow_reader(simt::thread t, simt::view<int> x, simt::view<std::int64_t> out) {
  std::int64_t sum = 0;
  for (int i = 0; i < 30'000'000; ++i) sum += t.atomic_load(x[0]);
  out[0] = sum;
}
SIMT_DEVICE void slow_writer(simt::thread t, simt::view<int> counter, simt::view<int> work) {
  while (t.atomic_add(counter[0], 1) < 26'000'000) {
    work[0] = work[0] ^ 1;
    if ((work[0] & 1) != 0) t.threadfence();
  }
}

TEST_CASE("spins: a loop that nobody can end is a hang, one that takes long is none") {
  launch_settings settings({.workers = 2, .timeout_seconds = 120});
  simt::buffer<int> flag(1, "flag");
  flag.fill_bytes(0);
  const std::string text =
      error_of([&] { simt::launch<nobody_sets>({.grid = 2, .block = 8}, flag); }, simt::error_kind::device_fault);
  CHECK_MESSAGE(contains(text, "does not end"), text);
  simt::buffer<int> one = simt::to_device(std::vector<int>{1});
  simt::buffer<std::int64_t> sum(1, "sum");
  simt::launch<slow_reader>({.grid = 1, .block = 1}, one, sum);
  CHECK(sum.to_host()[0] == 30'000'000);
  simt::buffer<int> work(1, "work");
  work.fill_bytes(0);
  simt::launch<slow_writer>({.grid = 1, .block = 2}, flag, work);
  CHECK(flag.to_host()[0] == 26'000'002);
}

TEST_CASE("spins: a thousand threads that all wait for nobody are a hang within seconds") {
  simt::buffer<int> flag(1, "flag");
  flag.fill_bytes(0);
  for (const int workers : {1, 2}) {
    CAPTURE(workers);
    launch_settings settings({.workers = workers, .timeout_seconds = 60});
    const auto start = std::chrono::steady_clock::now();
    const std::string text =
        error_of([&] { simt::launch<nobody_sets>({.grid = 4, .block = 256}, flag); }, simt::error_kind::device_fault);
    CHECK_MESSAGE(contains(text, "wait in loops"), text);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  }
}

TEST_CASE("spins: a block that has heard and computes is no hang for who waits for its answer") {
  launch_settings settings({.workers = 2, .timeout_seconds = 120});
  simt::buffer<int> flags(2, "flags");
  flags.fill_bytes(0);
  simt::buffer<std::int64_t> out(2, "out");
  simt::launch<slow_answer>({.grid = 2, .block = 1}, flags, out);
  CHECK(flags.to_host() == std::vector<int>{1, 1});
}

TEST_CASE("spins: a volatile spin for a later thread of the same block is a hang, or ends by the time limit") {
  simt::buffer<int> flag(1, "flag");
  flag.fill_bytes(0);
  {
    launch_settings settings({.workers = 1, .timeout_seconds = 30});
    const std::string text =
        error_of([&] { simt::launch<volatile_first>({.grid = 1, .block = 32}, flag); }, simt::error_kind::device_fault);
    CHECK_MESSAGE(contains(text, "does not end"), text);
  }
  {
    launch_settings settings({.workers = 1, .timeout_seconds = 0.3});
    simt::buffer<std::int64_t> out(1, "out");
    const std::string text = error_of([&] { simt::launch<volatile_count>({.grid = 1, .block = 1}, flag, out); },
                                      simt::error_kind::device_fault);
    CHECK_MESSAGE(contains(text, "time limit"), text);
  }
}

// What `body` writes to stderr.
std::string said_by(const std::function<void()>& body) {
  std::fflush(stderr);
  const int before = dup(2), file = memfd_create("stderr", 0);
  dup2(file, 2);
  body();
  std::fflush(stderr);
  dup2(before, 2);
  std::string text(4096, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(pread(file, text.data(), text.size(), 0), 0)));
  close(before), close(file);
  return text;
}

SIMT_DEVICE void passes_barriers(simt::thread t, simt::view<int> end) {
  while (t.atomic_load(end[0]) == 0) t.sync();
}

TEST_CASE(
    "spins: a launch of which no block begins or ends for long is named, once, and not where its time is limited") {
  simt::managed_buffer<int> end(1, "end");
  const auto run = [&](simt::sim::launch_options options) {
    end[0] = 0;
    launch_settings settings(options);
    return said_by([&] {
      std::thread host([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(600));
        __atomic_store_n(&end[0], 1, __ATOMIC_SEQ_CST);
      });
      simt::launch<passes_barriers>({.grid = 1, .block = 32}, end);
      host.join();
    });
  };
  const std::string text = run({.workers = 1, .quiet_seconds = 0.1});
  CHECK_MESSAGE(contains(text, "passes_barriers: no block of it has begun or ended for 0.1 s"), text);
  CHECK_MESSAGE(text.find("no block") == text.rfind("no block"), text);
  CHECK(run({.workers = 1, .timeout_seconds = 60, .quiet_seconds = 0.1}).empty());
  CHECK(run({.workers = 1}).empty());
}

}  // namespace
