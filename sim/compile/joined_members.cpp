// SPDX-License-Identifier: Apache-2.0
#include "joined_members.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "hidden.hpp"
#include "sim/report/source_column.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::uint64_t kWidestMember = 16, kMostWide = 16;

bool is_of_thread(const Value* at) { return isa<AllocaInst>(getUnderlyingObject(at)); }

struct member {
  Instruction* made;
  std::int64_t at;  // behind the base
  std::uint64_t size, align;
};
using members = SmallVector<member>;
using copied = std::pair<Value*, const DILocation*>;  // the base, and the place in the source

Type* type_of(const Instruction& i) { return getLoadStoreType(const_cast<Instruction*>(&i)); }

// A simple access of a number at a known distance from its base; `size` 0: it is none.
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

// Where neighbours of the same place in the source may be one instruction, they have the same number.
void set_column_window(Instruction& i, unsigned number, bool apart_in_shared) {
  const DILocation* const at = i.getDebugLoc().get();
  i.setDebugLoc(DILocation::get(i.getContext(), at->getLine(),
                                column_in_window(at->getColumn(), number, apart_in_shared), at->getScope(),
                                at->getInlinedAt(), at->isImplicitCode()));
}

// What nvcc knows of an address's alignment where the array is one in shared memory: it begins at a multiple of 16
// bytes.
std::uint64_t alignment_in_shared(const Value* at, const DataLayout& layout) {
  unsigned zeros = Log2_64(kMostWide);
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

bool earlier(const member& a, const member& b) { return a.made->comesBefore(b.made); }
Instruction* first_of(ArrayRef<member> all) { return std::ranges::min_element(all, earlier)->made; }
Instruction* last_of(ArrayRef<member> all) { return std::ranges::max_element(all, earlier)->made; }

Value* address_behind(IRBuilder<>& b, Value* base, std::uint64_t bytes) {
  return b.CreateGEP(b.getInt8Ty(), base, b.getInt64(bytes));
}

// `all` are one access of `bytes`, without gaps.
Instruction* join(Value* base, ArrayRef<member> all, std::uint64_t bytes) {
  const bool writes = isa<StoreInst>(all.front().made);
  IRBuilder<> b(writes ? last_of(all) : first_of(all));
  b.SetCurrentDebugLocation(all.front().made->getDebugLoc());
  Type* const whole = b.getIntNTy(static_cast<unsigned>(8 * bytes));
  const auto bits_before = [&](const member& m) { return static_cast<std::uint64_t>(8 * (m.at - all.front().at)); };
  const auto number_of = [&](const member& m) { return b.getIntNTy(static_cast<unsigned>(8 * m.size)); };
  const Align align(all.front().align);
  Instruction* made = nullptr;
  if (writes) {
    Value* value = ConstantInt::get(whole, 0);
    for (const member& m : all) {
      Value* const part = b.CreateBitCast(cast<StoreInst>(m.made)->getValueOperand(), number_of(m));
      value = b.CreateOr(value, b.CreateShl(b.CreateZExt(part, whole), bits_before(m)));
    }
    made = b.CreateAlignedStore(value, address_behind(b, base, static_cast<std::uint64_t>(all.front().at)), align);
  } else {
    Value* const at = address_behind(b, base, static_cast<std::uint64_t>(all.front().at));
    made = b.CreateAlignedLoad(whole, at, align);
    Value* const kept = b.CreateFreeze(made);  // apart from others (separate_accesses.hpp)
    for (const member& m : all) {
      Value* const part = b.CreateTrunc(b.CreateLShr(kept, bits_before(m)), number_of(m));
      m.made->replaceAllUsesWith(b.CreateBitCast(part, type_of(*m.made)));
    }
  }
  for (const member& m : all) m.made->eraseFromParent();
  return made;
}

// How many of `all`, from the first on, are one access without gaps, as wide as may be; 0: no two are.
std::size_t joinable(ArrayRef<member> all, std::int64_t window, std::uint64_t widest) {
  std::size_t found = 0;
  std::uint64_t bytes = 0;
  const auto from = static_cast<std::uint64_t>(all.front().at - window);
  for (std::size_t i = 0; i < all.size() && all[i].at == all.front().at + static_cast<std::int64_t>(bytes); ++i) {
    bytes += all[i].size;
    if (i > 0 && isPowerOf2_64(bytes) && bytes <= widest && from % bytes == 0) found = i + 1;
  }
  return found;
}

void join(Value* base, members& all) {
  stable_sort(all, [](const member& a, const member& b) { return a.at < b.at; });
  unsigned number = 0;
  const DataLayout& layout = all.front().made->getModule()->getDataLayout();
  const bool apart_in_shared = alignment_in_shared(base, layout) <= all.front().align;
  for (std::size_t i = 0; i < all.size();) {
    const std::int64_t window = all[i].at;
    const std::uint64_t widest = std::min(kWidestMember, std::max(all[i].align, all[i].size));
    std::size_t end = i;
    while (end < all.size() &&
           all[end].at + static_cast<std::int64_t>(all[end].size) <= window + static_cast<std::int64_t>(widest))
      ++end;
    while (i < end) {
      const ArrayRef<member> left(all.data() + i, end - i);
      const std::size_t together = joinable(left, window, widest);
      Instruction* made = all[i].made;
      const bool writes = isa<StoreInst>(made);
      if (together > 0) {
        std::uint64_t bytes = 0;
        for (const member& m : left.take_front(together)) bytes += m.size;
        made = join(base, left.take_front(together), bytes);
      }
      if (number > 0) set_column_window(*made, number, apart_in_shared);
      i += std::max<std::size_t>(together, 1);
      if (writes) ++number;  // stores with gaps between them are stores of their own
    }
    ++number;
  }
}

bool touches_nothing(const Instruction& i) {
  const auto* const call = dyn_cast<IntrinsicInst>(&i);
  return call != nullptr && (call->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(call));
}

// It touches no memory but the thread's own variables.
bool is_quiet(const Instruction& i) {
  if (!i.mayReadOrWriteMemory() || touches_nothing(i)) return true;
  const Value* const at = getLoadStorePointerOperand(&i);
  return at != nullptr && is_of_thread(at);
}

void join_loads(BasicBlock& bb) {
  MapVector<copied, members> open;
  const auto join_open = [&] {
    for (auto& [from, all] : open)
      if (all.size() > 1) join(from.first, all);
    open.clear();
  };
  for (Instruction& i : make_early_inc_range(bb)) {
    Value* base = nullptr;
    if (const member m = isa<LoadInst>(i) ? member_of(i, base) : member{}; m.size > 0)
      open[{base, i.getDebugLoc().get()}].push_back(m);
    else if (i.mayWriteToMemory() && !is_quiet(i))
      join_open();
  }
  join_open();
}

void join_stores(BasicBlock& bb) {
  copied to;
  members open;
  const auto join_open = [&] {
    if (open.size() > 1) join(to.first, open);
    open.clear();
  };
  for (Instruction& i : make_early_inc_range(bb)) {
    Value* base = nullptr;
    const member m = isa<StoreInst>(i) ? member_of(i, base) : member{};
    const copied now{base, m.size > 0 ? i.getDebugLoc().get() : nullptr};
    const bool again = any_of(open, [&](const member& o) {  // it is stored twice
      return m.at < o.at + static_cast<std::int64_t>(o.size) && o.at < m.at + static_cast<std::int64_t>(m.size);
    });
    if (m.size > 0 ? now != to || again : !is_quiet(i)) join_open();
    if (m.size == 0) continue;
    to = now;
    open.push_back(m);
  }
  join_open();
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
  Type* const type = type_of(i);
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

}  // namespace

void join_members(Function& f) {
  for (Instruction& i : make_early_inc_range(instructions(f)))
    if (auto* const copy = dyn_cast<MemTransferInst>(&i))
      take_apart(*copy);
    else
      take_apart_number(i);
  for (BasicBlock& bb : f) {
    join_loads(bb);
    join_stores(bb);
  }
}

}  // namespace simt::compile
