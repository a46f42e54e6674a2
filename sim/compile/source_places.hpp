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

// What follows `name` in a note of i's; empty: there is none.
llvm::StringRef note_of(const llvm::Instruction& i, llvm::StringRef name);

// Removes the notes.
void forget_places(llvm::Module& m);

// ThreadSanitizer's pass announces a read together with the write behind it where both have the same pointer, at the
// write's place. Reads at other lines get a pointer of their own. Right before that pass.
void keep_reads_in_place(llvm::Module& m);

}  // namespace simt::compile
