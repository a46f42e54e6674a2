// SPDX-License-Identifier: Apache-2.0
// Launches as such: limits and their messages, no allocation, no growth, many host threads, misuse.
#include <doctest/doctest.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "launch_settings.hpp"

// Counts every allocation of this process while asked to.
namespace {
std::atomic<bool> counting{false};
std::atomic<int> allocations{0};
void count_one() {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
}
}  // namespace
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
[[gnu::visibility("default")]] void* malloc(std::size_t n) { return count_one(), __libc_malloc(n); }
[[gnu::visibility("default")]] void* calloc(std::size_t n, std::size_t m) { return count_one(), __libc_calloc(n, m); }
[[gnu::visibility("default")]] void* realloc(void* p, std::size_t n) { return count_one(), __libc_realloc(p, n); }
[[gnu::visibility("default")]] void* memalign(std::size_t a, std::size_t n) {
  return count_one(), __libc_memalign(a, n);
}
[[gnu::visibility("default")]] void* aligned_alloc(std::size_t a, std::size_t n) {
  return count_one(), __libc_memalign(a, n);
}
}

using engine_tests::contains;
using engine_tests::error_of;
using engine_tests::launch_settings;

namespace {

SIMT_DEVICE void add_one(simt::thread t, simt::view<int> x) {
  const auto i = t.grid<1>();
  if (i < x.size()) x[i] += 1;
}
SIMT_DEVICE void reduce(simt::thread t, simt::view<int> x, simt::view<int> sum) {
  auto& part = t.shared<"part", int[256]>();
  part[t.rank()] = x[t.grid<1>()];
  for (std::int64_t half = t.block_dim().x / 2; half > 0; half /= 2) {
    t.sync();
    if (t.rank() < half) part[t.rank()] += part[t.rank() + half];
  }
  if (t.rank() == 0) t.atomic_add(sum[0], part[0]);
}
SIMT_DEVICE void nothing(simt::thread) {}
SIMT_DEVICE void leaves_early(simt::thread t, simt::view<int> x) {
  if (t.block_index() != 12345) return;
  x[0] = 1;
}

long resident_kib() {
  std::ifstream in("/proc/self/statm");
  long total = 0, resident = 0;
  in >> total >> resident;
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

TEST_CASE("launches: no allocation after warm-up") {
  for (const int workers : {1, 2}) {
    CAPTURE(workers);
    launch_settings settings({.workers = workers});
    auto x = simt::to_device(std::vector<int>(64 * 256, 1), "x");
    simt::buffer<int> sum(1, "sum");
    sum.fill_bytes(0);
    const auto views = std::pair(x.view(), sum.view());
    const auto launch_both = [&] {
      simt::launch<add_one>({.grid = 64, .block = 256}, views.first);
      simt::launch<reduce>({.grid = 64, .block = 256}, views.first, views.second);
    };
    // Which worker takes how many blocks varies, and each keeps what it needed at most: warm is who has met the most.
    int least = 1;
    for (int attempt = 0; attempt < 10 && least != 0; ++attempt) {
      for (int i = 0; i < 100; ++i) launch_both();
      allocations = 0;
      counting = true;
      for (int i = 0; i < 30; ++i) launch_both();
      counting = false;
      least = allocations.load();
    }
    CHECK(least == 0);
    // The counter counts.
    counting = true;
    simt::buffer<int> another(1, "another");
    counting = false;
    CHECK(allocations.load() > 0);
  }
}

TEST_CASE("launches: memory does not grow over many launches and faults") {
  auto x = simt::to_device(std::vector<int>(256, 0), "x");
  simt::buffer<int> sum(1, "sum");
  const auto v = x.view();
  const auto s = sum.view();
  const auto some = [&](int n) {
    for (int i = 0; i < n; ++i) {
      simt::launch<nothing>({.grid = 1, .block = 32});
      simt::launch<add_one>({.grid = 2, .block = 128}, v);
      if (i % 16 == 0) simt::launch<reduce>({.grid = 1, .block = 256}, v, s);
    }
  };
  some(1000);
  const long before = resident_kib();
  some(10'000);
  CHECK(resident_kib() - before < 4096);
}

SIMT_DEVICE void dies(simt::thread t) {
  t.sync();
  if (t.rank() == 3) t.trap();
  t.sync();
}
TEST_CASE("launches: memory does not grow over faults") {
  const auto some = [](int n) {
    for (int i = 0; i < n; ++i)
      CHECK(!error_of([] { simt::launch<dies>({.grid = 4, .block = 64}); }, simt::error_kind::device_fault).empty());
  };
  some(50);
  const long before = resident_kib();
  some(500);
  CHECK(resident_kib() - before < 8192);
}

TEST_CASE("launches: large grids whose blocks end at once") {
  simt::buffer<int> x(1, "x");
  x.fill_bytes(0);
  simt::launch<leaves_early>({.grid = simt::dim3(65535, 655), .block = 1}, x);
  CHECK(x.to_host()[0] == 1);
  x.fill_bytes(0);
  simt::launch<leaves_early>({.grid = simt::dim3(1 << 16), .block = 1024}, x);
  CHECK(x.to_host()[0] == 1);
}

TEST_CASE("launches: from several host threads") {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int n = 0; n < 4; ++n)
    threads.emplace_back([&wrong, n] {
      for (int i = 0; i < 50; ++i) {
        auto x = simt::to_device(std::vector<int>(4 * 256, n), "x");
        simt::buffer<int> sum(1, "sum");
        sum.fill_bytes(0);
        simt::launch<add_one>({.grid = 4, .block = 256}, x);
        simt::launch<reduce>({.grid = 4, .block = 256}, x, sum);
        simt::stream own;
        simt::event e;
        e.record(own);
        e.synchronize();
        if (sum.to_host(own)[0] != (n + 1) * 4 * 256) ++wrong;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}

SIMT_DEVICE void launches_itself(simt::thread t) {
  if (t.rank() == 1) simt::launch<nothing>({.grid = 1, .block = 1});
}
TEST_CASE("launches: not from a kernel, not from a host callback") {
  const std::string nested =
      error_of([] { simt::launch<launches_itself>({.grid = 1, .block = 2}); }, simt::error_kind::device_fault);
  CHECK_MESSAGE(contains(nested, "launch from device code"), nested);
  simt::stream s;
  const std::string callback =
      error_of([&] { s.host_callback([] { simt::launch<nothing>({.grid = 1, .block = 1}); }); },
               simt::error_kind::invalid_argument);
  CHECK_MESSAGE(contains(callback, "host callback"), callback);
  simt::launch<nothing>({.grid = 1, .block = 1});
}

TEST_CASE("launches: more workers than cores") {
  auto x = simt::to_device(std::vector<int>(64 * 256, 1), "x");
  for (const int workers : {7, 64, 256}) {
    launch_settings settings({.workers = workers});
    simt::buffer<int> sum(1, "sum");
    sum.fill_bytes(0);
    simt::launch<reduce>({.grid = 64, .block = 256}, x, sum);
    CHECK(sum.to_host()[0] == 64 * 256);
  }
}

TEST_CASE("launches: geometry outside the limits is refused before anything runs") {
  const auto refused = [](simt::launch_config c) {
    return error_of([&] { simt::launch<nothing>(c); }, simt::error_kind::launch_limit);
  };
  const auto says = [&](simt::launch_config c, std::initializer_list<const char*> parts) {
    const std::string text = refused(c);
    for (const std::string part : parts) CHECK_MESSAGE(contains(text, part), part, " not in: ", text);
  };
  says({.grid = 0, .block = 1}, {"grid (0, 1, 1)", "at least 1"});
  simt::launch_config none;
  none.block.x = 0;
  says(none, {"block (0, 1, 1)", "at least 1"});
  says({.grid = -3, .block = 1}, {"grid (-3, 1, 1)"});
  says({.grid = 1, .block = simt::dim3(1, -1, 1)}, {"block (1, -1, 1)"});
  says({.grid = 1, .block = 1025}, {"1025 threads", "1024"});
  says({.grid = 1, .block = simt::dim3(32, 32, 32)}, {"32768 threads", "1024"});
  says({.grid = 1, .block = simt::dim3(1, 1, 65)}, {"block (1, 1, 65)", "64"});
  says({.grid = 1, .block = simt::dim3(INT64_MAX, INT64_MAX, INT64_MAX)}, {"far too many"});
  says({.grid = simt::dim3(1, 65536), .block = 1}, {"65535"});
  says({.grid = simt::dim3(1, 1, 65536), .block = 1}, {"65535"});
  says({.grid = simt::dim3(std::int64_t{1} << 31), .block = 1}, {"2147483647"});
  says({.grid = 1, .block = 1, .shared_bytes = 227 * 1024 + 1}, {"232449", "232448"});
  says({.grid = 1, .block = 1, .shared_bytes = -1}, {"negative"});
  says({.grid = 5000, .block = 1024, .cooperative = true}, {"cooperative", "5000"});
}

SIMT_DEVICE void three_arrays(simt::thread t, simt::view<int> x) {
  auto& a = t.shared<"a", char[20 * 1024]>();
  a[0] = 1;
  t.sync();
  auto& b = t.shared<"b", char[20 * 1024]>();
  b[0] = 2;
  auto& c = t.shared<"c", char[8 * 1024 + 1]>();
  c[0] = 3;
  x[0] = a[0] + b[0] + c[0];
}
SIMT_DEVICE void dynamic_and_static(simt::thread t, simt::view<int> x) {
  int* dynamic = t.dynamic_shared<int>();
  const std::int64_t n = t.dynamic_shared_bytes() / 4;
  for (auto i : t.block_stride(n)) dynamic[i] = static_cast<int>(i);
  auto& fixed = t.shared<"fixed", int[1024]>();
  fixed[t.rank()] = -1;
  t.sync();
  for (auto i : t.block_stride(n))
    if (dynamic[i] != i) t.atomic_add(x[0], 1);
}

TEST_CASE("launches: shared memory") {
  simt::buffer<int> x(1, "x");
  x.fill_bytes(0);
  const std::string text =
      error_of([&] { simt::launch<three_arrays>({.grid = 2, .block = 4}, x); }, simt::error_kind::launch_limit);
  CHECK_MESSAGE(contains(text, "'c'"), text);
  CHECK_MESSAGE(contains(text, "49152"), text);
  simt::launch<dynamic_and_static>({.grid = 40, .block = 64, .shared_bytes = 223 * 1024}, x);
  CHECK(x.to_host()[0] == 0);
  const std::string both =
      error_of([&] { simt::launch<dynamic_and_static>({.grid = 2, .block = 64, .shared_bytes = 224 * 1024}, x); },
               simt::error_kind::launch_limit);
  CHECK_MESSAGE(contains(both, "232448"), both);
  simt::launch<nothing>({.grid = 1, .block = 1});
}

}  // namespace
