// SPDX-License-Identifier: Apache-2.0
#include "read_only.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "canonical_form.hpp"
#include "engine_calls.hpp"
#include "hidden.hpp"
#include "markers.hpp"
#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr std::size_t kMostArrays = 16;  // kMostReadOnly of sim/instrument/read_only.hpp, of either kind
constexpr unsigned kWordsOfArray = 5;    // quiet_array

// A pointer that is the same for the whole launch, and that the host may have chosen.
bool is_parameter(const kernel_form& k, const Value* object) {
  if (auto* g = dyn_cast<GlobalVariable>(object)) return !g->isConstant();
  auto* load = dyn_cast<LoadInst>(object);
  if (load == nullptr || load->getParent() != k.entry || !load->getType()->isPointerTy()) return false;
  const Value* const from = getUnderlyingObject(load->getPointerOperand(), 0);
  return from == k.f.getArg(parameter::args) || is_device_reference(from);
}
// Memory of the thread or of the block: it is not in any allocation.
bool is_own_memory(const Value* object) { return isa<AllocaInst>(object) || is_shared_array(object); }
// Where an access with an index outside of its view goes. Nearly never made; the runtime sees by its address what it
// does to an array that is only read.
bool is_outside_of_view(const Value* object) {
  auto* call = dyn_cast<CallBase>(object);
  return call != nullptr && call->getCalledFunction() != nullptr && is_report_of_index(*call->getCalledFunction());
}

// What `at` may point into, but for those places. clang freezes a pointer whose element a condition decides about.
SmallVector<const Value*, 4> pointed_into(const Value* at) {
  SmallVector<const Value*, 4> objects, frozen{at};
  for (std::size_t i = 0; i < frozen.size(); ++i) {
    SmallVector<const Value*, 4> found;
    getUnderlyingObjects(frozen[i], found, nullptr, 0);
    for (const Value* o : found) {
      auto* const freeze = dyn_cast<FreezeInst>(o);
      auto& to = freeze != nullptr ? frozen : objects;
      const Value* const one = freeze != nullptr ? freeze->getOperand(0) : o;
      if (!is_contained(to, one)) to.push_back(one);
    }
  }
  erase_if(objects, is_outside_of_view);
  return objects;
}

// What a call writes through; `unknown` where that cannot be said.
enum class call_writes { nothing, first_argument, unknown };
call_writes what_is_written(const CallBase& call) {
  if (auto* memory = dyn_cast<MemIntrinsic>(&call)) {
    (void)memory;
    return call_writes::first_argument;
  }
  if (is_any_marker(&call) || is_block_marker(call) || call.onlyReadsMemory()) return call_writes::nothing;
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
    return intrinsic->mayWriteToMemory() && !intrinsic->onlyAccessesInaccessibleMemory() &&
                   !intrinsic->isAssumeLikeIntrinsic()
               ? call_writes::unknown
               : call_writes::nothing;
  const Function* const callee = call.getCalledFunction();
  if (callee == nullptr) return call_writes::unknown;
  if (is_math(*callee)) return call_writes::nothing;
  switch (engine_call_of(*callee)) {
    case engine_call::report:
      return call_writes::nothing;
    case engine_call::atomic:
      return call.arg_size() > 0 && call.getArgOperand(0)->getType()->isPointerTy() ? call_writes::first_argument
                                                                                    : call_writes::nothing;
    default:
      break;
  }
  const bool of_engine = callee->isDeclaration() && callee->getName().contains("4simt");
  if (is_report_of_index(*callee)) return call_writes::nothing;
  if (is_report_of_pass(*callee) || (of_engine && is_cold_report(*callee))) return call_writes::nothing;
  return call_writes::unknown;
}

unsigned bits_of(std::uint64_t size) { return static_cast<unsigned>(Log2_64(size)); }

// The bytes that the sanitizer's usual announcement is for; 0: another one is, or none.
std::uint64_t bytes_of(const LoadInst& load, const DataLayout& layout) {
  if (!load.isSimple() || load.getPointerAddressSpace() != 0) return 0;
  const TypeSize bits = layout.getTypeStoreSizeInBits(load.getType());
  if (bits.isScalable()) return 0;
  const std::uint64_t size = bits.getFixedValue() / 8;
  const bool usual = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  return usual && load.getAlign().value() >= std::min<std::uint64_t>(size, 8) ? size : 0;
}

// Through which pointer it reads, where that may be silent or proved; null: it does not.
const Value* read_by(const Instruction& i) {
  if (is_copy_in_pieces(i)) return cast<MemCpyInst>(i).getRawSource();
  if (copy_call_of(i) == copy_call::issue) return cast<CallInst>(i).getArgOperand(2);
  auto* load = dyn_cast<LoadInst>(&i);
  return load != nullptr && bytes_of(*load, i.getModule()->getDataLayout()) != 0 ? load->getPointerOperand() : nullptr;
}

}  // namespace

