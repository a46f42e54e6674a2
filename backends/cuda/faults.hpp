// SPDX-License-Identifier: Apache-2.0
// CUDA errors as simt::error, and what becomes of the device after one. Host only.
//
// Most errors leave the device as it was. A fault of a kernel does not ("sticky" errors: CUDA Runtime API, cudaError_t,
// "the process must be terminated and relaunched"): from then on every call of this backend throws device_fault at
// once, and memory and handles are given back by forgetting them.
#pragma once

#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include <sim/report/finding.hpp>
#include <simt/error.hpp>

namespace simt::gpu {

// Selects this process's device for the calling thread; throws if a fault has made the device unusable. `call` says
// who asks, for the message.
void enter(const char* call);
// False after a fault: nothing on the device may be touched.
bool usable();

// Throws unless e is cudaSuccess: "CALL: cudaErrorX: description; advice".
void check(cudaError_t e, const std::string& call, const std::string& advice = {});
// The device does not come back from kernels that run longer than the timeout.
[[noreturn]] void fail_hang(double seconds);

// Kernels enqueued since the device was last known to be idle, for messages.
void note_launch(const std::string& kernel);
void note_idle();

// Findings of faults since the last call.
std::vector<finding> take_faults();

}  // namespace simt::gpu
