// SPDX-License-Identifier: Apache-2.0
// Barriers behind questions that all threads of narrow blocks answer alike: as loops there, on fibers in wider blocks.
#include "both_executions.hpp"

namespace {

// A scan behind such a question, and a barrier behind it that all come to.
SIMT_DEVICE void scans_below_256(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[512]>();
  const unsigned me = static_cast<unsigned>(t.thread_idx().x), rank = me_of(t), n = threads_of(t);
  if (rank < 512) s[rank] = 0;
  t.sync();
  if (me < 256) {
    s[rank % 512] = x[rank];
    t.sync();
    for (unsigned d = 1; d < n; d *= 2) {
      const unsigned v = rank >= d ? s[(rank - d) % 512] : 0;
      t.sync();
      s[rank % 512] += v;
      t.sync();
    }
  }
  t.sync();
  out[gid_of(t) % 4096] = s[(n - 1 - rank) % 512];
}
// The same question as a mask, the other way round; one that few pass; and a loop that counts from the index on.
SIMT_DEVICE void leaves_out_from_256(simt::thread t, in_view x, out_view out) {
  auto& s = t.shared<"s", unsigned[1024]>();
  const unsigned me = static_cast<unsigned>(t.thread_idx().x), rank = me_of(t), n = threads_of(t);
  s[rank] = x[rank];
  t.sync();
  unsigned v = 5;
  if (me / 256 == 0) {
    v = s[n - 1 - rank];
    t.sync();
    if (me < 16) v *= 3;
    for (unsigned i = rank; i < 1024; i += n) s[i] = v + i;
  } else {
    v = 9;
  }
  t.sync();
  out[gid_of(t)] = v + s[(rank + 1) % n];
}

TEST_CASE("narrow blocks: what all threads of the block pass is a question to nobody") {
  RUNS_AS_LOOPS(scans_below_256);
  RUNS_AS_LOOPS(leaves_out_from_256);
  for (const auto kernel : {launch<scans_below_256>, launch<leaves_out_from_256>}) {
    const auto wide = run(kernel, {.grid = 2, .block = 512}, wanted_execution::automatic).how;
    CHECK(wide.how == execution::fibers);
    if (!kCut) continue;
    CHECK_MESSAGE(wide.reason.find("a barrier under a condition that differs") == 0, wide.reason);
    CHECK(names_a_line_of(wide.reason, __FILE__));
  }
}

}  // namespace
