// SPDX-License-Identifier: Apache-2.0
// Whether the device runs this build's code. Host only.
#pragma once

#include <cuda_runtime_api.h>

namespace simt::gpu {

// Looks for an empty kernel on the device: it exists for exactly the architectures that this build's kernels exist for.
cudaError_t probe_code();

}  // namespace simt::gpu
