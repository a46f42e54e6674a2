// SPDX-License-Identifier: Apache-2.0
#include "substitutes.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/ErrorHandling.h>

#include <string>

#include "loop_bodies.hpp"

namespace simt::compile {

using namespace llvm;

namespace {

constexpr StringRef kSpace = "simt_cuda::", kInLoops = "simt_cuda::loops::";

// The whole name without parameters; empty where it is not of that namespace. Mangled names tell quickly.
std::string whole_name(const Function& f) {
  if (!f.getName().starts_with("_ZN9simt_cuda")) return {};
  const std::string whole = demangle(f.getName().str());
  return whole.substr(0, whole.find('('));
}

}  // namespace

substitutes::substitutes(Module& m) {
  for (Function& f : m) {
    if (f.isDeclaration()) continue;
    const std::string name = whole_name(f);
    if (StringRef(name).starts_with(kInLoops)) by_name_[(kSpace + name.substr(kInLoops.size())).str()] = &f;
  }
}

Function* substitutes::of(const Function& f) const {
  if (by_name_.empty()) return nullptr;
  return by_name_.lookup(whole_name(f));
}

CallBase* call_substitute(CallBase& call, Function& substitute) {
  Function& f = *call.getFunction();
  if (substitute.arg_size() != call.arg_size() + parameter::count || substitute.getReturnType() != call.getType())
    report_fatal_error(Twine("simt: the plugin and the headers are not of one version: ") + substitute.getName(),
                       false);
  SmallVector<Value*> arguments(call.args());
  for (Argument& a : f.args()) arguments.push_back(&a);
  CallBase* made = nullptr;
  if (auto* invoke = dyn_cast<InvokeInst>(&call))
    made = InvokeInst::Create(&substitute, invoke->getNormalDest(), invoke->getUnwindDest(), arguments, "", invoke);
  else
    made = CallInst::Create(&substitute, arguments, "", &call);
  made->setAttributes(call.getAttributes());  // of f's own parameters, which come first
  made->setCallingConv(call.getCallingConv());
  made->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  return made;
}

}  // namespace simt::compile
