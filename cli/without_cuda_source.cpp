// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu in a build without the simulator, and in the tool for built-in programs alone.
#include "debug.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_cuda_source(const words&, const replayed_orders&, bool) {
#ifdef SIMT_BUILTIN_PROGRAMS_ONLY
  complain(
      "simrun_builtin runs built-in programs alone; for CUDA C++ source files (.cu) build simrun, as ./simrun does");
#else
  complain(
      "this simrun was built without the simulator and cannot run CUDA C++ source files (.cu); configure with "
      "-DSIMT_BUILD_SIM=ON");
#endif
  return kExitUsage;
}

bool names_source_objects(const words&) { return false; }

bool names_built_program(const words&) { return false; }

int verb_built_program(const words& all, const replayed_orders& replayed) {
  return verb_cuda_source(all, replayed, {});
}

int debug_cuda_source(const words& all) { return verb_cuda_source(all, {}); }

}  // namespace simt::cli
