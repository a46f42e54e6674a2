// SPDX-License-Identifier: Apache-2.0
// The groups themselves: blocks, clusters, grids, tiles and other lanes of a warp, and how one is parted into others.
// What a group does together is in <simt/lane_collectives.hpp> and <simt/block_collectives.hpp>.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <simt/kernel.hpp>

namespace simt::cg {

namespace detail {
SIMT_HD constexpr bool is_power_of_two(unsigned n) { return n != 0 && (n & (n - 1)) == 0; }
SIMT_DEVICE unsigned count_bits(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__popc(mask));
#else
  return static_cast<unsigned>(__builtin_popcount(mask));
#endif
}
// Position of the nth set bit, counted from 0; n is below the number of set bits.
SIMT_DEVICE int nth_bit(std::uint32_t mask, unsigned n) {
  for (; n > 0; --n) mask &= mask - 1;
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(mask)) - 1;
#else
  return __builtin_ctz(mask);
#endif
}
}  // namespace detail

// ---- Whole blocks, clusters, grids ----

class thread_block {
 public:
  SIMT_HD explicit thread_block(const thread& t) : t_(&t) {}
  SIMT_DEVICE void sync() const { t_->sync(); }
  SIMT_DEVICE unsigned thread_rank() const { return static_cast<unsigned>(t_->rank()); }
  SIMT_DEVICE unsigned num_threads() const { return static_cast<unsigned>(t_->block_dim().volume()); }
  SIMT_DEVICE unsigned size() const { return num_threads(); }
  SIMT_DEVICE dim3 group_index() const { return t_->block_idx(); }
  SIMT_DEVICE dim3 thread_index() const { return t_->thread_idx(); }
  SIMT_DEVICE dim3 dim_threads() const { return t_->block_dim(); }
  SIMT_DEVICE const thread& self() const { return *t_; }

 private:
  const thread* t_;
};

// Cooperative launches only ({.cooperative = true}).
class grid_group {
 public:
  SIMT_HD explicit grid_group(const thread& t) : t_(&t) {}
  SIMT_DEVICE void sync() const { t_->sync_grid(); }
  SIMT_DEVICE std::int64_t thread_rank() const { return t_->block_index() * t_->block_dim().volume() + t_->rank(); }
  SIMT_DEVICE std::int64_t num_threads() const { return num_blocks() * t_->block_dim().volume(); }
  SIMT_DEVICE std::int64_t size() const { return num_threads(); }
  SIMT_DEVICE std::int64_t block_rank() const { return t_->block_index(); }
  SIMT_DEVICE std::int64_t num_blocks() const { return t_->grid_dim().volume(); }
  SIMT_DEVICE dim3 dim_blocks() const { return t_->grid_dim(); }
  SIMT_DEVICE dim3 block_index() const { return t_->block_idx(); }
  SIMT_DEVICE const thread& self() const { return *t_; }

 private:
  const thread* t_;
};

class cluster_group {
 public:
  SIMT_HD explicit cluster_group(const thread& t) : t_(&t) {}
  SIMT_DEVICE void sync() const { t_->cluster().sync(); }
  SIMT_DEVICE unsigned block_rank() const { return static_cast<unsigned>(t_->cluster().rank()); }
  SIMT_DEVICE unsigned num_blocks() const { return static_cast<unsigned>(t_->cluster().size()); }
  SIMT_DEVICE dim3 dim_blocks() const { return t_->cluster().shape(); }
  SIMT_DEVICE unsigned thread_rank() const {
    return block_rank() * static_cast<unsigned>(t_->block_dim().volume()) + static_cast<unsigned>(t_->rank());
  }
  SIMT_DEVICE unsigned num_threads() const { return num_blocks() * static_cast<unsigned>(t_->block_dim().volume()); }
  SIMT_DEVICE unsigned size() const { return num_threads(); }
  template <class T>
  SIMT_DEVICE T* map_shared_rank(T* mine, int block) const {
    return t_->cluster().map_shared(mine, block);
  }
  SIMT_DEVICE const thread& self() const { return *t_; }

 private:
  const thread* t_;
};

