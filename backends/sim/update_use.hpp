// SPDX-License-Identifier: Apache-2.0
// Whether a statement of source uses what an atomic update returns. nvcc makes a reduction (RED) of one that is not
// used, and an atomic (ATOM) of one that is; the simulator's compiler makes the same code of both.
#pragma once

#include <string>
#include <vector>

namespace simt::sim {

// The update's name begins at this line and column (both from 1). False too where the source does not tell.
bool result_is_unused(const std::vector<std::string>& lines, int line, int column);
// Likewise: whether it adds the constant 1. nvcc lets shared memory count the lanes of each word then.
bool adds_one(const std::vector<std::string>& lines, int line, int column);

}  // namespace simt::sim
