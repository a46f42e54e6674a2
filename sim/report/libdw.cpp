// SPDX-License-Identifier: Apache-2.0
#include "libdw.hpp"

#include <dlfcn.h>

namespace simt {

const libdw* open_libdw() {
  static const libdw* const opened = []() -> const libdw* {
    void* const library = ::dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    static libdw all;
    bool complete = true;
#define SIMT_LIBDW_FIND(name)                                               \
  all.name = reinterpret_cast<decltype(all.name)>(::dlsym(library, #name)); \
  complete = complete && all.name != nullptr;
    SIMT_LIBDW(SIMT_LIBDW_FIND)
#undef SIMT_LIBDW_FIND
    return complete ? &all : nullptr;
  }();
  return opened;
}

}  // namespace simt
