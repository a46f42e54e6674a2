// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>

namespace simt::compile {

namespace {
bool is_of_the_api(llvm::StringRef file) {
  for (const char* part :
       {"backends/sim/", "backends/api/simt/", "sim/exec/", "sim/instrument/", "cuda/headers/", "/include/c++/"})
    if (file.contains(part)) return true;
  return false;
}
}  // namespace

refusal refuse(const std::string& what, const llvm::Instruction* at) {
  const llvm::DILocation* place = at != nullptr ? at->getDebugLoc().get() : nullptr;
  while (place != nullptr && place->getInlinedAt() != nullptr && is_of_the_api(place->getFilename()))
    place = place->getInlinedAt();
  if (place == nullptr || place->getLine() == 0) return {what};
  llvm::StringRef file = place->getFilename();
  if (const auto slash = file.rfind('/'); slash != llvm::StringRef::npos) file = file.substr(slash + 1);
  return {what + " (" + file.str() + ":" + std::to_string(place->getLine()) + ")"};
}

std::string call_of_user(const llvm::Instruction& at) {
  std::string name;
  const llvm::DILocation* place = at.getDebugLoc().get();
  while (place != nullptr && place->getInlinedAt() != nullptr && is_of_the_api(place->getFilename())) {
    if (const llvm::DISubprogram* f = place->getScope()->getSubprogram()) name = f->getName().str();
    place = place->getInlinedAt();
  }
  return name.substr(0, name.find('<'));
}

refusal nothing_waits() { return {"no thread of the kernel waits for another", true}; }

}  // namespace simt::compile
