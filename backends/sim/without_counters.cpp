// SPDX-License-Identifier: Apache-2.0
// In place of profile_report.cpp in the check runtime that ./simrun builds for a first report.
#include <simt/error.hpp>

#include <backends/sim/run_counters.hpp>

namespace simt::sim {

std::unique_ptr<run_counters> count_run(bool) {
  throw error(error_kind::unsupported,
              "this module was built for checks alone, without counters; `./simrun profile` builds one that has them");
}

}  // namespace simt::sim
