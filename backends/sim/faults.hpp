// SPDX-License-Identifier: Apache-2.0
// A launch that ended in a fault, as the exception and as the finding that people read.
#pragma once

#include <sim/exec/launch.hpp>
#include <sim/report/finding.hpp>

namespace simt::sim {

// What happened, for people: rule, message, why and fix, the thread's side with its code address.
finding describe_fault(const launch_request& request, const fault_record& fault);

// Keeps describe_fault's finding for take_faults() and throws simt::error(device_fault).
[[noreturn]] void throw_fault(const launch_request& request, const fault_record& fault);
// The findings of faults since the last call.
std::vector<finding> take_faults();

}  // namespace simt::sim