read_only_arrays::read_only_arrays(const kernel_form& k) {
  known_ = !is_counted(*k.f.getParent()) && find_written(k);  // each access is to be told
  if (known_) find_read(k);
}

bool read_only_arrays::find_written(const kernel_form& k) {
  const auto add = [&](const Value* at) {
    const auto objects = pointed_into(at);
    for (const Value* o : objects) {
      if (is_own_memory(o)) continue;
      if (!is_parameter(k, o)) return false;
      if (none_of(written_, [&](const WeakTrackingVH& w) { return w == o; }))
        written_.emplace_back(const_cast<Value*>(o));
    }
    return !objects.empty() && written_.size() <= kMostArrays;
  };
  for (Instruction& i : instructions(k.f)) {
    if (auto* call = dyn_cast<CallBase>(&i)) {
      const call_writes what = what_is_written(*call);
      if (what == call_writes::unknown || (what == call_writes::first_argument && !add(call->getArgOperand(0))))
        return false;
    } else if (auto* store = dyn_cast<StoreInst>(&i)) {
      if (!add(store->getPointerOperand())) return false;
    } else if (i.mayWriteToMemory() && !isa<LoadInst>(i) && !isa<FenceInst>(i)) {
      return false;
    }
  }
  return true;
}

void read_only_arrays::find_read(const kernel_form& k) {
  for (Instruction& i : instructions(k.f)) {
    const Value* const at = read_by(i);
    if (at == nullptr || i.getParent() == k.entry) continue;
    const auto objects = pointed_into(at);
    if (objects.size() != 1 || !is_parameter(k, objects[0])) continue;
    const auto is_it = [&](const WeakTrackingVH& w) { return w == objects[0]; };
    if (any_of(written_, is_it) || any_of(read_, [&](const array& a) { return is_it(a.pointer); })) continue;
    if (read_.size() == kMostArrays) return;
    read_.push_back({WeakTrackingVH(const_cast<Value*>(objects[0]))});
  }
}

void read_only_arrays::ask(kernel_form& k) {
  if (!known_) return;
  LLVMContext& c = k.f.getContext();
  IRBuilder<> first(k.entry, k.entry->begin()), b(k.entry->getTerminator());
  b.SetCurrentDebugLocation(place_in_function(k.f));
  Type *const number = b.getInt64Ty(), *const pointer = PointerType::getUnqual(c), *const none = b.getVoidTy();
  auto* const written_type = ArrayType::get(number, std::max<std::size_t>(written_.size(), 1));
  auto* const read_type = ArrayType::get(number, std::max<std::size_t>(kWordsOfArray * read_.size(), 1));
  AllocaInst* const written = first.CreateAlloca(written_type, nullptr, "written");
  AllocaInst* const read = first.CreateAlloca(read_type, nullptr, "read");
  const auto word = [&](IRBuilder<>& at, AllocaInst* table, std::size_t i) {
    return at.CreateConstInBoundsGEP2_64(table->getAllocatedType(), table, 0, i);
  };
  for (std::size_t i = 0; i < written_.size(); ++i)
    hide(*b.CreateStore(b.CreatePtrToInt(written_[i], number), word(b, written, i)));
  for (std::size_t i = 0; i < read_.size(); ++i)
    hide(*b.CreateStore(b.CreatePtrToInt(read_[i].pointer, number), word(b, read, kWordsOfArray * i)));
  Module& m = *k.f.getParent();
  Value *const writes = b.getInt64(written_.size()), *const reads = b.getInt64(read_.size()),
               *const block = k.f.getArg(parameter::block);
  const auto runtime = [&](const char* name, ArrayRef<Type*> parameters) {
    FunctionCallee f = m.getOrInsertFunction(name, FunctionType::get(none, parameters, false));
    cast<Function>(f.getCallee())->setDoesNotThrow();
    return f;
  };
  b.CreateCall(runtime("simt_loop_read_only", {pointer, number, pointer, number, pointer}),
               {block, writes, written, reads, read});
  count_ = first.CreateAlloca(number, nullptr, "silent");
  hide(*b.CreateStore(b.getInt64(0), count_));
  for (std::size_t i = 0; i < read_.size(); ++i) {
    array& a = read_[i];
    const auto answer = [&](std::size_t at, const char* name) {
      LoadInst* const l = b.CreateLoad(number, word(b, read, kWordsOfArray * i + at), name);
      hide(*l);
      return l;
    };
    a.from = answer(1, "from");
    a.size = answer(2, "size");
    a.low = first.CreateAlloca(number, nullptr, "low");
    a.high = first.CreateAlloca(number, nullptr, "high");
    hide(*b.CreateStore(ConstantInt::getAllOnesValue(number), a.low));
    hide(*b.CreateStore(b.getInt64(0), a.high));
  }
  if (read_.empty()) return;
  IRBuilder<> last(k.leave->getTerminator());
  last.SetCurrentDebugLocation(place_in_function(k.f));
  const auto tell = [&](AllocaInst* from, std::size_t at) {
    LoadInst* const l = last.CreateLoad(number, from);
    hide(*l);
    hide(*last.CreateStore(l, word(last, read, at)));
  };
  for (std::size_t i = 0; i < read_.size(); ++i) {
    tell(read_[i].low, kWordsOfArray * i + 3);
    tell(read_[i].high, kWordsOfArray * i + 4);
  }
  LoadInst* const count = last.CreateLoad(number, count_);
  hide(*count);
  last.CreateCall(runtime("simt_loop_has_read", {pointer, number, pointer, number}), {block, reads, read, count});
}

