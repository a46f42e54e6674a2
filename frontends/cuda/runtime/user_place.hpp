// SPDX-License-Identifier: Apache-2.0
// Where in the user's code something happened, as words for a message.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt_cuda {

// Return addresses of the calls that run, innermost first.
std::vector<std::uintptr_t> callers_here();
// ", at FILE:LINE in FUNCTION": the innermost of them that lies in the user's code; empty: none does.
std::string innermost_place(const std::vector<std::uintptr_t>& callers);
// Of a signal's handler, whose process is lost, so nothing is spared to find it; a second fault on the way ends it
// without. `pc`: what the signal interrupted.
std::string place_of_crash(std::uintptr_t pc);

}  // namespace simt_cuda
