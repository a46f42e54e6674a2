// SPDX-License-Identifier: Apache-2.0
// Races with asynchronous copies that one wait mends, though their lines differ.
#pragma once

#include <vector>

#include "finding.hpp"
#include "one_word.hpp"

namespace simt {

// One wait for the copies of a function is missing at each use of what they bring, and where they are made again. The
// first use by another thread leads.
std::vector<belongs_to> races_of_one_wait(const std::vector<finding>& findings);

}  // namespace simt