const read_only_arrays::array* read_only_arrays::array_of(const Instruction& load) const {
  const auto objects = pointed_into(cast<LoadInst>(load).getPointerOperand());
  if (objects.size() != 1) return nullptr;
  for (const array& a : read_)
    if (a.pointer == objects[0]) return &a;
  return nullptr;
}

bool read_only_arrays::may_be_silent(const Instruction& i) const {
  auto* load = dyn_cast<LoadInst>(&i);
  return any() && load != nullptr && bytes_of(*load, i.getModule()->getDataLayout()) != 0 && array_of(i) != nullptr;
}

void read_only_arrays::make_silent(kernel_form& k, ArrayRef<BasicBlock*> blocks,
                                   const DenseMap<Instruction*, CallInst*>& listed, Value* in_full) {
  if (!any()) return;
  SmallVector<LoadInst*> loads;
  for (BasicBlock* bb : blocks)
    for (Instruction& i : *bb)
      if (auto* load = dyn_cast<LoadInst>(&i); load != nullptr && array_of(*load) != nullptr)
        if (bytes_of(*load, k.f.getParent()->getDataLayout()) != 0)
          if (listed.count(load) != 0 || !is_hidden(*load)) loads.push_back(load);
  DenseMap<std::pair<const array*, unsigned>, Value*> limits;
  for (LoadInst* load : loads) {
    const array* const a = array_of(*load);
    const unsigned bits = bits_of(bytes_of(*load, k.f.getParent()->getDataLayout()));
    Value*& limit = limits[{a, bits}];
    if (limit == nullptr) {
      auto* const asked = dyn_cast_or_null<Instruction>(in_full);
      IRBuilder<> b(asked == nullptr ? k.entry->getTerminator() : asked->getNextNode());
      limit = b.CreateLShr(a->size, bits, "limit");
      if (in_full != nullptr) limit = b.CreateSelect(in_full, b.getInt64(0), limit);
    }
    make_silent(k, *a, *load, listed.lookup(load), limit);
  }
}

// Whether an address lies within and is a multiple of its size is one comparison: bits that must be zero are turned to
// the top.
void read_only_arrays::make_silent(kernel_form& k, const array& a, LoadInst& load, CallInst* announced, Value* limit) {
  const std::uint64_t size = bytes_of(load, k.f.getParent()->getDataLayout());
  IRBuilder<> b(announced == nullptr ? static_cast<Instruction*>(&load) : announced);
  Type* const number = b.getInt64Ty();
  Value* const offset = b.CreateSub(b.CreatePtrToInt(load.getPointerOperand(), number), a.from, "offset");
  Value* const element =
      size == 1 ? offset : b.CreateIntrinsic(Intrinsic::fshr, {number}, {offset, offset, b.getInt64(bits_of(size))});
  Value* const within = b.CreateICmpULT(element, limit, "within");
  Instruction *silent = nullptr, *told = nullptr;
  SplitBlockAndInsertIfThenElse(within, &load, &silent, &told,
                                MDBuilder(load.getContext()).createBranchWeights(1 << 20, 1));
  IRBuilder<> s(silent);
  const auto keep = [&](AllocaInst* in, Intrinsic::ID how, Value* v) {
    LoadInst* const before = s.CreateLoad(number, in);
    hide(*before);
    hide(*s.CreateStore(
        how == Intrinsic::not_intrinsic ? s.CreateAdd(before, v) : s.CreateBinaryIntrinsic(how, before, v), in));
  };
  keep(a.low, Intrinsic::umin, offset);
  keep(a.high, Intrinsic::umax, s.CreateAdd(offset, s.getInt64(size), "", true));
  keep(count_, Intrinsic::not_intrinsic, s.getInt64(1));
  ++silent_;
  if (announced != nullptr) {
    announced->moveBefore(told);
    return;
  }
  IRBuilder<> t(told);
  t.SetCurrentDebugLocation(load.getDebugLoc() ? load.getDebugLoc() : place_in_function(k.f));
  const FunctionCallee tell =
      k.f.getParent()->getOrInsertFunction(("__tsan_read" + Twine(size)).str(), t.getVoidTy(), t.getPtrTy());
  t.CreateCall(tell, {load.getPointerOperand()})->setDoesNotThrow();
  hide(load);
}

}  // namespace simt::compile
