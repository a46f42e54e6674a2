// SPDX-License-Identifier: Apache-2.0
// Clusters as functions, which need no header in CUDA (sm_90_rt.h); cooperative_groups.h has them as a group.
#pragma once

#include "thread.hpp"

inline dim3 __clusterDim() { return simt_cuda::cluster_dim(); }
inline unsigned int __clusterDimIsSpecified() {
  const dim3 d = simt_cuda::cluster_dim();
  return d.x * d.y * d.z > 1;
}
inline dim3 __clusterGridDimInClusters() {
  const dim3 d = simt_cuda::cluster_dim(), g = simt_cuda::grid_dim();
  return {g.x / d.x, g.y / d.y, g.z / d.z};
}
inline dim3 __clusterIdx() {
  const dim3 d = simt_cuda::cluster_dim(), b = simt_cuda::block_idx();
  return {b.x / d.x, b.y / d.y, b.z / d.z};
}
inline dim3 __clusterRelativeBlockIdx() {
  const dim3 d = simt_cuda::cluster_dim(), b = simt_cuda::block_idx();
  return {b.x % d.x, b.y % d.y, b.z % d.z};
}
inline unsigned int __clusterRelativeBlockRank() {
  const dim3 d = simt_cuda::cluster_dim(), b = __clusterRelativeBlockIdx();
  return b.x + d.x * (b.y + d.y * b.z);
}
inline unsigned int __clusterSizeInBlocks() {
  const dim3 d = simt_cuda::cluster_dim();
  return d.x * d.y * d.z;
}
// The split barrier: here the waiting half does all of it.
inline void __cluster_barrier_arrive() {}
inline void __cluster_barrier_arrive_relaxed() {}
[[gnu::always_inline]] inline void __cluster_barrier_wait() {
  const simt::thread t = simt_cuda::self();
  t.cluster().sync();
}
inline void* __cluster_map_shared_rank(const void* mine, unsigned int rank) {
  return simt_cuda::cluster_shared(const_cast<void*>(mine), static_cast<int>(rank));
}
