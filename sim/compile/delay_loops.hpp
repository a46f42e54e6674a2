// SPDX-License-Identifier: Apache-2.0
// Loops that only wait for a clock: `while (clock64() - begin < cycles);`. On a GPU the threads of a launch wait at the
// same time; here one waits behind the other, and a million threads of 5 microseconds each take seconds. So each turn
// of such a loop is told to the runtime (frontends/cuda/runtime/delays.cpp), which lets time pass at once where another
// thread of the launch has waited in the loop already.
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// Only loops without accesses and calls, but for those of the clock: a loop that looks at a flag as well, with the
// clock as its limit, waits as long as it says. Returns whether anything changed.
bool tell_delays(llvm::Function& f);

}  // namespace simt::compile
