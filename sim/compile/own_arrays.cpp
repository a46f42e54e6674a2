// SPDX-License-Identifier: Apache-2.0
#include "own_arrays.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "engine_calls.hpp"
#include "host_overflow.hpp"
#include "loop_bodies.hpp"
#include "markers.hpp"
#include "user_code.hpp"
#include "watched_region.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char* kGuarded = "simt.guarded";      // of an access: it has been asked about
constexpr unsigned kMostPartsOfAddress = 64;          // of the values that an address is made of
constexpr std::uint64_t kLargestVariable = 1U << 24;  // of variables, in bytes: no sum of offsets wraps

// The variable that an address leads to, whichever way was taken; null: several, or another kind of memory.
class one_variable {
 public:
  explicit one_variable(Value* address) { good_ = follow(address) && found_ != nullptr; }
  AllocaInst* get() const { return good_ ? found_ : nullptr; }
  bool is_computed() const { return computed_; }

 private:
  bool follow(Value* v) {
    if (!seen_.insert(v).second) return true;
    if (seen_.size() > kMostPartsOfAddress) return false;
    if (auto* const variable = dyn_cast<AllocaInst>(v)) {
      if (found_ != nullptr && found_ != variable) return false;
      found_ = variable;
      return true;
    }
    if (auto* const step = dyn_cast<GetElementPtrInst>(v)) {
      computed_ |= !step->hasAllConstantIndices();
      return !step->getType()->isVectorTy() && follow(step->getPointerOperand());
    }
    if (auto* const way = dyn_cast<PHINode>(v)) {
      computed_ = true;
      return all_of(way->incoming_values(), [&](Value* in) { return follow(in); });
    }
    if (auto* const choice = dyn_cast<SelectInst>(v)) {
      computed_ = true;
      return follow(choice->getTrueValue()) && follow(choice->getFalseValue());
    }
    return false;
  }

  SmallPtrSet<Value*, 8> seen_;
  AllocaInst* found_ = nullptr;
  bool computed_ = false, good_ = false;
};

// How many bytes behind the variable's start an address lies.
class places_in_variable {
 public:
  explicit places_in_variable(const DataLayout& layout) : layout_(layout) {}

  Value* of(Value* address) {
    Type* const number = Type::getInt64Ty(address->getContext());
    if (isa<AllocaInst>(address)) return ConstantInt::get(number, 0);
    if (Value* const known = known_.lookup(address)) return known;
    if (auto* const way = dyn_cast<PHINode>(address)) {
      PHINode* const sum = IRBuilder<>(way).CreatePHI(number, way->getNumIncomingValues());
      known_[address] = sum;
      for (unsigned i = 0; i < way->getNumIncomingValues(); ++i)
        sum->addIncoming(of(way->getIncomingValue(i)), way->getIncomingBlock(i));
      return sum;
    }
    if (auto* const choice = dyn_cast<SelectInst>(address)) {
      Value *const first = of(choice->getTrueValue()), *const second = of(choice->getFalseValue());
      return known_[address] = IRBuilder<>(choice).CreateSelect(choice->getCondition(), first, second);
    }
    auto* const step = cast<GetElementPtrInst>(address);
    Value* const before = of(step->getPointerOperand());
    IRBuilder<> b(step);
    return known_[address] = add(b, before, *step);
  }

 private:
  // All indices are of 64 bits. What is made of ints does not wrap, which LLVM's proofs need to know.
  Value* add(IRBuilder<>& b, Value* sum, GetElementPtrInst& step) {
    std::int64_t fixed = 0;
    for (gep_type_iterator at = gep_type_begin(step), end = gep_type_end(step); at != end; ++at) {
      if (StructType* const type = at.getStructTypeOrNull()) {
        const auto member = cast<ConstantInt>(at.getOperand())->getZExtValue();
        const std::uint64_t offset = layout_.getStructLayout(type)->getElementOffset(static_cast<unsigned>(member));
        fixed += static_cast<std::int64_t>(offset);
        continue;
      }
      const std::uint64_t size = layout_.getTypeAllocSize(at.getIndexedType()).getFixedValue();
      Value* const index = b.CreateSExtOrTrunc(at.getOperand(), b.getInt64Ty());
      if (auto* const constant = dyn_cast<ConstantInt>(index)) {
        fixed += constant->getSExtValue() * static_cast<std::int64_t>(size);
        continue;
      }
      const bool small = size < kLargestVariable && ComputeNumSignBits(index, layout_) > 31;
      sum = b.CreateAdd(sum, b.CreateMul(index, b.getInt64(size), "", false, small));
    }
    return fixed == 0 ? sum : b.CreateAdd(sum, b.getInt64(static_cast<std::uint64_t>(fixed)));
  }

