// SPDX-License-Identifier: Apache-2.0
// The barrier of all blocks of a cooperative launch: the engine's, which ends a launch that is none.
#pragma once

#include "device_functions.hpp"

namespace simt_cuda {

inline bool in_cooperative_launch() { return self().context().launch->traits.co_resident; }

[[gnu::always_inline]] inline void grid_sync() { self().sync_grid(); }

}  // namespace simt_cuda
