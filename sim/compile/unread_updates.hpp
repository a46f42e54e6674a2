// SPDX-License-Identifier: Apache-2.0
// Atomic updates whose old value nobody reads: a GPU has instructions of their own for them (RED, and ATOMS.POPC.INC
// for counting in shared memory), which `simrun profile` counts apart. Only the compiler knows, once everything is
// inlined and what is unused is gone. So it calls simt_reduction or simt_increment there, which do what checked_atomic
// does and say so (backends/sim/checked_atomic.cpp).
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// To be called when all is optimised. True: the module has changed.
bool tell_unread_updates(llvm::Module& m);

// Whether some update of the module is told as such.
bool tells_unread_updates(const llvm::Module& m);

}  // namespace simt::compile
