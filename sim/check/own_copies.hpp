// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies that are recorded as accesses of their issuers: where in the code they are.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

#include "sim/check/detector.hpp"

namespace simt::check {

// The agent of a copy that began so (detector.cpp).
thread_state& async_began(thread_state& issuer, const sim::copy_start& start);

// The code addresses of such copies, by which findings know them from accesses of the thread. Of several OS threads.
class copy_sites {
 public:
  void note(std::uintptr_t pc) {
    std::atomic<std::uintptr_t>& last = last_[pc >> 2 & 63];
    if (last.load(std::memory_order_relaxed) == pc) return;
    std::lock_guard guard(mutex_);
    all_.insert(pc);
    last.store(pc, std::memory_order_relaxed);
  }
  bool has(std::uintptr_t pc) const {
    std::lock_guard guard(mutex_);
    return all_.contains(pc);
  }

 private:
  std::array<std::atomic<std::uintptr_t>, 64> last_{};
  std::set<std::uintptr_t> all_;
  mutable std::mutex mutex_;
};

}  // namespace simt::check
