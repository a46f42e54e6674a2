// SPDX-License-Identifier: Apache-2.0
// How long main may go on by itself. A kernel runs where it is launched, so a main that waits by looking at memory for
// what a kernel was to do waits for ever once that kernel was given up; and nobody would see why, for the report comes
// at the end. A process's own thread ends it then, with the report.
#pragma once

#include <string>

namespace simt_cuda {

// --timeout, before main: main may take so long between two launches. 0: no limit.
void bound_the_host(double seconds);
// A kernel was given up.
void bound_the_host_behind_lost_kernel();

// While one lives, a launch is under way.
class launch_under_way {
 public:
  launch_under_way();
  ~launch_under_way();
  launch_under_way(const launch_under_way&) = delete;
  launch_under_way& operator=(const launch_under_way&) = delete;
};

// Makes the report of what has happened so far and ends the process; comes back where the program ends by itself.
void end_with_report(const std::string& why);

}  // namespace simt_cuda
