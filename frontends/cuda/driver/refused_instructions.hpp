// SPDX-License-Identifier: Apache-2.0
// Inline PTX that is not translated is a call of a function that may not be called (translate/ptx.cpp): the compiler
// complains where one is left in the program.
#pragma once

#include <vector>

#include "compiler_messages.hpp"

namespace simt::cuda_source {

// Takes these complaints out of what the compiler has said, in words of the translator, each once, with its line.
std::vector<compiler_message> take_refused_instructions(std::vector<compiler_message>& messages);

}  // namespace simt::cuda_source
