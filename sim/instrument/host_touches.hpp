// SPDX-License-Identifier: Apache-2.0
// What host code did to memory that both sides may touch, kept until the next event that could order it.
//
// Between two events all accesses of the host (or of one host callback) stand in the same order to all work of the
// device, so a loop over an array is one record and not one event of the detector for each element. Thread-safe: a host
// thread may touch such memory while another one runs a launch.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <sim/instrument/touched_pages.hpp>

namespace simt::sim {

class host_touches {
 public:
  host_touches() { ++generations_; }
  // Beyond kStretches records of neighbours, what begins a new one is kept by pages.
  static constexpr std::size_t kStretches = 256, kCrowded = 4096, kMost = 65536;

  // False when take() is due: kCrowded records are held, or as many pages as there may be. Beyond both, and kMost,
  // accesses are counted in `lost`.
  bool add(std::uintptr_t address, std::size_t bytes, bool write, std::uintptr_t pc, int stream);
  // Drops the newest record if it is a read of just these bytes: what a compare-and-swap loop begins with.
  void drop_guess(std::uintptr_t address, std::size_t bytes, int stream);
  // All records, neighbours of one instruction joined, in the order of their first access; none are left.
  std::vector<host_touch> take();
  std::uint64_t lost() const { return lost_; }
  // Changes whenever something is forgotten, and is never 0: what was added under one number need not be added again.
  static std::uint64_t generation() { return generations_.load(std::memory_order_acquire); }

 private:
  static constexpr std::size_t kSlots = 64;
  std::mutex mutex_;
  std::vector<host_touch> touches_;
  touched_pages pages_;
  bool newest_in_pages_ = false;
  std::size_t last_[kSlots] = {};  // 1 + index of the newest record of an instruction
  std::uint64_t lost_ = 0;
  static inline std::atomic<std::uint64_t> generations_{1};
};

}  // namespace simt::sim
