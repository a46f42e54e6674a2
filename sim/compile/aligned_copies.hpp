// SPDX-License-Identifier: Apache-2.0
// Check variant: whether addresses suit the alignment of vector types and structures that are loaded or stored whole. A
// GPU traps where a float4 is loaded through a pointer to float that is no multiple of 16; here clang makes four loads
// of it. (g++ asks by -fsanitize=alignment, which in clang leaves copies of structures alone.)
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// Before anything is taken apart: asks at each copy in a watched function whose type promises 8 bytes or more. Where an
// address does not suit, simt_misplaced_copy is told (sim/instrument/alignment_runtime.cpp). Returns whether it asks.
bool check_aligned_copies(llvm::Module& m);

}  // namespace simt::compile
