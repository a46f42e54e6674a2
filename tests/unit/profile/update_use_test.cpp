// SPDX-License-Identifier: Apache-2.0
// Which updates of the source are reductions: those whose result nobody uses.
#include <doctest/doctest.h>

#include <backends/sim/update_use.hpp>

namespace {

// `marked`: source in which ^ stands before the update's name.
bool unused(std::string marked) {
  std::vector<std::string> lines(1);
  int line = 0, column = 0;
  for (const char c : marked) {
    if (c == '^') {
      line = static_cast<int>(lines.size());
      column = static_cast<int>(lines.back().size()) + 1;
    } else if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return simt::sim::result_is_unused(lines, line, column);
}

}  // namespace

TEST_CASE("a statement of its own") {
  CHECK(unused("  ^atomicAdd(&x[i], 1);"));
  CHECK(unused("  y = 1; ^atomicAdd(&x[i], 1);"));
  CHECK(unused("  if (i < n) ^atomicMax(x, i);"));
  CHECK(unused("  for (int k = 0; k < f(n); ++k)\n    ^atomicAdd(x, 1);"));
  CHECK(unused("  else ^atomicAdd(x, 1);"));
  CHECK(unused("  (void)^atomicAdd(x, 1);"));
  CHECK(unused("  y = 1;  // so that\n  ^atomicAdd(x, 1);"));
  CHECK(unused("  t.^atomic_add(bins[b], 1);"));
  CHECK(unused("  cuda::atomic_ref<int>(x[i]).^fetch_add(1);"));
}
TEST_CASE("a result that is used") {
  CHECK(!unused("  int old = ^atomicAdd(x, 1);"));
  CHECK(!unused("  y[^atomicAdd(x, 1)] = 2;"));
  CHECK(!unused("  if (^atomicAdd(x, 1) == 0) f();"));
  CHECK(!unused("  return ^atomicAdd(x, 1);"));
  CHECK(!unused("  int old = t.^atomic_add(x, 1);"));
  CHECK(!unused("  f(1, ^atomicAdd(x, 1));"));
}
TEST_CASE("exchanges are never reductions") {
  CHECK(!unused("  ^atomicExch(x, 1);"));
  CHECK(!unused("  ^atomicCAS(x, 0, 1);"));
  CHECK(!unused("  a.^compare_exchange_strong(e, 1);"));
}
TEST_CASE("additions of one") {
  CHECK(simt::sim::adds_one({"  atomicAdd(&x[i], 1);"}, 1, 3));
  CHECK(simt::sim::adds_one({"  t.atomic_add(x[i], 1u);"}, 1, 5));
  CHECK(simt::sim::adds_one({"  t.atomic_add(x[f(i, 2)], 1, simt::memory_order::relaxed, simt::scope::block);"}, 1, 5));
  CHECK(!simt::sim::adds_one({"  t.atomic_add(x[i], n, simt::memory_order::relaxed, 1);"}, 1, 5));
  CHECK(!simt::sim::adds_one({"  atomicAdd(&x[f(i, 1)], 2);"}, 1, 3));
  CHECK(!simt::sim::adds_one({"  atomicAdd(&x[i], 21);"}, 1, 3));
  CHECK(!simt::sim::adds_one({"  atomicAdd(&x[i], y.1);"}, 1, 3));
  CHECK(!simt::sim::adds_one({"  atomicMax(&x[i], 1);"}, 1, 3));
}
TEST_CASE("source that is not there") {
  CHECK(!simt::sim::result_is_unused({}, 3, 1));
  CHECK(!simt::sim::result_is_unused({"x"}, 1, 9));
}
