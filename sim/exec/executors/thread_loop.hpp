// SPDX-License-Identifier: Apache-2.0
// The loop over the threads of blocks that kernels of the sim variant are inlined into.
//
// Loop nests over blocks and threads whose bounds the engine can cut short (thread_range). Bounds and positions have a
// pointer type, so stores of the kernel cannot alias them, the loop keeps an invariant trip count, and a kernel that
// never waits is vectorised over the threads of a row.
#pragma once

#include <cstdint>

#include <sim/exec/launch.hpp>

namespace simt::sim {

struct thread_place {
  std::int64_t x, y, z;
};
// 32-bit divisions, and none for the first row: every thread that waits asks.
[[gnu::always_inline]] inline thread_place place_of(std::int32_t rank, std::int64_t width, std::int64_t height) {
  if (rank < width) return {rank, 0, 0};
  const auto r = static_cast<std::uint32_t>(rank), w = static_cast<std::uint32_t>(width),
             h = static_cast<std::uint32_t>(height);
  const std::uint32_t row = r / w;
  if (row < h) return {r - row * w, row, 0};
  return {r - row * w, row % h, row / h};
}

// Shows the engine the range that `self` is about to run, `r`; gives its first thread.
[[gnu::always_inline]] inline thread_place open_range(const launch_state& l, fiber& self, thread_range& r) {
  const std::int64_t dx = l.block.x, dy = l.block.y, dz = l.block.z;
  r.x_end = as_limit(dx);
  r.y_end = as_limit(dy);
  r.z_end = as_limit(dz);
  r.x = r.y = r.z = as_limit(-1);
  self.range = &r;
  const bool is_alone = self.alone >= 0 && !self.thread.has_stack;
  const thread_place first = place_of(is_alone ? self.alone : self.first, dx, dy);
  if (self.thread.has_stack || is_alone) {  // one thread of a block
    r.x_end = as_limit(first.x + 1);
    r.y_end = as_limit(first.y + 1);
    r.z_end = as_limit(first.z + 1);
  }
  return first;
}
[[gnu::always_inline]] inline void close_range(fiber& self) {
  self.range = nullptr;
  self.block_now = -1;
}

// Of `blocks` blocks, which begin a row of the grid that is the y-th of its plane.
[[gnu::always_inline]] inline std::int64_t rows_at_once(const launch_state& l, std::int64_t blocks, std::int64_t y) {
  const std::int64_t whole = blocks / l.grid.x, left = l.grid.y - y;
  const std::int64_t there = whole < left ? whole : left;
  return there < 1 ? 1 : there < l.rows_of_blocks_at_once ? there : l.rows_of_blocks_at_once;
}

// Calls call(x, y, z, block x, block y, block z) for each thread of what `self` started with. call must be inlined, and
// nothing may be called afterwards: then the stores of positions are dead where the kernel calls nothing.
template <class Call>
[[gnu::always_inline]] inline void loop_over_threads(block_context& b, fiber& self, const Call& call) {
  const launch_state& l = *b.launch;
  const std::int64_t gx = l.grid.x, gy = l.grid.y, dy = l.block.y;
  thread_range r;
  auto [x0, y0, z0] = open_range(l, self, r);
  std::int64_t block = self.block_first;
  std::int64_t bx = b.at[0], by = b.at[1], bz = b.at[2];
  if (self.fresh_block) {
    bx = block % gx;
    by = block / gx % gy;
    bz = block / gx / gy;
  }
  for (;;) {
    self.block_now = block;  // announced before the limit is read, see fiber
    const std::int64_t limit = self.block_limit;
    if (block >= limit) break;
    // How many blocks run side by side, row by row. More than one only where nobody can wait.
    const std::int64_t beside = l.rows_of_blocks ? (limit - block < gx - bx ? limit - block : gx - bx) : 1;
    // And so many rows of blocks: one plane of threads after the other.
    const std::int64_t below = beside == gx && l.rows_of_blocks_at_once > 1 ? rows_at_once(l, limit - block, by) : 1;
    const std::int64_t at_once = l.wide_blocks ? beside : 1;
    if (l.wide_blocks) r.x_end = as_limit(beside * l.block.x);
    // Each of these loops runs at least once. Asked in front, the compiler would make the kernel's loop for each
    // answer.
    std::int64_t z = z0;
    do {
      r.z = as_limit(z);
      std::int64_t j = 0;
      do {
        std::int64_t y = y0;
        do {
          r.y = as_limit(y);
          self.row = static_cast<std::int32_t>(y + dy * z);
          std::int64_t i = 0;
          do {
            r.block = as_limit(block + j * gx + i);
            self.block_now = block + j * gx + i;
            for (std::int64_t x = x0; x < as_number(r.x_end); ++x) {
              r.x = as_limit(x);
              call(x, y, z, bx + i, by + j, bz);
            }
            i += at_once;
          } while (i < beside);
          x0 = 0;
        } while (++y < as_number(r.y_end));
      } while (++j < below);
      y0 = 0;
    } while (++z < as_number(r.z_end));
    x0 = y0 = z0 = 0;
    block += beside * below;
    bx += beside;
    if (bx == gx) {
      bx = 0;
      by += below;
      if (by == gy) {
        by = 0;
        ++bz;
      }
    }
  }
  close_range(self);
}

// The same for elements below n of a launch whose blocks run in passes (launch_request::blocks): calls call(element, x,
// block x). Element and thread rise together, over one pass of a block after the other, so neighbours are neighbours in
// memory.
template <class Call>
[[gnu::always_inline]] inline void loop_over_elements(block_context& b, fiber& self, std::int64_t n, const Call& call) {
  const launch_state& l = *b.launch;
  const std::int64_t gx = l.grid.x, dx = l.block.x;
  thread_range r;
  std::int64_t x0 = open_range(l, self, r).x;
  r.y = r.z = as_limit(0);
  self.row = 0;
  std::int64_t block = self.block_first;
  std::int64_t bx = block % gx;
  for (;;) {
    self.block_now = block;  // as above
    if (block >= self.block_limit) break;
    r.block = as_limit(block);
    const std::int64_t first = block * dx;
    if (n - first < as_number(r.x_end)) r.x_end = as_limit(n - first);  // the last block, with fewer elements
    for (std::int64_t x = x0; x < as_number(r.x_end); ++x) {
      r.x = as_limit(x);
      call(first + x, x, bx);
    }
    x0 = 0;
    ++block;
    if (++bx == gx) bx = 0;
  }
  close_range(self);
}

// Ends `self`, the present fiber, whose threads have exited the kernel. The same as returning from the block function,
// but for the return: on a stack that has been away the processor guesses it wrong.
[[noreturn]] void finish_fiber(fiber& self);

}  // namespace simt::sim
