// SPDX-License-Identifier: Apache-2.0
// Host code under check: what a loop of the host touches is nearly always the host's own memory, which nobody has to
// hear of. A loop of which all accesses go through pointers that are there before it is in the code twice, and the
// runtime says which copy runs: the quiet one where no thread of a kernel runs it and all these pointers lie far from
// memory of the device.
#pragma once

#include <llvm/IR/Function.h>

namespace simt::compile {

// A program's own watched function that no kernel reaches.
bool is_user_code_of_host(const llvm::Function& f);

// At the end of the pipeline, before accesses get their announcements: makes the quiet copies in a function of the
// host. Returns whether it made any.
bool copy_host_loops(llvm::Function& f);

}  // namespace simt::compile
