// SPDX-License-Identifier: Apache-2.0
// cooperative_groups: blocks, grids, tiles of a warp, coalesced threads.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>

#include "simt_cuda/grid_barrier.hpp"

namespace cooperative_groups {

namespace detail {
inline unsigned lane() { return static_cast<unsigned>(simt_cuda::self().lane()); }
// The lane of the n-th member of a mask.
inline unsigned nth_lane(unsigned mask, unsigned n) {
  for (; n > 0; --n) mask &= mask - 1;
  return mask == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(mask));
}
}  // namespace detail

class thread_group {
 public:
  enum class kind { block, grid, tile, coalesced };
  thread_group(kind k, unsigned mask, unsigned size) : kind_(k), mask_(mask), size_(size) {}
  unsigned long long size() const { return size_; }
  unsigned long long num_threads() const { return size_; }
  unsigned long long thread_rank() const {
    if (kind_ == kind::block || kind_ == kind::grid) return static_cast<unsigned long long>(simt_cuda::self().rank());
    return static_cast<unsigned long long>(__builtin_popcount(mask_ & ((1u << detail::lane()) - 1)));
  }
  [[gnu::always_inline]] void sync() const {
    if (kind_ == kind::block)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  unsigned mask() const { return mask_; }

 protected:
  kind kind_;
  unsigned mask_, size_;
};

class thread_block : public thread_group {
 public:
  thread_block() : thread_group(kind::block, 0, static_cast<unsigned>(count())) {}
  [[gnu::always_inline]] void sync() const { __syncthreads(); }
  struct arrival_token {};
  // The split barrier: here the waiting half does all of it.
  arrival_token barrier_arrive() const { return {}; }
  [[gnu::always_inline]] void barrier_wait(arrival_token&&) const { sync(); }
  static unsigned thread_rank() { return static_cast<unsigned>(simt_cuda::self().rank()); }
  static unsigned size() { return static_cast<unsigned>(count()); }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return simt_cuda::block_idx(); }
  static dim3 thread_index() { return simt_cuda::thread_idx(); }
  static dim3 group_dim() { return simt_cuda::block_dim(); }
  static dim3 dim_threads() { return simt_cuda::block_dim(); }

 private:
  static unsigned count() {
    const dim3 d = simt_cuda::block_dim();
    return d.x * d.y * d.z;
  }
};
inline thread_block this_thread_block() { return {}; }
// Memory for tiles of more than a warp; here they have their own.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char unused[16];
};
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

