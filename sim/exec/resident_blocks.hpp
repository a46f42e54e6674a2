// SPDX-License-Identifier: Apache-2.0
// The blocks that one worker holds: their contexts, which are used again and again, and clusters of them.
//
// Invariants
// - A context is free, or belongs to a block that is about to begin, runs (active from its first wait on) or has ended
//   in a cluster whose other blocks have not.
// - A context keeps its slot of shared memory and its warps' storage for the worker's life.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <sim/exec/block.hpp>

namespace simt::sim {

class resident_blocks {
 public:
  explicit resident_blocks(worker& w) : worker_(w) {}
  ~resident_blocks();
  resident_blocks(const resident_blocks&) = delete;
  resident_blocks& operator=(const resident_blocks&) = delete;

  // A context for a block of the present launch that has not begun.
  block_context* take();
  // The same for the block at `position` of a launch with clusters, where the blocks of a cluster follow each other.
  block_context* take_in_cluster(std::int64_t position);
  // As taken, for another block of the same launch.
  void reset(block_context& b);
  // A thread of b waits for the first time: b is block_index of the grid, and all of its threads live.
  void activate(block_context& b, std::int64_t block_index);
  // The block's last thread has exited. Blocks of a cluster keep their shared memory until all of them have ended.
  void end(block_context& b);
  void abandon();

  std::vector<block_context*> active() const;
  std::int64_t count = 0;  // blocks in which a thread has waited and that have not ended

 private:
  void form_cluster();
  void release(block_context* b);

  worker& worker_;
  std::vector<std::unique_ptr<block_context>> blocks_;
  std::vector<block_context*> free_blocks_;
  cluster_state* cluster_ = nullptr;  // whose blocks are being started
  std::vector<std::unique_ptr<cluster_state>> clusters_;
  std::vector<cluster_state*> free_clusters_;
};

}  // namespace simt::sim
