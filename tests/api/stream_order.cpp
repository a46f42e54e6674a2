// SPDX-License-Identifier: Apache-2.0
// What streams, events, callbacks and the default stream order, as the race detector sees it: each missing order is a
// race, each one that is there is silent (CUDA Programming Guide, "Streams", "Default Stream", "Events").
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <sim/report/phrasebook.hpp>
#include <simt/check.hpp>
#include <simt/simt.hpp>

#include "on_streams.hpp"

namespace {

// `body` uses x; how many different races of x there are, and that nothing else was found.
template <class F>
int races(F&& body) {
  simt::buffer<int> x(128, "x");
  x.fill_bytes(0);
  simt::synchronize();
  const auto found = simt::check({}, [&] { body(x); });
  for (const auto& f : found) {
    INFO(simt::phrase(f, simt::dialect::api).message);
    CHECK(f.rule == simt::rule::race_global);
    CHECK(f.object == "x");
  }
  simt::synchronize();
  return static_cast<int>(found.size());
}
// Racy bodies are undefined on a GPU and run under check only.
template <class F>
void must_race(F&& body) {
  if (kChecked) CHECK(races(body) >= 1);
}
template <class F>
void must_not_race(F&& body) {
  CHECK(races(body) == 0);
}

using ints = simt::buffer<int>;

}  // namespace

TEST_CASE("two streams are unordered, one stream is not") {
  must_race([](ints& x) {
    simt::stream a, b;
    simt::launch<add_one>(a, kSmall, x);
    simt::launch<add_one>(b, kSmall, x);
  });
  must_not_race([](ints& x) {
    simt::stream a;
    simt::launch<add_one>(a, kSmall, x);
    simt::launch<add_one>(a, kSmall, x);
  });
}

TEST_CASE("blocking streams and the default stream wait for each other") {
  must_not_race([](ints& x) {
    simt::stream a, b;
    simt::launch<add_one>(a, kSmall, x);
    simt::launch<add_one>(kSmall, x);
    simt::launch<add_one>(b, kSmall, x);
  });
  must_race([](ints& x) {
    simt::stream a(kNonBlocking);
    simt::launch<add_one>(kSmall, x);
    simt::launch<add_one>(a, kSmall, x);
  });
  must_race([](ints& x) {
    simt::stream a(kNonBlocking);
    simt::launch<add_one>(a, kSmall, x);
    simt::launch<add_one>(kSmall, x);
  });
}

TEST_CASE("streams made before a check began keep their kind") {
  simt::stream blocking, other(kNonBlocking);
  must_not_race([&](ints& x) {
    simt::launch<add_one>(blocking, kSmall, x);
    simt::launch<add_one>(kSmall, x);
  });
  must_race([&](ints& x) {
    simt::launch<add_one>(other, kSmall, x);
    simt::launch<add_one>(kSmall, x);
  });
}

TEST_CASE("events order streams, from their record to the wait") {
  const auto with = [](bool wait, bool late_record) {
    return [=](ints& x) {
      simt::stream a(kNonBlocking), b(kNonBlocking);
      simt::event done(false);
      if (late_record) done.record(a);
      simt::launch<add_one>(a, kSmall, x);
      if (!late_record) done.record(a);
      if (wait) b.wait(done);
      simt::launch<add_one>(b, kSmall, x);
    };
  };
  must_not_race(with(true, false));
  must_race(with(false, false));
  must_race(with(true, true));  // recorded before the launch: waits for nothing that matters
  must_not_race([](ints& x) {   // through a third stream
    simt::stream a(kNonBlocking), b(kNonBlocking), c(kNonBlocking);
    simt::event first(false), second(false);
    simt::launch<add_one>(a, kSmall, x);
    first.record(a);
    b.wait(first);
    second.record(b);
    c.wait(second);
    simt::launch<add_one>(c, kSmall, x);
  });
  must_race([](ints& x) {  // a wait means the record before it, not a later one
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::event e(false);
    e.record(a);
    b.wait(e);
    simt::launch<add_one>(a, kSmall, x);
    e.record(a);
    simt::launch<add_one>(b, kSmall, x);
  });
}