class grid_group {
 public:
  [[gnu::always_inline]] void sync() const { simt_cuda::grid_sync(); }
  struct arrival_token {};
  // The split barrier: here the waiting half does all of it.
  arrival_token barrier_arrive() const { return {}; }
  [[gnu::always_inline]] void barrier_wait(arrival_token&&) const { sync(); }
  bool is_valid() const { return simt_cuda::in_cooperative_launch(); }
  unsigned long long thread_rank() const { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  unsigned long long block_rank() const { return static_cast<unsigned long long>(simt_cuda::self().block_index()); }
  unsigned long long num_blocks() const {
    const dim3 g = simt_cuda::grid_dim();
    return 1ull * g.x * g.y * g.z;
  }
  unsigned long long size() const { return num_blocks() * thread_block::size(); }
  unsigned long long num_threads() const { return size(); }
  dim3 group_dim() const { return simt_cuda::grid_dim(); }
  dim3 dim_blocks() const { return simt_cuda::grid_dim(); }
  dim3 block_index() const { return simt_cuda::block_idx(); }
  dim3 dim_clusters() const {
    const dim3 g = simt_cuda::grid_dim(), c = simt_cuda::cluster_dim();
    return {g.x / c.x, g.y / c.y, g.z / c.z};
  }
  unsigned long long num_clusters() const {
    const dim3 d = dim_clusters();
    return 1ull * d.x * d.y * d.z;
  }
  dim3 cluster_index() const {
    const dim3 b = simt_cuda::block_idx(), c = simt_cuda::cluster_dim();
    return {b.x / c.x, b.y / c.y, b.z / c.z};
  }
  unsigned long long cluster_rank() const {
    const dim3 i = cluster_index(), d = dim_clusters();
    return i.x + 1ull * d.x * (i.y + 1ull * d.y * i.z);
  }
};
inline grid_group this_grid() { return {}; }

// Blocks of a launch with cluster dimensions; without, a cluster is one block.
class cluster_group {
 public:
  [[gnu::always_inline]] static void sync() {
    const simt::thread t = simt_cuda::self();
    t.cluster().sync();
  }
  struct arrival_token {};
  // The split barrier: here the waiting half does all of it.
  static arrival_token barrier_arrive() { return {}; }
  [[gnu::always_inline]] static void barrier_wait(arrival_token = {}) { sync(); }
  static dim3 dim_blocks() { return simt_cuda::cluster_dim(); }
  static unsigned num_blocks() {
    const dim3 d = dim_blocks();
    return d.x * d.y * d.z;
  }
  static dim3 block_index() {
    const dim3 d = dim_blocks(), b = simt_cuda::block_idx();
    return {b.x % d.x, b.y % d.y, b.z % d.z};
  }
  static unsigned block_rank() {
    const dim3 d = dim_blocks(), b = block_index();
    return b.x + d.x * (b.y + d.y * b.z);
  }
  static unsigned num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned size() { return num_threads(); }
  static unsigned thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static dim3 dim_threads() {
    const dim3 c = dim_blocks(), b = simt_cuda::block_dim();
    return {c.x * b.x, c.y * b.y, c.z * b.z};
  }
  static dim3 thread_index() {
    const dim3 i = block_index(), b = simt_cuda::block_dim(), t = simt_cuda::thread_idx();
    return {i.x * b.x + t.x, i.y * b.y + t.y, i.z * b.z + t.z};
  }
  template <class T>
  static T* map_shared_rank(T* mine, int rank) {
    return static_cast<T*>(simt_cuda::cluster_shared(const_cast<void*>(static_cast<const volatile void*>(mine)), rank));
  }
};
inline cluster_group this_cluster() { return {}; }

// What tiles and coalesced groups share: members are lanes of one warp.
class coalesced_group : public thread_group {
 public:
  // `part` of `parts` that a group was divided into.
  explicit coalesced_group(unsigned mask, unsigned part = 0, unsigned parts = 1)
      : thread_group(kind::coalesced, mask, static_cast<unsigned>(__builtin_popcount(mask))),
        part_(part),
        parts_(parts) {}
  unsigned thread_rank() const { return static_cast<unsigned>(thread_group::thread_rank()); }
  unsigned size() const { return size_; }
  unsigned num_threads() const { return size_; }
  [[gnu::always_inline]] void sync() const { __syncwarp(mask_); }
  template <class T>
  [[gnu::always_inline]] T shfl(T v, unsigned rank) const {
    return __shfl_sync(mask_, v, static_cast<int>(detail::nth_lane(mask_, rank % size_)));
  }
  template <class T>
  [[gnu::always_inline]] T shfl_down(T v, unsigned delta) const {
    const unsigned r = thread_rank() + delta;
    return __shfl_sync(mask_, v, static_cast<int>(r < size_ ? detail::nth_lane(mask_, r) : detail::lane()));
  }
  template <class T>
  [[gnu::always_inline]] T shfl_up(T v, unsigned delta) const {
    const unsigned r = thread_rank();
    return __shfl_sync(mask_, v, static_cast<int>(r >= delta ? detail::nth_lane(mask_, r - delta) : detail::lane()));
  }
  [[gnu::always_inline]] int any(int p) const { return __any_sync(mask_, p); }
  [[gnu::always_inline]] int all(int p) const { return __all_sync(mask_, p); }
  [[gnu::always_inline]] unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <class T>
  [[gnu::always_inline]] unsigned match_any(T v) const {
    return packed(__match_any_sync(mask_, v));
  }
  template <class T>
  [[gnu::always_inline]] unsigned match_all(T v, int& same) const {
    return packed(__match_all_sync(mask_, v, &same));
  }
  unsigned meta_group_size() const { return parts_; }
  unsigned meta_group_rank() const { return part_; }

 private:
  unsigned part_, parts_;
  // From bits by lane to bits by rank.
  unsigned packed(unsigned lanes) const {
    unsigned r = 0, rank = 0;
    for (unsigned m = mask_; m != 0; m &= m - 1, ++rank)
      if (lanes & (m & -m)) r |= 1u << rank;
    return r;
  }
};
[[gnu::always_inline]] inline coalesced_group coalesced_threads(const char* file = __builtin_FILE(),
                                                                int line = __builtin_LINE()) {
  return coalesced_group(__activemask(file, line));
}

template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4 ... 512 or 1024 threads");

