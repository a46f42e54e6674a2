// SPDX-License-Identifier: Apache-2.0
// Addresses, loads, stores and atomics of inline PTX. Part of ptx.hpp.
#pragma once

#include <bit>
#include <cstdint>

#include "async_copies.hpp"
#include "ptx_registers.hpp"
#include "runtime_api_memory.hpp"

namespace simt_cuda::ptx {

inline std::uintptr_t shared_base() { return reinterpret_cast<std::uintptr_t>(self().context().shared); }
template <class V>
inline std::uint64_t to_shared(V generic) {
  return as<std::uint64_t>(generic) - shared_base();
}
template <class V>
inline std::uint64_t from_shared(V window) {
  return as<std::uint64_t>(window) + shared_base();
}
template <class V, class O>
inline char* address(V base, O offset, bool shared) {
  return reinterpret_cast<char*>(as<std::uint64_t>(base) +
                                 static_cast<std::uint64_t>(static_cast<std::int64_t>(offset)) +
                                 (shared ? shared_base() : 0));
}
// Windows of a cluster's blocks: an address without more is the block's own, and one of another block has that one's
// rank, from 1, above these bits.
inline constexpr int kWindowBits = 24;
template <class V, class R>
inline std::uint64_t map_window(V window, R rank) {
  constexpr std::uint64_t kOwn = (std::uint64_t{1} << kWindowBits) - 1;
  return (as<std::uint64_t>(window) & kOwn) | (as<std::uint64_t>(rank) + 1) << kWindowBits;
}
template <class V, class R>
inline std::uint64_t map_pointer(V generic, R rank) {
  return reinterpret_cast<std::uint64_t>(
      cluster_shared(reinterpret_cast<void*>(as<std::uint64_t>(generic)), static_cast<int>(as<std::uint32_t>(rank))));
}
template <class V, class O>
inline char* cluster_address(V base, O offset) {
  const std::uint64_t window = as<std::uint64_t>(base) + static_cast<std::uint64_t>(static_cast<std::int64_t>(offset));
  const std::uint64_t rank = window >> kWindowBits & 0xff;
  if (rank == 0) return reinterpret_cast<char*>(window + shared_base());
  const std::uint64_t own = window & ((std::uint64_t{1} << kWindowBits) - 1);
  return static_cast<char*>(cluster_shared(reinterpret_cast<void*>(own + shared_base()), static_cast<int>(rank) - 1));
}
[[gnu::always_inline]] inline simt::scope scope_of(const char* mods) {
  return has(mods, ".cta.")       ? simt::scope::block
         : has(mods, ".sys.")     ? simt::scope::system
         : has(mods, ".cluster.") ? simt::scope::cluster
                                  : simt::scope::device;
}
[[gnu::always_inline]] inline simt::memory_order order_of(const char* mods) {
  return has(mods, ".acq_rel.")   ? simt::memory_order::acq_rel
         : has(mods, ".acquire.") ? simt::memory_order::acquire
         : has(mods, ".release.") ? simt::memory_order::release
                                  : simt::memory_order::relaxed;
}
template <class T, int N>
struct alignas(sizeof(T) * N) group {
  T v[N];
};
// For volatile accesses, which are made as integers: what lies there is of another type.
template <class T>
using aliasing_bits [[gnu::may_alias]] = bits_of_size<sizeof(T)>;
// Vectors with an order are one access of 8 bytes (or 4), or several of 8 from the first on, written from the last on:
// PTX has them as accesses of their elements, in any order.
template <class G>
using words_of = std::conditional_t<sizeof(G) % 8 == 0, std::uint64_t, std::uint32_t>;
template <class G>
[[gnu::always_inline]] inline G load_ordered(const char* mods, char* at) {
  using word = words_of<G>;
  constexpr std::size_t kWords = sizeof(G) / sizeof(word);
  struct {
    word w[kWords];
  } all;
  for (std::size_t i = 0; i < kWords; ++i)
    all.w[i] = self().atomic_load(reinterpret_cast<word*>(at)[i], order_of(mods), scope_of(mods));
  return std::bit_cast<G>(all);
}
template <class G>
[[gnu::always_inline]] inline void store_ordered(const char* mods, char* at, const G& v) {
  using word = words_of<G>;
  struct words {
    word w[sizeof(G) / sizeof(word)];
  };
  const auto all = std::bit_cast<words>(v);
  for (std::size_t i = sizeof(G) / sizeof(word); i-- > 0;)
    self().atomic_store(reinterpret_cast<word*>(at)[i], all.w[i], order_of(mods), scope_of(mods));
}
template <class T, class... Out>
[[gnu::always_inline]] inline void load(const char* mods, char* at, Out&&... out) {
  if (has(mods, ".nc.")) noncoherent(at, sizeof(T) * sizeof...(Out));
  if constexpr (sizeof...(Out) == 1) {
    if constexpr (sizeof(T) >= 4)
      if (has(mods, ".acquire.") || has(mods, ".relaxed.")) {
        (assign(out, self().atomic_load(*reinterpret_cast<T*>(at), order_of(mods), scope_of(mods))), ...);
        return;
      }
    if (has(mods, ".volatile.") || has(mods, ".cv."))
      (assign(out, T(*reinterpret_cast<volatile aliasing_bits<T>*>(at))), ...);
    else
      (assign(out, *reinterpret_cast<const T*>(at)), ...);
  } else {
    using G = group<T, sizeof...(Out)>;
    int i = 0;
    if constexpr (sizeof(G) >= 4)
      if (has(mods, ".acquire.") || has(mods, ".relaxed.")) {
        const G all = load_ordered<G>(mods, at);
        (assign(out, all.v[i++]), ...);
        return;
      }
    if (has(mods, ".volatile.") || has(mods, ".cv.")) {
      (assign(out, T(reinterpret_cast<volatile aliasing_bits<T>*>(at)[i++])), ...);
      return;
    }
    const auto all = *reinterpret_cast<const G*>(at);
    (assign(out, all.v[i++]), ...);
  }
}
template <class T, class... In>
[[gnu::always_inline]] inline void store(const char* mods, char* at, In... in) {
  if constexpr (sizeof...(In) == 1) {
    if constexpr (sizeof(T) >= 4)
      if (has(mods, ".release.") || has(mods, ".relaxed.")) {
        (self().atomic_store(*reinterpret_cast<T*>(at), as<T>(in), order_of(mods), scope_of(mods)), ...);
        return;
      }
    if (has(mods, ".volatile."))
      ((*reinterpret_cast<volatile aliasing_bits<T>*>(at) = as<bits_of_size<sizeof(T)>>(as<T>(in))), ...);
    else
      ((*reinterpret_cast<T*>(at) = as<T>(in)), ...);
  } else {
    using G = group<T, sizeof...(In)>;
    if constexpr (sizeof(G) >= 4)
      if (has(mods, ".release.") || has(mods, ".relaxed.")) return store_ordered(mods, at, G{{as<T>(in)...}});
    if (has(mods, ".volatile.")) {
      int i = 0;
      ((reinterpret_cast<volatile aliasing_bits<T>*>(at)[i++] = as<bits_of_size<sizeof(T)>>(as<T>(in))), ...);
      return;
    }
    *reinterpret_cast<G*>(at) = G{{as<T>(in)...}};
  }
}
template <class T, class V, class... W>
[[gnu::always_inline]] inline T update_one(const char* mods, char* at, V a, W... b) {
  T& x = *reinterpret_cast<T*>(at);
  const auto o = order_of(mods);
  const auto s = scope_of(mods);
  const simt::thread t = self();
  if constexpr (sizeof...(W) == 1) {
    return t.atomic_cas(x, as<T>(a), as<T>(b)..., o, s);
  } else {
    const T v = as<T>(a);
    if (has(mods, ".add.")) return t.atomic_add(x, v, o, s);
    if (has(mods, ".exch.")) return t.atomic_exch(x, v, o, s);
    if constexpr (std::is_integral_v<T>) {
      if (has(mods, ".min.")) return t.atomic_min(x, v, o, s);
      if (has(mods, ".max.")) return t.atomic_max(x, v, o, s);
      if (has(mods, ".and.")) return t.atomic_and(x, v, o, s);
      if (has(mods, ".or.")) return t.atomic_or(x, v, o, s);
      if (has(mods, ".xor.")) return t.atomic_xor(x, v, o, s);
      if constexpr (std::is_same_v<T, std::uint32_t>) {
        if (has(mods, ".inc.")) return t.atomic_inc(x, v, o, s);
        if (has(mods, ".dec.")) return t.atomic_dec(x, v, o, s);
      }
    }
    __builtin_trap();  // no such operation in PTX either
  }
}
// atom and red. Packed halves are updated one by one.
template <class T, class V, class... W>
[[gnu::always_inline]] inline T update(const char* mods, char* at, V a, W... b) {
  if constexpr (kPacked<T>) {
    using H = half_of<T>;
    const T v = as<T>(a);
    return T{update_one<H>(mods, at, v.x), update_one<H>(mods, at + sizeof(H), v.y)};
  } else {
    return update_one<T>(mods, at, a, b...);
  }
}
// red of one element or of a vector.
template <class T, class... V>
[[gnu::always_inline]] inline void update_each(const char* mods, char* at, V... v) {
  std::size_t i = 0;
  (update<T>(mods, at + sizeof(T) * i++, v), ...);
}
template <class N, class M>
[[gnu::always_inline]] inline void copy_async(char* to, const char* from, N bytes, M source_bytes) {
  const auto n = static_cast<std::size_t>(bytes), m = static_cast<std::size_t>(source_bytes);
  expect_aligned(to, from, n, n, false);
  copy_later(to, from, m < n ? m : n);
  for (std::size_t i = m; i < n; ++i) to[i] = 0;
}

}  // namespace simt_cuda::ptx

