// SPDX-License-Identifier: Apache-2.0
#include "worker_sums.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

#include "canonical_form.hpp"
#include "engine_calls.hpp"
#include "loop_bodies.hpp"
#include "markers.hpp"
#include "range_apart.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char *kAskedForSums = "simt.worker_sums", *kKept = "kept";
constexpr unsigned kMostSums = 4, kMostOthers = 24;

// As simt::sim::sum_operation.
enum class sum_operation : unsigned { add, or_, xor_, and_ };
std::optional<sum_operation> operation_of(const AtomicRMWInst& update) {
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return sum_operation::add;
    case AtomicRMWInst::Or:
      return sum_operation::or_;
    case AtomicRMWInst::Xor:
      return sum_operation::xor_;
    case AtomicRMWInst::And:
      return sum_operation::and_;
    default:
      return std::nullopt;
  }
}

// The number of its sum_kind; none: it stays where it is.
std::optional<unsigned> kind_of(const AtomicRMWInst& update) {
  Type* const type = update.getValOperand()->getType();
  const auto what = operation_of(update);
  if (!what || !update.use_empty() || update.isVolatile() || update.getPointerAddressSpace() != 0) return std::nullopt;
  if (!type->isIntegerTy(32) && !type->isIntegerTy(64)) return std::nullopt;
  return static_cast<unsigned>(*what) * 2 + (type->isIntegerTy(64) ? 1 : 0);
}

// What the engine does for a warp in arrays on the kernel's stack.
bool is_about_lanes(StringRef name) {
  return name == "simt_loop_warp" || name == "simt_loop_warp_of_masks" || name == "simt_loop_masks";
}

// What the loop over threads may call: whoever leaves the kernel, lets others run, or reports an index.
bool is_known_call(const CallBase& call) {
  const Function* const f = call.getCalledFunction();
  if (f == nullptr) return false;
  if (!call.mayReadOrWriteMemory() || is_math(*f) || is_report_of_index(*f)) return true;
  if (const auto* i = dyn_cast<IntrinsicInst>(&call))
    return i->isAssumeLikeIntrinsic() || i->getIntrinsicID() == Intrinsic::prefetch;
  const StringRef name = f->getName();
  return name.starts_with("_ZN4simt3sim12yield_threadE") || name.starts_with("_ZN4simt3sim11note_thrownE") ||
         name.starts_with("_ZN4simt3sim12leave_launchE") || name == kSharedArray || name == "__cxa_begin_catch" ||
         name == "__cxa_end_catch" || name == "__clang_call_terminate" || is_about_lanes(name);
}

struct kept_update {
  AtomicRMWInst* at;
  Value* base;
  unsigned kind;
};

// Of all accesses of a function: the updates, and where the others begin.
class all_accesses {
 public:
  explicit all_accesses(Function& f) : engine_(engine_object(f)) {
    for (Instruction& i : instructions(f))
      if (!sort(i)) {
        understood = false;
        return;
      }
  }

  bool understood = true;
  SmallVector<kept_update> updates;
  SmallSetVector<Value*, 16> others;

 private:
  // The engine's fiber, which the loop over threads tells by volatile stores how far it has come: where it has stored
  // the address of its range.
  static const Value* engine_object(Function& f) {
    const AllocaInst* const range = range_of(f);
    if (range == nullptr) return nullptr;
    for (const User* u : range->users())
      if (auto* store = dyn_cast<StoreInst>(u); store != nullptr && store->getValueOperand() == range)
        return getUnderlyingObject(store->getPointerOperand(), 0);
    return nullptr;
  }

  // What the kernel has on its stack, what lies in the module, and shared memory are no device memory.
  void add_other(const Value* address) {
    auto* const object = const_cast<Value*>(getUnderlyingObject(address, 0));
    if (isa<AllocaInst>(object) || isa<GlobalVariable>(object)) return;
    if (auto* call = dyn_cast<CallBase>(object); call != nullptr && call->getCalledFunction() != nullptr)
      if (call->getCalledFunction()->getName() == kSharedArray) return;
    others.insert(object);
  }

  bool sort(Instruction& i) {
    if (auto* update = dyn_cast<AtomicRMWInst>(&i)) {
      const auto kind = kind_of(*update);
      if (!kind) return false;
      updates.push_back({update, const_cast<Value*>(getUnderlyingObject(update->getPointerOperand(), 0)), *kind});
      return true;
    }
    if (const Value* const address = getLoadStorePointerOperand(&i)) {
      if (i.isAtomic()) return false;
      if (i.isVolatile()) return engine_ != nullptr && getUnderlyingObject(address, 0) == engine_;
      add_other(address);
      return true;
    }
    if (auto* const whole = dyn_cast<MemIntrinsic>(&i)) {
      if (whole->isVolatile()) return false;
      add_other(whole->getDest());
      if (auto* const copy = dyn_cast<MemTransferInst>(whole)) add_other(copy->getSource());
      return true;
    }
    if (auto* const call = dyn_cast<CallBase>(&i)) return is_known_call(*call) || is_same_block(*call);
    return !i.mayReadOrWriteMemory();
  }

