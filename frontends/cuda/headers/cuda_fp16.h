// SPDX-License-Identifier: Apache-2.0
// __half and __half2.
#pragma once

#include "simt_cuda/hide_names.hpp"
#define __CUDA_FP16_H__

#include <cuda_runtime.h>

#include "simt_cuda/small_float_functions.hpp"

SIMT_CUDA_SMALL_FLOAT(__half, __half2, simt::detail::half_arithmetic)
SIMT_CUDA_SMALL_FLOAT_FUNCTIONS(__half, __half2, half)
typedef __half half;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half2 half2;

#include "simt_cuda/restore_names.hpp"