  const DataLayout& layout_;
  DenseMap<Value*, Value*> known_;
};

// An element of a plain array by one index, for which a comparison of the index is enough: what LLVM can fold most of.
Value* question_of_index(IRBuilder<>& b, Value* address, std::uint64_t bytes, std::uint64_t size,
                         const DataLayout& layout) {
  auto* const step = dyn_cast<GetElementPtrInst>(address);
  if (step == nullptr || !isa<AllocaInst>(step->getPointerOperand())) return nullptr;
  Value* index = nullptr;
  std::uint64_t stride = 0;
  for (gep_type_iterator at = gep_type_begin(*step), end = gep_type_end(*step); at != end; ++at) {
    if (at.isStruct()) return nullptr;
    if (auto* const constant = dyn_cast<ConstantInt>(at.getOperand()); constant != nullptr && constant->isZero())
      continue;
    if (index != nullptr || isa<ConstantInt>(at.getOperand())) return nullptr;
    index = at.getOperand();
    stride = layout.getTypeAllocSize(at.getIndexedType()).getFixedValue();
  }
  if (index == nullptr || stride == 0 || bytes > stride || size % stride != 0) return nullptr;
  return b.CreateICmpULT(b.CreateSExtOrTrunc(index, b.getInt64Ty()), b.getInt64(size / stride));
}

std::string name_of_variable(AllocaInst& variable) {
  DILocalVariable* named = nullptr;
#if LLVM_VERSION_MAJOR >= 19
  for (DbgVariableRecord* r : at::getDVRAssignmentMarkers(&variable)) named = r->getVariable();
  for (DbgVariableRecord* r : findDVRDeclares(&variable)) named = r->getVariable();
#endif
#if LLVM_VERSION_MAJOR >= 18 && LLVM_VERSION_MAJOR < 22
  for (DbgAssignIntrinsic* r : at::getAssignmentMarkers(&variable)) named = r->getVariable();
  for (DbgDeclareInst* r : findDbgDeclares(&variable)) named = r->getVariable();
#endif
  return named == nullptr ? std::string() : named->getName().str();
}

// What the runtime is told of a variable: sim/instrument/own_array_runtime.cpp. Its name, bytes, those of an element
// of an array, and its extents, outermost first, behind their number.
Constant* description_of(AllocaInst& variable, std::uint64_t size, const DataLayout& layout) {
  Module& m = *variable.getModule();
  LLVMContext& c = m.getContext();
  Type* const number = Type::getInt64Ty(c);
  SmallVector<Constant*> extents;
  Type* type = variable.getAllocatedType();
  for (auto* array = dyn_cast<ArrayType>(type); array != nullptr; array = dyn_cast<ArrayType>(type)) {
    extents.push_back(ConstantInt::get(number, array->getNumElements()));
    type = array->getElementType();
  }
  const auto constant = [&](Constant* value, const char* name) {
    auto* const g = new GlobalVariable(m, value->getType(), true, GlobalValue::PrivateLinkage, value, name);
    g->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return g;
  };
  SmallVector<Constant*> members{constant(ConstantDataArray::getString(c, name_of_variable(variable)), "simt.own.name"),
                                 ConstantInt::get(number, size),
                                 ConstantInt::get(number, layout.getTypeAllocSize(type).getFixedValue()),
                                 ConstantInt::get(number, extents.size())};
  members.append(extents);
  return constant(ConstantStruct::getAnon(c, members), "simt.own.array");
}

FunctionCallee report_of_own_array(Module& m) {
  LLVMContext& c = m.getContext();
  Type* const number = Type::getInt64Ty(c);
  FunctionCallee f = m.getOrInsertFunction(kOutsideOwnArray, Type::getVoidTy(c), PointerType::getUnqual(c), number,
                                           number, Type::getInt1Ty(c));
  auto* const declared = cast<Function>(f.getCallee());
  for (const auto attribute : {Attribute::Cold, Attribute::NoInline, Attribute::NoUnwind, Attribute::WillReturn})
    declared->addFnAttr(attribute);
  declared->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
  return f;
}

