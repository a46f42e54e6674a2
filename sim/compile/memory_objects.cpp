// SPDX-License-Identifier: Apache-2.0
#include "memory_objects.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

const Value* object_of(const Value* address) { return getUnderlyingObject(address, 0); }

// A block's loops ask the engine for it (call_for_shared_arrays in cut.cpp).
bool is_call_of(const Value* object, StringRef name) {
  auto* const call = dyn_cast<CallInst>(object);
  const Function* const called = call == nullptr ? nullptr : call->getCalledFunction();
  return called != nullptr && called->getName() == name;
}
// The constant that says which static array it is; null: it is none, or nobody knows.
const Constant* key_of(const Value* object) {
  if (!is_marker(object, marker::shared) && !is_call_of(object, kSharedArray)) return nullptr;
  return dyn_cast<Constant>(cast<CallInst>(object)->getArgOperand(1));
}
bool is_shared(const Value* object) {
  return is_shared_array(object) || is_call_of(object, kSharedArray) || is_call_of(object, kDynamicShared);
}

bool is_parameters(const Value* object) {
  auto* const from = dyn_cast<Argument>(object);
  if (from == nullptr || from->getArgNo() != parameter::args) return false;
  return is_marked_source(*from->getParent()) || is_loops_of_block(*from->getParent());
}
bool is_behind(const Value* object) {
  auto* const pointer = dyn_cast<LoadInst>(object);
  return pointer != nullptr && is_parameters(object_of(pointer->getPointerOperand()));
}

}  // namespace

bool is_in_shared_memory(const Value* address) { return is_shared(object_of(address)); }

bool is_behind_parameter(const Value* address) { return is_behind(object_of(address)); }

bool are_different_memory(const Value* address, const Value* other) {
  const Value *const a = object_of(address), *const b = object_of(other);
  if (const Constant* const of_a = key_of(a), * const of_b = key_of(b); of_a != nullptr && of_b != nullptr)
    return of_a != of_b;
  const auto is_given = [](const Value* object) { return is_parameters(object) || is_behind(object); };
  return (is_shared(a) && is_given(b)) || (is_shared(b) && is_given(a));
}

}  // namespace simt::compile
