// SPDX-License-Identifier: Apache-2.0
// The one exception of the host API: what was asked, what the limit is, what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace simt {

enum class error_kind {
  invalid_argument,  // a size, index or option that makes no sense
  launch_limit,      // geometry or shared memory over the device's limit
  out_of_memory,
  device_fault,  // a kernel trapped, crashed, hung or threw; the launch's results are lost
  unavailable,   // the backend cannot run here
  unsupported,   // the backend does not have this feature
};

class error : public std::runtime_error {
 public:
  error(error_kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  error_kind kind() const { return kind_; }

 private:
  error_kind kind_;
};

// A launch_limit: the blocks of a cooperative grid cannot all be resident at once.
class grid_too_large : public error {
 public:
  explicit grid_too_large(const std::string& message) : error(error_kind::launch_limit, message) {}
};

}  // namespace simt
