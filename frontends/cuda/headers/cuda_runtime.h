// SPDX-License-Identifier: Apache-2.0
// CUDA's language and runtime API on the simulator. The compiler is given this file before every CUDA source file, as
// nvcc does; what it covers is listed in docs/cuda_source.md.
#pragma once

#if !defined(__cplusplus)
#error "CUDA's headers are C++ here: the tool compiles a C file that includes them as C++ (docs/cuda_source.md)"
#endif
#if !defined(SIMT_VARIANT_SIM) && !defined(SIMT_VARIANT_CHECK)
#error \
    "this cuda_runtime.h is the simulator's: run the file with `simrun FILE.cu`, or build it with simt_add_cuda_executable()"
#endif

#if defined(SIMT_LOOPS) && !defined(SIMT_VARIANT_CHECK)
#define SIMT_WAITS_ARE_CALLS 1  // sim/exec/kernel_calls.hpp
#endif

#include <math.h>
#if !defined(_SIMT_HOST_SOURCE)  // what CUDA's own header brings into device code: programs use it without asking
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <new>
#endif

#include <cmath>
#include <numeric>

#include "simt_cuda/fill_elements.hpp"
#include "simt_cuda/vector_types.hpp"
#if !defined(_SIMT_HOST_SOURCE)  // sources of the host have names of their own for what device code calls
#include "simt_cuda/math_functions.hpp"
#include "simt_cuda/warp_functions.hpp"
#include "simt_cuda/cluster_functions.hpp"
#include "simt_cuda/nv_atomics.hpp"
#include "simt_cuda/ptx.hpp"
#include "simt_cuda/textures.hpp"
#endif
#include "simt_cuda/runtime_api.hpp"
#if !defined(_SIMT_HOST_SOURCE)
#include "simt_cuda/texture_references.hpp"
#endif

// Only now: our own API's headers take these for nvcc's.
#if !defined(_SIMT_HOST_SOURCE)
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 48
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __NVCC__ 1
// Of a lambda's type it is not known which words it had: both are true of any, and neither of another type.
#define __nv_is_extended_device_lambda_closure_type(...) (simt_cuda::is_lambda<__VA_ARGS__>())
#define __nv_is_extended_host_device_lambda_closure_type(...) (simt_cuda::is_lambda<__VA_ARGS__>())
#endif
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDART_CB
// Include guards of the Toolkit that programs ask for.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __HOST_DEFINES_H__
#define SIMT_CUDA_SOURCE 1
#if !defined(__clang__)
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif
#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#if !defined(SIMT_HOST_PASS) && !defined(_SIMT_HOST_SOURCE)
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
#endif
