// SPDX-License-Identifier: Apache-2.0
// A read and a write of one word that every thread does one after the other, found in the source's text.
#pragma once

#include "cause.hpp"
#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// Fills facts::step where both are in one function and the write follows the read in its text, with nothing in between
// that lets only some of those write who have read; and target, update and operand, as far as the text shows them.
void find_one_step(source_reader& sources, finding& f, const access& read, const access& write);
// Whether a condition of an if reads the word, and the write gives it a constant: a flag. Fills target and operand.
bool is_flag(source_reader& sources, finding& f, const access& read, const access& write);
// Whether a condition reads the word, and the other side sets it by an atomic operation that does not count. Fills
// target.
bool is_set_atomically(source_reader& sources, finding& f, const access& read, const access& set);

}  // namespace simt
