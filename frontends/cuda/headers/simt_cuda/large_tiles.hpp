// SPDX-License-Identifier: Apache-2.0
// Tiles of 64 to 1024 threads of a block: a barrier of counters in shared memory, and values that go through it.
#pragma once

#include "device_functions.hpp"

namespace cooperative_groups {

namespace detail {
struct tile_barriers {
  unsigned waiting[16], phase[16];  // of each tile
};
struct tile_barriers_name {
  static constexpr const char* name() { return "the barriers of large tiles"; }
  static constexpr unsigned align() { return 16; }
};
inline tile_barriers& all_tile_barriers() { return simt_cuda::shared_variable<tile_barriers_name, tile_barriers>(); }
template <class T>
struct tile_values {
  alignas(T) unsigned char bytes[1024 * sizeof(T)];
  T& operator[](unsigned i) { return reinterpret_cast<T*>(bytes)[i]; }
};
template <class T>
struct tile_values_name {
  static constexpr const char* name() { return "what large tiles exchange"; }
  static constexpr unsigned align() { return 16; }
};
}  // namespace detail

template <unsigned Size, class Parent>
requires(Size > 32) class thread_block_tile<Size, Parent> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4 ... 512 or 1024 threads");

 public:
  // Made by all threads of the block, as CUDA wants it of a partition: so the barriers can be set up here.
  thread_block_tile() {
    if (thread_rank() == 0) {
      const simt::thread t = simt_cuda::self();
      t.atomic_store(detail::all_tile_barriers().waiting[meta_group_rank()], 0u, simt::memory_order::relaxed,
                     simt::scope::block);
      t.atomic_store(detail::all_tile_barriers().phase[meta_group_rank()], 0u, simt::memory_order::relaxed,
                     simt::scope::block);
    }
    __syncthreads();
  }
  static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  void sync() const {
    const simt::thread t = simt_cuda::self();
    detail::tile_barriers& all = detail::all_tile_barriers();
    unsigned &waiting = all.waiting[meta_group_rank()], &phase = all.phase[meta_group_rank()];
    const unsigned before = t.atomic_load(phase, simt::memory_order::relaxed, simt::scope::block);
    const unsigned left = thread_block::size() - meta_group_rank() * Size;
    if (t.atomic_add(waiting, 1u, simt::memory_order::acq_rel, simt::scope::block) + 1 == (left < Size ? left : Size)) {
      t.atomic_store(waiting, 0u, simt::memory_order::relaxed, simt::scope::block);
      t.atomic_add(phase, 1u, simt::memory_order::release, simt::scope::block);
    } else {
      while (t.atomic_load(phase, simt::memory_order::acquire, simt::scope::block) == before) t.yield();
    }
  }
  template <class T>
  T shfl(T v, unsigned rank) const {
    return exchange(v, rank % Size);
  }
  template <class T>
  T shfl_down(T v, unsigned delta) const {
    const unsigned r = thread_rank() + delta;
    return exchange(v, r < Size ? r : thread_rank());
  }
  template <class T>
  T shfl_up(T v, unsigned delta) const {
    return exchange(v, thread_rank() >= delta ? thread_rank() - delta : thread_rank());
  }
  template <class T>
  T shfl_xor(T v, unsigned lanes) const {
    return exchange(v, thread_rank() ^ lanes);
  }
  int any(int p) const { return count(p) != 0; }
  int all(int p) const { return count(p) == Size; }

 private:
  template <class T>
  T exchange(T v, unsigned from) const {
    auto& values = simt_cuda::shared_variable<detail::tile_values_name<T>, detail::tile_values<T>>();
    values[thread_block::thread_rank()] = v;
    sync();
    const T other = values[meta_group_rank() * Size + from];
    sync();
    return other;
  }
  unsigned count(int p) const {
    unsigned sum = p != 0 ? 1 : 0;
    for (unsigned reach = 1; reach < Size; reach *= 2) sum += exchange(sum, thread_rank() ^ reach);
    return sum;
  }
};

}  // namespace cooperative_groups