struct guarded_access {
  Instruction* made;
  Value* address;
  AllocaInst* variable;
  std::uint64_t bytes, size;
  bool write;
};

class own_array_guards {
 public:
  explicit own_array_guards(Function& f) : f_(f), layout_(f.getParent()->getDataLayout()), offsets_(layout_) {}

  bool run() {
    for (Instruction& i : instructions(f_)) find(i);
    for (const guarded_access& a : found_) guard(a);
    return !found_.empty();
  }

 private:
  void find(Instruction& i) {
    if (i.getMetadata(kGuarded) != nullptr || i.isAtomic() || !is_of_user(i.getDebugLoc().get())) return;
    if (Value* const address = getLoadStorePointerOperand(&i)) {
      const TypeSize bytes = layout_.getTypeStoreSize(getLoadStoreType(&i));
      if (!bytes.isScalable()) note(i, address, bytes.getFixedValue(), isa<StoreInst>(i));
    } else if (auto* const whole = dyn_cast<MemIntrinsic>(&i)) {
      auto* const length = dyn_cast<ConstantInt>(whole->getLength());
      if (length == nullptr) return;
      note(i, whole->getRawDest(), length->getZExtValue(), true);
      if (auto* const copy = dyn_cast<MemTransferInst>(whole))
        note(i, copy->getRawSource(), length->getZExtValue(), false);
    }
  }

  void note(Instruction& i, Value* address, std::uint64_t bytes, bool write) {
    const one_variable to(address);
    AllocaInst* const variable = to.get();
    if (variable == nullptr || !to.is_computed() || !variable->isStaticAlloca() || bytes == 0) return;
    const auto size = variable->getAllocationSize(layout_);
    if (!size || size->isScalable() || size->getFixedValue() > kLargestVariable || size->getFixedValue() < bytes)
      return;
    found_.push_back({&i, address, variable, bytes, size->getFixedValue(), write});
  }

  void guard(const guarded_access& a) {
    LLVMContext& c = f_.getContext();
    a.made->setMetadata(kGuarded, MDNode::get(c, {}));
    Value* const offset = offsets_.of(a.address);
    IRBuilder<> b(a.made);
    Value* within = question_of_index(b, a.address, a.bytes, a.size, layout_);
    if (within == nullptr) within = b.CreateICmpULE(offset, b.getInt64(a.size - a.bytes));
    Instruction *then = nullptr, *otherwise = nullptr;
    SplitBlockAndInsertIfThenElse(within, a.made, &then, &otherwise, MDBuilder(c).createBranchWeights(1 << 20, 1));
    Instruction* const behind = a.made->getNextNode();
    a.made->moveBefore(then);
    IRBuilder<> cold(otherwise);
    cold.SetCurrentDebugLocation(a.made->getDebugLoc());
    Constant*& told = descriptions_[a.variable];
    if (told == nullptr) told = description_of(*a.variable, a.size, layout_);
    CallInst* const call = cold.CreateCall(report_of_own_array(*f_.getParent()),
                                           {told, offset, cold.getInt64(a.bytes), cold.getInt1(a.write)});
    call->setTailCallKind(CallInst::TCK_NoTail);
    call->addFnAttr(Attribute::Cold);
    call->addFnAttr(Attribute::NoMerge);
    if (a.made->getType()->isVoidTy() || a.made->use_empty()) return;
    PHINode* const value =
        IRBuilder<>(behind->getParent(), behind->getParent()->begin()).CreatePHI(a.made->getType(), 2);
    a.made->replaceAllUsesWith(value);
    value->addIncoming(a.made, then->getParent());
    value->addIncoming(Constant::getNullValue(a.made->getType()), otherwise->getParent());
  }

  Function& f_;
  const DataLayout& layout_;
  places_in_variable offsets_;
  SmallVector<guarded_access> found_;
  DenseMap<AllocaInst*, Constant*> descriptions_;
};

}  // namespace

bool guard_own_arrays(Function& f) {
  if (!is_watched(f) || !is_of_device(f) || is_counted(*f.getParent()) || is_loops_of_block(f)) return false;
  return own_array_guards(f).run();
}

}  // namespace simt::compile
