// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory as functions: phases, and arrivals that are expected and pending, in one word of 64 bits.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cstdint>

#include <cuda_runtime.h>

#include "simt_cuda/async_copies.hpp"

typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

namespace simt_cuda {

inline constexpr int kBarrierBits = 20;
inline constexpr std::uint64_t kBarrierCount = (1u << kBarrierBits) - 1;

inline std::uint64_t barrier_word(std::uint64_t phase, std::uint64_t expected, std::uint64_t pending) {
  return phase << (2 * kBarrierBits) | (expected & kBarrierCount) << kBarrierBits | (pending & kBarrierCount);
}
inline std::uint64_t barrier_phase(std::uint64_t word) { return word >> (2 * kBarrierBits); }

// One arrival, of a thread that is (not) expected in the next phase. Returns the word before.
inline std::uint64_t barrier_arrive(std::uint64_t& barrier, bool stays) {
  wait_for_copies(0);
  const simt::thread t = self();
  std::uint64_t seen = t.atomic_load(barrier, simt::memory_order::relaxed, simt::scope::block);
  for (;;) {
    const std::uint64_t expected = (seen >> kBarrierBits & kBarrierCount) - (stays ? 0 : 1),
                        pending = (seen & kBarrierCount) - 1;
    const std::uint64_t next = pending == 0 ? barrier_word(barrier_phase(seen) + 1, expected, expected)
                                            : barrier_word(barrier_phase(seen), expected, pending);
    // The last arrival takes over what the others released; the others take nothing.
    const simt::memory_order order = pending == 0 ? simt::memory_order::acq_rel : simt::memory_order::release;
    const std::uint64_t before = t.atomic_cas(barrier, seen, next, order, simt::scope::block);
    if (before == seen) return seen;
    seen = before;
  }
}
inline bool barrier_passed(std::uint64_t& barrier, std::uint64_t phase) {
  return barrier_phase(self().atomic_load(barrier, simt::memory_order::acquire, simt::scope::block)) != phase;
}
inline bool barrier_parity_passed(std::uint64_t& barrier, bool parity) {
  return (barrier_phase(self().atomic_load(barrier, simt::memory_order::acquire, simt::scope::block)) & 1) !=
         static_cast<unsigned>(parity);
}

}  // namespace simt_cuda

inline std::uint32_t __mbarrier_maximum_count() { return static_cast<std::uint32_t>(simt_cuda::kBarrierCount); }
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected) {
  simt_cuda::self().atomic_store(*barrier, simt_cuda::barrier_word(0, expected, expected), simt::memory_order::relaxed,
                                 simt::scope::block);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) { return simt_cuda::barrier_arrive(*barrier, true); }
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return simt_cuda::barrier_arrive(*barrier, false);
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  const bool passed = simt_cuda::barrier_passed(*barrier, simt_cuda::barrier_phase(token));
  if (!passed) simt_cuda::self().yield();
  return passed;
}
inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  const bool passed = simt_cuda::barrier_parity_passed(*barrier, parity);
  if (!passed) simt_cuda::self().yield();
  return passed;
}
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return static_cast<std::uint32_t>(token & simt_cuda::kBarrierCount);
}

#include "simt_cuda/restore_names.hpp"
