// SPDX-License-Identifier: Apache-2.0
// x += y under check: clang announces the read and the write of one address as one access, in front of the write. That
// is behind the load. But the announcement of a read may have to bring memory up to date first: workers keep sums of
// additions that nobody has looked at yet (sim/check/busy_counters.hpp). So where such additions are made, the read is
// announced as one of its own, in front of the load.
#pragma once

#include <llvm/IR/Module.h>

namespace simt::compile {

// To be called behind tell_update_forms(), in front of clang's own instrumentation. True: the module has changed.
bool announce_reads_before_writes(llvm::Module& m);

}  // namespace simt::compile
