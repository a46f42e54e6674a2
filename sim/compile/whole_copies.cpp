// SPDX-License-Identifier: Apache-2.0
#include "whole_copies.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "hidden.hpp"
#include "one_access.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::uint64_t kMostWide = 16;

Value* address_behind(IRBuilder<>& b, Value* base, std::uint64_t bytes) {
  return b.CreateGEP(b.getInt8Ty(), base, b.getInt64(bytes));
}

// Kept apart from others (separate_accesses.hpp).
Value* loaded(IRBuilder<>& b, Type* type, Value* address, Align align) {
  return b.CreateFreeze(b.CreateAlignedLoad(type, address, align));
}

// Visits (behind, size) of the parts of so many bytes, as wide as may be.
template <class Visit>
void each_part(std::uint64_t bytes, std::uint64_t widest, Visit visit) {
  for (std::uint64_t at = 0, size = 0; at < bytes; at += size) {
    size = std::min(widest, bit_floor(bytes - at));
    visit(at, size);
  }
}

// `size` bytes of a value behind so many others, and back into it. Of vectors these are elements: as numbers of the
// same bits they would become floats again later, by new instructions that nobody knows to have been told.
class value_parts {
 public:
  value_parts(IRBuilder<>& b, Type* type, Value* whole)
      : b_(b),
        vector_(dyn_cast<FixedVectorType>(type)),
        element_(type->getScalarSizeInBits() / 8),
        number_(b.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()))),
        whole_(whole) {}

  Type* type_of(std::uint64_t size) const {
    if (!of_elements(size)) return b_.getIntNTy(static_cast<unsigned>(8 * size));
    return size == element_ ? vector_->getElementType()
                            : FixedVectorType::get(vector_->getElementType(), static_cast<unsigned>(size / element_));
  }
  Value* part(std::uint64_t behind, std::uint64_t size) const {
    if (!of_elements(size))
      return b_.CreateTrunc(b_.CreateLShr(b_.CreateBitCast(whole_, number_), 8 * behind), type_of(size));
    if (size == element_) return b_.CreateExtractElement(whole_, behind / element_);
    SmallVector<int> which;
    for (std::uint64_t at = behind; at < behind + size; at += element_)
      which.push_back(static_cast<int>(at / element_));
    return b_.CreateShuffleVector(whole_, which);
  }
  void put(Value* part, std::uint64_t behind, std::uint64_t size) {
    if (!of_elements(size)) {
      Value* const moved = b_.CreateShl(b_.CreateZExt(part, number_), 8 * behind);
      whole_ = b_.CreateBitCast(b_.CreateOr(b_.CreateBitCast(whole_, number_), moved), whole_->getType());
      return;
    }
    for (std::uint64_t k = 0; k < size / element_; ++k) {
      Value* const one = size == element_ ? part : b_.CreateExtractElement(part, k);
      whole_ = b_.CreateInsertElement(whole_, one, behind / element_ + k);
    }
  }
  Value* whole() const { return whole_; }

 private:
  bool of_elements(std::uint64_t size) const { return vector_ != nullptr && size % element_ == 0; }
  IRBuilder<>& b_;
  FixedVectorType* const vector_;
  const std::uint64_t element_;  // bytes
  Type* const number_;           // of as many bits
  Value* whole_;
};

// clang moves several members as one number, or as one vector of floats (a structure that a function returns), also
// where their alignment is less than its size. Such a load or store becomes several, as wide as the alignment allows.
void take_apart_number(Instruction& i) {
  const auto* const load = dyn_cast<LoadInst>(&i);
  auto* const store = dyn_cast<StoreInst>(&i);
  if (load != nullptr ? !load->isSimple() : store == nullptr || !store->isSimple()) return;
  Type* const type = getLoadStoreType(&i);
  Value* const at = getLoadStorePointerOperand(&i);
  const bool scalable = isa<ScalableVectorType>(type);
  const std::uint64_t bits = scalable ? 0 : type->getPrimitiveSizeInBits().getFixedValue();  // 0: pointers, structures
  if (bits == 0 || bits % 8 != 0 || type->getScalarSizeInBits() % 8 != 0 || getLoadStoreAddressSpace(&i) != 0 ||
      is_hidden(i) || is_of_thread(at))
    return;
  const std::uint64_t bytes = bits / 8, align = getLoadStoreAlignment(&i).value();
  if ((isPowerOf2_64(bytes) && align >= bytes) || bytes > kMostWide * std::min(kWidestMember, align)) return;
  IRBuilder<> b(&i);
  value_parts value(b, type, store != nullptr ? store->getValueOperand() : Constant::getNullValue(type));
  each_part(bytes, std::min(kWidestMember, align), [&](std::uint64_t behind, std::uint64_t size) {
    Value* const address = address_behind(b, at, behind);
    const Align known(MinAlign(align, behind));
    if (store != nullptr)
      b.CreateAlignedStore(value.part(behind, size), address, known);
    else
      value.put(loaded(b, value.type_of(size), address, known), behind, size);
  });
  if (load != nullptr) i.replaceAllUsesWith(value.whole());
  i.eraseFromParent();
}

