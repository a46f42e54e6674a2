// SPDX-License-Identifier: Apache-2.0
// A function that takes or gives a float2, float3 or float4 has two floats in one register: the calling convention of
// x86-64 says so, and when the function has been inlined, <2 x float> is left of it. The vectoriser, which puts threads
// side by side, takes no loop that has vectors in it. So the members are computed one by one.
//
// Invariant: each member is computed of the same operands by the same operation; loads and stores are of the same
// bytes.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace simt::compile {

// Of a kernel that is not watched, in front of the cut and of the vectoriser. Returns whether there were vectors.
bool part_members(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);

}  // namespace simt::compile
