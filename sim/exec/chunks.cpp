// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/chunks.hpp>

#include <algorithm>

#include <sim/exec/block_stretches.hpp>

namespace simt::sim {

namespace {
// Blocks of several planes: so many threads of one plane run before those of the next, at most.
constexpr std::int64_t kThreadsOfPlane = 16 * 1024;
}  // namespace

std::int64_t watched_unit(const extent3& grid, const extent3& block, std::int64_t blocks, int workers) {
  constexpr std::int64_t kThreads = 4096, kUnitsEach = 32;
  const std::int64_t most = blocks / (workers * kUnitsEach);
  if (block.y * block.z > 1 && grid.x <= most) return grid.x;
  std::int64_t unit = 1;
  while (unit * 2 <= most && unit * block.x < kThreads) unit *= 2;
  return unit;
}

void choose_chunks(launch_state& l, int workers, bool any_order) {
  const std::int64_t count = workers;
  const bool free_order = any_order && l.traits.stacks_walk_blocks();
  constexpr std::int64_t kGroupsPerWorker = 4;
  while (count > 1 && l.joined > 1 && l.blocks / l.joined < kGroupsPerWorker * count) l.joined /= 2;
  const bool direct = l.loop == nullptr, planes = l.block.y * l.block.z > 1;
  l.chunk = std::clamp<std::int64_t>(l.blocks / (count * 32), 1, 1 << 16);
  l.wide_blocks = direct && free_order && l.bodies.loops->order == block_order::wide && l.bodies.loops->waits == 0;
  l.rows_of_blocks = l.wide_blocks || (direct && free_order && planes);
  // Whole rows, as far as all workers have some.
  const std::int64_t row = std::min(l.grid.x, l.blocks / (count * 8));
  if (l.rows_of_blocks && planes) l.chunk = std::max(l.chunk, row);
  if (l.beside > 0) l.chunk = std::max(l.chunk, count == 1 ? l.grid.x : row);
  l.rows_of_blocks_at_once = l.rows_of_blocks && l.block.z > 1
                                 ? std::max<std::int64_t>(1, kThreadsOfPlane / (l.grid.x * l.block.x * l.block.y))
                                 : 1;
  if (l.traits.scheduled || l.traits.co_resident) l.chunk = 1;
  if (l.traits.clustered) l.chunk = l.cluster.volume();
  l.chunk_share = 0;
  bool stretches = free_order && !l.traits.co_resident;
  if (l.traits.observed && l.traits.any_block_order()) {
    const bool wide = l.wide.blocks > 0;
    l.chunk = watched_unit(wide ? extent3{l.blocks, 1, 1} : l.grid, wide ? extent3{l.wide.width, 1, 1} : l.block,
                           l.blocks, workers);
    // Blocks that run as one stay together; in whole rows they do.
    if (l.chunk % l.grid.x != 0) l.chunk = (l.chunk + l.joined - 1) / l.joined * l.joined;
    stretches = any_order;
    if (!any_order) l.chunk_share = count * 4;  // large chunks first, smaller ones at the end
  }
  stretches_of_launch().open(l.blocks, l.chunk, stretches ? workers : 0);
}

}  // namespace simt::sim
