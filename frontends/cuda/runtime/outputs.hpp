// SPDX-License-Identifier: Apache-2.0
// What a program takes from the device, for a search over schedules that holds its runs against each other: what it
// copies to the host, and managed and pinned memory when that is freed, or at the program's end. Host only.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <sim/report/run_report.hpp>

namespace simt_cuda {

// From now on; before, the functions below do nothing.
void collect_outputs();

// `bytes` at `values` are what memory of the device at `from` holds. What has one name counts as one output.
void note_output(const void* from, const void* values, std::size_t bytes);
// Before managed or pinned memory is freed.
void note_output_before_free(const void* address);
// At the program's end: managed and pinned memory that nobody freed.
void note_outputs_left();

std::map<std::string, simt::output_summary> take_outputs();

}  // namespace simt_cuda