SIMT_DEVICE thread_block this_thread_block(const thread& t) { return thread_block(t); }
SIMT_DEVICE grid_group this_grid(const thread& t) { return grid_group(t); }
SIMT_DEVICE cluster_group this_cluster(const thread& t) { return cluster_group(t); }

// ---- Groups within a warp ----

// What lanes of one warp can do together. Self gives self() (the thread), mask() (lanes of the warp), thread_rank(),
// num_threads() and lane_of(rank).
template <class Self>
class lanes {
 public:
  SIMT_DEVICE void sync() const { me().self().sync_warp(me().mask()); }

  // Any trivially copyable type. A rank outside the group gives one's own value (shfl: rank modulo the group's size).
  template <class T>
  SIMT_DEVICE T shfl(const T& v, int rank) const {
    const auto n = me().num_threads();
    return exchange(v, me().lane_of(static_cast<unsigned>(rank) % n));
  }
  template <class T>
  SIMT_DEVICE T shfl_up(const T& v, unsigned delta) const {
    const unsigned rank = me().thread_rank();
    return exchange(v, me().lane_of(rank >= delta ? rank - delta : rank));
  }
  template <class T>
  SIMT_DEVICE T shfl_down(const T& v, unsigned delta) const {
    const unsigned rank = me().thread_rank();
    return exchange(v, me().lane_of(rank + delta < me().num_threads() ? rank + delta : rank));
  }

  SIMT_DEVICE bool any(bool p) const { return me().self().any(me().mask(), p); }
  SIMT_DEVICE bool all(bool p) const { return me().self().all(me().mask(), p); }
  // Bit r stands for rank r.
  SIMT_DEVICE std::uint32_t ballot(bool p) const { return by_rank(me().self().ballot(me().mask(), p)); }
  template <class T>
  SIMT_DEVICE std::uint32_t match_any(const T& v) const {
    return by_rank(me().self().match_any(me().mask(), v));
  }
  template <class T>
  SIMT_DEVICE std::uint32_t match_all(const T& v, bool& same) const {
    return by_rank(me().self().match_all(me().mask(), v, &same));
  }

 private:
  SIMT_DEVICE const Self& me() const { return static_cast<const Self&>(*this); }
  // From lane `source`, in words of at most 8 bytes.
  template <class T>
  SIMT_DEVICE T exchange(const T& v, int source) const {
    static_assert(std::is_trivially_copyable_v<T>, "groups exchange trivially copyable values");
    if constexpr (sizeof(T) <= 8) {
      return me().self().shuffle(me().mask(), v, source);
    } else {
      constexpr std::size_t kWords = (sizeof(T) + 7) / 8;
      unsigned long long words[kWords] = {};
      std::memcpy(words, &v, sizeof v);
      for (auto& word : words) word = me().self().shuffle(me().mask(), word, source);
      T result;
      std::memcpy(&result, words, sizeof result);
      return result;
    }
  }
  SIMT_DEVICE std::uint32_t by_rank(std::uint32_t warp_lanes) const {
    std::uint32_t ranks = 0;
    for (unsigned r = 0; r < me().num_threads(); ++r)
      if (warp_lanes >> me().lane_of(r) & 1) ranks |= 1u << r;
    return ranks;
  }
};

// Size threads (a power of two up to 32) with neighbouring ranks in their block.
template <unsigned Size>
class thread_block_tile : public lanes<thread_block_tile<Size>> {
  static_assert(Size <= 32 && detail::is_power_of_two(Size), "tiles have 1, 2, 4, 8, 16 or 32 threads");

 public:
  SIMT_HD thread_block_tile(const thread& t, unsigned meta_rank, unsigned meta_size)
      : t_(&t), meta_rank_(meta_rank), meta_size_(meta_size) {}
  SIMT_DEVICE unsigned thread_rank() const { return static_cast<unsigned>(t_->lane()) % Size; }
  SIMT_HD static constexpr unsigned num_threads() { return Size; }
  SIMT_HD static constexpr unsigned size() { return Size; }
  // This tile's number among the tiles of what was partitioned, and how many there are.
  SIMT_DEVICE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_DEVICE unsigned meta_group_size() const { return meta_size_; }
  // CUDA: rank ^ mask; a rank outside the tile gives one's own value.
  template <class T>
  SIMT_DEVICE T shfl_xor(const T& v, int mask) const {
    return this->shfl_rank_or_own(v, thread_rank() ^ static_cast<unsigned>(mask));
  }
  SIMT_DEVICE std::uint32_t mask() const {
    return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << (static_cast<unsigned>(t_->lane()) / Size * Size);
  }
  SIMT_DEVICE int lane_of(unsigned rank) const {
    return static_cast<int>(static_cast<unsigned>(t_->lane()) / Size * Size + rank);
  }
  SIMT_DEVICE const thread& self() const { return *t_; }

