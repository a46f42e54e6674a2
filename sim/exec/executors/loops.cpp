// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/executors/loops.hpp>

#include <algorithm>
#include <new>

#include <sim/exec/observer.hpp>
#include <sim/exec/uninterrupted.hpp>
#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>

namespace simt::sim {

namespace {
// A turn of a wide block goes through so many elements, where the grid is large enough for all cores; at least so many,
// where it is not: shorter stretches of memory are slower.
constexpr std::int64_t kWideBlock = 16 * 1024, kWidestOfSmallGrid = 4 * 1024;
constexpr std::int64_t kBlocksPerWorker = 4;

// The kernel may run in blocks of any width (block_order::wide): as many threads as the launch has, in few blocks.
wide_grid any_grid(const launch_state& l) {
  if (l.bodies.loops->order != block_order::wide || l.block.y * l.block.z != 1 || l.grid.y * l.grid.z != 1) return {};
  const std::int64_t workers = worker_count(), threads = l.grid.x * l.block.x, least = kBlocksPerWorker * workers;
  const std::int64_t width =
      std::clamp((threads + least - 1) / least, std::min(threads, kWidestOfSmallGrid), kWideBlock);
  if (width <= l.block.x) return {};
  const std::int64_t wanted = (threads + width - 1) / width;
  // As many threads as the launch has, not one more: what one thread does in two turns may depend on each other. So the
  // number of blocks divides theirs: the wanted one, or one near it that leaves workers less idle.
  const auto share_of_busy = [&](std::int64_t blocks) {
    return static_cast<double>(blocks) / static_cast<double>((blocks + workers - 1) / workers * workers);
  };
  wide_grid best;
  double least_share = share_of_busy(wanted) / 2;  // with less, the launch keeps its blocks
  const auto consider = [&](std::int64_t blocks) {
    if (threads % blocks != 0 || share_of_busy(blocks) <= least_share) return;
    least_share = 1.02 * share_of_busy(blocks);
    best = {blocks, threads / blocks};
  };
  for (std::int64_t blocks = wanted; blocks > wanted / 4; --blocks) consider(blocks);
  if (wanted > workers)
    for (std::int64_t blocks = wanted + 1; blocks <= 2 * wanted; ++blocks) consider(blocks);
  return best;
}
}  // namespace

loop_choice choose_loops(const launch_state& l, wanted_execution wanted) {
  const loop_body& body = *l.bodies.loops;
  const launch_traits& traits = l.traits;
  if (l.elements && !traits.instrumented) return {nullptr, "an element function's loop is its own"};
  if (body.run == nullptr) return {nullptr, body.reason};
  if (wanted == wanted_execution::fibers || wanted == wanted_execution::single)
    return {nullptr, "fibers were asked for"};
  constexpr const char* kScheduled = "loops run threads in their natural order only, and a schedule was asked for";
  const bool mixed = traits.rests && traits.switches_at_accesses;
  if (traits.scheduled && (!mixed || traits.co_resident)) return {nullptr, kScheduled};
  if (traits.observed && !traits.instrumented)
    return {nullptr, "somebody listens to the engine's events, which loops do not announce"};
  if (traits.clustered) return {nullptr, "a launch with clusters: their blocks may wait for each other"};
  constexpr std::int64_t kMostCounted = std::int64_t{1} << 31;
  const auto too_many = [](std::int64_t blocks, std::int64_t threads) { return blocks > kMostCounted / threads; };
  if ((body.rows & loop_body::counts_threads) != 0 &&
      (too_many(l.grid.x, l.block.x) || too_many(l.grid.y, l.block.y) || too_many(l.grid.z, l.block.z)))
    return {nullptr, "its threads' places are numbers below 2^31, and the grid is larger"};
  if (const std::int64_t widest = body.rows >> loop_body::widest_shift; widest > 0 && l.block.x > widest)
    return {nullptr, body.reason};
  if (const wide_grid any = any_grid(l); any.blocks > 0 && !mixed) return {body.run, "", any};
  const bool whole_rows = l.block.x % kLanes == 0, one_row = l.block.y * l.block.z == 1;
  const std::int64_t rows = body.rows & loop_body::of_rows;
  if (rows == loop_body::rows_whole && !whole_rows)
    return {nullptr, "its warps are loops in blocks whose rows are multiples of 32 threads only"};
  if (rows == loop_body::rows_whole_or_one && !whole_rows && !one_row)
    return {nullptr, "its warps are loops in blocks of one row, or of rows that are multiples of 32 threads, only"};
  for (std::int64_t i = 0; i < body.copy_count; ++i) {
    const loop_copy& copy = body.copies[i];
    if (copy.x != l.block.x || copy.y != l.block.y || copy.z != l.block.z) continue;
    if (mixed || traits.scheduled || traits.observed) return {copy.run, mixed ? kScheduled : ""};
    return {copy.run, "", {}, copy.beside, copy.run_beside};
  }
  return {body.run, mixed ? kScheduled : ""};
}

// What a block costs by itself is paid once for them, and what they touch lies in longer rows. Together they have no
// more threads than a block may have.
std::int64_t joined_blocks(const launch_state& l) {
  constexpr std::int64_t kMostThreads = 1024;
  const block_order order = l.bodies.loops->order;
  if ((order != block_order::joined && order != block_order::joined_evenly) || l.loop == nullptr || l.elements ||
      l.traits.scheduled || l.traits.co_resident || l.traits.clustered || l.threads == 0)
    return 1;
  if (const observer* const o = current_observer(); o == nullptr || !o->may_join_blocks(l.blocks)) return 1;
  std::int64_t joined = 1;
  while (2 * joined * l.threads <= kMostThreads && 2 * joined <= l.grid.x &&
         (order == block_order::joined || l.grid.x % (2 * joined) == 0))
    joined *= 2;
  return joined;
}

void loop_room::aligned_delete::operator()(std::byte* p) const {
  ::operator delete (p, std::align_val_t{kLoopArrayAlign});
}

loop_room& loop_executor::take_room(const launch_state& l) {
  const uninterrupted whole(&worker_);
  if (free_rooms_.empty()) {
    rooms_.push_back(std::make_unique<loop_room>());
    free_rooms_.reserve(rooms_.size());
    free_rooms_.push_back(rooms_.back().get());
  }
  loop_room& room = *free_rooms_.back();
  free_rooms_.pop_back();
  const std::int64_t at_once = std::max({l.threads * l.joined, l.threads * l.beside, l.wide.width});
  const std::int64_t threads = (at_once + kLoopThreadsRounding - 1) / kLoopThreadsRounding * kLoopThreadsRounding;
  const auto bytes = static_cast<std::size_t>(threads * l.bodies.loops->bytes_per_thread);
  if (bytes > room.array_bytes) {
    room.arrays.reset();
    room.array_bytes = 0;
    room.arrays.reset(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{kLoopArrayAlign})));
    room.array_bytes = bytes;
  }
  return room;
}

