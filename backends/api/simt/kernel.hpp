// SPDX-License-Identifier: Apache-2.0
// What kernels use: simt::thread, views, atomics, shared memory. Includes nothing of the host API.
#pragma once

#include <simt/dim3.hpp>
#include <simt/view.hpp>

#if defined(SIMT_VARIANT_CUDA)
#include <backends/cuda/thread.hpp>
#include <backends/cuda/variables.hpp>
#elif defined(SIMT_VARIANT_SIM) || defined(SIMT_VARIANT_CHECK)
#include <backends/sim/thread.hpp>
#include <backends/sim/variables.hpp>
#else
#error "compile kernels with one of the targets simt::sim, simt::check or simt::cuda (simt_add_kernels does)"
#endif
