// SPDX-License-Identifier: Apache-2.0
// Whose line a host call belongs to, for host APIs that stand between the user's code and the backend.
#pragma once

#include <cstdint>

namespace simt::backend {

// This thread's; 0: none is set. One function, because the check variant keeps variables of its parts apart.
std::uintptr_t& calling_address();

// While one lives, this thread's copies and fills are reported at that code address; nested ones change nothing.
class calling_from {
 public:
  explicit calling_from(const void* return_address) : outer_(calling_address()) {
    if (outer_ == 0) calling_address() = reinterpret_cast<std::uintptr_t>(return_address);
  }
  ~calling_from() { calling_address() = outer_; }
  calling_from(const calling_from&) = delete;
  calling_from& operator=(const calling_from&) = delete;

  // The address to report, where `direct` is the backend's own caller.
  static std::uintptr_t address(const void* direct) {
    return calling_address() != 0 ? calling_address() : reinterpret_cast<std::uintptr_t>(direct);
  }

 private:
  std::uintptr_t outer_;
};

}  // namespace simt::backend
