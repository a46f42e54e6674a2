// SPDX-License-Identifier: Apache-2.0
// How threads of a block wait for some of the others, or for a copy, by the text of their function: advice may rest on
// it, a verdict may not.
#pragma once

#include <string_view>

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// A cuda::barrier that the function waits at: facts::barrier_object.
void find_barrier_object(source_reader& sources, finding& f);
// Whether all that come to both places meet at this barrier object between them, by the text.
bool meet_between(source_reader& sources, const access& a, const access& b, std::string_view object);
// Whether the lanes of a warp that come to both places meet between them, by the text.
bool lanes_meet_between(source_reader& sources, const access& a, const access& b);
// What waits for the asynchronous copy of a race: facts::wait_call and facts::copy.
void find_wait_for_copy(source_reader& sources, finding& f);
// What stands between the earlier side of a race of blocks and the flag, the third access: facts::told.
void find_way_to_flag(source_reader& sources, finding& f);

}  // namespace simt