 private:
  template <class T>
  SIMT_DEVICE T shfl_rank_or_own(const T& v, unsigned rank) const {
    return this->shfl(v, static_cast<int>(rank < Size ? rank : thread_rank()));
  }
  const thread* t_;
  unsigned meta_rank_, meta_size_;
};

// Any lanes of one warp; ranks follow the lanes.
class coalesced_group : public lanes<coalesced_group> {
 public:
  SIMT_HD coalesced_group(const thread& t, std::uint32_t mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : t_(&t), mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  SIMT_DEVICE unsigned thread_rank() const { return detail::count_bits(mask_ & t_->lanemask_lt()); }
  SIMT_DEVICE unsigned num_threads() const { return detail::count_bits(mask_); }
  SIMT_DEVICE unsigned size() const { return num_threads(); }
  SIMT_DEVICE unsigned meta_group_rank() const { return meta_rank_; }
  SIMT_DEVICE unsigned meta_group_size() const { return meta_size_; }
  SIMT_DEVICE std::uint32_t mask() const { return mask_; }
  SIMT_DEVICE int lane_of(unsigned rank) const { return detail::nth_bit(mask_, rank); }
  SIMT_DEVICE const thread& self() const { return *t_; }

 private:
  const thread* t_;
  std::uint32_t mask_;
  unsigned meta_rank_, meta_size_;
};

// ---- Partitions ----

template <unsigned Size>
SIMT_DEVICE thread_block_tile<Size> tiled_partition(const thread_block& b) {
  return {b.self(), b.thread_rank() / Size, (b.num_threads() + Size - 1) / Size};
}
template <unsigned Size, unsigned Parent>
SIMT_DEVICE thread_block_tile<Size> tiled_partition(const thread_block_tile<Parent>& g) {
  static_assert(Size <= Parent, "a tile cannot be larger than the tile that it is part of");
  return {g.self(), g.thread_rank() / Size, Parent / Size};
}
// Size known only when it runs: 1 to 32 neighbouring ranks of the group.
SIMT_DEVICE coalesced_group tiled_partition(const coalesced_group& g, unsigned size) {
  const unsigned first = g.thread_rank() / size * size;
  std::uint32_t mask = 0;
  for (unsigned r = first; r < first + size && r < g.num_threads(); ++r) mask |= 1u << g.lane_of(r);
  return {g.self(), mask, g.thread_rank() / size, (g.num_threads() + size - 1) / size};
}
// The lanes of the caller's warp that are here with it. What that is, is up to the machine: whoever must be in a group
// is put there with labeled_partition or a mask.
#if defined(SIMT_VARIANT_CUDA)
SIMT_DEVICE coalesced_group coalesced_threads(const thread& t) { return {t, t.activemask()}; }
#else
[[gnu::always_inline]] SIMT_DEVICE coalesced_group coalesced_threads(const thread& t,
                                                                     const char* file = __builtin_FILE(),
                                                                     int line = __builtin_LINE()) {
  return {t, t.activemask(file, line)};
}
#endif
// The members with the same label; with the same answer.
template <class Group, class Label>
SIMT_DEVICE coalesced_group labeled_partition(const Group& g, Label label) {
  static_assert(std::is_integral_v<Label>, "labels are integers");
  return {g.self(), g.self().match_any(g.mask(), label)};
}
template <class Group>
SIMT_DEVICE coalesced_group binary_partition(const Group& g, bool p) {
  return {g.self(), g.self().match_any(g.mask(), p ? 1u : 0u), p ? 1u : 0u, 2};
}

}  // namespace simt::cg