  // The rest of the function is the same block's loops in another copy, which runs in place of these.
  static bool is_same_block(const CallBase& call) {
    Function* const f = call.getCalledFunction();
    if (f == nullptr || f == call.getFunction() || f->isDeclaration() || !is_loops_of_block(*f)) return false;
    if (f->hasFnAttribute(kAskedForSums)) return f->getFnAttribute(kAskedForSums).getValueAsString() == kKept;
    return all_of(instructions(*f), [](Instruction& i) {
      if (auto* update = dyn_cast<AtomicRMWInst>(&i)) return kind_of(*update).has_value();
      if (auto* inner = dyn_cast<CallBase>(&i))
        if (!isa<MemIntrinsic>(&i)) return is_known_call(*inner);
      return !i.isAtomic() && !i.isVolatile();
    });
  }

  const Value* engine_;
};

// Makes pointers known where a function begins.
class entry_values {
 public:
  entry_values(Function& f, const DominatorTree& dominators) : at_(f.getEntryBlock().getTerminator()), in_(dominators) {
    for (Instruction& i : reverse(f.getEntryBlock()))
      if (isa<AtomicRMWInst>(i)) at_ = &i;
  }
  // In front of all updates.
  Instruction* place() const { return at_; }

  // Null: it is not known there.
  Value* of(Value* v) {
    if (isa<Argument>(v)) return v;
    auto* const i = dyn_cast<Instruction>(v);
    if (i == nullptr) return nullptr;
    if (in_.dominates(i, at_)) return i;
    Value*& known = made_[v];
    if (known == nullptr) known = read_again(*i);
    return known;
  }

 private:
  // A member of what does not change while a kernel runs: its parameters, and a reference to a device variable.
  Value* read_again(Instruction& i) {
    auto* const load = dyn_cast<LoadInst>(&i);
    if (load == nullptr || !load->isSimple()) return nullptr;
    APInt offset(64, 0);
    const DataLayout& layout = load->getModule()->getDataLayout();
    Value* const whole = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    const auto* const argument = dyn_cast<Argument>(whole);
    const bool is_parameter =
        argument != nullptr && is_loops_of_block(*argument->getParent()) && argument->getArgNo() == parameter::args;
    if (!is_parameter && !is_device_reference(whole)) return nullptr;
    IRBuilder<> b(at_);
    Value* const from = b.CreateConstGEP1_64(b.getInt8Ty(), whole, offset.getSExtValue());
    return b.CreateAlignedLoad(load->getType(), from, load->getAlign());
  }

  Instruction* at_;
  const DominatorTree& in_;
  DenseMap<Value*, Value*> made_;
};

struct open_copy {
  Value* base;
  unsigned kind;
  Value *first, *words, *copy;
};

class keeper {
 public:
  keeper(Function& f, const all_accesses& of, entry_values& entry) : f_(f), of_(of), entry_(entry) {}

  bool prepare() {
    for (const kept_update& u : of_.updates) {
      if (!is_known(u.base)) return false;
      if (copy_of(u) == nullptr) copies_.push_back({u.base, u.kind, nullptr, nullptr, nullptr});
    }
    return copies_.size() <= kMostSums && of_.others.size() <= kMostOthers &&
           all_of(of_.others, [&](Value* v) { return is_known(v); });
  }
  void run() {
    for (open_copy& c : copies_) open(c);
    for (const kept_update& u : of_.updates) replace(u, *copy_of(u));
  }

 private:
  bool is_known(Value* v) { return entry_.of(v) != nullptr; }
  open_copy* copy_of(const kept_update& u) {
    for (open_copy& c : copies_)
      if (c.base == u.base && c.kind == u.kind) return &c;
    return nullptr;
  }

  void open(open_copy& c) {
    LLVMContext& context = f_.getContext();
    SmallVector<Value*> others(of_.others.begin(), of_.others.end());
    for (const open_copy& other : copies_)
      if (other.kind != c.kind) others.push_back(other.base);
    IRBuilder<> on_stack(&*f_.getEntryBlock().getFirstInsertionPt());
    Type *const pointer = on_stack.getPtrTy(), *const number = on_stack.getInt64Ty();
    auto* const sum_type = StructType::get(context, {number, number, pointer});
    auto* const list_type = ArrayType::get(pointer, std::max<std::size_t>(others.size(), 1));
    AllocaInst* const sum = on_stack.CreateAlloca(sum_type, nullptr, "sum");
    AllocaInst* const list = on_stack.CreateAlloca(list_type, nullptr, "others");
    IRBuilder<> b(entry_.place());
    for (unsigned i = 0; i < others.size(); ++i)
      b.CreateStore(entry_.of(others[i]), b.CreateConstInBoundsGEP2_32(list_type, list, 0, i));
    Type* const half = b.getInt32Ty();
    const FunctionCallee ask = f_.getParent()->getOrInsertFunction(
        "simt_worker_sum", FunctionType::get(b.getVoidTy(), {pointer, pointer, half, pointer, half}, false));
    b.CreateCall(ask, {sum, entry_.of(c.base), b.getInt32(c.kind), list, b.getInt32(others.size())});
    const auto member = [&](unsigned k, Type* type) { return b.CreateLoad(type, b.CreateStructGEP(sum_type, sum, k)); };
    c.first = member(0, number);
    c.words = member(1, number);
    c.copy = member(2, pointer);
  }

