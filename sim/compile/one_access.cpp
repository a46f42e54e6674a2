// SPDX-License-Identifier: Apache-2.0
#include "one_access.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

#include "hidden.hpp"

namespace simt::compile {

using namespace llvm;

bool is_of_thread(const Value* at) { return isa<AllocaInst>(getUnderlyingObject(at)); }

namespace {

Type* type_of(const Instruction& i) { return getLoadStoreType(const_cast<Instruction*>(&i)); }

bool touches_nothing(const Instruction& i) {
  const auto* const call = dyn_cast<IntrinsicInst>(&i);
  return call != nullptr && (call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(call));
}

bool earlier(const member& a, const member& b) { return a.made->comesBefore(b.made); }

Type* number_of(IRBuilder<>& b, const member& m) { return b.getIntNTy(static_cast<unsigned>(8 * m.size)); }
std::uint64_t bits_before(const member& m, ArrayRef<member> all) {
  return static_cast<std::uint64_t>(8 * (m.at - all.front().at));
}
// Of `m`, where the address of `known` is.
Value* address_of(IRBuilder<>& b, const member& m, const member& known) {
  Value* const from = getLoadStorePointerOperand(known.made);
  return m.at == known.at ? from : b.CreateGEP(b.getInt8Ty(), from, b.getInt64(m.at - known.at));
}

}  // namespace

member member_of(Instruction& i, Value*& base) {
  const auto* const load = dyn_cast<LoadInst>(&i);
  const auto* const store = dyn_cast<StoreInst>(&i);
  if (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple()) return {};
  Type* const type = type_of(i);
  const DataLayout& layout = i.getModule()->getDataLayout();
  if (is_hidden(i) || !i.getDebugLoc() || getLoadStoreAddressSpace(&i) != 0 || !type->isSingleValueType() ||
      type->isPtrOrPtrVectorTy() || isa<ScalableVectorType>(type) || is_of_thread(getLoadStorePointerOperand(&i)))
    return {};
  const std::uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  if (!isPowerOf2_64(size) || size > kWidestMember || layout.getTypeSizeInBits(type) != 8 * size) return {};
  APInt behind(64, 0);
  base = getLoadStorePointerOperand(&i)->stripAndAccumulateConstantOffsets(layout, behind, true);
  return {&i, behind.getSExtValue(), size, getLoadStoreAlignment(&i).value()};
}

std::uint64_t alignment_in_shared(const Value* at, const DataLayout& layout) {
  unsigned zeros = Log2_64(kWidestMember);
  for (const auto* step = dyn_cast<GEPOperator>(at); step != nullptr; step = dyn_cast<GEPOperator>(at)) {
    MapVector<Value*, APInt> factors;
    APInt constant(64, 0);
    if (!step->collectOffset(layout, 64, factors, constant)) return 1;
    zeros = std::min(zeros, constant.countTrailingZeros());
    for (const auto& [index, factor] : factors)
      zeros = std::min(zeros, factor.countTrailingZeros() + computeKnownBits(index, layout).countMinTrailingZeros());
    at = step->getPointerOperand();
  }
  return std::uint64_t{1} << zeros;
}

bool is_quiet(const Instruction& i) {
  if (!i.mayReadOrWriteMemory() || touches_nothing(i)) return true;
  const Value* const at = getLoadStorePointerOperand(&i);
  return at != nullptr && is_of_thread(at);
}

const member& earliest(ArrayRef<member> all) { return *std::ranges::min_element(all, earlier); }

LoadInst* load_at(const member& where, ArrayRef<member> all, std::uint64_t bytes) {
  IRBuilder<> b(where.made);
  b.SetCurrentDebugLocation(where.made->getDebugLoc());
  LoadInst* const made = b.CreateAlignedLoad(b.getIntNTy(static_cast<unsigned>(8 * bytes)),
                                             address_of(b, all.front(), where), Align(all.front().align));
  Value* const kept = b.CreateFreeze(made);  // apart from others (separate_accesses.hpp)
  for (const member& m : all) {
    Value* const part = b.CreateTrunc(b.CreateLShr(kept, bits_before(m, all)), number_of(b, m));
    m.made->replaceAllUsesWith(b.CreateBitCast(part, type_of(*m.made)));
  }
  return made;
}

Instruction* join(ArrayRef<member> all, std::uint64_t bytes) {
  const member& first = earliest(all);
  Instruction* made;
  if (isa<LoadInst>(first.made)) {
    made = load_at(first, all, bytes);
  } else {
    IRBuilder<> b(std::ranges::max_element(all, earlier)->made);
    b.SetCurrentDebugLocation(first.made->getDebugLoc());
    Value* value = b.getIntN(static_cast<unsigned>(8 * bytes), 0);
    for (const member& m : all) {
      Value* const part = b.CreateBitCast(cast<StoreInst>(m.made)->getValueOperand(), number_of(b, m));
      value = b.CreateOr(value, b.CreateShl(b.CreateZExt(part, value->getType()), bits_before(m, all)));
    }
    made = b.CreateAlignedStore(value, address_of(b, all.front(), first), Align(all.front().align));
  }
  for (const member& m : all) m.made->eraseFromParent();
  return made;
}

}  // namespace simt::compile