TEST_CASE("an event of the default stream comes after the blocking streams") {
  must_not_race([](ints& x) {
    simt::stream a, b(kNonBlocking);
    simt::event e(false);
    simt::launch<add_one>(a, kSmall, x);
    e.record();
    b.wait(e);
    simt::launch<add_one>(b, kSmall, x);
  });
  must_race([](ints& x) {
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::event e(false);
    simt::launch<add_one>(a, kSmall, x);
    e.record();
    b.wait(e);
    simt::launch<add_one>(b, kSmall, x);
  });
}

TEST_CASE("waits of the host") {
  const auto with = [](auto wait) {
    return [=](ints& x) {
      simt::stream a(kNonBlocking), b(kNonBlocking);
      simt::event e(false);
      simt::launch<add_one>(a, kSmall, x);
      e.record(a);
      wait(a, b, e);
      simt::launch<add_one>(b, kSmall, x);
    };
  };
  must_not_race(with([](simt::stream& a, simt::stream&, simt::event&) { a.synchronize(); }));
  must_not_race(with([](simt::stream&, simt::stream&, simt::event& e) { e.synchronize(); }));
  must_not_race(with([](simt::stream&, simt::stream&, simt::event&) { simt::synchronize(); }));
  must_not_race([](ints& x) {
    simt::stream a, b(kNonBlocking);
    simt::launch<add_one>(a, kSmall, x);
    simt::stream::default_stream().synchronize();  // done when the blocking streams before it are
    simt::launch<add_one>(b, kSmall, x);
  });
  must_race(with([](simt::stream&, simt::stream& b, simt::event&) { b.synchronize(); }));
  must_race(with([](simt::stream&, simt::stream&, simt::event&) { simt::stream::default_stream().synchronize(); }));
}

TEST_CASE("copies and fills are work of their stream") {
  must_race([](ints& x) {
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::launch<add_one>(a, kSmall, x);
    x.fill_bytes(1, b);
  });
  must_race([](ints& x) {
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::pinned_buffer<int> host(128, "host");
    simt::launch<add_one>(a, kSmall, x);
    x.copy_to_async(host.span(), b);
    a.synchronize();
    b.synchronize();
  });
  must_not_race([](ints& x) {
    simt::stream a(kNonBlocking), b(kNonBlocking);
    simt::pinned_buffer<int> host(128, "host");
    simt::launch<add_one>(a, kSmall, x);
    x.copy_to(host.span(), a);
    x.fill_bytes(1, b);
    b.synchronize();
  });
}

TEST_CASE("a host callback comes between the work before and after it") {
  const auto with = [](bool same_stream, bool wait) {
    return [=](ints&) {
      simt::stream a(kNonBlocking), b(kNonBlocking);
      simt::managed_buffer<int> x(128, "x");
      std::fill(x.begin(), x.end(), 0);
      simt::launch<add_one>(a, kSmall, x);
      int* const p = x.data();
      (same_stream ? a : b).host_callback([p] { p[7] *= 10; });
      simt::launch<add_one>(a, kSmall, x);
      if (wait) a.synchronize();
      const int seen = p[7];
      a.synchronize();
      b.synchronize();
      if (same_stream && wait) CHECK(seen == 11);
    };
  };
  must_not_race(with(true, true));
  must_race(with(false, true));
  must_race(with(true, false));
}

TEST_CASE("priorities") {
  const int highest = simt::stream::highest_priority(), lowest = simt::stream::lowest_priority();
  CHECK(highest <= lowest);
  CHECK(simt::stream({.priority = highest}).priority() == highest);
  CHECK(simt::stream({.priority = lowest}).priority() == lowest);
  CHECK(simt::stream({.priority = highest - 100}).priority() == highest);  // CUDA takes the nearest
  CHECK(simt::stream().priority() == 0);
  // A priority orders nothing.
  must_race([&](ints& x) {
    simt::stream a({.non_blocking = true, .priority = highest}), b({.non_blocking = true, .priority = lowest});
    simt::launch<add_one>(a, kSmall, x);
    simt::launch<add_one>(b, kSmall, x);
  });
}
