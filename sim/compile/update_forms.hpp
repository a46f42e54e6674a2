// SPDX-License-Identifier: Apache-2.0
// Which instruction a GPU has for an atomic update, as `simrun profile` counts it. Where nobody reads the old value it
// is one of its own (RED, and ATOMS.POPC.INC for counting in shared memory); where all lanes have one address
// (one_address.hpp), one lane may do it for all. Only the compiler knows, once everything is inlined and what is unused
// is gone. So it calls other functions there (simt_reduction, simt_increment, simt_reduction_of_warp, ...), which do
// what checked_atomic does and say so (backends/sim/checked_atomic.cpp).
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// To be called when all is optimised. True: the module has changed.
bool tell_update_forms(llvm::Module& m);

// Whether some update of the module is told as such.
bool tells_unread_updates(const llvm::Module& m);

}  // namespace simt::compile
