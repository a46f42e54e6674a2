// SPDX-License-Identifier: Apache-2.0
#include "loop_bodies.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>

namespace simt::compile {

using namespace llvm;

namespace {

constexpr const char* kMark = "simt.loops";
constexpr const char* kAnyOrder = "simt.any_order";
constexpr const char* kOfBlock = "simt.loops_of_block";

// The loop_body whose first member is f; null if there is none.
GlobalVariable* body_of(Function& f) {
  for (User* u : f.users()) {
    auto* whole = dyn_cast<ConstantStruct>(u);
    if (whole == nullptr || whole->getOperand(0) != &f) continue;
    for (User* owner : whole->users()) {
      auto* g = dyn_cast<GlobalVariable>(owner);
      if (g != nullptr && g->getInitializer() == whole) return g;
    }
  }
  return nullptr;
}

[[noreturn]] void versions_differ(const Function& f) {
  report_fatal_error(Twine("simt: the plugin and the headers are not of one version: ") + f.getName(), false);
}

// The layout of simt::sim::loop_body.
void check_layout(const Function& f, const GlobalVariable* g) {
  if (g == nullptr || f.arg_size() != parameter::count) versions_differ(f);
  auto* type = dyn_cast<StructType>(g->getValueType());
  if (type == nullptr || type->getNumElements() != 8) versions_differ(f);
  for (const unsigned i : {0, 1, 2})
    if (!type->getElementType(i)->isPointerTy()) versions_differ(f);
  for (const unsigned i : {3, 4, 5, 6, 7})
    if (!type->getElementType(i)->isIntegerTy(64)) versions_differ(f);
}

void set_body(const loop_source& s, Constant* run, Constant* reason, Constant* copies, std::uint64_t copy_count,
              std::uint64_t bytes, bool waits, std::uint64_t rows, block_order order) {
  auto* type = cast<StructType>(s.body->getValueType());
  auto* number = Type::getInt64Ty(type->getContext());
  s.body->setInitializer(ConstantStruct::get(
      type, {run, reason, copies, ConstantInt::get(number, copy_count), ConstantInt::get(number, bytes),
             ConstantInt::get(number, waits), ConstantInt::get(number, rows),
             ConstantInt::get(number, static_cast<std::uint64_t>(order))}));
}

Constant* null_pointer(LLVMContext& c) { return ConstantPointerNull::get(PointerType::getUnqual(c)); }

}  // namespace

std::vector<Function*> annotated_functions(Module& m, StringRef mark) {
  std::vector<Function*> found;
  auto* annotations = m.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr) return found;
  for (const Use& o : cast<ConstantArray>(annotations->getInitializer())->operands()) {
    auto* entry = cast<ConstantStruct>(o.get());
    auto* text = dyn_cast<GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
    auto* f = dyn_cast<Function>(entry->getOperand(0)->stripPointerCasts());
    if (f == nullptr || f->isDeclaration() || text == nullptr) continue;
    auto* words = dyn_cast<ConstantDataArray>(text->getInitializer());
    if (words == nullptr || !words->isCString() || words->getAsCString() != mark) continue;
    if (std::find(found.begin(), found.end(), f) == found.end()) found.push_back(f);
  }
  return found;
}

std::vector<loop_source> annotated_sources(Module& m) {
  std::vector<loop_source> found;
  for (Function* f : annotated_functions(m, kMark)) {
    GlobalVariable* body = body_of(*f);
    if (body == nullptr && f->getNumUses() <= 1) continue;  // nobody launches it from here
    check_layout(*f, body);
    found.push_back({f, body});
  }
  return found;
}

void mark_source(Function& f) {
  f.addFnAttr(kMark);
  // Nobody but the constant names it: its own in this object, so that constants and loops always come together.
  f.setLinkage(GlobalValue::InternalLinkage);
  f.setComdat(nullptr);
}

bool is_marked_source(const Function& f) { return f.hasFnAttribute(kMark); }
void unmark_source(Function& f) { f.removeFnAttr(kMark); }

void mark_any_order(Function& f) { f.addFnAttr(kAnyOrder); }
bool may_take_any_order(const Function& f) { return f.hasFnAttribute(kAnyOrder); }

void mark_loops_of_block(Function& f) { f.addFnAttr(kOfBlock); }
bool is_loops_of_block(const Function& f) { return f.hasFnAttribute(kOfBlock); }

std::vector<loop_source> marked_sources(Module& m) {
  std::vector<loop_source> found;
  for (Function& f : m) {
    if (!is_marked_source(f) || f.isDeclaration()) continue;
    if (GlobalVariable* body = body_of(f)) found.push_back({&f, body});
  }
  return found;
}

namespace {
Constant* table_of(Module& m, const std::vector<shape_copy>& copies) {
  LLVMContext& c = m.getContext();
  if (copies.empty()) return null_pointer(c);
  auto* number = Type::getInt64Ty(c);
  auto* pointer = PointerType::getUnqual(c);
  auto* row_type = StructType::get(c, {number, number, number, pointer, number, pointer});
  std::vector<Constant*> rows;
  for (const shape_copy& copy : copies)
    rows.push_back(ConstantStruct::get(
        row_type, {ConstantInt::get(number, copy.extent[0]), ConstantInt::get(number, copy.extent[1]),
                   ConstantInt::get(number, copy.extent[2]), copy.run, ConstantInt::get(number, copy.beside),
                   copy.run_beside != nullptr ? static_cast<Constant*>(copy.run_beside) : null_pointer(c)}));
  auto* type = ArrayType::get(row_type, rows.size());
  return new GlobalVariable(m, type, true, GlobalValue::PrivateLinkage, ConstantArray::get(type, rows),
                            "simt.loops.copies");
}
}  // namespace

namespace {
Constant* words_of(Module& m, StringRef text) {
  auto* const letters = ConstantDataArray::getString(m.getContext(), text);
  auto* const words =
      new GlobalVariable(m, letters->getType(), true, GlobalValue::PrivateLinkage, letters, "simt.loops.reason");
  words->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return words;
}
}  // namespace

void set_loops(const loop_source& s, Function& run, std::uint64_t bytes_per_thread,
               const std::vector<shape_copy>& copies, const block_kind& blocks, block_order order) {
  Module& m = *run.getParent();
  Constant* const reason = blocks.widest > 0 ? words_of(m, blocks.otherwise->why) : null_pointer(m.getContext());
  const std::uint64_t kind = static_cast<std::uint64_t>(blocks.rows) | (blocks.counts_threads ? kCountsThreads : 0) |
                             static_cast<std::uint64_t>(blocks.widest) << kWidestShift;
  set_body(s, &run, reason, table_of(m, copies), copies.size(), bytes_per_thread, true, kind, order);
}
void forget_source(const loop_source& s) {
  s.thread->deleteBody();
  s.thread->setLinkage(GlobalValue::InternalLinkage);
  unmark_source(*s.thread);
  s.thread->removeFnAttr(kAnyOrder);
  IRBuilder<>(BasicBlock::Create(s.thread->getContext(), "gone", s.thread)).CreateUnreachable();
}

void set_refused(const loop_source& s, const refusal& no, block_order order, const std::vector<shape_copy>& copies) {
  Module& m = *s.thread->getParent();
  LLVMContext& c = m.getContext();
  set_body(s, null_pointer(c), words_of(m, no.why), table_of(m, copies), copies.size(), 0, !no.needs_none, 0,
           no.needs_none ? order : block_order::as_numbered);
  forget_source(s);
}

}  // namespace simt::compile
