// SPDX-License-Identifier: Apache-2.0
// What the compiler is given before a source of the host (.cpp, .cc, .cxx): what the translator writes into main, and
// no name of CUDA's. Those come with <cuda_runtime.h>.
#pragma once

namespace simt_cuda {
// At the start of the program's main.
void enter_main();
}  // namespace simt_cuda
