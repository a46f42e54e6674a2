// SPDX-License-Identifier: Apache-2.0
// Buffers, copies, host arrays as arguments, devices, and what misuse says.
#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void times_two(simt::thread t, simt::view<int> a) {
  for (auto i : t.grid_stride(a.size())) a[i] *= 2;
}
SIMT_DEVICE void add_into(simt::thread t, simt::view<const int> from, simt::view<int> to) {
  for (auto i : t.grid_stride(to.size())) to[i] += from[i];
}
SIMT_DEVICE void add_pointers(simt::thread t, const int* from, int* to, std::int64_t n) {
  for (auto i : t.grid_stride(n)) to[i] += from[i];
}

struct thrown {
  bool any = false;
  simt::error_kind kind{};
  std::string text;
};
template <class F>
thrown error_of(F f) {
  try {
    f();
  } catch (const simt::error& e) {
    return {true, e.kind(), e.what()};
  }
  return {};
}
bool says(const thrown& t, const char* part) { return t.text.find(part) != std::string::npos; }

std::vector<int> count_up(int n) {
  std::vector<int> v(static_cast<std::size_t>(n));
  std::iota(v.begin(), v.end(), 1);
  return v;
}

}  // namespace

TEST_CASE("a buffer gives back what was put in") {
  const auto numbers = count_up(1000);
  simt::buffer<int> b(1000, "numbers");
  CHECK(b.size() == 1000);
  CHECK(b.bytes() == 4000);
  CHECK(b.name() == "numbers");
  b.copy_from(std::span<const int>(numbers));
  CHECK(simt::to_host(b) == numbers);
  simt::buffer<int> other(1000, "other");
  other.copy_from(b);
  CHECK(other.to_host() == numbers);
  simt::buffer<int> moved = std::move(other);
  CHECK(moved.to_host() == numbers);
}

TEST_CASE("fill_bytes") {
  simt::buffer<unsigned> b(10, "b");
  b.fill_bytes(0x5a);
  CHECK(b.to_host() == std::vector<unsigned>(10, 0x5a5a5a5au));
}

TEST_CASE("empty buffers") {
  simt::buffer<int> a(0, "a"), b(0, "b");
  CHECK(a.to_host().empty());
  a.copy_from(b);
  simt::launch<times_two>({.grid = 1, .block = 32}, a);
  simt::synchronize();
}

TEST_CASE("host arrays as arguments are copied in and out") {
  std::vector<int> v = count_up(100);
  const std::vector<int> ones(100, 1);
  simt::launch<add_into>({.grid = 2, .block = 32}, ones, v);
  CHECK(v.front() == 2);
  CHECK(v.back() == 101);
  std::array<int, 4> a{1, 2, 3, 4};
  simt::launch<times_two>({.grid = 1, .block = 4}, a);
  CHECK(a == std::array<int, 4>{2, 4, 6, 8});
  simt::launch<times_two>({.grid = 1, .block = 32}, std::span<int>(v).first(2));
  CHECK(v[0] == 4);
  CHECK(v[1] == 6);
  CHECK(v[2] == 4);
  simt::launch<add_pointers>({.grid = 1, .block = 32}, ones, v, std::int64_t{100});
  CHECK(v[0] == 5);
}

TEST_CASE("asynchronous copies are ordered on their stream") {
  const auto numbers = count_up(5000);
  std::vector<int> back(5000);
  simt::stream s;
  simt::buffer<int> b(5000, "b");
  b.copy_from_async(std::span<const int>(numbers), s);
  simt::launch<times_two>(s, {.grid = 8, .block = 128}, b);
  b.copy_to_async(std::span<int>(back), s);
  s.synchronize();
  for (int& v : back) v /= 2;
  CHECK(back == numbers);
}

TEST_CASE("the device") {
  const auto all = simt::device::list();
  REQUIRE(!all.empty());
  const simt::device d = simt::device::current();
  CHECK(d.warp_size() == 32);
  CHECK(!d.name().empty());
  const auto p = d.properties();
  CHECK(p.max_threads_per_block == 1024);
  CHECK(p.multiprocessors > 0);
  CHECK(p.global_bytes > 0);
  d.select();
  const auto [free, total] = simt::backend::memory_info();
  CHECK(free > 0);
  CHECK(free <= total);
  CHECK(simt::backend::unavailable().empty());
  const auto e = error_of([] { simt::device(1000).select(); });
  CHECK(e.kind == simt::error_kind::invalid_argument);
  CHECK(says(e, "1000"));
}

TEST_CASE("sizes that make no sense") {
  CHECK(error_of([] { simt::buffer<int>(-1, "b"); }).kind == simt::error_kind::invalid_argument);
  const auto huge = error_of([] { simt::buffer<int>(std::int64_t{1} << 59, "b"); });
  CHECK(huge.kind == simt::error_kind::out_of_memory);
  CHECK(says(huge, "'b'"));
  simt::buffer<int> b(10, "b");
  const std::vector<int> nine(9);
  const auto e = error_of([&] { b.copy_from(std::span<const int>(nine)); });
  CHECK(e.kind == simt::error_kind::invalid_argument);
  CHECK(says(e, "10 elements"));
  CHECK(error_of([&] { b.view<2>(); }).kind == simt::error_kind::invalid_argument);
}

TEST_CASE("out of device memory: an error that says how much is free, and the device goes on") {
  const std::int64_t total = simt::device::current().properties().global_bytes;
  const auto e = error_of([&] { simt::buffer<char>(total + (std::int64_t{1} << 40), "whale"); });
  REQUIRE(e.any);
  CHECK(e.kind == simt::error_kind::out_of_memory);
  CHECK(says(e, "whale"));
  CHECK(says(e, "free"));
  auto b = simt::to_device(count_up(10), "b");
  simt::launch<times_two>({.grid = 1, .block = 32}, b);
  CHECK(b.to_host().back() == 20);
}

TEST_CASE("a copy beyond the end of a buffer is refused") {
  simt::buffer<int> b(10, "short");
  std::vector<int> host(20);
  const auto e =
      error_of([&] { simt::backend::copy(b.data(), host.data(), 80, simt::copy_kind::host_to_device, 0, true); });
  CHECK(e.kind == simt::error_kind::invalid_argument);
  CHECK(says(e, "short"));
  CHECK(error_of([&] {
          simt::backend::copy(host.data(), b.data() + 5, 24, simt::copy_kind::device_to_host, 0, true);
        }).kind == simt::error_kind::invalid_argument);
}

TEST_CASE("pinned memory") {
  auto* p = static_cast<int*>(simt::backend::allocate_pinned(40));
  for (int i = 0; i < 10; ++i) p[i] = i;
  simt::buffer<int> b(10, "b");
  simt::stream s;
  b.copy_from_async(std::span<const int>(p, 10), s);
  simt::launch<times_two>(s, {.grid = 1, .block = 32}, b);
  b.copy_to_async(std::span<int>(p, 10), s);
  s.synchronize();
  CHECK(p[9] == 18);
  simt::backend::free_pinned(p);
}
