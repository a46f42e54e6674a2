// SPDX-License-Identifier: Apache-2.0
// Code that is counted announces its accesses by calls that are put in where its blocks get their markers, not at the
// end of the pipeline: what is simplified in between, and not alike in loops and on fibers, changes no count.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

namespace simt::compile {

// `f`: loops, or the body of one thread. Accesses that are hidden already, and copies, stay as they are. No call in
// these blocks is duplicated any more: a place in the code is one instruction.
void tell_accesses(llvm::Function& f, llvm::ArrayRef<llvm::BasicBlock*> blocks);
void tell_accesses(llvm::Function& f);

// The same of other watched code, behind the cut: a racing access that later simplification would drop or move is found
// on fibers and in loops alike. As ThreadSanitizer's pass does, it announces a read together with the write behind it
// that has its pointer, and, as keep_reads_in_place() has it, its line.
void tell_watched_accesses(llvm::Function& f, llvm::ArrayRef<llvm::BasicBlock*> blocks);
void tell_watched_accesses(llvm::Function& f);

}  // namespace simt::compile
