// SPDX-License-Identifier: Apache-2.0
// Why names of CUDA's headers are not there. Every name that the headers of the runtime API and of device code declare
// is declared by ours or has a reason here (tests/cuda_source/names holds the two to it where a toolkit is installed).
// Of the driver API and of libraries, names without one are refused all the same, with a hint to the docs.
#pragma once

#include <string_view>

namespace simt::cuda_source {

// Null: nothing is known of the name, which may be misspelt. Names of libraries with namespaces are given with them
// (thrust::x).
const char* reason_for_refusing(std::string_view name);

// What is said of inline PTX that cannot be translated begins so.
inline constexpr std::string_view kRefusedPtx = "inline PTX: ";

}  // namespace simt::cuda_source
