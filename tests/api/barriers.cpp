// SPDX-License-Identifier: Apache-2.0
// Block barriers and their votes; fences; printing.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void votes(simt::thread t, int threshold, simt::view<int, 2> out) {
  const int i = t.rank();
  const int count = t.sync_count(i < threshold);
  const bool all = t.sync_and(i < threshold);
  const bool any = t.sync_or(i < threshold);
  out(i, 0) = count;
  out(i, 1) = all;
  out(i, 2) = any;
}

// Threads beyond `staying` leave; the barrier is for those who stay.
SIMT_DEVICE void leave_early(simt::thread t, int staying, simt::view<int> out) {
  auto& slots = t.shared<"slots", int[128]>();
  const int i = t.rank();
  if (i >= staying) return;
  slots[i] = i;
  t.sync();
  out[i] = slots[staying - 1 - i];
}

// Many barriers in a row: each step reads what a neighbour wrote in the step before.
SIMT_DEVICE void ring(simt::thread t, int steps, simt::view<int> out) {
  auto& slots = t.shared<"slots", int[2][96]>();
  const int i = t.rank(), next = (i + 1) % 96;
  slots[0][i] = i;
  t.sync();
  for (int s = 0; s < steps; ++s) {
    slots[(s + 1) % 2][i] = slots[s % 2][next];
    t.sync();
  }
  out[i] = slots[steps % 2][i];
}

// Block 0 hands a value to block 1 through a flag.
SIMT_DEVICE void message_by_fence(simt::thread t, simt::view<int> data, simt::view<int> flag, simt::view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 42;
    t.threadfence();
    t.atomic_store(flag[0], 1);
  } else {
    while (t.atomic_load(flag[0]) == 0) t.yield();
    t.threadfence();
    out[0] = data[0];
  }
}
SIMT_DEVICE void message_by_order(simt::thread t, simt::view<int> data, simt::view<int> flag, simt::view<int> out) {
  if (t.block_idx().x == 0) {
    data[0] = 43;
    t.atomic_store(flag[0], 1, simt::memory_order::release, simt::scope::device);
  } else {
    while (t.atomic_load(flag[0], simt::memory_order::acquire, simt::scope::device) == 0) t.yield();
    out[0] = data[0];
  }
}

SIMT_DEVICE void all_fences(simt::thread t, simt::view<int> out) {
  using enum simt::scope;
  for (const simt::memory_order o :
       {simt::memory_order::relaxed, simt::memory_order::acquire, simt::memory_order::release,
        simt::memory_order::acq_rel, simt::memory_order::seq_cst}) {
    t.fence(o, thread);
    t.fence(o, block);
    t.fence(o, cluster);
    t.fence(o, device);
    t.fence(o, system);
  }
  t.threadfence_block();
  t.threadfence_system();
  out[t.rank()] = 1;
}

SIMT_DEVICE void print(simt::thread t) {
  if (t.rank() == 1)
    t.printf("thread %d of block %d says %s %.2f\n", t.rank(), static_cast<int>(t.block_idx().x), "hello", 1.5);
}

// The lines that `body` writes to standard output, sorted: blocks print in any order.
template <class Body>
std::vector<std::string> lines_printed_by(Body body) {
  std::fflush(stdout);
  std::FILE* const kept = std::tmpfile();
  const int standard_output = dup(STDOUT_FILENO);
  REQUIRE(kept != nullptr);
  REQUIRE(dup2(fileno(kept), STDOUT_FILENO) >= 0);
  body();
  std::fflush(stdout);
  dup2(standard_output, STDOUT_FILENO);
  close(standard_output);
  std::rewind(kept);
  std::vector<std::string> lines;
  std::string line;
  for (int c = std::fgetc(kept); c != EOF; c = std::fgetc(kept)) {
    if (c == '\n') {
      lines.push_back(line);
      line.clear();
    } else {
      line += static_cast<char>(c);
    }
  }
  if (!line.empty()) lines.push_back(line);
  std::fclose(kept);
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("sync_count, sync_and and sync_or") {
  for (const int threads : {1, 31, 32, 100, 1024})
    for (const int threshold : {0, 1, threads / 2, threads}) {
      simt::buffer<int> out(std::vector<std::int64_t>{threads, 3}, "out");
      simt::launch<votes>({.grid = 1, .block = threads}, threshold, out);
      std::vector<int> wanted;
      for (int i = 0; i < threads; ++i) wanted.insert(wanted.end(), {threshold, threshold == threads, threshold > 0});
      CHECK(out.to_host() == wanted);
    }
}

TEST_CASE("a barrier waits for the threads that have not left the kernel") {
  auto out = simt::to_device(std::vector<int>(128, -1), "out");
  simt::launch<leave_early>({.grid = 1, .block = 128}, 70, out);
  std::vector<int> wanted(128, -1);
  for (int i = 0; i < 70; ++i) wanted[i] = 69 - i;
  CHECK(out.to_host() == wanted);
}

TEST_CASE("barriers in a loop") {
  simt::buffer<int> out(96, "out");
  simt::launch<ring>({.grid = 1, .block = 96}, 50, out);
  std::vector<int> wanted(96);
  for (int i = 0; i < 96; ++i) wanted[i] = (i + 50) % 96;
  CHECK(out.to_host() == wanted);
}

TEST_CASE("a message from block to block") {
  auto data = simt::to_device(std::vector<int>(1), "data");
  auto flag = simt::to_device(std::vector<int>(1), "flag");
  simt::buffer<int> out(1, "out");
  SUBCASE("fences") {
    simt::launch<message_by_fence>({.grid = 2, .block = 1}, data, flag, out);
    CHECK(out.to_host().front() == 42);
  }
  SUBCASE("release and acquire") {
    simt::launch<message_by_order>({.grid = 2, .block = 1}, data, flag, out);
    CHECK(out.to_host().front() == 43);
  }
}

TEST_CASE("fences of every order and scope") {
  simt::buffer<int> out(32, "out");
  simt::launch<all_fences>({.grid = 1, .block = 32}, out);
  CHECK(out.to_host() == std::vector<int>(32, 1));
}

TEST_CASE("printf from a kernel: one whole line for each call") {
  const auto lines = lines_printed_by([] {
    simt::launch<print>({.grid = 3, .block = 32});
    simt::synchronize();
  });
  CHECK(lines == std::vector<std::string>{"thread 1 of block 0 says hello 1.50", "thread 1 of block 1 says hello 1.50",
                                          "thread 1 of block 2 says hello 1.50"});
}
