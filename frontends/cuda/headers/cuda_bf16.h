// SPDX-License-Identifier: Apache-2.0
// __nv_bfloat16 and __nv_bfloat162.
#pragma once

#include "simt_cuda/hide_names.hpp"
#define __CUDA_BF16_H__

#include <cuda_runtime.h>

#include "simt_cuda/small_float_functions.hpp"

SIMT_CUDA_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, simt::detail::bfloat16_arithmetic)
SIMT_CUDA_SMALL_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#include "simt_cuda/restore_names.hpp"
