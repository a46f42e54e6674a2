// SPDX-License-Identifier: Apache-2.0
// atomic_ref, barrier, latch, semaphore.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <simt/atomic_ref.hpp>
#include <simt/check.hpp>
#include <simt/simt.hpp>
#include <simt/sync.hpp>

namespace {

using simt::memory_order;

template <class T>
SIMT_DEVICE void operations(simt::thread t, simt::view<T> x) {
  simt::atomic_ref<T, simt::scope::device> add(t, x[0]), low(t, x[1]), high(t, x[2]), swap(t, x[3]);
  const T mine = static_cast<T>(t.grid<1>() % 100);
  add.fetch_add(mine, memory_order::relaxed);
  low.fetch_min(mine, memory_order::acq_rel);
  high.fetch_max(mine);
  T seen = swap.load(memory_order::relaxed);
  while (!swap.compare_exchange_weak(seen, static_cast<T>(seen + 1), memory_order::acquire)) {
  }
  if constexpr (std::is_integral_v<T>) {
    simt::atomic_ref<T> bits(t, x[4]);
    bits.fetch_or(static_cast<T>(1) << (t.grid<1>() % 30));
    bits.fetch_xor(static_cast<T>(0));
    bits.fetch_and(static_cast<T>(~T{0}));
  }
}
template <class T>
void check_operations() {
  auto x = simt::to_device(std::vector<T>{0, 50, 50, 0, 0}, "x");
  simt::launch<operations<T>>({.grid = 10, .block = 100}, x);
  const auto got = x.to_host();
  CHECK(got[0] == static_cast<T>(10 * 4950));
  CHECK(got[1] == 0);
  CHECK(got[2] == 99);
  CHECK(got[3] == 1000);
  if constexpr (std::is_integral_v<T>) CHECK(got[4] == static_cast<T>((1u << 30) - 1));
}
TEST_CASE("atomic_ref on integers and floats") {
  check_operations<int>();
  check_operations<unsigned long long>();
  check_operations<float>();
  check_operations<double>();
}

// Every member, order and scope: each thread on words of its own, then all on one.
template <class T, simt::scope Scope>
SIMT_DEVICE void members(simt::thread t, simt::view<T> own, simt::view<T> common, simt::view<int> wrong) {
  using enum memory_order;
  const auto i = t.grid<1>();
  simt::atomic_ref<T, Scope> mine(t, own[i]), all(t, common[0]);
  int bad = 0;
  for (const memory_order o : {relaxed, acquire, release, acq_rel, seq_cst}) {
    const memory_order load = o == release || o == acq_rel ? acquire : o,
                       store = o == acquire || o == acq_rel ? release : o;
    mine.store(T{10}, store);
    bad += mine.fetch_add(T{5}, o) != T{10};
    bad += mine.fetch_sub(T{3}, o) != T{15};
    bad += mine.fetch_min(T{4}, o) != T{12};
    bad += mine.fetch_max(T{7}, o) != T{4};
    bad += mine.exchange(T{20}, o) != T{7};
    T expected = T{19};
    bad += mine.compare_exchange_strong(expected, T{1}, o) || expected != T{20};
    bad += !mine.compare_exchange_strong(expected, T{6}, o);
    if constexpr (std::is_integral_v<T>) {
      bad += mine.fetch_or(T{9}, o) != T{6};
      bad += mine.fetch_and(T{12}, o) != T{15};
      bad += mine.fetch_xor(T{10}, o) != T{12};
    }
    bad += mine.load(load) != T{6};
    mine.notify_one();
    mine.wait(T{99}, load);
    all.fetch_add(T{1}, o);
  }
  t.atomic_add(wrong[0], bad);
}
template <class T, bool EveryScope = false>
void check_members() {
  const auto run = [](auto launch) {
    simt::buffer<T> own(32, "own");
    own.fill_bytes(0);
    auto common = simt::to_device(std::vector<T>{T{}}, "common");
    auto wrong = simt::to_device(std::vector<int>{0}, "wrong");
    CHECK(simt::check({}, [&] { launch(own, common, wrong); }).empty());
    CHECK(wrong.to_host()[0] == 0);
    CHECK(common.to_host()[0] == T{32 * 5});
  };
  const simt::launch_config one{.grid = 1, .block = 32}, two{.grid = 2, .block = 16},
      pair{.grid = 2, .block = 16, .cluster = 2};
  run([&](auto&... x) { simt::launch<members<T, simt::scope::device>>(two, x...); });
  if constexpr (EveryScope) {
    run([&](auto&... x) { simt::launch<members<T, simt::scope::block>>(one, x...); });
    run([&](auto&... x) { simt::launch<members<T, simt::scope::cluster>>(pair, x...); });
    run([&](auto&... x) { simt::launch<members<T, simt::scope::system>>(two, x...); });
  }
}
// Of the scopes, a word of the hardware's size and one that is made of larger ones stand for all types.
TEST_CASE("atomic_ref: every member, order and scope") {
  check_members<int, true>();
  check_members<unsigned>();
  check_members<long long>();
  check_members<unsigned long long>();
  check_members<float>();
  check_members<double>();
  check_members<unsigned short, true>();
}

SIMT_DEVICE void short_counter(simt::thread t, simt::view<unsigned short> x) {
  unsigned short seen = t.atomic_load(x[1]);
  for (;;) {
    const unsigned short was = t.atomic_cas(x[1], seen, static_cast<unsigned short>(seen + 1));
    if (was == seen) break;
    seen = was;
  }
}
SIMT_DEVICE void wide_counter(simt::thread t, simt::view<unsigned long long> x) {
  unsigned long long seen = t.atomic_load(x[1]);
  for (;;) {
    const unsigned long long was = t.atomic_cas(x[1], seen, seen + (1ull << 32) + 1);
    if (was == seen) break;
    seen = was;
  }
}
TEST_CASE("64-bit compare and swap") {
  auto x = simt::to_device(std::vector<unsigned long long>{7, 0, 9}, "x");
  simt::launch<wide_counter>({.grid = 4, .block = 64}, x);
  CHECK(x.to_host() == std::vector<unsigned long long>{7, (256ull << 32) + 256, 9});
}
TEST_CASE("16-bit compare and swap leaves the neighbours alone") {
  auto x = simt::to_device(std::vector<unsigned short>{7, 0, 9, 11}, "x");
  simt::launch<short_counter>({.grid = 4, .block = 64}, x);
  CHECK(x.to_host() == std::vector<unsigned short>{7, 256, 9, 11});
}

// Producer and consumer blocks: payload, then a flag with release; wait with acquire, then the payload.
template <memory_order Publish>
SIMT_DEVICE void message(simt::thread t, simt::view<int> data, simt::view<int> flag) {
  simt::atomic_ref<int, simt::scope::device> ready(t, flag[0]);
  if (t.grid<1>() == 0) {
    data[0] = 42;
    ready.store(1, Publish);
    ready.notify_all();
  } else {
    ready.wait(0, memory_order::acquire);
    data[t.grid<1>()] = data[0];
  }
}
TEST_CASE("wait sees what was released") {
  auto data = simt::to_device(std::vector<int>(8, 0), "data");
  auto flag = simt::to_device(std::vector<int>(1, 0), "flag");
  simt::launch<message<memory_order::release>>({.grid = 8, .block = 1}, data, flag);
  CHECK(data.to_host() == std::vector<int>(8, 42));
}

// Ring of stages: each round a thread reads what its neighbour wrote before the barrier.
template <bool Wait>
SIMT_DEVICE void rounds(simt::thread t, simt::view<int> out, int n) {
  auto& bar = t.shared<"bar", simt::barrier<>>();
  auto& row = t.shared<"row", int[2][64]>();
  if (t.rank() == 0) bar.init(t, 64);
  t.sync();
  int sum = 0;
  for (int r = 0; r < n; ++r) {
    row[r % 2][t.rank()] = r * 100 + t.rank();
    const auto token = bar.arrive(t);
    sum += 1;  // something of its own in between
    if constexpr (Wait) bar.wait(t, token);
    sum += row[r % 2][(t.rank() + 1) % 64];
    bar.arrive_and_wait(t);
  }
  out[t.grid<1>()] = sum;
}
TEST_CASE("barrier: arrive, work, wait") {
  simt::buffer<int> out(2 * 64, "out");
  simt::launch<rounds<true>>({.grid = 2, .block = 64}, out, 5);
  const auto got = out.to_host();
  for (int i = 0; i < 128; ++i) CHECK(got[static_cast<std::size_t>(i)] == 5 + 1000 + 5 * ((i % 64 + 1) % 64));
}

// Thread i takes part in i + 1 phases, then drops out.
SIMT_DEVICE void dropouts(simt::thread t, simt::view<int> out) {
  auto& bar = t.shared<"bar", simt::barrier<>>();
  auto& sum = t.shared<"sum", int>();
  if (t.rank() == 0) {
    bar.init(t, 32);
    sum = 0;
  }
  t.sync();
  for (int phase = 0; phase < t.rank(); ++phase) {
    t.atomic_add(sum, 1);
    bar.arrive_and_wait(t);
  }
  bar.arrive_and_drop(t);
  if (t.rank() == 31) out[0] = t.atomic_load(sum);
}
TEST_CASE("barrier: threads drop out") {
  simt::buffer<int> out(1, "out");
  simt::launch<dropouts>({.grid = 1, .block = 32}, out);
  CHECK(out.to_host()[0] == 31 * 32 / 2);
}

SIMT_DEVICE void latched(simt::thread t, simt::view<int> out) {
  auto& done = t.shared<"done", simt::latch<>>();
  auto& part = t.shared<"part", int[64]>();
  if (t.rank() == 0) done.init(t, 63);
  t.sync();
  if (t.rank() != 0) {
    part[t.rank()] = t.rank();
    done.count_down(t);
  } else {
    done.wait(t);
    int sum = 0;
    for (int i = 1; i < 64; ++i) sum += part[i];
    out[t.block_idx().x] = sum;
  }
}
TEST_CASE("latch") {
  simt::buffer<int> out(3, "out");
  simt::launch<latched>({.grid = 3, .block = 64}, out);
  for (const int v : out.to_host()) CHECK(v == 63 * 64 / 2);
}

// Objects of wider scope: threads of several blocks that are resident at once meet at them.
template <bool Wait>
SIMT_DEVICE void between_blocks(simt::thread t, simt::view<simt::barrier<simt::scope::device>> meet,
                                simt::view<simt::latch<simt::scope::device>> ready, simt::view<int> x,
                                simt::view<int> out) {
  const auto i = t.grid<1>(), n = t.grid_size<1>();
  if (i == 0) {
    meet[0].init(t, static_cast<int>(n));
    ready[0].init(t, static_cast<int>(n));
  }
  t.sync_grid();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    x[i] = round + static_cast<int>(i);
    const auto token = meet[0].arrive(t);
    if constexpr (Wait)
      while (!meet[0].try_wait(t, token)) t.yield();
    sum += x[n - 1 - i];
    meet[0].arrive_and_wait(t);
  }
  x[i] = sum;
  ready[0].arrive_and_wait(t);
  out[i] = x[(i + 33) % n];
}
TEST_CASE("barriers and latches of device scope") {
  simt::buffer<simt::barrier<simt::scope::device>> meet(1, "meet");
  simt::buffer<simt::latch<simt::scope::device>> ready(1, "ready");
  simt::buffer<int> x(4 * 32, "x"), out(4 * 32, "out");
  const simt::launch_config grid{.grid = 4, .block = 32, .cooperative = true};
  CHECK(simt::check({}, [&] { simt::launch<between_blocks<true>>(grid, meet, ready, x, out); }).empty());
  const auto got = out.to_host();
  for (int i = 0; i < 128; ++i) CHECK(got[static_cast<std::size_t>(i)] == 3 + 3 * (127 - (i + 33) % 128));
#if defined(SIMT_VARIANT_CHECK)
  const auto found = simt::check({}, [&] { simt::launch<between_blocks<false>>(grid, meet, ready, x, out); });
  REQUIRE(!found.empty());
  CHECK(found[0].rule == simt::rule::race_global);
  CHECK(found[0].object == "x");
#endif
}

