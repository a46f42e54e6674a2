// SPDX-License-Identifier: Apache-2.0
// Atomic updates whose address is the same for all lanes of a warp, as far as a compiler sees. NVIDIA's assembler adds
// up what lanes bring then, where it can, and one of them updates (update_forms.hpp).
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace simt::compile {

// `thread`: the body of one thread, from which loops are to be made. In front of copies of it, which keep the notes.
void note_one_address(llvm::Function& thread);
bool has_one_address(const llvm::CallBase& update);
bool has_one_value(const llvm::CallBase& update);  // besides

}  // namespace simt::compile
