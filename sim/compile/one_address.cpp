// SPDX-License-Identifier: Apache-2.0
#include "one_address.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Metadata.h>

#include "dependence.hpp"
#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "warp_operations.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char *kOneAddress = "simt.one_address", *kOneValue = "simt.one_value";
constexpr unsigned kPlaceOperand = 0, kValueOperand = 3;  // of checked_atomic's parameters

// What may differ between the lanes of a warp, as NVIDIA's assembler sees it: a quotient by 32 does for it, and what a
// barrier counts; what a vote gives does not.
void find_differing(Function& thread, dependence& found) {
  for (unsigned axis = 0; axis < 3; ++axis) found.add(thread.getArg(parameter::thread + axis));
  for (Instruction& i : instructions(thread)) {
    auto* const call = dyn_cast<CallInst>(&i);
    if (call != nullptr && is_marker(call, marker::warp) && is_same_for_warp(*call))
      found.exclude(&i);
    else if (isa<AllocaInst>(i) || i.isAtomic() || is_marker(&i, marker::rank) || is_marker(&i, marker::warp) ||
             is_marker(&i, marker::votes) || (call != nullptr && !is_any_marker(call) && !call->doesNotAccessMemory()))
      found.add(&i);
  }
  found.propagate();
}

}  // namespace

void note_one_address(Function& thread) {
  SmallVector<CallBase*> updates;
  for (Instruction& i : instructions(thread))
    if (auto* const call = dyn_cast<CallBase>(&i); call != nullptr && call->getCalledFunction() != nullptr)
      if (is_checked_atomic(*call->getCalledFunction())) updates.push_back(call);
  if (updates.empty()) return;
  dependence differing(thread);
  find_differing(thread, differing);
  MDNode* const yes = MDNode::get(thread.getContext(), {});
  for (CallBase* const call : updates) {
    if (differing.has(call->getArgOperand(kPlaceOperand))) continue;
    call->setMetadata(kOneAddress, yes);
    if (!differing.has(call->getArgOperand(kValueOperand))) call->setMetadata(kOneValue, yes);
  }
}

bool has_one_address(const CallBase& update) { return update.hasMetadata(kOneAddress); }
bool has_one_value(const CallBase& update) { return update.hasMetadata(kOneValue); }

}  // namespace simt::compile
