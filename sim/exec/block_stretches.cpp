// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/block_stretches.hpp>

#include <algorithm>

namespace simt::sim {

namespace {
// Large pieces first, which begin less often; small ones at the end, for others to take.
constexpr std::int64_t kPartOfRest = 4;
}  // namespace

void block_stretches::open(std::int64_t blocks, std::int64_t chunk, int workers) {
  workers_ = workers;
  chunk_ = chunk;
  if (workers == 0) return;
  // Whole chunks: rows of blocks stay together.
  const std::int64_t share = (blocks + workers - 1) / workers, length = (share + chunk - 1) / chunk * chunk;
  for (int w = 0; w < workers; ++w) {
    stretch& s = stretches_[static_cast<std::size_t>(w)];
    s.next.store(std::min(w * length, blocks), std::memory_order_relaxed);
    s.end = std::min((w + 1) * length, blocks);
  }
}

block_chunk block_stretches::take_from(stretch& s) const {
  std::int64_t first = s.next.load(std::memory_order_relaxed), end;
  do {
    if (first >= s.end) return {};
    const std::int64_t part = (s.end - first) / kPartOfRest / chunk_ * chunk_;
    end = std::min(first + std::max(part, chunk_), s.end);
  } while (!s.next.compare_exchange_weak(first, end, std::memory_order_relaxed));
  return {first, end};
}

block_chunk block_stretches::take(int worker) {
  for (int k = 0; k < workers_; ++k) {
    const block_chunk taken = take_from(stretches_[static_cast<std::size_t>((worker + k) % workers_)]);
    if (!taken.empty()) return taken;
  }
  return {};
}

block_stretches& stretches_of_launch() {
  static block_stretches stretches;
  return stretches;
}

}  // namespace simt::sim
