// SPDX-License-Identifier: Apache-2.0
// Code that is counted (simrun profile): what fibers run is the same body of one thread of which the compiler pass has
// made the loops, so both count the same. It stands among the copies of the loops for blocks of one shape, as the one
// for no threads (sim/compile/one_thread.hpp).
#pragma once

#include <sim/exec/loop_body.hpp>

namespace simt::sim {

// Null: there is none.
inline loop_function one_thread_of(const loop_body& body) {
  for (std::int64_t i = 0; i < body.copy_count; ++i)
    if (body.copies[i].x == 0) return body.copies[i].run;
  return nullptr;
}

}  // namespace simt::sim
