// SPDX-License-Identifier: Apache-2.0
#include "stored_shapes.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::size_t kMostBytesOfConfig = 128;  // of a structure
constexpr int kDeepestCaller = 4;
constexpr std::int64_t kMostThreadsOfShape = 1024;

// The bytes behind an address, as far as they are known.
class known_bytes {
 public:
  void set(std::int64_t offset, const Constant& value, const DataLayout& layout) {
    Type* const type = value.getType();
    if (offset >= static_cast<std::int64_t>(kMostBytesOfConfig)) return;
    if (isa<FixedVectorType>(type) || isa<ArrayType>(type)) {
      const auto* const of_several = dyn_cast<FixedVectorType>(type);
      Type* const element = of_several != nullptr ? of_several->getElementType() : type->getArrayElementType();
      const std::uint64_t size = layout.getTypeAllocSize(element);
      const std::uint64_t count = of_several != nullptr ? of_several->getNumElements() : type->getArrayNumElements();
      for (std::uint64_t n = 0; n < count && n * size < kMostBytesOfConfig; ++n)
        if (const Constant* const each = value.getAggregateElement(static_cast<unsigned>(n)))
          set(offset + static_cast<std::int64_t>(n * size), *each, layout);
    } else if (auto* const structure = dyn_cast<StructType>(type)) {
      for (unsigned n = 0; n < structure->getNumElements(); ++n)
        set(offset + static_cast<std::int64_t>(layout.getStructLayout(structure)->getElementOffset(n)),
            *value.getAggregateElement(n), layout);
    } else {
      const auto* number = dyn_cast<ConstantInt>(&value);
      const std::uint64_t size = layout.getTypeStoreSize(type);
      for (std::uint64_t n = 0; n < size; ++n)
        set(offset + static_cast<std::int64_t>(n),
            number == nullptr || size > 8 ? -1 : static_cast<int>(number->getZExtValue() >> (8 * n) & 0xff));
    }
  }
  void forget(std::int64_t offset, std::uint64_t size) {
    for (std::uint64_t n = 0; n < std::min<std::uint64_t>(size, kMostBytesOfConfig); ++n)
      set(offset + static_cast<std::int64_t>(n), -1);
  }
  std::optional<block_shape> shape_at(std::int64_t offset, unsigned bytes) const {
    block_shape shape{};
    std::int64_t threads = 1;
    for (std::int64_t axis = 0; axis < 3; ++axis) {
      std::uint64_t number = 0;
      for (unsigned n = 0; n < bytes; ++n) {
        const std::int64_t at = offset + axis * bytes + n;
        if (at < 0 || at >= static_cast<std::int64_t>(bytes_.size()) || bytes_[static_cast<std::size_t>(at)] < 0)
          return {};
        number |= static_cast<std::uint64_t>(bytes_[static_cast<std::size_t>(at)]) << (8 * n);
      }
      if (number == 0 || number > kMostThreadsOfShape) return {};
      shape[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(number);
      threads *= shape[static_cast<std::size_t>(axis)];
    }
    return threads > 1 && threads <= kMostThreadsOfShape ? std::optional(shape) : std::nullopt;
  }

 private:
  void set(std::int64_t offset, int byte) {
    if (offset < 0 || offset >= static_cast<std::int64_t>(kMostBytesOfConfig)) return;
    if (bytes_.size() <= static_cast<std::size_t>(offset)) bytes_.resize(static_cast<std::size_t>(offset) + 1, -1);
    bytes_[static_cast<std::size_t>(offset)] = byte;
  }
  SmallVector<int, 0> bytes_;
};

struct stored_at {
  const Value* base;
  std::int64_t offset;
};
stored_at place_of(const Value* v, const DataLayout& layout) {
  APInt offset(layout.getIndexTypeSizeInBits(v->getType()), 0);
  const Value* const base = v->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getSExtValue()};
}

