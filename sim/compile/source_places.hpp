// SPDX-License-Identifier: Apache-2.0
// Where an access stands in the source, kept through optimisation.
//
// A watched access is reported by its line. LLVM drops the location of what it moves, a load out of a loop for
// instance: a debugger shall not jump. So each access says its place once more, in an annotation, which is kept.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// Notes the places of all accesses of watched functions. Before anything is inlined.
void note_places(llvm::Module& m);

// Gives accesses that have lost their location, the one that was noted, as inlined where its neighbours are. True:
// something has changed.
bool restore_places(llvm::Module& m);

// Removes the notes.
void forget_places(llvm::Module& m);

}  // namespace simt::compile
