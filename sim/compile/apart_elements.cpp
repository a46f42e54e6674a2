// SPDX-License-Identifier: Apache-2.0
#include "apart_elements.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>

#include "canonical_form.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr unsigned kMostBases = 8;
constexpr std::uint64_t kLargestElement = 1024;                // bytes
constexpr std::int64_t kWidest = std::int64_t{1} << 30;        // a thread's place fits into an int
constexpr std::int64_t kLargestIndex = std::int64_t{1} << 50;  // no address wraps
constexpr std::int64_t kAlike = 64;                            // elements: blocks begin at whole vectors

// Bytes of [low, low + bytes) behind base, and behind base + size * index if size is not 0.
struct place {
  Value* base;
  std::uint64_t size, low, bytes;
};
// All that is accessed behind a base.
struct accessed {
  std::uint64_t size, bytes;
  bool stored;
};

class element_finder {
 public:
  element_finder(const kernel_form& k, const turn_loop& t)
      : k_(k), t_(t), layout_(k.f.getParent()->getDataLayout()), b_(k.entry->getTerminator()) {}

  Value* run() {
    for (BasicBlock* bb : t_.loop->blocks())
      for (Instruction& i : *bb)
        if (i.mayReadOrWriteMemory() && !take(i)) return nullptr;
    for (BasicBlock& bb : k_.f)  // what is read before the loop is read by all threads
      for (Instruction& i : bb)
        if (i.mayReadFromMemory() && !t_.loop->contains(&i) && &bb != k_.entry) return nullptr;
    if (arrays_.empty() || arrays_.size() > kMostBases) return nullptr;
    Value* all = b_.CreateICmpSLE(t_.by_stride->end, b_.getInt64(kLargestIndex));
    for (auto a = arrays_.begin(); a != arrays_.end(); ++a)
      for (auto b = std::next(a); b != arrays_.end(); ++b)
        if (a->second.stored || b->second.stored) all = b_.CreateAnd(all, are_apart(*a, *b));
    return all;
  }

 private:
  bool take(Instruction& i) {
    const bool stores = isa<StoreInst>(i);
    if (stores ? !cast<StoreInst>(i).isSimple() : !isa<LoadInst>(i) || !cast<LoadInst>(i).isSimple()) return false;
    const std::optional<place> at = place_of(getLoadStorePointerOperand(&i), getLoadStoreType(&i));
    if (!at || (stores && at->size == 0)) return false;
    const auto [known, fresh] = arrays_.insert({at->base, accessed{at->size, 0, false}});
    accessed& a = known->second;
    if (a.size != at->size) return false;
    a.bytes = std::max(a.bytes, at->low + at->bytes);
    a.stored |= stores;
    return true;
  }

  std::optional<place> place_of(Value* pointer, Type* type) const {
    const TypeSize bytes = layout_.getTypeStoreSize(type);
    if (bytes.isScalable()) return {};
    place at{pointer, 0, 0, bytes.getFixedValue()};
    const unsigned bits = layout_.getIndexTypeSizeInBits(pointer->getType());
    APInt low(bits, 0);
    while (auto* const element = dyn_cast<GEPOperator>(at.base)) {
      if (t_.loop->isLoopInvariant(element) && is_known_at_entry(k_, element)) break;
      MapVector<Value*, APInt> factors;
      if (!element->collectOffset(layout_, bits, factors, low)) return {};
      for (const auto& [v, factor] : factors) {
        if (!is_index(v) || at.size != 0 || !factor.isStrictlyPositive() || factor.ugt(kLargestElement)) return {};
        at.size = factor.getZExtValue();
      }
      at.base = element->getPointerOperand();
    }
    if (!is_known_at_entry(k_, at.base) || low.isNegative() || low.ugt(kLargestElement)) return {};
    at.low = low.getZExtValue();
    if (at.size != 0 && at.low + at.bytes > at.size) return {};  // reaches into the next element
    return at;
  }
  // The loop's index, also widened: where `holds` of its stride is true, it is not negative.
  bool is_index(const Value* v) const {
    while (isa<SExtInst>(v) || isa<ZExtInst>(v)) v = cast<CastInst>(v)->getOperand(0);
    return v == t_.by_stride->index;
  }

