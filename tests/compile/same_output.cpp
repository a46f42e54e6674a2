// SPDX-License-Identifier: Apache-2.0
// A kernel that same_output.py compiles several times. Conditions of warps and of the block decide over what follows,
// and values live across them, so that the pass makes many places for values.
#include <simt/simt.hpp>

namespace {

using numbers = simt::view<unsigned>;
constexpr std::uint32_t kAll = simt::kFullMask;

SIMT_DEVICE void warps_leave(simt::thread t, numbers x, numbers out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const auto me = static_cast<unsigned>(t.thread_idx().x);
  s[me] = x[me];
  if (me / 32u == 1 || x[me] % 11u == 4) return;
  unsigned v = t.shuffle_xor(kAll, s[me], 1);
  t.sync();
  for (int i = 0; i < 20 && t.any(kAll, v % 8u < 5); ++i) v += t.lane() % 2 == 0 ? 1 : 3;
  v = v * 5u + t.match_any(kAll, x[me] % 3u);
  out[me] = v + static_cast<unsigned>(t.sync_count(true));
}

}  // namespace

void launch_it(numbers x, numbers out) { simt::launch<warps_leave>({.grid = 1, .block = 256}, x, out); }
