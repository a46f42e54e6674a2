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

// Stores to one place at the ends of two branches would become one store behind them, whose line is neither's. LLVM
// makes none of two whose alignments differ. So they are told apart by those, until their true ones are asked for.
void choose_stores_apart(llvm::Module& m);
void tell_stores_apart(llvm::Function& f);
// The same behind the cut. There LLVM finds out alignments of its own, so behind each store stands a call of
// llvm.sideeffect, too, which is no instruction of the machine.
void end_stores_apart(llvm::Function& f);
void align_stores_truly(llvm::Module& m);

// ThreadSanitizer's pass announces a read together with the write behind it where both have the same pointer, at the
// write's place. Reads at other lines get a pointer of their own. Right before that pass.
void keep_reads_in_place(llvm::Module& m);

}  // namespace simt::compile
