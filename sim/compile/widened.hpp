// SPDX-License-Identifier: Apache-2.0
// One number in two types. Where a loop counts in 64 bits what the source counts in 32, the guard in front of it often
// still asks in 32, and clang has written each of the two in its own way.
#pragma once

#include <llvm/IR/Value.h>

namespace simt::compile {

// v is `narrow`, or `narrow` extended to its type, with sign or without.
bool is_or_widens(const llvm::Value* v, const llvm::Value* narrow, bool is_signed);
// The same of a lane's number, and of sums that do not wrap: their parts have been extended.
bool is_widened_by_parts(const llvm::Value* v, const llvm::Value* narrow, bool is_signed, int depth = 0);

}  // namespace simt::compile
