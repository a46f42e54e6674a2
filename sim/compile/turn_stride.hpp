// SPDX-License-Identifier: Apache-2.0
// How a loop that threads leave in different turns counts: for (index = first; index < limit; index += step).
#pragma once

#include <llvm/IR/Instructions.h>

#include <optional>

#include "turn_loop.hpp"

namespace simt::compile {

// left `p` right, where `condition` is `holds`. False: it is no comparison of integers.
bool compares(llvm::Value* condition, bool holds, llvm::Value*& left, llvm::Value*& right,
              llvm::ICmpInst::Predicate& p);
bool is_upper_bound(llvm::ICmpInst::Predicate p);

// The stride of a loop with a guard, which asks of the first index what the latch asks of the following ones. Sets
// whether the guard asks for more.
std::optional<stride> find_stride(const kernel_form& k, turn_loop& t, bool of_warp);

// `int i; i += warp.size()` is unsigned arithmetic, and may wrap. An index that is below the limit, which is known at
// entry, does not if this holds, a value of the entry. From here on `next`, which is index + step, says so.
llvm::Value* ask_whether_it_wraps(const kernel_form& k, const stride& s, const llvm::ConstantInt& step,
                                  llvm::BinaryOperator& next);

// Each thread loads a few neighbouring elements, and the next thread those that follow: `s[k][x * 4 + j]`. These are
// one stretch in each turn, of which the vectoriser makes vectors of every fourth element. step: from thread to thread,
// in bytes; turn: from turn to turn, null if it is the same.
bool takes_neighbours_together(const llvm::Instruction& load, const llvm::ConstantInt& step, const llvm::Value* turn);

}  // namespace simt::compile
