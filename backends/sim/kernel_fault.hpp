// SPDX-License-Identifier: Apache-2.0
// A kernel's death as its caller sees it.
#pragma once

#include <string>

#include <sim/report/cause.hpp>
#include <simt/error.hpp>

namespace simt::sim {

// What a kernel died of, for callers that must tell one end from another. kind() is device_fault.
class kernel_fault : public error {
 public:
  kernel_fault(simt::cause why, const std::string& message) : error(error_kind::device_fault, message), why_(why) {}
  simt::cause why() const { return why_; }

 private:
  simt::cause why_;
};

}  // namespace simt::sim
