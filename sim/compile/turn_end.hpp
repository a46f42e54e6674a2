// SPDX-License-Identifier: Apache-2.0
// Where the turns of a loop end that threads may not enter.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include "turn_loop.hpp"

namespace simt::compile {

// The turns come to an end even if no thread enters, when nothing is known of what decides: the latch compares the
// number of a turn, in constant steps, with a limit. It may ask whether that is reached exactly, of numbers that do
// not wrap; `made` is then the same question for any number, to be asked instead.
bool ends_without_threads(const turn_loop& t, llvm::ICmpInst::Predicate& made);
// The latch asks `made`.
void ask_in_order(const turn_loop& t, llvm::ICmpInst::Predicate made);

}  // namespace simt::compile
