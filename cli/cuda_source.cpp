// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu: CUDA C++ source files. Not there yet: says so.
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_cuda_source(const words&) {
  complain("this version cannot build CUDA C++ source files (.cu) yet; write the kernel in the simt API "
           "(docs/adding_a_kernel.md) and run it with --module");
  return kExitUsage;
}

}  // namespace simt::cli
