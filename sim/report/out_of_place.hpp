// SPDX-License-Identifier: Apache-2.0
// Races that come of a write to where it should not go: past the end of an array, or into a neighbour's bytes.
#pragma once

#include "finding.hpp"

namespace simt {

bool is_write_out_of_place(const finding& f);
// f: such a write.
bool comes_of_write(const finding& race, const finding& f);

// What was written past the end of a shared array is read there.
bool reads_what_is_outside(const finding& read, const finding& written);

}  // namespace simt
