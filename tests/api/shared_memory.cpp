// SPDX-License-Identifier: Apache-2.0
// Shared memory: static arrays by name, dynamic memory, sizes up to the device's limit.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void reverse_block(simt::thread t, simt::view<int> a) {
  auto& tile = t.shared<"tile", int[64]>();
  const int i = t.rank();
  tile[i] = a[t.grid<1>()];
  t.sync();
  a[t.grid<1>()] = tile[63 - i];
}

SIMT_DEVICE void transpose_tile(simt::thread t, simt::view<const double, 2> in, simt::view<double, 2> out) {
  auto& tile = t.shared<"tile", double[16][17]>();
  const std::int64_t x = t.thread_idx().x, y = t.thread_idx().y;
  tile[y][x] = in(y, x);
  t.sync();
  out(y, x) = tile[x][y];
}

struct cell {
  int a;
  double b;
};
// Another function asks for the same array by the same name and type.
SIMT_DEVICE int read_counter(simt::thread t) { return t.shared<"counter", int>(); }
SIMT_DEVICE void several_arrays(simt::thread t, simt::view<int> out) {
  int& counter = t.shared<"counter", int>();
  auto& first = t.shared<"first", int[32]>();
  auto& second = t.shared<"second", int[32]>();  // same type, other name: another array
  auto& cells = t.shared<"cells", cell[32]>();
  const int i = t.rank();
  if (i == 0) counter = 1000;
  first[i] = i;
  second[i] = 2 * i;
  cells[i] = {3 * i, 0.5};
  t.sync();
  const int other = 31 - i;
  out[t.grid<1>()] =
      read_counter(t) + first[other] + second[other] + cells[other].a + static_cast<int>(2 * cells[other].b);
}

SIMT_DEVICE void sum_dynamic(simt::thread t, simt::view<const int> in, simt::view<std::int64_t> out) {
  int* const values = t.dynamic_shared<int>();
  const std::int64_t n = t.dynamic_shared_bytes() / static_cast<std::int64_t>(sizeof(int));
  for (auto i : t.block_stride(n)) values[i] = in[i];
  t.sync();
  if (t.rank() == 0) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += values[i];
    out[0] = sum;
    out[1] = t.dynamic_shared_bytes();
  }
}

SIMT_DEVICE void static_and_dynamic(simt::thread t, simt::view<int> out) {
  auto& fixed = t.shared<"fixed", int[32]>();
  int* const dynamic = t.dynamic_shared<int>();
  const int i = t.rank();
  fixed[i] = i;
  dynamic[i] = 100 + i;
  t.sync();
  out[i] = fixed[31 - i] + dynamic[31 - i];
}

}  // namespace

TEST_CASE("a shared array belongs to its block") {
  std::vector<int> a(4 * 64);
  std::iota(a.begin(), a.end(), 0);
  auto b = simt::to_device(a, "a");
  simt::launch<reverse_block>({.grid = 4, .block = 64}, b);
  for (std::size_t block = 0; block < 4; ++block) std::reverse(a.begin() + 64 * block, a.begin() + 64 * (block + 1));
  CHECK(b.to_host() == a);
}

TEST_CASE("a shared array of two axes") {
  std::vector<double> in(256), wanted(256);
  std::iota(in.begin(), in.end(), 0.0);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) wanted[y * 16 + x] = in[x * 16 + y];
  simt::buffer<double> from(std::vector<std::int64_t>{16, 16}, "in"), to(std::vector<std::int64_t>{16, 16}, "out");
  from.copy_from(std::span<const double>(in));
  simt::launch<transpose_tile>({.grid = 1, .block = {16, 16}}, from, to);
  CHECK(to.to_host() == wanted);
}

TEST_CASE("arrays are told apart by name; the same name is the same array in every function") {
  simt::buffer<int> out(64, "out");
  simt::launch<several_arrays>({.grid = 2, .block = 32}, out);
  std::vector<int> wanted(64);
  for (int i = 0; i < 64; ++i) wanted[i] = 1000 + 6 * (31 - i % 32) + 1;
  CHECK(out.to_host() == wanted);
}

TEST_CASE("dynamic shared memory, up to the device's limit") {
  const auto most = simt::device::current().properties().shared_bytes_per_block_optin;
  CHECK(most >= 48 * 1024);
  for (const std::int64_t bytes : {std::int64_t{4}, std::int64_t{1024}, std::int64_t{48 * 1024}, most}) {
    const std::int64_t n = bytes / 4;
    std::vector<int> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), 1);
    auto in = simt::to_device(numbers, "in");
    simt::buffer<std::int64_t> out(2, "out");
    simt::launch<sum_dynamic>({.grid = 1, .block = 128, .shared_bytes = bytes}, in, out);
    CHECK(out.to_host() == std::vector<std::int64_t>{n * (n + 1) / 2, bytes});
  }
}

TEST_CASE("static and dynamic shared memory do not overlap") {
  simt::buffer<int> out(32, "out");
  simt::launch<static_and_dynamic>({.grid = 1, .block = 32, .shared_bytes = 128}, out);
  std::vector<int> wanted(32);
  for (int i = 0; i < 32; ++i) wanted[i] = 2 * (31 - i) + 100;
  CHECK(out.to_host() == wanted);
}
