// SPDX-License-Identifier: Apache-2.0
// What a lock lacks that both sides of a race hold, and what mends it. Part of the phrasebook.
#pragma once

#include <string>

#include "phrasebook.hpp"

namespace simt {

// "a plain store gives it back, which orders nothing"
std::string lock_fails(const facts& v);
std::string mended_lock(const finding& f, dialect d);

}  // namespace simt
