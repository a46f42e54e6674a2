// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory as functions: the objects of inline PTX (simt_cuda/ptx_barriers.hpp), and programs use both
// on one.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cstdint>

#include <cuda_runtime.h>

#include "simt_cuda/ptx_barriers.hpp"

typedef std::uint64_t __mbarrier_t;
typedef std::uint64_t __mbarrier_token_t;

namespace simt_cuda {
inline constexpr int kBarrierCount = (1 << 20) - 1;
[[gnu::always_inline]] inline char* bytes_of(__mbarrier_t* barrier) { return reinterpret_cast<char*>(barrier); }
}  // namespace simt_cuda

inline std::uint32_t __mbarrier_maximum_count() { return static_cast<std::uint32_t>(simt_cuda::kBarrierCount); }
inline void __mbarrier_init(__mbarrier_t* barrier, std::uint32_t expected) {
  simt_cuda::ptx::mbarrier_init(simt_cuda::bytes_of(barrier), expected);
}
inline void __mbarrier_inval(__mbarrier_t*) {}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  simt_cuda::copies_end_by(barrier);
  return simt_cuda::ptx::mbarrier_arrive("", simt_cuda::bytes_of(barrier), 1);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  simt_cuda::copies_end_by(barrier);
  return simt_cuda::ptx::mbarrier_arrive(".arrive_drop.", simt_cuda::bytes_of(barrier), 1);
}
inline bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return simt_cuda::ptx::mbarrier_wait("", simt_cuda::bytes_of(barrier), token);
}
inline bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return simt_cuda::ptx::mbarrier_wait(".parity.", simt_cuda::bytes_of(barrier), parity);
}
inline bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, std::uint32_t) {
  return __mbarrier_test_wait(barrier, token);
}
inline bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, std::uint32_t) {
  return __mbarrier_test_wait_parity(barrier, parity);
}
inline std::uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return static_cast<std::uint32_t>(simt_cuda::ptx::state_in(token).pending);
}

#include "simt_cuda/restore_names.hpp"
