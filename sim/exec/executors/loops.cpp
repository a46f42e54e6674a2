// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/executors/loops.hpp>

#include <algorithm>
#include <new>

#include <sim/exec/uninterrupted.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {
// A turn of a wide block goes through so many elements, where the grid is large enough for all cores.
constexpr std::int64_t kWideBlock = 16 * 1024;

std::int64_t blocks_to_merge(const launch_state& l) {
  if (l.bodies.loops->order != block_order::wide || l.block.y * l.block.z != 1 || l.grid.y * l.grid.z != 1) return 1;
  const std::int64_t most = std::min(kWideBlock / l.block.x, l.grid.x / (4 * std::int64_t{worker_count()}));
  for (std::int64_t merged = most; merged > 1; --merged)
    if (l.grid.x % merged == 0) return merged;
  return 1;
}
}  // namespace

loop_choice choose_loops(const launch_state& l, wanted_execution wanted) {
  const loop_body& body = *l.bodies.loops;
  const launch_traits& traits = l.traits;
  if (l.elements) return {nullptr, "an element function's loop is its own"};
  if (body.run == nullptr) return {nullptr, body.reason};
  if (wanted == wanted_execution::fibers || wanted == wanted_execution::single)
    return {nullptr, "fibers were asked for"};
  if (traits.scheduled) return {nullptr, "loops run threads in their natural order only, and a schedule was asked for"};
  if (traits.observed && !traits.instrumented)
    return {nullptr, "somebody listens to the engine's events, which loops do not announce"};
  if (traits.co_resident) return {nullptr, "a cooperative launch: its blocks may wait for each other"};
  if (traits.clustered) return {nullptr, "a launch with clusters: their blocks may wait for each other"};
  if (const std::int64_t merged = blocks_to_merge(l); merged > 1) return {body.run, "", merged};
  const bool whole_rows = l.block.x % kLanes == 0, one_row = l.block.y * l.block.z == 1;
  if (body.rows == loop_body::rows_whole && !whole_rows)
    return {nullptr, "its warps are loops in blocks whose rows are multiples of 32 threads only"};
  if (body.rows == loop_body::rows_whole_or_one && !whole_rows && !one_row)
    return {nullptr, "its warps are loops in blocks of one row, or of rows that are multiples of 32 threads, only"};
  for (std::int64_t i = 0; i < body.copy_count; ++i) {
    const loop_copy& copy = body.copies[i];
    if (copy.x == l.block.x && copy.y == l.block.y && copy.z == l.block.z) return {copy.run, ""};
  }
  return {body.run, ""};
}

void loop_executor::aligned_delete::operator()(std::byte* p) const {
  ::operator delete (p, std::align_val_t{kLoopArrayAlign});
}

// Kept for later launches. Blocks write their part before they read it, so nothing is cleared.
std::byte* loop_executor::arrays_for(const launch_state& l) {
  const std::int64_t threads =
      (l.threads * l.merged_blocks + kLoopThreadsRounding - 1) / kLoopThreadsRounding * kLoopThreadsRounding;
  const auto bytes = static_cast<std::size_t>(threads * l.bodies.loops->bytes_per_thread);
  if (bytes > array_bytes_) {
    arrays_.reset();
    array_bytes_ = 0;
    arrays_.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kLoopArrayAlign})));
    array_bytes_ = bytes;
  }
  return arrays_.get();
}

void loop_executor::start_blocks() { worker_.fibers.start_blocks(); }

void loop_executor::abandon() {
  copies_.clear();
  worker_.fibers.abandon();
}

async_copies& loop_executor::copies_of(std::int32_t rank) {
  const uninterrupted list(&worker_);
  const auto at = static_cast<std::size_t>(rank);
  if (at >= copies_.size()) copies_.resize(at + 1);
  return copies_[at];
}

void loop_executor::run_blocks(block_context& b, fiber& self) {
  const launch_state& l = *b.launch;
  std::byte* const arrays = arrays_for(l);
  for (std::int64_t block = self.block_first; block < self.block_limit; ++block) {
    if (l.aborted.load(std::memory_order_relaxed)) break;
    const std::int64_t first = block * l.merged_blocks;
    self.block_now = first;
    place_block(b, first);
    l.loop(b, l.args, arrays, 0, 0, 0, l.block.x * l.merged_blocks, l.block.y, l.block.z, b.at[0] / l.merged_blocks,
           b.at[1], b.at[2], l.grid.x / l.merged_blocks, l.grid.y, l.grid.z);
    for (async_copies& c : copies_) async_finish(c, self.thread);
  }
  self.block_now = -1;
}

}  // namespace simt::sim
