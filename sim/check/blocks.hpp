// SPDX-License-Identifier: Apache-2.0
// Which blocks are resident, and whose shared memory an address is.
//
// The states of ended blocks are used again: they are large, and what they remember of code addresses stays true.
//
// Invariants
//  1. A place in shared memory belongs to one resident block. What cells there say from before that block is void.
//  2. In a cluster, others may touch the memory of a block that has not begun; the cluster has announced it then.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "sim/check/agents.hpp"
#include "sim/check/block_state.hpp"
#include "sim/check/object_table.hpp"
#include "sim/instrument/thread_shard.hpp"

namespace simt::check {

class block_table {
 public:
  // A block of a cluster that has ended: others of the cluster may still look for its shared memory.
  struct left_block {
    address_range shared;
    std::uint32_t number = 0;
  };

  // A block of one thread, which nothing has happened to yet. `fresh` sets up one that was never used.
  template <class F>
  block_state& take(F fresh) {
    shard& s = shards_[sim::thread_shard()];
    block_state* b = nullptr;
    {
      std::lock_guard guard(s.mutex);
      if (!s.free.empty()) {
        b = s.free.back();
        s.free.pop_back();
      }
    }
    if (b == nullptr) {
      std::lock_guard guard(pool_mutex_);
      fresh(*(b = all_.emplace_back(new block_state).get()));
    }
    b->reset();
    return *b;
  }
  void give_back(block_state& b);
  void forget_thread_sets();  // the numbers of sets are used again

  // ---- shared memory ----
  void expect(std::span<const address_range> shared, epoch now);  // the blocks of a cluster are about to begin
  void expect_none();
  // The block has begun, or ends; it has its shared memory.
  void add_shared(block_state& b);
  void remove_shared(const block_state& b);
  block_state* owner_of(std::uintptr_t address);  // null: nobody, or a block that has not begun
  // A thread of `by` touches shared memory: whose it is; null: nobody's. `since`: older epochs there are void.
  block_state* touched(const block_state& by, std::uintptr_t address, epoch& since);
  // Shared arrays lie alike in all blocks: the address in `own` that corresponds to one in another block's memory.
  std::uintptr_t counterpart(const block_state& own, std::uintptr_t address);
  // Of a cluster: whose shared memory the address was, if that block has ended. number: of the block.
  std::optional<left_block> left_at(std::uintptr_t address);
  // Declared bytes of the cell. Nothing in shared memory is initialised.
  memory_state look_up(const block_state& by, std::uintptr_t granule);

  // ---- asynchronous copies of the launch that runs ----
  struct issuer {
    std::uint32_t block, rank;
  };
  void add_copy(std::uint32_t copy, issuer by);
  issuer issuer_of(std::uint32_t copy);  // block: kAsyncBlock | ...: not known

 private:
  struct expected_block {
    std::size_t size = 0;
    epoch since = 0;       // what was touched there later is this block's
    bool touched = false;  // by others of the cluster
  };
  using expected_blocks = std::map<std::uintptr_t, expected_block>;
  expected_blocks::iterator expected_at(std::uintptr_t address);

  struct alignas(sim::kShardAlignment) shard {
    sim::shard_lock mutex;
    std::vector<block_state*> free;
    std::map<std::uintptr_t, block_state*> owners;  // of shared memory, by address; null: its block has ended
  };
  // Of the calling thread; those of clusters are together, because they look for each other.
  static unsigned owners_of(const block_state& b) { return b.launch->has_clusters ? 0 : sim::thread_shard(); }

  std::array<shard, sim::kThreadShards> shards_;
  std::atomic<std::uint32_t> used_{0};  // bits: shards that have had owners
  std::vector<std::unique_ptr<block_state>> all_;
  std::map<std::uint32_t, issuer> issuers_;  // by number of the copy
  std::mutex pool_mutex_;                    // of all_ and issuers_
  expected_blocks expected_;
  std::map<std::uintptr_t, left_block> left_;  // by address; until another block has its shared memory there
  std::mutex expected_mutex_;                  // of both
};

}  // namespace simt::check
