// SPDX-License-Identifier: Apache-2.0
// The device's allocator: red zones, quarantine, coalescing, and what it says when it cannot.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include <sim/memory/address_space.hpp>
#include <sim/memory/device_memory.hpp>

#include "launch_settings.hpp"

using engine_tests::contains;
using engine_tests::error_of;

namespace {

namespace sim = simt::sim;

std::uintptr_t get(std::size_t bytes, const char* name = "piece") {
  sim::allocation info;
  info.name = name;
  return reinterpret_cast<std::uintptr_t>(sim::device_allocate(bytes, std::move(info)));
}
sim::free_result drop(std::uintptr_t p) { return sim::device_free(reinterpret_cast<void*>(p)); }

TEST_CASE("device memory: what is reserved fits a limit of address space, with the detector's shadow") {
  constexpr std::size_t kGiB = std::size_t{1} << 30;
  std::size_t before = 0;
  for (const std::size_t limit : {16 * kGiB, 17 * kGiB, 64 * kGiB, 300 * kGiB, 4096 * kGiB, 16384 * kGiB}) {
    const sim::reservation_plan plan = sim::reservations_within(limit);
    CHECK(plan.shared_workers >= 1);
    CHECK(plan.shared_workers <= sim::kSharedWorkers);
    CHECK(plan.shared_slots_per_worker == 132 * 32);  // the largest cooperative grid
    const std::size_t shared = sim::kSharedSlotBytes * static_cast<std::size_t>(plan.shared_workers) *
                               static_cast<std::size_t>(plan.shared_slots_per_worker);
    const std::size_t with_shadow = (plan.device_bytes + shared) / 100 * 552;
    CHECK(with_shadow < limit / 4 * 3);
    CHECK(plan.device_bytes > before);
    before = plan.device_bytes;
  }
  // Below the smallest plan there is none: the system refuses what does not fit.
  CHECK(sim::reservations_within(kGiB).device_bytes == sim::reservations_within(16 * kGiB).device_bytes);
}

TEST_CASE("device memory: pieces are aligned, apart, and found by any of their bytes") {
  std::vector<std::pair<std::uintptr_t, std::size_t>> pieces;
  for (const std::size_t bytes : {0u, 1u, 255u, 256u, 257u, 4096u, 1'000'003u}) pieces.emplace_back(get(bytes), bytes);
  for (const auto& [p, bytes] : pieces) {
    CHECK(p % sim::kAlignment == 0);
    CHECK(sim::device_range().contains(p));
    for (const auto& [q, other] : pieces)
      if (q > p) CHECK(q - (p + bytes) >= sim::kRedZone);
    bool live = false;
    if (bytes > 0) CHECK(sim::find_allocation(p + bytes - 1, &live)->address == p);
    if (bytes > 0) CHECK(live);
    CHECK(!sim::find_allocation(p + std::max<std::size_t>(bytes, 1)));
    CHECK(!sim::find_allocation(p - 1));
  }
  for (const auto& [p, bytes] : pieces) CHECK(drop(p) == sim::free_result::done);
}

TEST_CASE("device memory: freed memory stays known and is not handed out soon; double and wild frees are told apart") {
  const std::size_t before = sim::device_bytes_in_use();
  const std::uintptr_t p = get(1000, "gone");
  CHECK(drop(p) == sim::free_result::done);
  CHECK(sim::device_bytes_in_use() == before);
  for (int i = 0; i < 1000; ++i) {
    const std::uintptr_t q = get(1000);
    CHECK(q != p);
    drop(q);
  }
  bool live = true;
  const auto owner = sim::find_allocation(p + 500, &live);
  REQUIRE(owner);
  CHECK(owner->name == "gone");
  CHECK(!live);
  CHECK(drop(p) == sim::free_result::already_freed);
  CHECK(drop(p + 8) == sim::free_result::never_allocated);
  CHECK(drop(0) == sim::free_result::done);
  CHECK(contains(error_of([&] { simt::backend::free(reinterpret_cast<void*>(p)); }, simt::error_kind::invalid_argument),
                 "already been freed"));
  int local = 0;
  CHECK(
      contains(error_of([&] { simt::backend::free(&local); }, simt::error_kind::invalid_argument), "no device memory"));
}

TEST_CASE("device memory: pieces leave the quarantine, merge and are used again") {
  // 400 MiB go through a quarantine of 256 MiB in pieces of 1 MiB; the address space taken stays bounded.
  std::uintptr_t lowest = UINTPTR_MAX, highest = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::uintptr_t p = get(1 << 20);
    lowest = std::min(lowest, p);
    highest = std::max(highest, p);
    drop(p);
  }
  CHECK(highest - lowest < (std::uintptr_t{700} << 20));
  // What was many small pieces serves one large one, once a large piece has pushed them out of the quarantine.
  drop(get(std::size_t{300} << 20));
  const std::uintptr_t large = get(std::size_t{128} << 20);
  CHECK(large < highest);
  drop(large);
}

