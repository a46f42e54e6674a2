// SPDX-License-Identifier: Apache-2.0
// Races between threads that hold one lock: what it lacks is the cause of all of them.
#pragma once

#include <vector>

#include "finding.hpp"
#include "one_word.hpp"

namespace simt {

// A lock that is given back by a plain store leads the races on it and under it; else the first race under it does.
std::vector<belongs_to> races_under_locks(const std::vector<finding>& findings);

}  // namespace simt
