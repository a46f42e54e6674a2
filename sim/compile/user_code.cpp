// SPDX-License-Identifier: Apache-2.0
#include "user_code.hpp"

namespace simt::compile {

using namespace llvm;

bool is_of_api(StringRef path) {
  for (const char* part : {"/backends/api/", "/backends/sim/", "/frontends/cuda/headers/", "/sim/exec/",
                           "/sim/instrument/", "/include/simt-"})
    if (path.contains(part)) return true;
  return false;
}
bool is_of_library(StringRef path) { return is_of_api(path) || path.starts_with("/usr/"); }

namespace {
template <class Written>
std::string path_from(const Written& w) {
  const StringRef file = w.getFilename();
  return (file.starts_with("/") ? "" : w.getDirectory() + "/").str() + file.str();
}
}  // namespace
std::string path_of(const DILocation& at) { return path_from(at); }
std::string path_of(const DISubprogram& function) { return path_from(function); }

bool is_of_user(const DILocation* at) { return innermost_of_user(at) != nullptr; }
const DILocation* innermost_of_user(const DILocation* at) {
  while (at != nullptr && is_of_library(path_of(*at))) at = at->getInlinedAt();
  return at;
}

}  // namespace simt::compile
