// SPDX-License-Identifier: Apache-2.0
// Watched accesses of two branches stay two.
//
// LLVM makes one load of two whose values come together (if (c) v = a[i]; else v = a[j];), and one store of two to one
// place. That one stands at neither line, and a finding would name another one. Options keep branches from being joined
// (cmake/variants.cmake), but none keeps their accesses. So, until the code is instrumented, none of these is an
// instruction of the machine:
//
//   loads    the value goes through a `freeze`, which stays in front of the place where values come together
//   stores   their alignments differ: LLVM joins none of two whose do. Behind the cut it finds out alignments of its
//   own,
//            so a call of llvm.sideeffect stands behind each store, which moves no store past it
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// In watched functions, when variables are in registers and nothing else is simplified yet. True: something has
// changed.
bool keep_loads_separate(llvm::Module& m);
// In a function that is no longer watched.
void let_loads_join(llvm::Function& f);

// In watched functions, before anything is inlined.
void keep_stores_separate(llvm::Module& m);
// Again, in a function that the cut has made; and in one of which nothing is cut any more.
void separate_stores(llvm::Function& f);
void separate_stores_at_end(llvm::Function& f);
// The cut has to know their true alignments, and so has who instruments them.
void let_stores_join(llvm::Module& m);

}  // namespace simt::compile
