// SPDX-License-Identifier: Apache-2.0
// Memory that begins and ends as work of a stream: who may use it when.
#include <doctest/doctest.h>

#include <vector>

#include <sim/report/phrasebook.hpp>
#include <simt/check.hpp>
#include <simt/simt.hpp>

#include "on_streams.hpp"

namespace {

SIMT_DEVICE void set_all(simt::thread t, simt::view<int> x, int value) {
  for (auto i : t.grid_stride(x.size())) x[i] = value;
}

}  // namespace

TEST_CASE("a buffer of a stream is used and freed on it without a wait") {
  const auto found = simt::check({.leaks = true}, [&] {
    simt::pinned_buffer<int> host(1000, "host");
    simt::stream s;
    {
      simt::buffer<int> x(s, 1000, "x");
      CHECK(x.size() == 1000);
      CHECK(x.name() == "x");
      simt::launch<set_all>(s, kSmall, x, 4);
      simt::launch<add_one>(s, kSmall, x);
      x.copy_to_async(host.span(), s);
    }
    simt::buffer<int> y(s, {10, 100}, "y");
    CHECK(y.view<2>().extent(1) == 100);
    simt::launch<set_all>(s, kSmall, y, 1);
    s.synchronize();
    CHECK(host[999] == 5);
  });
  CHECK(found.empty());
}

TEST_CASE("events order the use on another stream after the allocation and before the free") {
  const auto with = [](bool after_allocation, bool before_free) {
    return simt::check({}, [=] {
      simt::stream a(kNonBlocking), b(kNonBlocking);
      simt::event made(false), used(false);
      {
        simt::buffer<int> x(a, 500, "x");
        made.record(a);
        if (after_allocation) b.wait(made);
        simt::launch<set_all>(b, kSmall, x, 4);
        used.record(b);
        if (before_free) a.wait(used);
      }
      simt::synchronize();
    });
  };
  CHECK(with(true, true).empty());
  if (!kChecked) return;  // the rest is undefined on a GPU
  SUBCASE("no order after the allocation") {
    const auto found = with(false, true);
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == simt::rule::race_global);
    CHECK(found[0].object == "x");
    CHECK(simt::phrase(found[0], simt::dialect::api).message.find("and allocation of x") != std::string::npos);
  }
  SUBCASE("no order before the free") {
    const auto found = with(true, false);
    REQUIRE(found.size() == 1);
    CHECK(found[0].rule == simt::rule::race_global);
    CHECK(simt::phrase(found[0], simt::dialect::api).message.find("free and ") == 0);
  }
  SUBCASE("used after the free") {
    const auto found = simt::check({}, [&] {
      simt::stream a(kNonBlocking);
      simt::buffer<int> x(a, 500, "x");
      simt::launch<set_all>(a, kSmall, x, 4);
      const auto late = x.view();
      x.free_on(a);
      simt::launch<add_one>(a, {.grid = 1, .block = 1}, late);
      a.synchronize();
    });
    REQUIRE(!found.empty());
    CHECK(found[0].rule == simt::rule::use_after_free);
  }
  SUBCASE("reads of what nobody wrote are still found") {
    const auto found = simt::check({}, [&] {
      simt::stream a;
      simt::buffer<int> x(a, 500, "x");
      simt::launch<add_one>(a, {.grid = 1, .block = 1}, x);
      a.synchronize();
    });
    REQUIRE(!found.empty());
    CHECK(found[0].rule == simt::rule::uninitialized_read);
  }
}

TEST_CASE("freed on another stream") {
  const auto found = simt::check({}, [&] {
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::event used(false);
    simt::buffer<int> x(a, 500, "x");
    simt::launch<set_all>(a, kSmall, x, 4);
    used.record(a);
    b.wait(used);
    x.free_on(b);
    CHECK(x.size() == 0);
    CHECK(x.data() == nullptr);
    simt::synchronize();
  });
  CHECK(found.empty());
  simt::buffer<int> plain(10, "plain");
  CHECK_THROWS_AS(plain.free_on(simt::stream::default_stream()), simt::error);
  CHECK_THROWS_AS(simt::buffer<int>(simt::stream(), -1, "negative"), simt::error);
}