  // One instruction, so that no signal suspends the thread halfway (sim/exec/preempt.cpp); and nothing that the
  // vectoriser takes for an access that other threads of the loop do not make.
  static void update_copy(IRBuilder<>& b, AtomicRMWInst& update, Value* slot) {
    const char* name = "";
    switch (update.getOperation()) {
      case AtomicRMWInst::Add:
        name = "add";
        break;
      case AtomicRMWInst::Sub:
        name = "sub";
        break;
      case AtomicRMWInst::Or:
        name = "or";
        break;
      case AtomicRMWInst::Xor:
        name = "xor";
        break;
      default:
        name = "and";
        break;
    }
    Type* const type = update.getValOperand()->getType();
    const bool wide = type->isIntegerTy(64);
    const std::string text = std::string(name) + (wide ? "q $1, $0" : "l $1, $0");
    auto* const how = FunctionType::get(b.getVoidTy(), {b.getPtrTy(), type, b.getPtrTy()}, false);
    auto* const code = InlineAsm::get(
        how, text,
        wide ? "=*m,er,*m,~{memory},~{dirflag},~{fpsr},~{flags}" : "=*m,ir,*m,~{memory},~{dirflag},~{fpsr},~{flags}",
        true);
    CallInst* const call = b.CreateCall(how, code, {slot, update.getValOperand(), slot});
    const Attribute what = Attribute::get(b.getContext(), Attribute::ElementType, type);
    call->addParamAttr(0, what);
    call->addParamAttr(2, what);
    call->setDoesNotThrow();
  }

  void replace(const kept_update& u, const open_copy& c) {
    AtomicRMWInst& update = *u.at;
    IRBuilder<> b(&update);
    Type* const number = b.getInt64Ty();
    Value* const offset = b.CreateSub(b.CreatePtrToInt(update.getPointerOperand(), number), c.first);
    // Rotated: of an address that is no multiple of the size, the low bits make a large number.
    const bool wide = update.getValOperand()->getType()->isIntegerTy(64);
    Value* const index = b.CreateIntrinsic(Intrinsic::fshr, {number}, {offset, offset, b.getInt64(wide ? 3 : 2)});
    Value* const in_copy = b.CreateICmpULT(index, c.words);
    Instruction *to_copy = nullptr, *to_memory = nullptr;
    SplitBlockAndInsertIfThenElse(in_copy, &update, &to_copy, &to_memory);
    update.moveBefore(to_memory);
    b.SetInsertPoint(to_copy);
    update_copy(b, update, b.CreateInBoundsGEP(update.getValOperand()->getType(), c.copy, index));
  }

  Function& f_;
  const all_accesses& of_;
  entry_values& entry_;
  SmallVector<open_copy> copies_;
};

}  // namespace

bool has_unread_updates(const Function& f) {
  bool found = false;
  for (const Instruction& i : instructions(f)) {
    const auto* const update = dyn_cast<AtomicRMWInst>(&i);
    if (update == nullptr) {
      if (i.isAtomic() || i.isVolatile()) return false;
      continue;
    }
    const Value* const object = getUnderlyingObject(update->getPointerOperand(), 0);
    const bool shared = is_shared_array(object);
    if (!kind_of(*update) && !shared) return false;
    found = found || !shared;
  }
  return found;
}

bool keep_sums_with_worker(Function& f, const DominatorTree& dominators) {
  if (f.hasFnAttribute(kAskedForSums) || f.hasFnAttribute(Attribute::SanitizeThread)) return false;
  if (range_of(f) == nullptr && !is_loops_of_block(f)) return false;
  if (Triple(f.getParent()->getTargetTriple()).getArch() != Triple::x86_64 || is_counted(*f.getParent())) return false;
  f.addFnAttr(kAskedForSums);
  const all_accesses of(f);
  if (!of.understood || of.updates.empty()) return false;
  entry_values entry(f, dominators);
  keeper k(f, of, entry);
  if (!k.prepare()) return true;  // something may have been read again
  k.run();
  f.addFnAttr(kAskedForSums, kKept);
  return true;
}

}  // namespace simt::compile
