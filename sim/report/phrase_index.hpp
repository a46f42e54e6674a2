// SPDX-License-Identifier: Apache-2.0
// What is to be done about an access outside of its object. Part of the phrasebook.
#pragma once

#include <string>

#include "finding.hpp"
#include "phrasebook.hpp"

namespace simt {

// What is wrong may be the index or the size.
std::string mended_index(const finding& f, dialect d);
// Where no object is near.
std::string mended_bytes(const finding& f, dialect d);

}  // namespace simt
