// SPDX-License-Identifier: Apache-2.0
// The first step, before anything is optimised: everything that a kernel calls becomes part of it, and calls of the
// engine become markers.
#pragma once

#include "refusal.hpp"

#include <llvm/IR/Function.h>

namespace simt::compile {

maybe_refused prepare(llvm::Function& f);

// Whether f reaches a call of the engine in which a thread may wait for others. Before prepare().
bool may_wait(llvm::Function& f);

}  // namespace simt::compile