// A binary semaphore is a lock: the plain increments between acquire and release are not lost.
SIMT_DEVICE void locked(simt::thread t, simt::view<simt::binary_semaphore<>> s, simt::view<int> count,
                        simt::view<int> phase) {
  if (t.rank() != 0) return;
  if (phase[0] == 0) {
    s[0].init(t, 1);
    return;
  }
  while (!s[0].try_acquire(t)) t.yield();
  count[0] += 1;
  s[0].release(t);
}
TEST_CASE("a binary semaphore as a lock") {
  simt::buffer<simt::binary_semaphore<>> s(1, "semaphore");
  auto count = simt::to_device(std::vector<int>{0}, "count"), phase = simt::to_device(std::vector<int>{0}, "phase");
  simt::launch<locked>({.grid = 1, .block = 32}, s, count, phase);
  phase.copy_from(std::vector<int>{1});
  CHECK(simt::check({}, [&] { simt::launch<locked>({.grid = 20, .block = 32}, s, count, phase); }).empty());
  CHECK(count.to_host()[0] == 20);
}

// At most two at a time between acquire and release.
SIMT_DEVICE void permits(simt::thread t, simt::view<simt::counting_semaphore<>> s, simt::view<int> inside) {
  if (t.rank() != 0) return;
  s[0].acquire(t);
  const int now = t.atomic_add(inside[0], 1) + 1;
  t.atomic_max(inside[1], now);
  t.yield();
  t.atomic_add(inside[2], 1);
  t.atomic_sub(inside[0], 1);
  s[0].release(t);
}
SIMT_DEVICE void make_semaphore(simt::thread t, simt::view<simt::counting_semaphore<>> s) { s[0].init(t, 2); }
TEST_CASE("semaphore") {
  simt::buffer<simt::counting_semaphore<>> s(1, "semaphore");
  auto inside = simt::to_device(std::vector<int>{0, 0, 0}, "inside");
  simt::launch<make_semaphore>({.grid = 1, .block = 1}, s);
  simt::launch<permits>({.grid = 20, .block = 32}, s, inside);
  const auto got = inside.to_host();
  CHECK(got[0] == 0);
  CHECK(got[1] <= 2);
  CHECK(got[2] == 20);
}

