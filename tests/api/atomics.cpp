// SPDX-License-Identifier: Apache-2.0
// Atomics: every operation on every type, alone (old value and result) and with all threads on one location; in global
// and in shared memory; every order and scope.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <vector>

#include <simt/simt.hpp>

namespace {

constexpr int kActions = 12;  // add sub min max exch cas(hit) cas(miss) inc dec and or xor

template <class T>
T host_result(int action, T x, T v) {
  switch (action) {
    case 0:
      return static_cast<T>(x + v);
    case 1:
      return static_cast<T>(x - v);
    case 2:
      return std::min(x, v);
    case 3:
      return std::max(x, v);
    case 4:
      return v;
    case 5:
      return v;
    case 6:
      return x;
    case 7:
      return x >= v ? T{0} : static_cast<T>(x + 1);
    case 8:
      return x == 0 || x > v ? v : static_cast<T>(x - 1);
  }
  if constexpr (std::is_integral_v<T>) {
    if (action == 9) return static_cast<T>(x & v);
    if (action == 10) return static_cast<T>(x | v);
    if (action == 11) return static_cast<T>(x ^ v);
  }
  return x;
}

// Thread i applies action i to its own element.
template <class T>
SIMT_DEVICE T apply(simt::thread t, int action, T& x, T v) {
  switch (action) {
    case 0:
      return t.atomic_add(x, v);
    case 1:
      return t.atomic_sub(x, v);
    case 2:
      return t.atomic_min(x, v);
    case 3:
      return t.atomic_max(x, v);
    case 4:
      return t.atomic_exch(x, v);
    case 5:
      return t.atomic_cas(x, t.atomic_load(x), v);
    case 6:
      return t.atomic_cas(x, static_cast<T>(t.atomic_load(x) + 1), v);
  }
  if constexpr (std::is_integral_v<T>) {
    switch (action) {
      case 7:
        return t.atomic_inc(x, v);
      case 8:
        return t.atomic_dec(x, v);
      case 9:
        return t.atomic_and(x, v);
      case 10:
        return t.atomic_or(x, v);
      case 11:
        return t.atomic_xor(x, v);
    }
  }
  return x;
}
template <class T>
SIMT_DEVICE void each_action(simt::thread t, simt::view<T> x, simt::view<const T> v, simt::view<T> old) {
  const auto i = t.grid<1>();
  if (i < x.size()) old[i] = apply<T>(t, static_cast<int>(i % kActions), x[i], v[i]);
}

// All threads on one location, through global and through shared memory.
template <class T>
SIMT_DEVICE void together(simt::thread t, simt::view<T> out) {
  auto& x = t.shared<"x", T[4]>();
  if (t.rank() == 0) {
    x[0] = x[1] = 0;
    x[2] = 100;
    x[3] = 0;
  }
  t.sync();
  const T mine = static_cast<T>(t.rank() % 100);
  t.atomic_add(x[0], T{1});
  t.atomic_sub(x[1], T{1});
  t.atomic_min(x[2], mine);
  t.atomic_max(x[3], mine);
  t.atomic_add(out[4], T{1});
  t.atomic_min(out[5], mine);
  t.atomic_max(out[6], mine);
  t.sync();
  if (t.rank() == 0)
    for (int i = 0; i < 4; ++i) out[i] = x[i];
}

// Of any type: a long double has all of their values.
struct asked {
  std::size_t action;
  long double x, v;
};
void expect_result(const asked& a, long double got, long double wanted, long double got_old, long double old) {
  CAPTURE(a.action);
  CAPTURE(a.x);
  CAPTURE(a.v);
  CHECK(got == wanted);
  CHECK(got_old == old);
}
template <class T>
void check_type() {
  const bool integral = std::is_integral_v<T>;
  std::vector<T> x, v, wanted, old;
  // Pairs with x below, at and above v; -1 is the largest value of unsigned types.
  for (const auto& [a, b] : {std::pair<int, int>{5, 3}, {3, 5}, {7, 7}, {0, 9}, {-1, 1}, {100, 27}})
    for (int action = 0; action < kActions; ++action) {
      const T from = static_cast<T>(a), with = static_cast<T>(b);
      x.push_back(from);
      v.push_back(with);
      old.push_back(from);
      wanted.push_back(!integral && action >= 7 ? from : host_result<T>(action, from, with));
    }
  auto dx = simt::to_device(x, "x");
  auto dv = simt::to_device(v, "v");
  simt::buffer<T> dold(dx.size(), "old");
  simt::launch<each_action<T>>({.grid = 3, .block = 32}, dx, dv, dold);
  const auto got = dx.to_host(), got_old = dold.to_host();
  for (std::size_t i = 0; i < x.size(); ++i)
    expect_result({i % kActions, static_cast<long double>(x[i]), static_cast<long double>(v[i])},
                  static_cast<long double>(got[i]), static_cast<long double>(wanted[i]),
                  static_cast<long double>(got_old[i]), static_cast<long double>(old[i]));

  std::vector<T> start(7);
  start[5] = 100;
  auto out = simt::to_device(start, "out");
  simt::launch<together<T>>({.grid = 1, .block = 120}, out);
  CHECK(out.to_host() == std::vector<T>{T{120}, static_cast<T>(T{0} - T{120}), T{0}, T{99}, T{120}, T{0}, T{99}});
}

template <class T>
SIMT_DEVICE void add_in_every_way(simt::thread t, simt::view<T> x) {
  using enum simt::memory_order;
  for (const simt::memory_order o : {relaxed, acquire, release, acq_rel, seq_cst})
    for (const simt::scope s : {simt::scope::block, simt::scope::cluster, simt::scope::device, simt::scope::system}) {
      t.atomic_add(x[0], T{1}, o, s);
      t.atomic_max(x[1], static_cast<T>(t.rank()), o, s);
      T seen = t.atomic_load(x[2], o == release || o == acq_rel ? acquire : o, s);
      while (true) {
        const T before = t.atomic_cas(x[2], seen, static_cast<T>(seen + 2), o, s);
        if (before == seen) break;
        seen = before;
      }
      t.atomic_exch(x[3], T{7}, o, s);
      t.atomic_store(x[4], T{8}, o == acquire || o == acq_rel ? release : o, s);
    }
}

enum class color : int { red, green, blue };
SIMT_DEVICE void other_types(simt::thread t, simt::view<color> colors, simt::view<int*> pointers,
                             simt::view<int> target) {
  if (t.rank() != 0) return;
  if (t.atomic_exch(colors[0], color::blue) != color::red) t.atomic_store(colors[0], color::red);
  if (t.atomic_cas(pointers[0], nullptr, target.data_handle() + 1) == nullptr) *t.atomic_load(pointers[0]) = 5;
}

SIMT_DEVICE void pick_slots(simt::thread t, simt::view<int> counter, simt::view<int> taken) {
  const int slot = t.atomic_add(counter[0], 1);
  t.atomic_add(taken[slot], 1);
}

// A lock: the plain increments between acquire and release must not be lost.
SIMT_DEVICE void locked_increment(simt::thread t, simt::view<int> lock, simt::view<int> count) {
  if (t.rank() != 0) return;
  for (int i = 0; i < 10; ++i) {
    while (t.atomic_cas(lock[0], 0, 1, simt::memory_order::acquire) != 0) t.yield();
    count[0] += 1;
    t.atomic_store(lock[0], 0, simt::memory_order::release);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("every operation", T, int, unsigned, std::int64_t, std::uint64_t, long long, unsigned long long,
                   float, double, std::uint8_t, std::int16_t, std::uint16_t) {
  check_type<T>();
}

TEST_CASE_TEMPLATE("every order and scope", T, int, std::uint64_t, float) {
  auto x = simt::to_device(std::vector<T>(5), "x");
  simt::launch<add_in_every_way<T>>({.grid = 1, .block = 64}, x);
  CHECK(x.to_host() == std::vector<T>{64 * 20, 63, 64 * 20 * 2, 7, 8});
}

TEST_CASE("enumerations and pointers") {
  auto colors = simt::to_device(std::vector<color>{color::red}, "colors");
  auto pointers = simt::to_device(std::vector<int*>{nullptr}, "pointers");
  auto target = simt::to_device(std::vector<int>(3), "target");
  simt::launch<other_types>({.grid = 1, .block = 32}, colors, pointers, target);
  CHECK(colors.to_host().front() == color::blue);
  CHECK(pointers.to_host().front() == target.data() + 1);
  CHECK(target.to_host() == std::vector<int>{0, 5, 0});
}

TEST_CASE("the old values of an atomic counter are all different") {
  auto counter = simt::to_device(std::vector<int>(1), "counter");
  auto taken = simt::to_device(std::vector<int>(8 * 256), "taken");
  simt::launch<pick_slots>({.grid = 8, .block = 256}, counter, taken);
  CHECK(taken.to_host() == std::vector<int>(8 * 256, 1));
}

TEST_CASE("a spin lock across blocks") {
  auto lock = simt::to_device(std::vector<int>(1), "lock");
  auto count = simt::to_device(std::vector<int>(1), "count");
  simt::launch<locked_increment>({.grid = 20, .block = 32}, lock, count);
  CHECK(count.to_host().front() == 200);
}
