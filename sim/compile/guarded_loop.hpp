// SPDX-License-Identifier: Apache-2.0
// An innermost loop whose index grows by one, of which each iteration asks first whether there is anything to do:
//   for (x = first; x < end; ++x) if (x < n && ...) body
// An iteration for which an answer is wrong does nothing, so it may be left out.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>

namespace simt::compile {

class guarded_loop {
 public:
  guarded_loop(llvm::Loop& l, llvm::ScalarEvolution& evolution) : l_(l), evolution_(evolution) {}

  // Whether l is one. What follows is for those that are.
  bool find();

  // Each condition that decides over all of an iteration, and what it has to be for the body to run; parts of a
  // conjunction one by one.
  void for_each_question(llvm::function_ref<void(llvm::Value& condition, bool holds)> look) const;

  bool changed = false;  // find() has moved something
  llvm::PHINode* index = nullptr;
  llvm::BasicBlock *latch = nullptr, *preheader = nullptr, *exit = nullptr;
  const llvm::SCEV* count = nullptr;  // iterations, 64 bits

 private:
  bool counts_by_one();
  void move_stores_to_who_changes();
  bool leaves_nothing() const;

  llvm::Loop& l_;
  llvm::ScalarEvolution& evolution_;
};

// The parts of a condition that is `holds`, each with what it has to be: those of a conjunction that is true, of a
// disjunction that is false, else the whole.
void for_each_part(llvm::Value& condition, bool holds, llvm::function_ref<void(llvm::Value&, bool)> look);

// A question that is not to be asked any more: its answer is `holds`.
void answer_question(llvm::Instruction& question, bool holds);
// Takes away what such answers have decided.
void fold_answers(llvm::ArrayRef<llvm::BasicBlock*> blocks);

}  // namespace simt::compile
