// SPDX-License-Identifier: Apache-2.0
// Check variant: who writes a bit-field reads its whole word and puts the other bits back as they were. That read is
// the machine's, not the program's: of memory that nobody has written it is no use of what is not there. The write
// stays one of the whole word, so two threads that write two fields of a word race as they do on a GPU.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// Before anything is taken apart: hides those reads in watched functions. Returns whether it hid any.
bool hide_reads_of_bit_fields(llvm::Module& m);

}  // namespace simt::compile
