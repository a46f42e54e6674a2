// SPDX-License-Identifier: Apache-2.0
// Barriers across blocks and distributed shared memory on a GPU: cooperative groups under the names of
// backends/sim/grid.hpp, which holds the contracts. Mixed into simt::thread.
#pragma once

#include <cooperative_groups.h>

#include <simt/dim3.hpp>

namespace simt {

// Clusters need compute capability 9.0; on older devices a launch with .cluster is refused, and a block is its cluster.
template <class Thread>
class cluster_of {
 public:
  __device__ int rank() const {
#if __CUDA_ARCH__ >= 900
    return static_cast<int>(::cooperative_groups::this_cluster().block_rank());
#else
    return 0;
#endif
  }
  __device__ int size() const {
#if __CUDA_ARCH__ >= 900
    return static_cast<int>(::cooperative_groups::this_cluster().num_blocks());
#else
    return 1;
#endif
  }
  __device__ dim3 shape() const {
#if __CUDA_ARCH__ >= 900
    const auto d = ::cooperative_groups::this_cluster().dim_blocks();
    return {d.x, d.y, d.z};
#else
    return {1, 1, 1};
#endif
  }
  __device__ void sync() const {
#if __CUDA_ARCH__ >= 900
    ::cooperative_groups::this_cluster().sync();
#else
    __syncthreads();
#endif
  }
  template <class T>
  __device__ T* map_shared(T* mine, int target) const {
#if __CUDA_ARCH__ >= 900
    return static_cast<T*>(::cooperative_groups::this_cluster().map_shared_rank(mine, target));
#else
    return mine;
#endif
  }
  template <class T>
  __device__ T& map_shared(T& mine, int target) const {
    return *map_shared(&mine, target);
  }
};

namespace gpu {

template <class Self>
class grid_operations {
 public:
  __device__ void sync_grid() const { ::cooperative_groups::this_grid().sync(); }
  __device__ cluster_of<Self> cluster() const { return {}; }
};

}  // namespace gpu
}  // namespace simt
