// SPDX-License-Identifier: Apache-2.0
// What asks, in a loop over threads, where in its row a thread stands. A line is a value that grows by one in each
// iteration. Along a stretch of the row, each of these is something that the vectoriser knows:
//   min(line, n), max(line, n)             the line
//   line / n, line >> n                    a number
//   line % n, line & (2^k - 1)             the line less a number
//   line & -2^k                            a number
//   a comparison of the line with n that decides over accesses, or which address it is: its answer
//   what is asked of all threads of the row alike, and decides over accesses: its answer
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace simt::compile {

enum class steady_value { line, answer, quotient, remainder, multiple };
enum class divisor_from { value, shift, mask, high_mask };  // n, 2^n, n + 1, -n

struct steady_term {
  llvm::Instruction* i;
  llvm::Value* line;                 // of its operands; null: all threads of the row have the same answer
  const llvm::SCEVAddRecExpr* form;  // what the line is, or what it is widened from
  llvm::Value* fixed;                // the other operand, the same in all iterations
  steady_value what;
  llvm::ICmpInst::Predicate p = llvm::ICmpInst::BAD_ICMP_PREDICATE;  // of a line or answer: while line `p` fixed
  bool holds = true;                                                 // the answer
  divisor_from divisor = divisor_from::value;
  bool is_signed = false;                                          // how the line is taken as a number
  llvm::Instruction::CastOps widens = llvm::Instruction::BitCast;  // of an answer: how form becomes the line, or
  const llvm::SCEV* more = nullptr;                                // the line less this; BitCast and null: it is it

  bool divides() const { return what >= steady_value::quotient; }
  bool is_of_row() const { return line == nullptr; }
  bool moves() const { return what == steady_value::line || what == steady_value::remainder; }
};

// Whether the two hold along the same stretches, and what is measured of one is measured of the other.
bool are_alike(const steady_term& a, const steady_term& b);

// Those of the row are the last ones.
llvm::SmallVector<steady_term> find_steady_terms(llvm::Loop& l, llvm::ScalarEvolution& evolution,
                                                 const llvm::DominatorTree& dominators);

}  // namespace simt::compile