  Value* are_apart(const std::pair<Value*, accessed>& a, const std::pair<Value*, accessed>& b) {
    Value* const first = b_.CreatePtrToInt(a.first, b_.getInt64Ty());
    Value* const second = b_.CreatePtrToInt(b.first, b_.getInt64Ty());
    Value* const behind = b_.CreateICmpUGE(first, b_.CreateAdd(second, bytes_of(b.second)));
    Value* const before = b_.CreateICmpUGE(second, b_.CreateAdd(first, bytes_of(a.second)));
    Value* const apart = b_.CreateOr(behind, before);
    const bool alike = a.second.size == b.second.size && a.second.size != 0;
    return alike ? b_.CreateOr(apart, b_.CreateICmpEQ(first, second)) : apart;
  }
  Value* bytes_of(const accessed& a) {
    if (a.size == 0) return b_.getInt64(a.bytes);
    Value* const count = b_.CreateBinaryIntrinsic(Intrinsic::smax, t_.by_stride->end, b_.getInt64(0));
    return b_.CreateMul(count, b_.getInt64(a.size));
  }

  const kernel_form& k_;
  const turn_loop& t_;
  const DataLayout& layout_;
  IRBuilder<> b_;
  MapVector<Value*, accessed> arrays_;  // by their bases
};

// What v is made of in bb, operands first.
void add_sources(Value* v, const BasicBlock& bb, SmallSetVector<Instruction*, 32>& sources) {
  auto* const i = dyn_cast<Instruction>(v);
  if (i == nullptr || i->getParent() != &bb || sources.count(i) != 0) return;
  for (Use& o : i->operands()) add_sources(o.get(), bb, sources);
  sources.insert(i);
}

}  // namespace

apart_elements find_apart_elements(const kernel_form& k, const turn_loop& t) {
  Value* const hold = element_finder(k, t).run();
  return hold == nullptr ? apart_elements{} : apart_elements{hold, t.by_stride->end};
}

void make_one_turn(const kernel_form& k, const apart_elements& elements) {
  Argument* const width = k.f.getArg(parameter::extent);
  SmallSetVector<Instruction*, 32> sources;
  add_sources(elements.hold, *k.entry, sources);
  add_sources(elements.end, *k.entry, sources);
  if (any_of(sources, [&](const Instruction* i) {
        return isa<PHINode>(i) || isa<AllocaInst>(i) || i->mayHaveSideEffects() ||
               is_contained(i->operands(), static_cast<Value*>(width));
      }))
    return;
  // In front of all that is made of the width.
  const auto is_first = [&](Instruction& i) { return !isa<AllocaInst>(i) && sources.count(&i) == 0; };
  Instruction* const at = &*find_if(*k.entry, is_first);
  for (Instruction* i : sources)
    if (at->comesBefore(i)) i->moveBefore(at);
  IRBuilder<> b(at);
  Value* const blocks = k.f.getArg(parameter::grid);
  Value* const all = b.CreateBinaryIntrinsic(Intrinsic::smax, elements.end, b.getInt64(0));
  Value* const part = b.CreateUDiv(b.CreateAdd(all, b.CreateSub(blocks, b.getInt64(1))), blocks);
  Value* const up = b.CreateAnd(b.CreateAdd(part, b.getInt64(kAlike - 1)), b.getInt64(-kAlike));
  Value* const some = b.CreateBinaryIntrinsic(Intrinsic::umin, up, b.getInt64(kWidest));
  Value* const wide = b.CreateBinaryIntrinsic(Intrinsic::umax, some, width);
  Value* const made = b.CreateSelect(elements.hold, wide, width, "width");
  const SmallPtrSet<Value*, 2> own{wide, made};
  width->replaceUsesWithIf(made, [&](Use& u) { return own.count(u.getUser()) == 0; });
}

}  // namespace simt::compile
