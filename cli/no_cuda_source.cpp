// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu in a build without the simulator.
#include "debug.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_cuda_source(const words&, const replayed_orders&, bool) {
  complain(
      "this simrun was built without the simulator and cannot run CUDA C++ source files (.cu); configure with "
      "-DSIMT_BUILD_SIM=ON");
  return kExitUsage;
}

bool names_built_program(const words&) { return false; }

int verb_built_program(const words& all, const replayed_orders& replayed) {
  return verb_cuda_source(all, replayed, {});
}

int debug_cuda_source(const words& all) { return verb_cuda_source(all, {}); }

}  // namespace simt::cli
