// SPDX-License-Identifier: Apache-2.0
// `if (full) { ...; __syncthreads(); out[i] = a; } else { ...; __syncthreads(); if (i < n) out[i] = b; }`: clang makes
// one block of both stores, so ways of two regions lead into it, one under a condition of the thread. Each way gets its
// own.
#pragma once

#include "cut_points.hpp"

namespace simt::compile {

// Copies the block `head`, or the loop of which it is the header, so that the ways of each region that lead into it
// have their own. Not what is large (`copied`: the instructions that were so far), and not where threads wait. False:
// nothing was copied.
bool copy_shared_code(kernel_form& k, const cut_points& c, llvm::BasicBlock* head, std::size_t& copied);

}  // namespace simt::compile
