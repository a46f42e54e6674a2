// SPDX-License-Identifier: Apache-2.0
// Barriers across blocks and distributed shared memory of simt::thread on the simulator (CUDA Programming Guide,
// "Grid Synchronization", "Thread Block Clusters", "Distributed Shared Memory").
//
// Mixed into simt::thread, which gives rank(), block_index(), block_idx(), grid_dim(), sync() and context().
#pragma once

#include <sim/exec/launch.hpp>
#include <sim/instrument/checked_calls.hpp>
#include <simt/dim3.hpp>

namespace simt {

// The blocks of a cluster, as one of their threads sees them. A launch without .cluster has clusters of one block.
template <class Thread>
class cluster_of {
 public:
  explicit cluster_of(const Thread& t) : t_(t) {}
  // This block's number in its cluster, x fastest, and how many there are (PTX: %cluster_ctarank, %cluster_nctarank).
  int rank() const { return t_.context().cluster_rank_or_zero(); }
  int size() const { return static_cast<int>(shape().volume()); }
  dim3 shape() const {
    const auto& c = t_.context().launch->cluster;
    return {c.x, c.y, c.z};
  }
  // Waits for every thread of the cluster; orders their accesses to global and to each other's shared memory.
  [[gnu::always_inline]] void sync() const {
    if (t_.context().cluster == nullptr) {
      t_.sync();
      return;
    }
#if defined(SIMT_VARIANT_CHECK)
    sim::checked_cluster_barrier(t_.context());
#else
    sim::cluster_barrier(t_.context(), t_.rank(), t_.block_index(), 0);
#endif
  }
  // Where block `target` keeps what lies at `mine` in this block's shared memory. It may be used between a cluster
  // barrier that the target took part in and the target's end.
  template <class T>
  T* map_shared(T* mine, int target) const {
    return reinterpret_cast<T*>(sim::cluster_shared(t_.context(), t_.rank(), t_.block_index(), mine, target));
  }
  template <class T>
  T& map_shared(T& mine, int target) const {
    return *map_shared(&mine, target);
  }

 private:
  const Thread& t_;
};

namespace sim {

template <class Self>
class grid_operations {
 public:
  // Waits for every thread of the grid; orders all their accesses. Cooperative launches only.
  [[gnu::always_inline]] void sync_grid() const {
#if defined(SIMT_VARIANT_CHECK)
    sim::checked_grid_barrier(self().context());
#else
    grid_barrier(self().context(), self().rank(), self().block_index(), 0);
#endif
  }
  cluster_of<Self> cluster() const { return cluster_of<Self>(self()); }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace sim
}  // namespace simt
