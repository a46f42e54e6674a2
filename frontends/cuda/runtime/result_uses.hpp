// SPDX-License-Identifier: Apache-2.0
// What becomes of what kernels write: copies that also took what nobody has written, and results that nobody fetched.
// Both may be meant so; a report has them as notes, and no exit code depends on them. Only where unwritten memory is
// looked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace simt_cuda {

void result_of_launch(const char* kernel);
// A copy from device memory, at `pc`; a captured one has not been made yet.
void result_copied(const void* from, std::size_t bytes, std::uintptr_t pc, bool captured);
// Before an allocation goes.
void result_freed(const void* begin);
// At the end, while memory is as the program left it.
std::vector<std::string> notes_of_results();

}  // namespace simt_cuda
