// SPDX-License-Identifier: Apache-2.0
// A lock, or a turn that a ticket waits for, which both sides of a race hold by the source's text: taken in front of
// both and given back behind both. Read from the text alone, so advice may rest on it, a verdict may not.
#pragma once

#include "cause.hpp"
#include "finding.hpp"
#include "source_excerpt.hpp"

namespace simt {

// What does the taking is an atomic operation in the head of a loop in front of both (while (atomicCAS(m, 0, 1) != 0);)
// or of a branch around both, a loop without a body that waits for a word that is changed behind both, or a call of a
// function of the file that has one of these. `taken` is 0 where there is none, and where nothing is wrong with it.
held_lock find_held_lock(source_reader& sources, const finding& f);

}  // namespace simt
