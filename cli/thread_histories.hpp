// SPDX-License-Identifier: Apache-2.0
// Whether a value that a load reads before it is stored comes out of thin air: PTX forbids a store that depends on a
// load which, over other threads, reads that very store. Dependencies pass through registers, which nobody watches. So
// a run counts only if what the thread stored between that load and the store to come was also stored in a run where
// the load read the newest value that was there, another one, and the thread did and read the same otherwise.
//
// Of all cycles of dependencies and reads, take the one whose last step in the order of the run is such a store to
// come: all others of its steps lie before that one, so what depends on the load in it lies in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "sim/report/explored_run.hpp"

namespace simt::cli {

class thread_histories {
 public:
  // A run that there is, with its values.
  void add(const std::vector<explored_step>& trail);
  // No load of the run reads a store to come that depends on it, as far as the runs that were added tell.
  bool all_justified(const std::vector<explored_step>& trail) const;

 private:
  bool justified(const std::vector<explored_step>& trail, std::size_t load) const;
  // What a thread did up to a store, without what one of its loads has read, and apart from that this value.
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace simt::cli
