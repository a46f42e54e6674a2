// SPDX-License-Identifier: Apache-2.0
// What the caller of a helper calls the memory that the helper allocates, read from the text: reports name it so.
#pragma once

#include <string>

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// `allocates`: a place in the helper, which allocates into its local variable or parameter `name`. `calls`: the place
// of its call. "mass" of float* mass = make(n) and of make(&mass, n); empty: the text does not tell, or the name is no
// local one.
std::string name_by_caller(source_reader& sources, const access& allocates, const access& calls, std::string_view name);

}  // namespace simt
