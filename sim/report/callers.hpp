// SPDX-License-Identifier: Apache-2.0
// The calls around an access in a function that was not inlined: stacks are recorded of inlined ones only.
#pragma once

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// Adds the calls that the text shows where there is no choice: the function is called at one place of its file.
void name_callers(source_reader& sources, access& a, std::string_view kernel);

}  // namespace simt
