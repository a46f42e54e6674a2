// SPDX-License-Identifier: Apache-2.0
// mbarrier objects of inline PTX, and the bulk copies that they count. Part of ptx.hpp. PTX ISA, "Parallel
// Synchronization and Communication Instructions: mbarrier".
//
// An object is one word of 64 bits: arrivals that are pending, arrivals of a whole phase, bytes that are awaited, and
// the number of phases that have ended. Arrivals release and waits acquire it, at the scope of the block or cluster.
#pragma once

#include <cstdint>

#include "ptx_memory.hpp"
#include "tensor_copies.hpp"

namespace simt_cuda::ptx {

struct mbarrier_state {
  std::uint64_t pending : 20, expected : 20, bytes : 21, phase : 3;
};
static_assert(sizeof(mbarrier_state) == 8);
template <class V>
[[gnu::always_inline]] inline mbarrier_state state_in(V word) {
  return __builtin_bit_cast(mbarrier_state, as<std::uint64_t>(word));
}
[[gnu::always_inline]] inline std::uint64_t& word_of(char* at) { return *reinterpret_cast<std::uint64_t*>(at); }

template <class N>
[[gnu::always_inline]] inline void mbarrier_init(char* at, N count) {
  mbarrier_state s{};
  s.pending = s.expected = static_cast<std::uint64_t>(count);
  word_of(at) = __builtin_bit_cast(std::uint64_t, s);
}

// `arrivals` of threads, `drops` of which take no part in later phases; `bytes` more to wait for. The state before.
[[gnu::always_inline]] inline std::uint64_t mbarrier_change(const char* mods, char* at, std::uint64_t arrivals,
                                                            std::uint64_t drops, std::int64_t bytes) {
  const simt::thread t = self();
  const simt::scope where = has(mods, ".cluster.") ? simt::scope::cluster : simt::scope::block;
  const auto order = arrivals == 0 && bytes >= 0 ? simt::memory_order::relaxed : simt::memory_order::release;
  std::uint64_t before = t.atomic_load(word_of(at), simt::memory_order::relaxed, where);
  for (;;) {
    mbarrier_state s = state_in(before);
    s.expected -= drops;
    s.pending -= arrivals;
    s.bytes += static_cast<std::uint64_t>(bytes);
    if (s.pending == 0 && s.bytes == 0) {
      s.pending = s.expected;
      ++s.phase;
    }
    const std::uint64_t seen = t.atomic_cas(word_of(at), before, __builtin_bit_cast(std::uint64_t, s), order, where);
    if (seen == before) return before;
    before = seen;
  }
}
template <class N>
[[gnu::always_inline]] inline std::uint64_t mbarrier_arrive(const char* mods, char* at, N count) {
  const auto n = static_cast<std::uint64_t>(count);
  return mbarrier_change(mods, at, n, has(mods, ".arrive_drop.") ? n : 0, 0);
}
template <class N>
[[gnu::always_inline]] inline std::uint64_t mbarrier_arrive_expecting(const char* mods, char* at, N bytes) {
  return mbarrier_change(mods, at, 1, has(mods, ".arrive_drop.") ? 1 : 0, static_cast<std::int64_t>(bytes));
}
// Whether the phase has ended: that of a state, or with .parity the one that is even (0) or odd (1). A wait that has
// to go on lets others run. So does one that is over, when checked: whoever looks at the object after the next phase's
// arrivals has acquired those, too, and a race with what came before them would go unseen.
template <class V>
[[gnu::always_inline]] inline bool mbarrier_wait(const char* mods, char* at, V phase) {
  const simt::scope where = has(mods, ".cluster.") ? simt::scope::cluster : simt::scope::block;
  const auto order = has(mods, ".relaxed.") ? simt::memory_order::relaxed : simt::memory_order::acquire;
  const simt::thread t = self();
  const mbarrier_state now = state_in(t.atomic_load(word_of(at), order, where));
  const bool ended =
      has(mods, ".parity.") ? (now.phase & 1) != (as<std::uint64_t>(phase) & 1) : now.phase != state_in(phase).phase;
#if defined(SIMT_VARIANT_CHECK)
  t.yield();
#else
  if (!ended) t.yield();
#endif
  if (ended) phase_has_ended();
  return ended;
}

// `bytes` of copies that this thread has asked for arrive at the object. Where nobody expects them yet, the thread will
// arrive with that number, and the data moves then: as late as it may.
[[gnu::always_inline]] inline void copied_for(char* at, std::size_t bytes) {
  commit_copies();
  const mbarrier_state s = state_in(self().atomic_load(word_of(at), simt::memory_order::relaxed, simt::scope::block));
  constexpr std::uint64_t kNegative = std::uint64_t{1} << 20;
  if (s.bytes >= bytes && s.bytes < kNegative) copies_end_by(at);
  mbarrier_change("", at, 0, 0, -static_cast<std::int64_t>(bytes));
}

// cp.async.bulk into shared memory. The bytes are there when the object is told, of this block or of another one of the
// cluster; nothing else says so.
template <class N>
[[gnu::always_inline]] inline void copy_bulk(char* to, const char* from, N bytes, char* at) {
  const auto n = static_cast<std::size_t>(bytes);
  expect_aligned(to, from, n, 16, false);
  copy_later(to, from, n);
  commit_copies();
  copies_end_by(at);
  mbarrier_change(".cluster.", at, 0, 0, -static_cast<std::int64_t>(n));
}
// Out of shared memory, in a group of bulk copies.
template <class N>
[[gnu::always_inline]] inline void copy_bulk(char* to, const char* from, N bytes) {
  expect_aligned(to, from, static_cast<std::size_t>(bytes), 16, false);
  copy_later(to, from, static_cast<std::size_t>(bytes));
}
template <int Rank>
[[gnu::always_inline]] inline void copy_tile_to_shared(char* to, const char* map, const int (&first)[Rank], char* at) {
  const std::uint64_t n = copy_tile<true>(to, map, first);
  commit_copies();
  copies_end_by(at);
  mbarrier_change("", at, 0, 0, -static_cast<std::int64_t>(n));
}
template <int Rank>
[[gnu::always_inline]] inline void copy_tile_from_shared(char* from, const char* map, const int (&first)[Rank]) {
  copy_tile<false>(from, map, first);
}
// The copies of this thread so far arrive at the object; with .noinc as one of those that it expects.
[[gnu::always_inline]] inline void copies_arrive(const char* mods, char* at) {
  commit_copies();
  copies_end_by(at);
  if (has(mods, ".noinc.")) mbarrier_change("", at, 1, 0, 0);
}

}  // namespace simt_cuda::ptx
