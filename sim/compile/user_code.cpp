// SPDX-License-Identifier: Apache-2.0
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

bool is_of_library(StringRef path) {
  for (const char* part : {"/backends/api/", "/backends/sim/", "/frontends/cuda/headers/", "/sim/exec/",
                           "/sim/instrument/", "/include/simt-"})
    if (path.contains(part)) return true;
  return path.starts_with("/usr/");
}

std::string path_of(const DILocation& at) {
  const StringRef file = at.getFilename();
  return (file.starts_with("/") ? "" : at.getDirectory() + "/").str() + file.str();
}

bool is_of_user(const DILocation* at) {
  for (; at != nullptr; at = at->getInlinedAt())
    if (!is_of_library(path_of(*at))) return true;
  return false;
}

}  // namespace simt::compile