 public:
  thread_block_tile() : thread_group(kind::tile, mask_here(), Size) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& t) : thread_group(t) {}
  static unsigned thread_rank() { return detail::lane() % Size; }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned meta_group_size() const { return (thread_block::size() + Size - 1) / Size; }
  unsigned meta_group_rank() const { return thread_block::thread_rank() / Size; }
  [[gnu::always_inline]] void sync() const { __syncwarp(tile_lanes()); }
  template <class T>
  [[gnu::always_inline]] T shfl(T v, int rank) const {
    return __shfl_sync(tile_lanes(), v, rank, Size);
  }
  template <class T>
  [[gnu::always_inline]] T shfl_down(T v, unsigned delta) const {
    return __shfl_down_sync(tile_lanes(), v, delta, Size);
  }
  template <class T>
  [[gnu::always_inline]] T shfl_up(T v, unsigned delta) const {
    return __shfl_up_sync(tile_lanes(), v, delta, Size);
  }
  template <class T>
  [[gnu::always_inline]] T shfl_xor(T v, unsigned lanes) const {
    return __shfl_xor_sync(tile_lanes(), v, static_cast<int>(lanes), Size);
  }
  [[gnu::always_inline]] int any(int p) const { return __any_sync(tile_lanes(), p); }
  [[gnu::always_inline]] int all(int p) const { return __all_sync(tile_lanes(), p); }
  [[gnu::always_inline]] unsigned ballot(int p) const { return __ballot_sync(tile_lanes(), p) >> shift(); }
  template <class T>
  [[gnu::always_inline]] unsigned match_any(T v) const {
    return __match_any_sync(tile_lanes(), v) >> shift();
  }
  template <class T>
  [[gnu::always_inline]] unsigned match_all(T v, int& same) const {
    return __match_all_sync(tile_lanes(), v, &same) >> shift();
  }
  operator coalesced_group() const { return coalesced_group(mask_); }

 private:
  [[gnu::always_inline]] unsigned tile_lanes() const { return simt_cuda::lanes_of_tile(mask_, Size); }
  static unsigned shift() { return detail::lane() & ~(Size - 1); }
  // Of a last warp that is not full only the lanes that exist.
  static unsigned mask_here() {
    const unsigned all = Size == 32 ? 0xffffffffu : ((1u << Size) - 1) << shift();
    const unsigned first = thread_block::thread_rank() & ~31u, left = thread_block::size() - first;
    return left >= 32 ? all : all & ((1u << left) - 1);
  }
};

// Of more than a warp: simt_cuda/large_tiles.hpp.
template <unsigned Size, class Parent>
requires(Size > 32) class thread_block_tile<Size, Parent>;

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
// By the ranks of the parent's members, which need not be neighbouring lanes.
inline coalesced_group tiled_partition(const thread_group& parent, unsigned size) {
  const unsigned here = parent.mask() != 0 ? parent.mask() : thread_block_tile<32>().mask();
  const unsigned rank = static_cast<unsigned>(__builtin_popcount(here & ((1u << detail::lane()) - 1)));
  unsigned tile = 0, n = 0;
  for (unsigned m = here; m != 0; m &= m - 1, ++n)
    if (n / size == rank / size) tile |= m & -m;
  if (parent.mask() != 0) return coalesced_group(tile, rank / size, (n + size - 1) / size);
  return coalesced_group(tile, thread_block::thread_rank() / size, (thread_block::size() + size - 1) / size);
}
// Parts are numbered as their first members are.
template <class Group>
coalesced_group labeled_partition(const Group& g, int label) {
  const unsigned mine = __match_any_sync(g.mask(), label), first = mine & -mine;
  const unsigned firsts = __ballot_sync(g.mask(), first == 1u << detail::lane());
  return coalesced_group(mine, static_cast<unsigned>(__builtin_popcount(firsts & (first - 1))),
                         static_cast<unsigned>(__builtin_popcount(firsts)));
}
template <class Group>
coalesced_group binary_partition(const Group& g, bool p) {
  const unsigned yes = __ballot_sync(g.mask(), p);
  if (yes == 0 || yes == g.mask()) return coalesced_group(g.mask());
  return coalesced_group(p ? yes : g.mask() & ~yes, p, 2);
}
template <class Group>
[[gnu::always_inline]] void sync(const Group& g) {
  g.sync();
}
template <class Group>
[[gnu::always_inline]] void synchronize(const Group& g) {
  g.sync();
}
template <class Group>
auto thread_rank(const Group& g) {
  return g.thread_rank();
}
template <class Group>
auto group_size(const Group& g) {
  return g.size();
}
// A group of the calling thread alone.
class this_thread_group {
 public:
  static void sync() {}
  static unsigned size() { return 1; }
  static unsigned num_threads() { return 1; }
  static unsigned thread_rank() { return 0; }
};
inline this_thread_group this_thread() { return {}; }
template <class Group, class F, class... A>
void invoke_one(const Group& g, F&& f, A&&... arguments) {
  if (g.thread_rank() == 0) static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
}
template <class Group, class F, class... A>
auto invoke_one_broadcast(const Group& g, F&& f, A&&... arguments) {
  std::remove_cvref_t<decltype(f(static_cast<A&&>(arguments)...))> v{};
  if (g.thread_rank() == 0) v = static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
  return g.shfl(v, 0);
}

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

namespace experimental {
// Of CUDA 11: bytes for each warp first. Programs of CUDA 12 give the block's size alone.
template <unsigned Communication = 8, unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  char unused[16];
};
template <unsigned Communication, unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<Communication, MaxBlockSize>&) {
  return {};
}
using cooperative_groups::this_thread_block;
using cooperative_groups::thread_block;
using cooperative_groups::tiled_partition;
}  // namespace experimental

}  // namespace cooperative_groups

#include "simt_cuda/large_tiles.hpp"
#include "simt_cuda/restore_names.hpp"
