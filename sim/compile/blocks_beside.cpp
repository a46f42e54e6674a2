// SPDX-License-Identifier: Apache-2.0
#include "blocks_beside.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "engine_calls.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char* kBesideMark = "simt.beside";
constexpr std::int64_t kBeside = 4, kWidestRow = 32, kNarrowestRow = 8;

// Waits for its block and computes: nothing that is for one block only, or that tells who it is.
bool is_for_any_block(Function& f) {
  if (!all_of(f.getArg(parameter::block)->users(), [](const User* u) { return is_shared_array(u); })) return false;
  return all_of(instructions(f), [](Instruction& i) {
    if (isa<UnreachableInst>(i)) return false;
    return !is_any_marker(&i) || is_marker(&i, marker::barrier) || is_shared_array(&i);
  });
}

bool has_short_rows(const block_shape& shape) {
  return shape[1] >= 2 && shape[2] == 1 && shape[0] >= kNarrowestRow && shape[0] <= kWidestRow;
}

}  // namespace

std::optional<block_shape> put_blocks_beside(Function& f, const block_shape& shape) {
  if (!has_short_rows(shape) || !f.getArg(parameter::thread + 2)->use_empty() || !is_for_any_block(f)) return {};
  const auto argument = [&](unsigned which, unsigned axis) { return f.getArg(which + axis); };
  auto* const number = Type::getInt64Ty(f.getContext());
  for (unsigned d = 0; d < 3; ++d)
    argument(parameter::extent, d)->replaceAllUsesWith(ConstantInt::get(number, shape[d]));
  Argument *const y = argument(parameter::thread, 1), *const z = argument(parameter::thread, 2);
  y->replaceAllUsesWith(z);
  IRBuilder<> b(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Argument* const place = argument(parameter::place, 0);
  auto* const mine = cast<Instruction>(b.CreateAdd(place, y, "place", true, true));
  place->replaceUsesWithIf(mine, [&](const Use& u) { return u.getUser() != mine; });
  Value* const before = b.CreateMul(y, argument(parameter::extent, 2), "shared.before", true, true);
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (is_shared_array(&i)) {
      b.SetInsertPoint(i.getNextNode());
      auto* const own = cast<Instruction>(b.CreateGEP(b.getInt8Ty(), &i, before, i.getName()));
      i.replaceUsesWithIf(own, [&](const Use& u) { return u.getUser() != own; });
    }
  f.addFnAttr(kBesideMark);
  return block_shape{shape[0], kBeside, shape[1]};
}

bool runs_blocks_beside(const Function& f) { return f.hasFnAttribute(kBesideMark); }

}  // namespace simt::compile
