// SPDX-License-Identifier: Apache-2.0
#include "memory_objects.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
// The array that a block's loops have asked the engine for (call_for_shared_arrays in cut.cpp); null: none is known.
const Value* shared_array(const Value* object) {
  auto* const call = dyn_cast<CallInst>(object);
  const Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
  return called != nullptr && called->getName() == kSharedArray ? call->getArgOperand(1) : nullptr;
}
bool is_object_behind_parameter(const Value* object) {
  auto* const pointer = dyn_cast<LoadInst>(object);
  if (pointer == nullptr) return false;
  auto* const from = dyn_cast<Argument>(getUnderlyingObject(pointer->getPointerOperand(), 0));
  return from != nullptr && is_loops_of_block(*from->getParent()) && from->getArgNo() == parameter::args;
}
}  // namespace

bool is_behind_parameter(const Value* address) { return is_object_behind_parameter(getUnderlyingObject(address, 0)); }

bool are_different_memory(const Value* address, const Value* other) {
  const Value *const a = getUnderlyingObject(address, 0), *const b = getUnderlyingObject(other, 0);
  const Value *const of_a = shared_array(a), *const of_b = shared_array(b);
  if (of_a != nullptr && of_b != nullptr) return isa<Constant>(of_a) && isa<Constant>(of_b) && of_a != of_b;
  return (of_a != nullptr && is_object_behind_parameter(b)) || (of_b != nullptr && is_object_behind_parameter(a));
}

}  // namespace simt::compile
