// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/barrier_loops.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>

#include <sim/exec/host_threads.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/address_space.hpp>
#include <sim/memory/host_access.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

namespace {
constexpr int kEnough = 3;             // times that a block must have come back
constexpr int kMostLooks = 64 * 1024;  // at blocks that do not come back; then one a tick

// What each worker of the launch last said.
struct quiet_worker {
  std::int64_t since = 0, proof = 0;
};
std::mutex quiet_mutex;
std::array<quiet_worker, kSharedWorkers> quiet;

std::int64_t moment() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
}  // namespace

void barrier_loops::forget() {
  wanted = 0;
  quiet_since_ = 0;
  seen_.clear();
  std::lock_guard lock(quiet_mutex);
  quiet[static_cast<std::size_t>(worker_.index)] = {};
}

std::uint64_t barrier_loops::mark_of(const block_context& b, const void* own, bool& whole) const {
  std::uint64_t sum = static_cast<std::uint64_t>(b.vote[0] + b.vote[1]);
  std::int32_t found = 0;
  for (const fiber* f : worker_.pool.all()) {
    if (f->thread.block != &b || !f->thread.has_stack || f->thread.waits != wait_kind::block_barrier) continue;
    ++found;
    std::uint64_t mark = static_cast<std::uint64_t>(f->thread.rank) + 1;
    const auto* word = static_cast<const std::uint64_t*>(f == worker_.queue.current ? own : f->stack.sp);
    for (const auto* end = reinterpret_cast<const std::uint64_t*>(f->stack_high); word + 1 <= end; ++word)
      mark = (mark ^ *word) * 0x9E3779B97F4A7C15ULL, mark ^= mark >> 29;
    sum += mark;
  }
  whole = found == b.live;
  return sum;
}

// 0: some block has none.
std::int64_t barrier_loops::proof_of_all() const {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const block_context* b : worker_.residents.active()) {
    if (b->grid_barrier.complete) continue;  // waits for others
    const auto known = seen_.find(b);
    if (known == seen_.end() || known->second.index != b->index || known->second.proof == 0) return 0;
    least = std::min(least, known->second.proof);
  }
  return least;
}

[[gnu::noinline]] barrier_loops::result barrier_loops::look(const block_context& b) {
  const int more = wanted - 1;
  wanted = 0;
  const std::int64_t now = moment();
  const std::uint64_t stores = worker_.hangs.progress_counter != nullptr ? *worker_.hangs.progress_counter : 0;
  if (stores != stores_ || quiet_since_ == 0) {
    seen_.clear();
    stores_ = stores;
    quiet_since_ = now;
    looks_ = 0;
  } else if (++looks_ < kMostLooks) {
    wanted = more;
  }
  seen_block& s = seen_[&b];
  if (s.index != b.index) {
    s = {};
    s.index = b.index;
  }
  bool whole = false;
  // The caller's frame and all above it; it has put the registers there.
  const std::uint64_t mark = mark_of(b, __builtin_frame_address(0), whole);
  std::int64_t& when = s.when[mark];
  s.hits = whole && when != 0 ? s.hits + 1 : 0;
  s.proof = s.hits >= kEnough ? when : 0;
  when = now;
  const std::int64_t proof = proof_of_all();
  const launch_state& l = *worker_.launch;
  if (proof != 0 && (!worker_.chunk.empty() || l.next_block.load(std::memory_order_relaxed) < l.blocks) &&
      worker_.residents.count < l.max_resident)
    return result::start_others;
  std::lock_guard lock(quiet_mutex);
  quiet[static_cast<std::size_t>(worker_.index)] = {quiet_since_, proof};
  std::int64_t last = 0;
  for (const quiet_worker& w : quiet) last = std::max(last, w.since);
  const auto endless = std::count_if(quiet.begin(), quiet.end(),
                                     [last](const quiet_worker& w) { return w.since != 0 && w.proof >= last; });
  if (endless < l.running_workers.load()) return result::goes_on;
  return host_is_heard() && !host_thread_that_may_act().empty() ? result::goes_on : result::endless;
}

}  // namespace simt::sim
