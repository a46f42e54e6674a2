// SPDX-License-Identifier: Apache-2.0
// Pairs of kernels under check as loops: a clean one and one with a race, which differ in one number. `bug` is 0 or 1.
// What the first block does is watched access by access, for where its instructions are is not known yet: so the first
// three have no bug.
#pragma once

#include <doctest/doctest.h>

#include <cstdio>

#include <sim/exec/launch.hpp>
#include <simt/buffer.hpp>
#include <simt/check.hpp>
#include <simt/launch.hpp>

namespace checked_pairs {

inline constexpr std::int64_t kBlocks = 6;

// A place where pieces meet and no thread waits, because n is small: what follows is a piece of its own between the
// same two barriers.
#define SIMT_NEXT_PIECE \
  if (n > 100) {        \
    s[me] = 3;          \
    t.sync();           \
  }

#define SIMT_PAIR(name) SIMT_DEVICE void name(simt::thread t, simt::view<int> g, int n, int bug)
#define SIMT_BEGIN                                                                                \
  auto& s = t.shared<"s", int[512]>();                                                            \
  const int me = t.rank();                                                                        \
  for (int i = 0; i < 8; ++i) s[me + 64 * i] = i;                                                 \
  t.sync();                                                                                       \
  const int late = static_cast<int>((t.block_idx().x + 5) >> 3); /* 0 in blocks 0 to 2, then 1 */ \
  bug *= late;                                                                                    \
  (void)n, (void)g, (void)late;

// The block's own part of g, behind one that is nobody's.
template <class T>
T* parts(simt::view<int> g, simt::thread t, int per_block) {
  return reinterpret_cast<T*>(g.data_handle()) + static_cast<int>(t.block_idx().x) * per_block + per_block;
}

using launcher = void (*)(const simt::launch_config& config, simt::view<int> g, int bug);
template <auto Kernel>
void launch(const simt::launch_config& config, simt::view<int> g, int bug) {
  simt::launch<Kernel>(config, g, 1, bug);
}

// All but the launch is the same for all kernels: a copy for each took most of the time to compile.
// words: of g, for each thread.
inline std::size_t findings(launcher launch, int bug, simt::dim3 block, const char* execution, std::int64_t words) {
  simt::check_options o;
  o.execution = execution;
  const auto found = simt::check(o, [&] {
    auto g = simt::to_device(std::vector<int>(static_cast<std::size_t>(kBlocks * 64 * words + 65), 7), "g");
    launch({.grid = kBlocks, .block = block}, g.view(), bug);
  });
  return found.size();
}

inline void expect_pair(launcher launch, const char* name, simt::dim3 block = {64}, std::int64_t words = 1) {
  INFO(std::string(name));
  CHECK(findings(launch, 0, block, "auto", words) == 0);
#if defined(SIMT_LOOPS)
  CHECK(simt::sim::last_launch_execution().how == simt::sim::execution::loops);
#endif
  CHECK(findings(launch, 1, block, "auto", words) > 0);
  CHECK(findings(launch, 0, block, "fibers", words) == 0);
  CHECK(findings(launch, 1, block, "fibers", words) > 0);
}

#define SIMT_EXPECT(name) expect_pair(launch<name>, #name)

}  // namespace checked_pairs
