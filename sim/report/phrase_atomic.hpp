// SPDX-License-Identifier: Apache-2.0
// The fixes that make one atomic operation of a read and a write. Part of the phrasebook.
#pragma once

#include <string>

#include "phrasebook.hpp"

namespace simt {

// Whether such a fix is the one for this race.
bool wants_atomic(const facts& v);
std::string made_atomic(const finding& f, dialect d);
// "atomicAdd(&bins[b], 1)"; of an assignment an exchange.
std::string atomic_update(const line_update& u, dialect d);
// What else it takes where the word is smaller than those that CUDA's atomic functions take: 4 bytes and more.
std::string of_a_word(const finding& f, dialect d);

}  // namespace simt
