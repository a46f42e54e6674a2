// SPDX-License-Identifier: Apache-2.0
#include "engine_calls.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/ModRef.h>

#include <string>
#include <string_view>

namespace simt::compile {

using namespace llvm;

namespace {
struct known_call {
  std::string_view name;
  engine_call what;
};
constexpr known_call kKnown[] = {
    {"block_barrier", engine_call::barrier}, {"block_barrier_count", engine_call::barrier_count},
    {"shared_address", engine_call::shared}, {"spend", engine_call::spend},
    {"trap_thread", engine_call::report},    {"print_from_thread", engine_call::report},
    {"warp_meet", engine_call::waits},       {"active_lanes", engine_call::waits},
    {"grid_barrier", engine_call::waits},    {"cluster_barrier", engine_call::waits},
    {"yield_thread", engine_call::waits},    {"detach", engine_call::waits},
};
constexpr std::string_view kMarkerNames[] = {"simt.loops.barrier", "simt.loops.vote", "simt.loops.votes",
                                             "simt.loops.shared"};
std::string_view name_of(marker which) { return kMarkerNames[static_cast<int>(which)]; }
}  // namespace

engine_call engine_call_of(const Function& f) {
  const StringRef mangled = f.getName();
  if (mangled.substr(0, 12) != "_ZN4simt3sim") return engine_call::none;
  const std::string whole = demangle(std::string(mangled));
  constexpr std::string_view kSpace = "simt::sim::";
  const std::string_view name = std::string_view(whole).substr(0, whole.find('('));
  if (name.substr(0, kSpace.size()) != kSpace) return engine_call::none;
  for (const known_call& known : kKnown)
    if (name.substr(kSpace.size()) == known.name) return known.what;
  return engine_call::none;
}

Function* declare_marker(Module& m, marker which) {
  const StringRef name(name_of(which).data(), name_of(which).size());
  if (Function* known = m.getFunction(name)) return known;
  LLVMContext& c = m.getContext();
  Type *none = Type::getVoidTy(c), *number = Type::getInt32Ty(c), *truth = Type::getInt1Ty(c);
  Type* pointer = PointerType::getUnqual(c);
  FunctionType* type = nullptr;
  switch (which) {
    case marker::barrier:
      type = FunctionType::get(none, false);
      break;
    case marker::vote:
      type = FunctionType::get(none, {truth}, false);
      break;
    case marker::votes:
      type = FunctionType::get(number, false);
      break;
    case marker::shared:
      type = FunctionType::get(pointer, {pointer, pointer}, false);
      break;
  }
  Function* f = Function::Create(type, GlobalValue::ExternalLinkage, name, m);
  f->addFnAttr(Attribute::NoUnwind);
  f->addFnAttr(Attribute::WillReturn);
  if (which == marker::shared) {
    f->setMemoryEffects(MemoryEffects::none());
    f->addFnAttr(Attribute::Speculatable);
    f->addRetAttr(Attribute::NonNull);
  } else {
    f->addFnAttr(Attribute::Convergent);  // never made to depend on more conditions than it does in the source
  }
  return f;
}

bool is_marker(const Value* v, marker which) {
  const auto* call = dyn_cast<CallInst>(v);
  if (call == nullptr || call->getCalledFunction() == nullptr) return false;
  const std::string_view name = name_of(which);
  return call->getCalledFunction()->getName() == StringRef(name.data(), name.size());
}
bool is_any_marker(const Value* v) {
  for (const marker m : {marker::barrier, marker::vote, marker::votes, marker::shared})
    if (is_marker(v, m)) return true;
  return false;
}

}  // namespace simt::compile
