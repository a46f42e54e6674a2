// SPDX-License-Identifier: Apache-2.0
// What the loops of a hang wait for: a lock, a count that others raise, or something else. Read from the text alone, so
// the words of a finding may rest on it, its verdict does not.
#pragma once

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// Turns fault_hang into fault_hang_locks or fault_hang_count where all of its loops are of that kind; of a count it
// sets facts::target.
void name_what_is_awaited(source_reader& sources, finding& hang);

}  // namespace simt