// ---- address spaces: shared addresses are offsets into the block's shared memory ----
inline std::size_t __cvta_generic_to_shared(const void* p) { return simt_cuda::ptx::to_shared(p); }
inline void* __cvta_shared_to_generic(std::size_t window) {
  return reinterpret_cast<void*>(simt_cuda::ptx::from_shared(window));
}
inline std::size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<std::size_t>(p); }
inline unsigned int __isShared(const void* p) { return simt_cuda::ptx::to_shared(p) < (std::size_t{256} << 10); }
// What is neither shared nor the device's is a variable of the thread.
inline unsigned int __isGlobal(const void* p) { return !__isShared(p) && simt_cuda::is_device_address(p) ? 1 : 0; }
inline unsigned int __isLocal(const void* p) { return !__isShared(p) && !simt_cuda::is_device_address(p) ? 1 : 0; }
inline unsigned int __isCtaShared(const void* p) { return __isShared(p); }
inline unsigned int __isConstant(const void* p) { return simt_cuda::is_constant_address(p) ? 1 : 0; }
inline std::size_t __cvta_generic_to_local(const void* p) { return reinterpret_cast<std::size_t>(p); }
inline void* __cvta_local_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
inline std::size_t __cvta_generic_to_constant(const void* p) { return reinterpret_cast<std::size_t>(p); }
inline void* __cvta_constant_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
inline void* __cvta_global_to_generic(std::size_t p) { return reinterpret_cast<void*>(p); }
