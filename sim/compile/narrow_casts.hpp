// SPDX-License-Identifier: Apache-2.0
// Casts of floats to integers of 8 and 16 bits, as CUDA's compiler makes them: a GPU converts to 32 bits, to the
// nearest that there is (PTX ISA, "cvt": out of range is clamped, NaN is 0), and the cast keeps the low bits of that.
// clang, told that casts out of range saturate, would clamp to the narrow type itself: 300.7f to 255 where a GPU
// has 44.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// At the start of the pipeline, before anything is folded. Returns whether there was one.
bool widen_narrow_casts(llvm::Module& m);

}  // namespace simt::compile
