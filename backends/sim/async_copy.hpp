// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies of simt::thread on the simulator (CUDA Programming Guide, "Asynchronous Data Copies using
// cuda::pipeline", pipeline primitives). Mixed into simt::thread.
#pragma once

#include <sim/exec/async_copy.hpp>
#include <sim/exec/executors/fiber_calls.hpp>
#include <sim/instrument/checked_calls.hpp>

namespace simt::sim {

template <class Self>
class async_operations {
 public:
  // Copies `bytes` from global to shared memory some time before the wait for its group ends. Until then the target
  // holds what it held and the source must not change. Hardware does 4, 8 and 16 aligned bytes at a time.
  [[gnu::always_inline]] void memcpy_async(void* to, const void* from, std::size_t bytes) const {
#if defined(SIMT_VARIANT_CHECK)
    checked_async_issue(self().context(), to, from, bytes);
#else
    async_issue(self().context(), self().rank(), self().block_index(), to, from, bytes, 0);
#endif
  }
  // This thread's copies since the last commit become a group (__pipeline_commit).
  [[gnu::always_inline]] void commit_async() const {
#if defined(SIMT_VARIANT_CHECK)
    checked_async_commit(self().context());
#else
    async_commit(self().context(), self().rank(), self().block_index());
#endif
  }
  // Waits until at most the `Keep` last groups of this thread are under way (__pipeline_wait_prior). Other threads see
  // the data after a barrier that follows.
  template <unsigned Keep = 0>
  [[gnu::always_inline]] void wait_async() const {
#if defined(SIMT_VARIANT_CHECK)
    checked_async_wait(self().context(), Keep);
#else
    async_wait(self().context(), self().rank(), self().block_index(), Keep);
#endif
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace simt::sim
