// SPDX-License-Identifier: Apache-2.0
// The condition that keeps threads or blocks from a barrier, read from the source: advice may rest on it.
#pragma once

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// Fills facts::branch_line or facts::return_line of a barrier that not all come to, whose accesses have their lines.
void find_branch(source_reader& sources, finding& f);

}  // namespace simt