#if defined(SIMT_VARIANT_CHECK)
bool has(const std::vector<simt::finding>& all, simt::rule r) {
  for (const auto& f : all)
    if (f.rule == r) return true;
  return false;
}
TEST_CASE("what the objects order, and what a missing wait or release costs") {
  const auto ring = [](auto kernel) {
    return simt::check({}, [&] {
      simt::buffer<int> out(64, "out");
      kernel(out);
    });
  };
  CHECK(ring([](auto& out) { simt::launch<rounds<true>>({.grid = 1, .block = 64}, out, 3); }).empty());
  CHECK(has(ring([](auto& out) { simt::launch<rounds<false>>({.grid = 1, .block = 64}, out, 3); }),
            simt::rule::race_shared));
  const auto mail = [](auto kernel) {
    return simt::check({}, [&] {
      auto data = simt::to_device(std::vector<int>(8, 0), "data");
      auto flag = simt::to_device(std::vector<int>(1, 0), "flag");
      kernel(data, flag);
    });
  };
  CHECK(mail([](auto& d, auto& f) {
          simt::launch<message<memory_order::release>>({.grid = 8, .block = 1}, d, f);
        }).empty());
  CHECK(has(mail([](auto& d, auto& f) { simt::launch<message<memory_order::relaxed>>({.grid = 8, .block = 1}, d, f); }),
            simt::rule::race_global));
}
#endif

}  // namespace
