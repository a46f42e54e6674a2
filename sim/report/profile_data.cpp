// SPDX-License-Identifier: Apache-2.0
#include "profile_data.hpp"

namespace simt {

std::string_view name(counter c) {
  static constexpr std::array<std::string_view, kCounters> kNames = {"global_load_requests",
                                                                     "global_load_sectors",
                                                                     "global_store_requests",
                                                                     "global_store_sectors",
                                                                     "global_reduction_requests",
                                                                     "global_reduction_sectors",
                                                                     "global_atomic_requests",
                                                                     "global_atomic_sectors",
                                                                     "shared_load_wavefronts",
                                                                     "shared_load_bank_conflicts",
                                                                     "shared_store_wavefronts",
                                                                     "shared_store_bank_conflicts",
                                                                     "shared_atomic_wavefronts",
                                                                     "warp_executions",
                                                                     "thread_executions",
                                                                     "global_load_ideal_sectors",
                                                                     "global_load_bytes",
                                                                     "global_store_ideal_sectors",
                                                                     "global_store_bytes",
                                                                     "global_reduction_ideal_sectors",
                                                                     "global_atomic_ideal_sectors",
                                                                     "shared_load_requests",
                                                                     "shared_store_requests",
                                                                     "shared_atomic_requests",
                                                                     "shared_atomic_bank_conflicts",
                                                                     "float32_adds",
                                                                     "float32_multiplies",
                                                                     "float32_fmas",
                                                                     "float64_adds",
                                                                     "float64_multiplies",
                                                                     "float64_fmas",
                                                                     "special_operations"};
  return kNames[static_cast<std::size_t>(c)];
}

}  // namespace simt
