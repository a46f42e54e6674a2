// SPDX-License-Identifier: Apache-2.0
// The fifth part of region_accesses: asynchronous copies. What one writes and reads is listed under the call that
// issues it, and what becomes of the copies as steps in the order of the program (loop_copy_step). A step that the list
// does not know, as of a number of bytes that data decide or of a wait in a loop, leaves the region to the watched
// loops.
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "engine_calls.hpp"
#include "region_accesses.hpp"

namespace simt::compile {

using namespace llvm;
using sim::copy_act;
using sim::loop_test;

void copy_at_once(ArrayRef<BasicBlock*> blocks) {
  for (BasicBlock* bb : blocks)
    for (Instruction& i : make_early_inc_range(*bb)) {
      const copy_call what = copy_call_of(i);
      if (what == copy_call::none) continue;
      if (what == copy_call::issue) {
        auto& issue = cast<CallInst>(i);
        auto* const bytes = dyn_cast<ConstantInt>(issue.getArgOperand(3));
        const MaybeAlign align = bytes == nullptr || !isPowerOf2_64(bytes->getZExtValue())
                                     ? MaybeAlign()
                                     : MaybeAlign(bytes->getZExtValue());
        IRBuilder<>(&issue).CreateMemCpy(issue.getArgOperand(1), align, issue.getArgOperand(2), align,
                                         issue.getArgOperand(3));
      }
      i.eraseFromParent();
    }
}

// The only form of an address; false: there are several, or data decide.
bool region_accesses::ways_of_copy(Value* at, int known, way& one) {
  SmallVector<way> ways;
  if (!ways_of(at, known, ways) || ways.size() != 1 || is_uncertain(ways[0].when)) return false;
  one = ways[0];
  return true;
}

bool region_accesses::list_issue(CallInst& issue, int known) {
  auto* const bytes = dyn_cast<ConstantInt>(issue.getArgOperand(3));
  if (bytes == nullptr) return false;
  const std::uint64_t size = bytes->getZExtValue();
  way to, from;
  if ((size != 4 && size != 8 && size != 16) || !ways_of_copy(issue.getArgOperand(1), known, to) ||
      !ways_of_copy(issue.getArgOperand(2), known, from))
    return false;
  const int declared = promised_to_ == issue.getArgOperand(1) ? declared_ : 0;
  if (declared != 0) promised_to_ = nullptr;
  copy_steps_.push_back({static_cast<std::int32_t>(copy_act::issue), known, -1, declared});
  for (const way* const w : {&to, &from}) {
    describe({&issue, nullptr, 0, size}, *w, size, w == &to);
    described_.back().copy = static_cast<std::int32_t>(copy_steps_.size());
  }
  listed_.push_back({&issue, nullptr, static_cast<unsigned>(size), true});
  return true;
}

bool region_accesses::list_wait(CallInst& wait, int known) {
  SmallVector<way> ways;
  if (!ways_of(wait.getArgOperand(1), known, ways)) return false;
  for (const way& w : ways) {
    if (is_uncertain(w.when)) return false;
    for (Value* const by : w.address.factor)
      if (by != nullptr) return false;
  }
  for (const way& w : ways)
    copy_steps_.push_back({static_cast<std::int32_t>(copy_act::wait), w.when, place(w.address.base), 0});
  return true;
}

// What nobody breaks says nothing.
bool region_accesses::list_promise(CallInst& promise, int known) {
  auto *const bytes = dyn_cast<ConstantInt>(promise.getArgOperand(3)),
              *const alignment = dyn_cast<ConstantInt>(promise.getArgOperand(4)),
              *const declared = dyn_cast<ConstantInt>(promise.getArgOperand(5));
  if (bytes == nullptr || alignment == nullptr || declared == nullptr || promised_to_ != nullptr) return false;
  const std::uint64_t odd = alignment->getZExtValue() - 1;
  if ((bytes->getZExtValue() & odd) != 0) return false;
  for (const unsigned side : {1U, 2U}) {
    way at;
    if (!ways_of_copy(promise.getArgOperand(side), known, at)) return false;
    Value* const bits = ConstantInt::get(Type::getInt64Ty(promise.getContext()), odd);
    const int is_kept = add(loop_test::no_bits, place(bits), 0, &at.address);
    always_.push_back(at.when < 0 ? is_kept : add(loop_test::either, is_kept, add(loop_test::neither, at.when, 0)));
  }
  if (!declared->isZero()) {  // the copy that follows is to be asked
    promised_to_ = promise.getArgOperand(1);
    declared_ = static_cast<int>(alignment->getZExtValue());
  }
  return true;
}

bool region_accesses::list_copy_call(CallInst& call, int known) {
  if (is_uncertain(known)) return false;
  const copy_call what = copy_call_of(call);
  if (what == copy_call::issue) return list_issue(call, known);
  if (what == copy_call::promise) return list_promise(call, known);
  if (turns_around(call.getParent()) != 0) return false;
  if (what == copy_call::wait) return list_wait(call, known);
  copy_steps_.push_back({static_cast<std::int32_t>(copy_act::commit), known, -1, 0});
  return true;
}

}  // namespace simt::compile
