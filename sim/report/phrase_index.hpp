// SPDX-License-Identifier: Apache-2.0
// What is to be done about an access outside of its object. Part of the phrasebook.
#pragma once

#include <string>

#include "finding.hpp"
#include "phrasebook.hpp"

namespace simt {

// What is wrong may be the index or the size.
std::string mended_index(const finding& f, dialect d);
// What is used after it was freed: by the host, or by the kernel itself.
std::string mended_free(const finding& f);
// Where no object is near.
std::string mended_bytes(const finding& f, dialect d);

}  // namespace simt
