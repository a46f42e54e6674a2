// SPDX-License-Identifier: Apache-2.0
// Wrong masks end as findings, never as a hang. On a GPU the same kernels are undefined, so they run on the simulator
// only.
#if !defined(SIMT_VARIANT_CUDA)
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <simt/check.hpp>
#include <simt/simt.hpp>

namespace {

SIMT_DEVICE void own_lane_missing(simt::thread t) { t.sync_warp(0xfffffffe); }
// Lane 0 waits for a lane that waits for it at the block barrier.
SIMT_DEVICE void never_comes(simt::thread t) {
  if (t.rank() == 3)
    t.sync();
  else
    t.sync_warp(0xff);
}
SIMT_DEVICE void different_masks(simt::thread t, simt::view<int> out) {
  if (t.lane() < 16)
    out[t.rank()] = t.shuffle(0xffffffff, 1, 0);
  else
    out[t.rank()] = t.shuffle(0xffff0000, 1, 16);
  t.sync();
}
SIMT_DEVICE void different_operations(simt::thread t, simt::view<int> out) {
  if (t.lane() < 16)
    out[t.rank()] = t.any(0xffffffff, true);
  else
    out[t.rank()] = t.all(0xffffffff, true);
}

SIMT_DEVICE void sum_of_ranks(simt::thread t, simt::view<int> out) {
  out[t.rank()] = t.reduce_add(simt::kFullMask, t.rank());
}

std::string error_text(void (*launch)()) {
  try {
    launch();
  } catch (const simt::error& e) {
    CHECK(e.kind() == simt::error_kind::device_fault);
    return e.what();
  }
  return "no error";
}
bool mentions(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_CASE("a mask must name the caller") {
  const std::string said = error_text([] { simt::launch<own_lane_missing>({.grid = 1, .block = 32}); });
  INFO(said);
  CHECK(mentions(said, "lane 0 called with mask 0xfffffffe, which does not name it"));
}
TEST_CASE("a lane that waits elsewhere is named") {
  const std::string said = error_text([] { simt::launch<never_comes>({.grid = 1, .block = 8}); });
  INFO(said);
  CHECK(mentions(said, "a warp sync with mask 0x000000ff waits for lane 3, which never comes"));
}
TEST_CASE("lanes with different masks do not meet") {
  const std::string said = error_text([] {
    simt::buffer<int> out(32, "out");
    simt::launch<different_masks>({.grid = 1, .block = 32}, out);
  });
  INFO(said);
  CHECK(mentions(said, "a shuffle with mask 0xffffffff waits for lanes 16, 17,"));
}
TEST_CASE("lanes with different operations do not meet") {
  const std::string said = error_text([] {
    simt::buffer<int> out(32, "out");
    simt::launch<different_operations>({.grid = 1, .block = 32}, out);
  });
  INFO(said);
  CHECK(mentions(said, "a warp vote with mask 0xffffffff waits for lanes"));
}
TEST_CASE("a launch after a lost one works") {
  const std::string said = error_text([] { simt::launch<never_comes>({.grid = 3, .block = 8}); });
  CHECK(mentions(said, "never comes"));
  simt::buffer<int> out(32, "out");
  simt::launch<sum_of_ranks>({.grid = 1, .block = 32}, out);
  for (const int v : out.to_host()) CHECK(v == 31 * 32 / 2);
}

#if defined(SIMT_VARIANT_CHECK)
// A tile sync orders its lanes, and only them.
template <int Tile>
SIMT_DEVICE void neighbours(simt::thread t, simt::view<int> out) {
  auto& row = t.shared<"row", int[64]>();
  const int i = t.rank();
  row[i] = i;
  t.sync_warp(Tile == 32 ? 0xffffffffu : ((1u << Tile % 32) - 1) << (t.lane() / Tile * Tile));
  out[i] = row[i ^ 8];
}
template <auto Kernel>
std::vector<simt::finding> findings_of(int block, int size) {
  return simt::check({}, [&] {
    simt::buffer<int> out(size, "out");
    simt::launch<Kernel>({.grid = 1, .block = block}, out);
  });
}
long count(const std::vector<simt::finding>& all, simt::rule r) {
  return std::count_if(all.begin(), all.end(), [&](const simt::finding& f) { return f.rule == r; });
}

TEST_CASE("a tile sync orders its lanes and no others") {
  CHECK(findings_of<neighbours<32>>(64, 64).empty());
  CHECK(findings_of<neighbours<16>>(64, 64).empty());
  CHECK(count(findings_of<neighbours<8>>(64, 64), simt::rule::race_shared) == 1);
  CHECK(count(findings_of<neighbours<4>>(64, 64), simt::rule::race_shared) == 1);
}

SIMT_DEVICE void full_mask_after_exit(simt::thread t, simt::view<int> out) {
  if (t.rank() >= 20) return;
  out[t.rank()] = t.shuffle_down(0xffffffff, 1, 1);
}
SIMT_DEVICE void partial_warp(simt::thread t, simt::view<int> out) {
  out[t.rank()] = static_cast<int>(t.ballot(0xffffffff, true));
}
TEST_CASE("naming lanes that have left is a warning; lanes that never existed are none") {
  const auto found = findings_of<full_mask_after_exit>(32, 20);
  REQUIRE(count(found, simt::rule::warp_mask) >= 1);
  for (const auto& f : found)
    if (f.rule == simt::rule::warp_mask) CHECK(f.severity == simt::severity::warning);
  CHECK(findings_of<partial_warp>(20, 20).empty());
}
TEST_CASE("a wrong mask is found with its place") {
  const auto found = simt::check({}, [] { simt::launch<never_comes>({.grid = 1, .block = 8}); });
  REQUIRE(count(found, simt::rule::warp_mask) == 1);
  for (const auto& f : found)
    if (f.rule == simt::rule::warp_mask) {
      INFO(f.accesses.at(0).file << ":" << f.accesses.at(0).line);
      CHECK(mentions(f.accesses.at(0).file, "warp_faults.cpp"));
    }
}
#endif

}  // namespace
#endif
