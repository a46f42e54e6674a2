// SPDX-License-Identifier: Apache-2.0
// A kernel's loops for blocks of any shape, and copies for the shapes that people use.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "loop_bodies.hpp"

namespace simt::compile {

struct shape_copies {
  llvm::SmallVector<llvm::Function*> functions;  // all that have been made; none if the kernel was refused
};
// Cuts s.thread and copies of it, and sets s.body.
shape_copies make_loops(const loop_source& s);

}  // namespace simt::compile
