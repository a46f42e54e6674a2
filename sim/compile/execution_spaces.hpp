// SPDX-License-Identifier: Apache-2.0
// Calls that nvcc refuses: of a function of the host from device code, of a function of the device from host code, of a
// kernel without <<<>>>. Here all of it would run, for host and device are one processor.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// What the translator of CUDA source has noted of functions (frontends/cuda/translate/functions.cpp) goes, and each
// call of the user's that crosses is an error of the compilation: "simt: FILE:LINE:COLUMN: error: TEXT". Code that has
// no such notes is left alone. To be called first, before anything is inlined. True: the module has changed.
bool refuse_calls_across_spaces(llvm::Module& m);

}  // namespace simt::compile
