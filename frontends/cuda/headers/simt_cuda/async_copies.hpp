// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of a thread, under the names that pipelines, barriers and groups share. Under check the data
// moves as late as it may, and a read that nothing makes wait is a race. Without, it moves at once: a program that
// waits where it has to cannot tell, and the loops over a block's threads copy rows (docs/decisions/0127).
#pragma once

#include <cstddef>

#include "thread.hpp"

namespace cuda {
// A size that promises that it, and the addresses it goes with, are multiples of Alignment.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  constexpr explicit aligned_size_t(::std::size_t n) : value(n) {}
  constexpr operator ::std::size_t() const { return value; }
};
}  // namespace cuda

namespace simt_cuda {

// Under check, a broken promise is a finding; the copy itself works all the same. declared: the type must keep it, too.
[[gnu::always_inline]] inline void expect_aligned([[maybe_unused]] const void* to, [[maybe_unused]] const void* from,
                                                  [[maybe_unused]] std::size_t bytes,
                                                  [[maybe_unused]] std::size_t alignment,
                                                  [[maybe_unused]] bool declared) {
#if defined(SIMT_VARIANT_CHECK)
  simt::sim::checked_copy_promise(self().context(), to, from, bytes, alignment, declared);
#endif
}
template <class Size>
[[gnu::always_inline]] inline void expect_promise(const void* to, const void* from, Size bytes) {
  if constexpr (requires { Size::align; })
    if constexpr (Size::align > 1) expect_aligned(to, from, static_cast<std::size_t>(bytes), Size::align, true);
}

[[gnu::always_inline]] inline void copy_later(void* to, const void* from, std::size_t bytes) {
#if defined(SIMT_VARIANT_CHECK)
  if (bytes != 0) self().memcpy_async(to, from, bytes);
#else
  __builtin_memcpy(to, from, bytes);
#endif
}
[[gnu::always_inline]] inline void commit_copies() {
#if defined(SIMT_VARIANT_CHECK)
  self().commit_async();
#endif
}
// Until at most the last `keep` commits of this thread are under way.
[[gnu::always_inline]] inline void wait_for_copies([[maybe_unused]] unsigned keep) {
#if defined(SIMT_VARIANT_CHECK)
  simt::sim::checked_async_wait(self().context(), keep);
#endif
}
// This thread's copies end by the phase of the barrier object at `object` that it is about to tell. Who has waited for
// the phase says so; under check nobody else knows of them.
[[gnu::always_inline]] inline void copies_end_by([[maybe_unused]] const void* object) {
#if defined(SIMT_VARIANT_CHECK)
  simt::sim::checked_async_arrive(self().context(), object);
#else
  wait_for_copies(0);
#endif
}
[[gnu::always_inline]] inline void phase_has_ended() {
#if defined(SIMT_VARIANT_CHECK)
  simt::sim::checked_async_object_waited(self().context());
#endif
}
// The part of one of `size` threads: neighbouring bytes, a multiple of 16 where there are enough.
[[gnu::always_inline]] inline void copy_part_later(std::size_t rank, std::size_t size, void* to, const void* from,
                                                   std::size_t bytes) {
  const std::size_t unit = bytes >= 16 * size ? 16 : bytes % 4 == 0 ? 4 : 1, units = (bytes + unit - 1) / unit;
  const std::size_t each = (units + size - 1) / size, first = rank * each * unit;
  if (first >= bytes) return;
  const std::size_t most = each * unit, left = bytes - first;
  copy_later(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, left < most ? left : most);
}

}  // namespace simt_cuda
