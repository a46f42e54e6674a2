// SPDX-License-Identifier: Apache-2.0
// Where a barrier may stand that orders two places of one function, so that every thread comes to it. Read from the
// text alone, so advice may rest on it, a verdict may not.
#pragma once

#include "cause.hpp"
#include "statements.hpp"
#include "varying_names.hpp"

namespace simt {

// Of two lanes of one warp in a branch that only lanes of one warp take, a barrier of the warp does.
enum class barrier_of { warp_or_block, block, grid };

// `one_row`: threads differ in x alone.
barrier_place find_barrier_place(known_varying_names& names, const parsed_source& source, text_position a,
                                 text_position b, barrier_of whose, bool one_row);

// Of a barrier that not all threads come to: guard, guard_is_loop and leave, for a condition around `at` that is not
// around `other`, where the threads are that did not come.
barrier_place find_guard(known_varying_names& names, const parsed_source& source, text_position at, text_position other,
                         barrier_of whose);

}  // namespace simt
