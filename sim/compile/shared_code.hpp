// SPDX-License-Identifier: Apache-2.0
// `if (full) { ...; __syncthreads(); out[i] = a; } else { ...; __syncthreads(); if (i < n) out[i] = b; }`: clang makes
// one block of both stores, so ways of two regions lead into it, one under a condition of the thread. Each way gets its
// own.
#pragma once

#include "cut_points.hpp"

namespace simt::compile {

// Copies the block `head`, or the loop of which it is the header, so that the ways of each region that lead into it
// have their own. Null where it was copied, else why not: it is large (`copied`: the instructions that were so far),
// threads wait in it, or `simrun profile` counts it.
const char* copy_shared_code(kernel_form& k, const cut_points& c, llvm::BasicBlock* head, std::size_t& copied);

}  // namespace simt::compile
