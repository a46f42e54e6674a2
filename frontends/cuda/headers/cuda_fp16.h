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

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00U))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFFU))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFFU))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00U))

#include "simt_cuda/restore_names.hpp"
