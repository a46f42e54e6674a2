// SPDX-License-Identifier: Apache-2.0
// Brings a kernel's function into the form that the cut begins with (kernel_form in regions.hpp).
#pragma once

#include "refusal.hpp"
#include "regions.hpp"

namespace simt::compile {

// f: simplified, with markers. extent: null, or the block's shape as constants.
// Afterwards every block has a way to the one return, barriers begin blocks, and what can be computed once a block
// stands in the entry.
maybe_refused make_canonical(kernel_form& k);

kernel_form form_of(llvm::Function& f, const std::int64_t* extent, row_kind rows);

// The value is there before any thread runs: a constant, a parameter that is no index, or one of the entry's.
bool is_known_at_entry(const kernel_form& k, const llvm::Value* v);

// The reference by which CUDA source names a variable of the device (frontends/cuda/translate/variables.cpp): bound
// before main, and never again.
bool is_device_reference(const llvm::Value* v);

// Anybody can compute it who has its operands, at any time, and it is the same.
bool is_computable(const llvm::Instruction& i);

}  // namespace simt::compile
