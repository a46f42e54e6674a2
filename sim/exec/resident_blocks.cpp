// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/resident_blocks.hpp>

#include <sim/exec/warp.hpp>
#include <sim/exec/worker.hpp>
#include <sim/memory/shared_memory.hpp>

namespace simt::sim {

block_context::block_context() = default;

resident_blocks::~resident_blocks() {
  for (const auto& b : blocks_) free_warps(*b);
}

block_context* resident_blocks::take() {
  if (free_blocks_.empty()) {
    blocks_.push_back(std::make_unique<block_context>());
    block_context* b = blocks_.back().get();
    b->queue = &worker_.queue;
    b->shared = block_slot(worker_.index, static_cast<int>(blocks_.size()) - 1);
    free_blocks_.reserve(blocks_.size());
    free_blocks_.push_back(b);
  }
  block_context* b = free_blocks_.back();
  free_blocks_.pop_back();
  reset(*b);
  b->live = 0;
  b->active = false;
  b->launch = worker_.launch;
  b->threads = worker_.launch->threads;
  b->cluster = nullptr;
  b->team_size = 0;
  return b;
}

block_context* resident_blocks::take_in_cluster(std::int64_t position) {
  const std::int64_t rank = position % worker_.launch->cluster.volume();
  if (rank == 0) form_cluster();
  return cluster_->members[rank];
}

void resident_blocks::reset(block_context& b) {
  b.joined = 1;
  b.barrier = {};
  b.vote[0] = b.vote[1] = 0;
  b.spin_budget = kSpinBudget;
  b.warps = nullptr;
  b.warp_meetings = 0;
  b.grid_barrier = b.cluster_barrier = {};
  b.named.reset();
  b.early_exits = b.late_exits = {};
}

void resident_blocks::activate(block_context& b, std::int64_t block_index) {
  b.active = true;
  place_block(b, block_index);
  b.live = b.threads;
  for (std::int32_t i = 0; i * kLanes < b.threads; ++i) b.exited[i] = ~existing_lanes(b, i);
}

void resident_blocks::release(block_context* b) {
  b->active = false;
  free_blocks_.push_back(b);
}

void resident_blocks::form_cluster() {
  if (free_clusters_.empty()) {
    clusters_.push_back(std::make_unique<cluster_state>());
    free_clusters_.push_back(clusters_.back().get());
  }
  cluster_ = free_clusters_.back();
  free_clusters_.pop_back();
  *cluster_ = {};
  cluster_->count = static_cast<std::int32_t>(worker_.launch->cluster.volume());
  for (std::int32_t i = 0; i < cluster_->count; ++i) {
    block_context* b = cluster_->members[i] = take();
    b->cluster = cluster_;
    b->cluster_rank = i;
  }
}

void resident_blocks::end(block_context& b) {
  if (b.cluster == nullptr) {
    release(&b);
    return;
  }
  b.active = false;
  cluster_state& c = *b.cluster;
  if (!cluster_block_ended(b)) return;
  for (std::int32_t i = 0; i < c.count; ++i) release(c.members[i]);
  free_clusters_.push_back(&c);
}

void resident_blocks::abandon() {
  count = 0;
  free_clusters_.clear();
  for (const auto& c : clusters_) free_clusters_.push_back(c.get());
  free_blocks_.clear();
  for (const auto& b : blocks_) {
    b->active = false;
    free_blocks_.push_back(b.get());
  }
}

std::vector<block_context*> resident_blocks::active() const {
  std::vector<block_context*> found;
  for (const auto& b : blocks_)
    if (b->active) found.push_back(b.get());
  return found;
}

}  // namespace simt::sim
