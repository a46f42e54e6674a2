// SPDX-License-Identifier: Apache-2.0
// Launches over the device's limits are refused with the limit and what was asked; nothing runs, the device goes on.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void count_threads(simt::thread t, simt::view<int> counter) { t.atomic_add(counter[0], 1); }
SIMT_DEVICE void with_shared(simt::thread t, simt::view<int> counter) {
  auto& array = t.shared<"array", int[4096]>();
  array[t.rank()] = 1;
  t.sync();
  if (t.rank() == 0) t.atomic_add(counter[0], array[0]);
}

// What the refusal says; empty if it ran.
std::string refusal(const simt::launch_config& config) {
  auto counter = simt::to_device(std::vector<int>(1), "counter");
  std::string text;
  try {
    simt::launch<count_threads>(config, counter);
  } catch (const simt::error& e) {
    CHECK(e.kind() == simt::error_kind::launch_limit);
    text = e.what();
    CHECK(text.find("count") != std::string::npos);
  }
  const int ran = counter.to_host().front();
  if (text.empty())
    CHECK(ran == config.grid.volume() * config.block.volume());
  else
    CHECK(ran == 0);
  return text;
}
bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("threads a block") {
  CHECK(refusal({.grid = 1, .block = 1024}).empty());
  CHECK(refusal({.grid = 1, .block = {4, 4, 64}}).empty());
  const auto text = refusal({.grid = 1, .block = {32, 32, 32}});
  CHECK(contains(text, "32768"));
  CHECK(contains(text, "1024"));
  CHECK(contains(refusal({.grid = 1, .block = 1025}), "1024"));
}

TEST_CASE("every axis of block and grid") {
  CHECK(contains(refusal({.grid = 1, .block = {1, 1, 65}}), "64"));
  CHECK(contains(refusal({.grid = {1, 65536}, .block = 1}), "65535"));
  CHECK(contains(refusal({.grid = {1, 1, 65536}, .block = 1}), "65535"));
  CHECK(contains(refusal({.grid = {std::int64_t{1} << 31}, .block = 1}), "2147483647"));
  CHECK(refusal({.grid = {1, 1, 3000}, .block = 1}).empty());
}

TEST_CASE("sizes below one") {
  CHECK(contains(refusal({.grid = 0, .block = 1}), "at least 1"));
  CHECK(contains(refusal({.grid = 1, .block = 0}), "at least 1"));
  CHECK(contains(refusal({.grid = 1, .block = {8, -1}}), "at least 1"));
}

TEST_CASE("dynamic shared memory") {
  const auto most = simt::device::current().properties().shared_bytes_per_block_optin;
  CHECK(refusal({.grid = 1, .block = 32, .shared_bytes = most}).empty());
  CHECK(contains(refusal({.grid = 1, .block = 32, .shared_bytes = most + 1}), std::to_string(most).c_str()));
  CHECK(contains(refusal({.grid = 1, .block = 32, .shared_bytes = -1}), "negative"));
}

TEST_CASE("static and dynamic shared memory together") {
  const auto most = simt::device::current().properties().shared_bytes_per_block_optin;
  auto counter = simt::to_device(std::vector<int>(1), "counter");
  simt::launch<with_shared>({.grid = 1, .block = 32, .shared_bytes = most - 4096 * 4}, counter);
  CHECK(counter.to_host().front() == 1);
#if defined(SIMT_VARIANT_CUDA)  // the simulator learns of a static array when a thread asks for it
  CHECK_THROWS_AS(simt::launch<with_shared>({.grid = 1, .block = 32, .shared_bytes = most}, counter), simt::error);
  CHECK(counter.to_host().front() == 1);
#endif
}

TEST_CASE("clusters") {
  CHECK(contains(refusal({.grid = 16, .block = 32, .cluster = 16}), "8"));
  CHECK(contains(refusal({.grid = 9, .block = 32, .cluster = 2}), "multiple"));
}

TEST_CASE("a cooperative grid must fit the device") {
  CHECK(refusal({.grid = 4, .block = 64, .cooperative = true}).empty());
  CHECK(contains(refusal({.grid = 1'000'000, .block = 1024, .cooperative = true}), "resident"));
}
