// SPDX-License-Identifier: Apache-2.0
// The running session as the rest of the backend sees it: how long to wait, and the log of launches. Host only.
#pragma once

#include <cuda_runtime_api.h>

#include <sim/report/run_report.hpp>

namespace simt::gpu {

// Seconds that a wait may last before the device counts as hung; 0: no limit.
double wait_limit();
// Waits for the stream (or, with `whole`, for the device) within that limit; throws device_fault.
void wait_for(cudaStream_t stream, bool whole, const char* call);

// Brackets a launch with events while a session records launches; otherwise nothing.
class launch_timer {
 public:
  launch_timer(cudaStream_t stream, launch_record record);
  ~launch_timer();
  launch_timer(const launch_timer&) = delete;
  launch_timer& operator=(const launch_timer&) = delete;

 private:
  cudaStream_t stream_;
  launch_record record_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace simt::gpu