TEST_CASE("device memory: random allocations never overlap and keep what they hold") {
  std::mt19937 random(7);
  struct piece {
    std::uintptr_t at;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<piece> pieces;
  const std::size_t before = sim::device_bytes_in_use();
  for (int step = 0; step < 5000; ++step) {
    if (pieces.size() > 200 || (random() & 3) == 0) {
      if (pieces.empty()) continue;
      const std::size_t i = random() % pieces.size();
      const auto* bytes = reinterpret_cast<const unsigned char*>(pieces[i].at);
      REQUIRE(std::all_of(bytes, bytes + pieces[i].bytes, [&](unsigned char c) { return c == pieces[i].mark; }));
      REQUIRE(drop(pieces[i].at) == sim::free_result::done);
      pieces[i] = pieces.back();
      pieces.pop_back();
    } else {
      const std::size_t bytes = random() % (random() % 8 == 0 ? 300'000 : 3000);
      const piece p{get(bytes), bytes, static_cast<unsigned char>(random())};
      std::fill_n(reinterpret_cast<unsigned char*>(p.at), bytes, p.mark);
      pieces.push_back(p);
    }
  }
  for (const piece& p : pieces) drop(p.at);
  CHECK(sim::device_bytes_in_use() == before);
}

TEST_CASE("device memory: what does not fit is refused with the sizes") {
  const auto refused = [](auto make) { return error_of(make, simt::error_kind::out_of_memory); };
  const std::string text = refused([] { simt::buffer<double>(std::int64_t{1} << 44, "huge"); });
  CHECK_MESSAGE(contains(text, "huge"), text);
  CHECK_MESSAGE(contains(text, "140737488355328 bytes"), text);
  CHECK_MESSAGE(contains(text, "smaller"), text);
  CHECK(!refused([] { simt::buffer<float>({INT64_MAX, INT64_MAX}, "overflow"); }).empty());
  CHECK(!refused([] { simt::buffer<float>(INT64_MAX / 2, "overflow"); }).empty());
  CHECK(
      contains(error_of([] { simt::buffer<float>(-1, "negative"); }, simt::error_kind::invalid_argument), "negative"));
  CHECK(get(SIZE_MAX) == 0);
  CHECK(get(SIZE_MAX - 300) == 0);
}

TEST_CASE("device memory: copies are checked against what the memory holds") {
  simt::buffer<int> x(10, "x");
  std::vector<int> eleven(11), host(10);
  CHECK(contains(error_of([&] { x.copy_from(eleven); }, simt::error_kind::invalid_argument), "10 elements"));
  const auto copy = [&](void* to, const void* from, std::size_t bytes, simt::copy_kind kind) {
    return error_of([&] { simt::backend::copy(to, from, bytes, kind, 0, true); }, simt::error_kind::invalid_argument);
  };
  CHECK(contains(copy(x.data(), eleven.data(), 44, simt::copy_kind::host_to_device), "44 bytes"));
  CHECK(contains(copy(host.data(), eleven.data(), 40, simt::copy_kind::device_to_host), "no live device memory"));
  CHECK(copy(x.data() + 5, eleven.data(), 20, simt::copy_kind::host_to_device).empty());
}

}  // namespace
