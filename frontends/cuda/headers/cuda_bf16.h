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

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80U))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFFU))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7FU))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80U))

#include "simt_cuda/restore_names.hpp"
