// SPDX-License-Identifier: Apache-2.0
// A launch that ended in a fault, as the exception for its caller and as the finding for the report.
#pragma once

#include <backends/sim/kernel_fault.hpp>
#include <sim/exec/launch.hpp>
#include <sim/report/finding.hpp>

namespace simt::sim {

// Rule, cause and facts, the thread's side with its code address, and who waited where.
finding describe_fault(const launch_request& request, const fault_record& fault);

// Keeps describe_fault's finding for take_faults() and throws kernel_fault. A limit that showed only while the kernel
// ran is no finding: it is thrown as simt::error(launch_limit), as by a launch that is refused.
[[noreturn]] void throw_fault(const launch_request& request, const fault_record& fault);
// The findings of faults since the last call.
std::vector<finding> take_faults();

}  // namespace simt::sim
