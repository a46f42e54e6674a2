// SPDX-License-Identifier: Apache-2.0
#include "host_overflow.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <utility>

#include "reached_code.hpp"

namespace simt::compile {

using namespace llvm;

namespace {
constexpr const char* kOfDevice = "simt.device";
}
bool is_of_device(const Function& f) { return f.hasFnAttribute(kOfDevice); }

bool let_host_code_wrap(Module& m, const std::vector<loop_source>& kernels) {
  if (kernels.empty()) return false;
  SmallVector<const Value*> bodies;
  for (const loop_source& k : kernels) bodies.push_back(k.thread);
  const SmallPtrSet<const Function*, 32> of_device = reached_from(std::move(bodies), false);
  bool changed = false;
  for (Function& f : m) {
    if (of_device.contains(&f)) {
      f.addFnAttr(kOfDevice);
      continue;
    }
    for (Instruction& i : instructions(f))
      if (auto* sum = dyn_cast<OverflowingBinaryOperator>(&i); sum != nullptr && sum->hasNoSignedWrap()) {
        i.setHasNoSignedWrap(false);
        changed = true;
      }
  }
  return changed;
}

}  // namespace simt::compile
