// SPDX-License-Identifier: Apache-2.0
#include "one_thread.hpp"

#include <llvm/ADT/Twine.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "markers.hpp"
#include "told_accesses.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

std::string list_for(const Function& marker) { return ("simt.engine." + marker.getName()).str(); }

Function* engine_function(const Module& m, const Function& marker) {
  const NamedMDNode* const list = m.getNamedMetadata(list_for(marker));
  if (list == nullptr) return nullptr;
  const auto* const noted = dyn_cast_or_null<ValueAsMetadata>(list->getOperand(0)->getOperand(0).get());
  return noted == nullptr ? nullptr : dyn_cast<Function>(noted->getValue());
}

// As clang would call it: small numbers are extended by the caller.
CallInst* call(IRBuilder<>& b, Function& f, ArrayRef<Value*> values) {
  SmallVector<Value*> arguments;
  for (unsigned i = 0; i < values.size(); ++i) {
    Type* const wanted = f.getFunctionType()->getParamType(i);
    Value* const v = values[i];
    arguments.push_back(wanted->isIntegerTy() ? b.CreateZExtOrTrunc(v, wanted) : v);
  }
  CallInst* const made = b.CreateCall(&f, arguments);
  for (unsigned i = 0; i < arguments.size(); ++i)
    for (const Attribute a : f.getAttributes().getParamAttrs(i)) made->addParamAttr(i, a);
  made->setTailCallKind(CallInst::TCK_NoTail);  // who waits is named by where it called
  return made;
}

Value* rank_of(Function& f, IRBuilder<>& b) {
  const auto axis = [&](unsigned first, unsigned d) -> Value* { return f.getArg(first + d); };
  Value* rank = axis(parameter::thread, 2);
  for (const unsigned d : {1U, 0U})
    rank = b.CreateAdd(axis(parameter::thread, d), b.CreateMul(axis(parameter::extent, d), rank));
  return b.CreateTrunc(rank, b.getInt32Ty());
}

// The next call of that marker in its block, behind `from`; null: there is none.
CallInst* next_in_block(CallInst& from, marker which) {
  for (Instruction* i = from.getNextNode(); i != nullptr; i = i->getNextNode())
    if (is_marker(i, which)) return cast<CallInst>(i);
  return nullptr;
}

// The function behind a marker, or null; `calls_it`: this marker's call is to become one.
bool replace(Function& f, CallInst& mark) {
  Function* const engine = engine_function(*f.getParent(), *mark.getCalledFunction());
  IRBuilder<> b(&mark);
  Value* const block = f.getArg(parameter::block);
  Value* result = nullptr;
  if (is_marker(&mark, marker::rank)) {
    result = rank_of(f, b);
  } else if (engine == nullptr) {
    return false;
  } else if (is_marker(&mark, marker::barrier) || is_marker(&mark, marker::grid_barrier)) {
    call(b, *engine, {block});
  } else if (is_shared_array(&mark)) {
    result = call(b, *engine, {mark.getArgOperand(0), mark.getArgOperand(1)});
  } else if (is_marker(&mark, marker::warp)) {
    const auto argument = [&](unsigned i) { return mark.getArgOperand(i); };
    CallInst* const made = call(b, *engine, {block, argument(2), argument(0), argument(1), argument(3), argument(4)});
    made->addFnAttr(Attribute::NoMerge);
    result = made;
  } else {  // a vote, whose barrier and result follow
    CallInst* const barrier = next_in_block(mark, marker::barrier);
    CallInst* const votes = barrier == nullptr ? nullptr : next_in_block(*barrier, marker::votes);
    if (votes == nullptr || !is_marker(&mark, marker::vote)) return false;
    b.SetInsertPoint(barrier);
    votes->replaceAllUsesWith(call(b, *engine, {block, mark.getArgOperand(0)}));
    votes->eraseFromParent();
    barrier->eraseFromParent();
  }
  if (result != nullptr) mark.replaceAllUsesWith(result);
  mark.eraseFromParent();
  return true;
}

}  // namespace

void note_engine_call(Module& m, const Function& marker, Function& engine) {
  NamedMDNode* const list = m.getOrInsertNamedMetadata(list_for(marker));
  if (list->getNumOperands() == 0) list->addOperand(MDNode::get(m.getContext(), {ValueAsMetadata::get(&engine)}));
}

Function* make_thread_body(Function& marked) {
  ValueToValueMapTy map;
  Function* const f = CloneFunction(&marked, map);
  f->setName(marked.getName() + ".thread");
  unmark_source(*f);
  tell_loops_in_short(*f);
  tell_accesses(*f);
  const auto next_marker = [&]() -> CallInst* {
    for (const bool votes_first : {true, false})
      for (Instruction& i : instructions(*f))
        if (votes_first ? is_marker(&i, marker::vote) : is_any_marker(&i)) return cast<CallInst>(&i);
    return nullptr;
  };
  while (CallInst* const mark = next_marker())
    if (!replace(*f, *mark)) {
      f->eraseFromParent();
      return nullptr;
    }
  return f;
}

}  // namespace simt::compile