bool loop_executor::holds(std::uintptr_t address) const {
  const loop_room* const room = worker_.queue.current->room;
  return room != nullptr && address - reinterpret_cast<std::uintptr_t>(room->arrays.get()) < room->array_bytes;
}

void loop_executor::start_blocks() { worker_.fibers.start_blocks(); }

void loop_executor::abandon() {
  free_rooms_.clear();
  for (const auto& room : rooms_) {
    room->copies.clear();
    free_rooms_.push_back(room.get());
  }
  for (fiber* f : worker_.pool.all()) f->room = nullptr;
  worker_.fibers.abandon();
}

async_copies& loop_executor::copies_of(std::int32_t rank) {
  const uninterrupted list(&worker_);
  std::vector<async_copies>& copies = worker_.queue.current->room->copies;
  const auto at = static_cast<std::size_t>(rank);
  if (at >= copies.size()) copies.resize(at + 1);
  return copies[at];
}

namespace {
// Blocks side by side: what they have in shared memory is to stay in the first cache, with the rows that pass through.
constexpr std::int64_t kSharedBeside = 20 * 1024, kLine = 64;

// The bytes from one block's shared memory to the next one's, if `block` and its neighbours can run side by side; -1 if
// not. How much they use is known when one block has run.
std::int64_t stride_beside(const launch_state& l, std::int64_t block, std::int64_t limit) {
  const std::int64_t x = block % l.grid.x;
  // Blocks at the ends of a row run alone: where it is an image's, their threads have more to ask.
  if (x == 0 || x + l.beside >= l.grid.x || block + l.beside > limit) return -1;
  const std::int64_t used = l.shared_of_block.load(std::memory_order_relaxed);
  const std::int64_t lines = (used + kLine - 1) / kLine | 1;  // an odd number: each begins in other sets of the cache
  return used < 0 || lines * kLine * l.beside > kSharedBeside ? -1 : lines * kLine;
}
}  // namespace

void loop_executor::run_blocks(block_context& b, fiber& self) {
  launch_state& l = *b.launch;
  loop_room& room = take_room(l);
  self.room = &room;
  std::byte* const arrays = room.arrays.get();
  const bool wide = l.wide.blocks > 0;
  for (std::int64_t block = self.block_first, at_once = 1; block < self.block_limit; block += at_once) {
    if (l.aborted.load(std::memory_order_relaxed)) break;
    if (std::int64_t stride; l.beside > 0 && (stride = stride_beside(l, block, self.block_limit)) >= 0) {
      self.block_now = block;
      place_block(b, block);
      l.loop_beside(b, l.args, arrays, 0, 0, 0, l.block.x, l.block.y, stride, b.at[0], b.at[1], b.at[2], l.grid.x,
                    l.grid.y, l.grid.z);
      at_once = l.beside;
      continue;
    }
    const std::int64_t first = wide ? block * l.grid.x / l.wide.blocks : block;  // of the launch's own blocks
    self.block_now = first;
    place_block(b, first);
    at_once = joined_at(l, block, self.block_limit);
    b.joined = static_cast<std::int32_t>(at_once);
    b.threads = l.threads * b.joined;
    if (wide)
      l.loop(b, l.args, arrays, 0, 0, 0, l.wide.width, 1, 1, block, 0, 0, l.wide.blocks, 1, 1);
    else
      l.loop(b, l.args, arrays, 0, 0, 0, l.block.x * at_once, l.block.y, l.block.z, b.at[0] / at_once, b.at[1], b.at[2],
             l.grid.x / at_once, l.grid.y, l.grid.z);
    if (l.beside > 0) l.shared_of_block.store(l.shared_used, std::memory_order_relaxed);
    for (async_copies& c : room.copies) async_finish(c, self.thread);
  }
  b.joined = 1;
  b.threads = l.threads;
  const uninterrupted whole(&worker_);
  self.block_now = -1;
  self.room = nullptr;
  free_rooms_.push_back(&room);
}

}  // namespace simt::sim