// A copy becomes loads and stores, as wide as the alignments allow.
void take_apart(MemTransferInst& copy) {
  const auto* const length = dyn_cast<ConstantInt>(copy.getLength());
  const bool from_own = is_of_thread(copy.getRawSource()), to_own = is_of_thread(copy.getRawDest());
  if (length == nullptr || length->getValue().ugt(kMostWide * kWidestMember) || copy.isVolatile() ||
      copy.getSourceAddressSpace() != 0 || copy.getDestAddressSpace() != 0 || (from_own && to_own) || is_hidden(copy))
    return;
  const std::uint64_t from = copy.getSourceAlign().valueOrOne().value(), to = copy.getDestAlign().valueOrOne().value();
  const std::uint64_t widest = std::min({kWidestMember, from_own ? kWidestMember : from, to_own ? kWidestMember : to});
  const std::uint64_t bytes = length->getZExtValue();
  if (bytes > kMostWide * widest) return;
  IRBuilder<> b(&copy);
  SmallVector<std::pair<std::uint64_t, Value*>> parts;
  each_part(bytes, widest, [&](std::uint64_t at, std::uint64_t size) {
    Value* const address = address_behind(b, copy.getRawSource(), at);
    parts.emplace_back(at, loaded(b, b.getIntNTy(static_cast<unsigned>(8 * size)), address, Align(MinAlign(from, at))));
  });
  for (const auto& [at, value] : parts)
    b.CreateAlignedStore(value, address_behind(b, copy.getRawDest(), at), Align(MinAlign(to, at)));
  copy.eraseFromParent();
}

struct copied_part {
  std::uint64_t at, size;
};

// The members of a copied structure, as clang says them for its alias analysis, and what lies behind the last of them.
// Empty: they are not known.
SmallVector<copied_part> members_of(const MemTransferInst& copy, std::uint64_t bytes) {
  const MDNode* const said = copy.getMetadata(LLVMContext::MD_tbaa_struct);
  SmallVector<copied_part> members;
  std::uint64_t end = 0;
  for (unsigned i = 0; said != nullptr && i + 2 < said->getNumOperands(); i += 3) {
    const copied_part p{mdconst::extract<ConstantInt>(said->getOperand(i))->getZExtValue(),
                        mdconst::extract<ConstantInt>(said->getOperand(i + 1))->getZExtValue()};
    if (p.at < end || !isPowerOf2_64(p.size) || p.size > kWidestMember) return {};
    members.push_back(p);
    end = p.at + p.size;
  }
  if (members.empty() || end > bytes) return {};
  for (std::uint64_t size = 0; end < bytes; end += size) {
    size = std::min(kWidestMember, MinAlign(end, bit_floor(bytes - end)));
    members.push_back({end, size});
  }
  return members.size() > kMostWide ? SmallVector<copied_part>() : members;
}

bool is_copy_of_variable(const MemTransferInst& copy) {
  return isa<ConstantInt>(copy.getLength()) && !copy.isVolatile() && copy.getSourceAddressSpace() == 0 &&
         copy.getDestAddressSpace() == 0 && is_of_thread(copy.getRawSource()) != is_of_thread(copy.getRawDest());
}

// What a variable has `at` so many bytes; a number where that is not known. A pointer has to stay one.
Type* type_in(const AllocaInst& variable, std::uint64_t at, std::uint64_t size) {
  const DataLayout& layout = variable.getModule()->getDataLayout();
  for (Type* type = variable.getAllocatedType();;) {
    if (auto* const structure = dyn_cast<StructType>(type);
        structure != nullptr && at < layout.getTypeAllocSize(type)) {
      const StructLayout& inner = *layout.getStructLayout(structure);
      const unsigned element = inner.getElementContainingOffset(at);
      at -= inner.getElementOffset(element);
      type = structure->getElementType(element);
    } else if (auto* const array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType();
      at %= layout.getTypeAllocSize(type);
    } else {
      const bool fits = at == 0 && type->isSingleValueType() && layout.getTypeStoreSize(type) == size;
      return fits ? type : IntegerType::get(variable.getContext(), static_cast<unsigned>(8 * size));
    }
  }
}

bool take_members(MemTransferInst& copy) {
  if (!is_copy_of_variable(copy)) return false;
  APInt behind(64, 0);
  Value* const own = is_of_thread(copy.getRawSource()) ? copy.getRawSource() : copy.getRawDest();
  const auto* const variable =
      dyn_cast<AllocaInst>(own->stripAndAccumulateConstantOffsets(copy.getModule()->getDataLayout(), behind, true));
  const auto parts = members_of(copy, cast<ConstantInt>(copy.getLength())->getZExtValue());
  if (variable == nullptr || behind.isNegative() || parts.empty()) return false;
  const Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  IRBuilder<> b(&copy);
  SmallVector<Value*> values;
  for (const copied_part& p : parts)
    values.push_back(b.CreateAlignedLoad(type_in(*variable, behind.getZExtValue() + p.at, p.size),
                                         address_behind(b, copy.getRawSource(), p.at), commonAlignment(from, p.at)));
  for (const auto& [p, value] : zip_equal(parts, values))
    b.CreateAlignedStore(value, address_behind(b, copy.getRawDest(), p.at), commonAlignment(to, p.at));
  copy.eraseFromParent();
  return true;
}

}  // namespace

bool copy_variables_by_members(Module& m) {
  bool changed = false;
  for (Function& f : m)
    if (f.hasFnAttribute(Attribute::SanitizeThread))
      for (Instruction& i : make_early_inc_range(instructions(f)))
        if (auto* const copy = dyn_cast<MemTransferInst>(&i)) changed |= take_members(*copy);
  return changed;
}

void take_apart_copies(Function& f) {
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (auto* const copy = dyn_cast<MemTransferInst>(&i))
      take_apart(*copy);
    else
      take_apart_number(i);
}

}  // namespace simt::compile
