// SPDX-License-Identifier: Apache-2.0
// What the caller of a helper calls the memory that the helper allocates, read from the text: reports name it so.
#pragma once

#include <string>

#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// `allocates`: a place in the helper, which allocates into its local variable or parameter `name`. `calls`: the place
// of its call, with the column where a line has several. "mass" of float* mass = make(n) and of make(&mass, n), "net.w"
// of net.w = make(n); empty: the text does not tell, or the name is no local one.
std::string name_by_caller(source_reader& sources, const access& allocates, const access& calls, std::string_view name);

// What a vector is called where it is made, at the place's column: "keys" of thrust::device_vector<int> keys(64), and
// of keys.resize(64). Empty: the text does not tell.
std::string name_of_vector(source_reader& sources, const access& makes);

}  // namespace simt
