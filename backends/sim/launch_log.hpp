// SPDX-License-Identifier: Apache-2.0
// Launches of the running session, for reports.
#pragma once

#include <sim/exec/launch.hpp>

namespace simt::backend {
// True on a thread that runs a stream's host callback.
bool in_host_callback();
}  // namespace simt::backend

namespace simt::sim {
// Does nothing outside a session; keeps the first ten thousand. steps: those of instrumented code, else 0.
void log_launch(const launch_request& request, double milliseconds, std::uint64_t steps);
}  // namespace simt::sim
