// SPDX-License-Identifier: Apache-2.0
// Views of one to four axes: order of elements, parts, conversion to const; on the host and in kernels.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void number_elements(simt::thread t, simt::view<int, 4> a) {
  if (t.grid<1>() != 0) return;
  int next = 0;
  for (std::int64_t i = 0; i < a.extent(0); ++i)
    for (std::int64_t j = 0; j < a.extent(1); ++j)
      for (std::int64_t k = 0; k < a.extent(2); ++k)
        for (std::int64_t l = 0; l < a.extent(3); ++l) a(i, j, k, l) = next++;
}

SIMT_DEVICE void take_parts(simt::thread t, simt::view<const int, 3> a, simt::view<int> out) {
  if (t.rank() != 0) return;
  const simt::view<const int, 2> second = a.row(1);
  const simt::view<const int> line = second.row(2);
  const simt::view<const int> middle = line.subview(1, 2);
  out[0] = second(0, 0);
  out[1] = line[0];
  out[2] = middle[0];
  out[3] = middle[1];
  out[4] = static_cast<int>(middle.size());
  out[5] = static_cast<int>(a.size());
  out[6] = a.empty() ? 1 : 0;
  out[7] = *line.data_handle();
}

SIMT_DEVICE void pointers_and_values(simt::thread t, const float* in, float* out, int n, double factor) {
  const auto i = t.grid<1>();
  if (i < n) out[i] = static_cast<float>(in[i] * factor);
}

}  // namespace

TEST_CASE("a view is row-major, the last axis is the fastest") {
  simt::buffer<int> b(std::vector<std::int64_t>{2, 3, 4, 5}, "a");
  simt::launch<number_elements>({.grid = 1, .block = 1}, b);
  std::vector<int> wanted(120);
  std::iota(wanted.begin(), wanted.end(), 0);
  CHECK(b.to_host() == wanted);
}

TEST_CASE("rows and subviews") {
  std::vector<int> numbers(2 * 3 * 4);
  std::iota(numbers.begin(), numbers.end(), 0);
  simt::buffer<int> a(std::vector<std::int64_t>{2, 3, 4}, "a");
  a.copy_from(std::span<const int>(numbers));
  simt::buffer<int> out(8, "out");
  simt::launch<take_parts>({.grid = 1, .block = 32}, a, out);
  CHECK(out.to_host() == std::vector<int>{12, 20, 21, 22, 2, 24, 0, 20});
}

TEST_CASE("views on the host") {
  std::vector<int> numbers(6);
  std::iota(numbers.begin(), numbers.end(), 0);
  const simt::view<int, 2> a(numbers.data(), 2, 3);
  const simt::view<const int, 2> constant = a;
  CHECK(a.extent(0) == 2);
  CHECK(a.extent(1) == 3);
  CHECK(constant.size() == 6);
  CHECK(constant.data_handle() == numbers.data());
  CHECK(simt::view<int>().empty());
  CHECK(a.rank() == 2);
}

TEST_CASE("kernels take pointers and plain values") {
  const std::vector<float> in{1, 2, 3, 4, 5};
  auto from = simt::to_device(in, "in");
  simt::buffer<float> to(5, "out");
  simt::launch<pointers_and_values>({.grid = 1, .block = 8}, from, to, 5, 0.5);
  CHECK(to.to_host() == std::vector<float>{0.5f, 1, 1.5f, 2, 2.5f});
}
