// SPDX-License-Identifier: Apache-2.0
// Device variables and constants at namespace scope on a GPU: CUDA's own. Included by <simt/kernel.hpp>.
//
// Both are private to their source file, as in CUDA without relocatable device code.
#pragma once

#include <type_traits>

#define SIMT_DEVICE_VARIABLE(name, ...) [[maybe_unused]] static __device__ ::std::type_identity_t<__VA_ARGS__> name
#define SIMT_CONSTANT(name, ...) [[maybe_unused]] static __constant__ ::std::type_identity_t<__VA_ARGS__> name
