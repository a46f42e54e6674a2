// SPDX-License-Identifier: Apache-2.0
// The driver API on the one device and in the memory of the runtime API; docs/cuda_source.md says what is covered.
#pragma once

#define __cuda_cuda_h__  // programs ask for it

#include "simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>

#include "simt_cuda/driver_api.hpp"
#include "simt_cuda/run_time_compiler.hpp"

#include "simt_cuda/restore_names.hpp"
