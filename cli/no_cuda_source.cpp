// SPDX-License-Identifier: Apache-2.0
// simrun APP.cu in a build without the simulator.
#include "terminal.hpp"
#include "verbs.hpp"

namespace simt::cli {

int verb_cuda_source(const words&, const std::vector<recorded_order>&, bool) {
  complain(
      "this simrun was built without the simulator and cannot run CUDA C++ source files (.cu); configure with "
      "-DSIMT_BUILD_SIM=ON");
  return kExitUsage;
}

}  // namespace simt::cli
