// SPDX-License-Identifier: Apache-2.0
#include <sim/exec/carry_flag.hpp>

namespace simt::sim {

namespace {
// Signal handlers ask for it, so it is there from the start.
__thread bool carry __attribute__((tls_model("initial-exec"))) = false;
}  // namespace

// Out of line: a thread may go on on another OS thread, so nobody may keep the place.
[[gnu::noinline]] bool& carry_flag() { return carry; }

}  // namespace simt::sim
