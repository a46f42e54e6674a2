// SPDX-License-Identifier: Apache-2.0
// Strides (for (i = first + tid; i < n; i += stride)) under check: what they leave, where the loops that are proved
// have their threads inside (sim/compile/unwatched_turns.hpp), and pairs (checked_pairs.hpp) of many turns.
#include "checked_pairs.hpp"

namespace {

using namespace checked_pairs;

constexpr int kMany = 3000, kLast = 0x7fffffff;

SIMT_DEVICE void by_int(simt::thread t, simt::view<int> out, int n) {
  const auto stride = static_cast<int>(t.grid_size<1>());
  for (int i = static_cast<int>(t.grid<1>()); i < n; i += stride) out[i] += 3 * i;
}
SIMT_DEVICE void by_unsigned_up_to(simt::thread t, simt::view<int> out, int n) {
  const auto stride = static_cast<unsigned>(t.grid_size<1>()), last = static_cast<unsigned>(n) - 1;
  for (auto i = static_cast<unsigned>(t.grid<1>()); i <= last; i += stride) out[i] += static_cast<int>(i);
}
SIMT_DEVICE void by_wide_index(simt::thread t, simt::view<int> out, int n) {
  for (std::int64_t i = t.grid<1>(); i < n; i += t.grid_size<1>()) out[i] = out[i] * 5 + static_cast<int>(i);
}
SIMT_DEVICE void once_at_least(simt::thread t, simt::view<int> out, int n) {
  auto i = static_cast<int>(t.grid<1>());
  do {
    out[i] += i;
    i += static_cast<int>(t.grid_size<1>());
  } while (i < n);
}
// What a thread has read in one turn is what it has left in the turn before.
SIMT_DEVICE void from_turn_to_turn(simt::thread t, simt::view<int> out, int n) {
  const auto stride = static_cast<int>(t.grid_size<1>());
  for (int i = static_cast<int>(t.grid<1>()) + stride; i < n; i += stride) out[i] = 3 * out[i - stride] + i;
}
// In the turns that others make, some threads' indices would wrap.
SIMT_DEVICE void near_the_end(simt::thread t, simt::view<int> out, int n) {
  const int first = kLast - 216 - n % 5, end = kLast - 15, threads = static_cast<int>(t.grid_size<1>());
  int at = static_cast<int>(t.grid<1>());
  for (int i = first + t.rank(); i < end; i += 16, at += threads) out[at] += 1;
}
SIMT_DEVICE void of_rows(simt::thread t, simt::view<int> out, int n) {
  const int x = static_cast<int>(t.thread_idx().x), y = static_cast<int>(t.thread_idx().y);
  for (int i = x; i < n / 64; i += static_cast<int>(t.block_dim().x))
    out[64 * i + 8 * static_cast<int>(t.block_idx().x) + y] += x;
}
// Two indices go on together.
SIMT_DEVICE void by_two(simt::thread t, simt::view<int> out, int n) {
  const auto stride = static_cast<int>(t.grid_size<1>());
  int turn = 0;
  for (int i = static_cast<int>(t.grid<1>()); i < n; i += stride, ++turn) out[i] += turn;
}

template <auto Kernel>
std::vector<int> left_by(const char* execution, const simt::launch_config& config, int n) {
  simt::check_options o;
  o.execution = execution;
  std::vector<int> left;
  const auto found = simt::check(o, [&] {
    auto out = simt::to_device(std::vector<int>(kMany, 7), "out");
    // The first block of the first launch is watched.
    for (int i = 0; i < 3; ++i) simt::launch<Kernel>(config, out.view(), n);
    left = out.to_host();
  });
  CHECK(found.empty());
  return left;
}
template <auto Kernel>
void same_on_both(const char* name, const std::vector<simt::launch_config>& shapes) {
  INFO(std::string(name));
  for (const simt::launch_config& config : shapes)
    for (const int n : {kMany, kMany - 7, 960, 64}) {
      CAPTURE(config.block.x);
      CAPTURE(n);
      CHECK(left_by<Kernel>("auto", config, n) == left_by<Kernel>("fibers", config, n));
    }
}

SIMT_PAIR(many_turns) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64 * 40);
  for (int i = me; i < 64 * 40 - 1; i += 64) own[i] = own[i + bug] + 1;
}
SIMT_PAIR(turns_of_other_threads) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64 * 40);
  const int by = 64 + bug;
  for (int i = me; i < 64 * 39 - 1; i += 64) own[i + by] = own[i] + 1;
}
// Blocks whose loops end elsewhere.
SIMT_PAIR(turns_of_other_blocks) {
  SIMT_BEGIN
  int* const own = parts<int>(g, t, 64 * 40);
  const int end = 64 * (39 + 2 * bug);
  for (int i = me; i < end; i += 64) own[i] += 1;
}

}  // namespace

TEST_CASE("checked loops: strides leave what they leave on fibers") {
  const std::vector<simt::launch_config> rows{
      {.grid = 3, .block = 64}, {.grid = 5, .block = 33}, {.grid = 1, .block = 1}};
  same_on_both<by_int>("by_int", rows);
  same_on_both<by_unsigned_up_to>("by_unsigned_up_to", rows);
  same_on_both<by_wide_index>("by_wide_index", rows);
  same_on_both<once_at_least>("once_at_least", rows);
  same_on_both<from_turn_to_turn>("from_turn_to_turn", rows);
  same_on_both<near_the_end>("near_the_end", rows);
  same_on_both<by_two>("by_two", rows);
  same_on_both<of_rows>("of_rows", {{.grid = 6, .block = {16, 8}}, {.grid = 3, .block = 64}});
}

TEST_CASE("checked loops: strides of many turns, a race and its clean twin") {
  expect_pair(launch<many_turns>, "many_turns", {64}, 48);
  expect_pair(launch<turns_of_other_threads>, "turns_of_other_threads", {64}, 48);
  expect_pair(launch<turns_of_other_blocks>, "turns_of_other_blocks", {64}, 48);
}
