// SPDX-License-Identifier: Apache-2.0
// Races on one word that one fix mends, though their lines differ.
#pragma once

#include <cstddef>
#include <vector>

#include "finding.hpp"

namespace simt {

struct belongs_to {
  std::size_t member = 0, leader = 0;
};

// Updates that are not atomic: the leader's facts name all of them. What one thread reads and then writes; what other
// blocks still read when it is overwritten; what one turn of a loop leaves to another block's next.
std::vector<belongs_to> races_of_one_word(std::vector<finding>& findings);

}  // namespace simt