// What a function leaves in memory in front of `end`, in the order of its blocks.
class stores_before {
 public:
  explicit stores_before(const Instruction& end) : layout_(end.getModule()->getDataLayout()) {
    for (const BasicBlock& bb : *end.getFunction())
      for (const Instruction& i : bb) {
        if (&i == &end) return;
        note(i);
      }
  }
  std::optional<block_shape> at(const Value* base, std::int64_t offset, unsigned bytes) const {
    if (auto* const constant = dyn_cast<GlobalVariable>(base);
        constant != nullptr && constant->isConstant() && constant->hasDefinitiveInitializer()) {
      known_bytes bytes_of;
      bytes_of.set(0, *constant->getInitializer(), layout_);
      return bytes_of.shape_at(offset, bytes);
    }
    const auto known = known_.find(base);
    return known == known_.end() ? std::nullopt : known->second.shape_at(offset, bytes);
  }
  // Behind whatever was written last.
  std::optional<block_shape> last(std::int64_t offset, unsigned bytes) const {
    for (const Value* base : reverse(order_))
      if (const auto shape = known_.find(base)->second.shape_at(offset, bytes)) return shape;
    return {};
  }

 private:
  void note(const Instruction& i) {
    if (auto* const store = dyn_cast<StoreInst>(&i)) {
      const stored_at to = place_of(store->getPointerOperand(), layout_);
      if (auto* const value = dyn_cast<Constant>(store->getValueOperand()))
        written(to.base).set(to.offset, *value, layout_);
      else
        written(to.base).forget(to.offset, layout_.getTypeStoreSize(store->getValueOperand()->getType()));
    } else if (auto* const copy = dyn_cast<MemCpyInst>(&i)) {
      const stored_at to = place_of(copy->getDest(), layout_), from = place_of(copy->getSource(), layout_);
      auto* const constant = dyn_cast<GlobalVariable>(from.base);
      if (constant != nullptr && constant->isConstant() && constant->hasDefinitiveInitializer())
        written(to.base).set(to.offset - from.offset, *constant->getInitializer(), layout_);
      else if (const auto known = known_.find(from.base); known != known_.end() && from.offset == 0 && to.offset == 0)
        known_[to.base] = known_bytes(known->second), order_.push_back(to.base);
    }
  }
  known_bytes& written(const Value* base) {
    if (order_.empty() || order_.back() != base) order_.push_back(base);
    return known_[base];
  }

  const DataLayout& layout_;
  MapVector<const Value*, known_bytes> known_;
  SmallVector<const Value*> order_;
};

// True: of all who make the launch.
bool find_stored(const CallBase& launch, const shape_place& place, int depth, SmallVector<block_shape>& found) {
  const Function& f = *launch.getFunction();
  const DataLayout& layout = f.getParent()->getDataLayout();
  const auto add = [&](const std::optional<block_shape>& shape) {
    if (shape && !is_contained(found, *shape)) found.push_back(*shape);
    return shape.has_value();
  };
  const stored_at at = place_of(place.at, layout);
  const std::int64_t offset = at.offset + place.offset;
  if (add(stores_before(launch).at(at.base, offset, place.bytes))) return true;
  if (depth > kDeepestCaller || isa<AllocaInst>(at.base)) return false;
  const auto* const given = dyn_cast<Argument>(at.base);
  bool all = f.hasLocalLinkage() || f.hasLinkOnceLinkage();  // templates are of whoever uses them
  for (const Use& use : f.uses()) {
    const auto* const user = dyn_cast<Instruction>(use.getUser());
    const auto* const call = dyn_cast_or_null<CallBase>(user);
    if (user == nullptr || user->getFunction() == &f)
      all = false;
    else if (call != nullptr && call->isCallee(&use) && given != nullptr)
      all &= find_stored(*call, {call->getArgOperand(given->getArgNo()), offset, place.bytes}, depth + 1, found);
    else
      all &= add(stores_before(*user).last(offset, place.bytes));
  }
  return all;
}

}  // namespace

stored_shapes find_stored_shapes(const CallBase& launch, const shape_place& place) {
  stored_shapes made;
  made.all_known = find_stored(launch, place, 0, made.found) && !made.found.empty();
  return made;
}

}  // namespace simt::compile
