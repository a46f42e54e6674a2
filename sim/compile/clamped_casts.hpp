// SPDX-License-Identifier: Apache-2.0
// Casts of floats to integers as CUDA's compiler makes them: a GPU converts to 32 or 64 bits, to the nearest that there
// is (PTX ISA, "cvt": out of range is clamped; NaN is 0 from float to 32 bits, else the highest bit alone), and casts
// to bytes and shorts keep the low bits of 32. clang, told that casts out of range saturate, makes 0 of every NaN and
// would clamp to the narrow type itself (300.7f to 255, where a GPU has 44), and LLVM makes code of that which takes
// four times as long as what stands here.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// At the start of the pipeline, before anything is folded. Returns whether there was one.
bool expand_clamped_casts(llvm::Module& m);

}  // namespace simt::compile
