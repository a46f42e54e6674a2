// SPDX-License-Identifier: Apache-2.0
// What the later side of a race had been told by a flag or counter of the other block, and which fence is missing.
// Asked for the words of a finding: it decides nothing.
#pragma once

#include "sim/check/operation.hpp"
#include "sim/check/reporter.hpp"

namespace simt::check {

// Where the other block wrote to a flag or counter after what `op` reads, or read what `op` overwrites, while this
// block has read that flag, and no fence keeps the two in order. 0: not known, or several workers run.
std::uintptr_t told_unfenced(const reporter& d, cause why, const operation& op, const earlier_access& o,
                             const epoch_record& before);

// Whether the later side has read, by a relaxed or volatile load, what the other block released behind its access: a
// fence of this scope behind that load would order the two. thread: none would.
scope unacquired(cause why, const operation& op, const earlier_access& o, const epoch_record& before);

}  // namespace simt::check
