// SPDX-License-Identifier: Apache-2.0
// Clocks, the global timer, nanosleep.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include <simt/check.hpp>
#include <simt/simt.hpp>

namespace {

struct reading {
  std::int64_t steps;
  std::uint64_t ns;
  std::uint32_t low;
};
// Two readings by each thread, a wait of at least `ns` by the timer between them.
SIMT_DEVICE void wait_by_timer(simt::thread t, std::uint64_t ns, simt::view<reading> out) {
  const auto i = t.grid<1>();
  const reading first{t.clock64(), t.global_timer_ns(), t.clock()};
  while (t.global_timer_ns() - first.ns < ns) t.nanosleep(200);
  out[2 * i] = first;
  out[2 * i + 1] = {t.clock64(), t.global_timer_ns(), t.clock()};
}
void check_readings(std::int64_t blocks, std::int64_t threads, std::uint64_t ns) {
  simt::buffer<reading> out(2 * blocks * threads, "out");
  simt::launch<wait_by_timer>({.grid = blocks, .block = threads}, ns, out);
  const auto got = out.to_host();
  // The clock may run slower than its highest frequency, never at a thousandth of it.
  const double khz = simt::device::current().properties().clock_khz;
  for (std::size_t i = 0; i < got.size(); i += 2) {
    CHECK(got[i + 1].ns - got[i].ns >= ns);
    CHECK(got[i + 1].steps > got[i].steps);
    CHECK(static_cast<double>(got[i + 1].steps - got[i].steps) > static_cast<double>(ns) * khz / 1e9);
    CHECK(static_cast<std::uint32_t>(got[i + 1].low - got[i].low) > 0);
  }
}
TEST_CASE("clocks and the timer go on") { check_readings(2, 33, 1'000'000); }
TEST_CASE("a wait by the timer is no hang, however many turns it takes") { check_readings(1, 2, 300'000'000); }

// Thread 0 waits for the other warp by sleeping; a busy wait on the clock comes first.
SIMT_DEVICE void sleep_for_flag(simt::thread t, simt::view<int> flag, simt::view<int> out) {
  if (t.rank() == 0) {
    while (t.atomic_load(flag[0], simt::memory_order::acquire) == 0) t.nanosleep(50);
    out[0] = flag[1];
  } else if (t.rank() == 32) {
    const std::int64_t start = t.clock64();
    while (t.clock64() - start < 20'000) {
    }
    flag[1] = 7;
    t.atomic_store(flag[0], 1, simt::memory_order::release);
  }
}
TEST_CASE("a sleeping thread sees what others write") {
  std::vector<int> flag{0, 0}, out{0};
  CHECK(simt::check({}, [&] { simt::launch<sleep_for_flag>({.grid = 1, .block = 64}, flag, out); }).empty());
  CHECK(out[0] == 7);
}

#if !defined(SIMT_VARIANT_CUDA)
// Sleeping is no progress: nobody sets the flag.
SIMT_DEVICE void sleep_for_ever(simt::thread t, simt::view<int> flag) {
  while (t.atomic_load(flag[0]) == 0) t.nanosleep(50);
}
TEST_CASE("sleeping for what never comes is a hang") {
  std::vector<int> flag{0};
  CHECK_THROWS_WITH_AS(simt::launch<sleep_for_ever>({.grid = 1, .block = 2}, flag), doctest::Contains("does not end"),
                       simt::error);
}
#endif

}  // namespace
