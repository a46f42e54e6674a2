// SPDX-License-Identifier: Apache-2.0
// What the compiler says of typing mistakes, in the words of CUDA, once, in the line that has the mistake.
#pragma once

#include <vector>

#include "compiler_messages.hpp"

namespace simt::cuda_source {

// Of messages that stand at their places in the user's files already: an error gets what it means in CUDA, and the
// notes behind it that show headers of the simulator's go, after the error has got what the first of them says.
void say_in_cuda_words(std::vector<compiler_message>& messages);

}  // namespace simt::cuda_source
