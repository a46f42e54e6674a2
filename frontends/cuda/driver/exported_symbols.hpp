// SPDX-License-Identifier: Apache-2.0
// Archives and objects whose symbols a program may export. The runtime is compiled with hidden visibility, so that
// modules of kernels never share it (docs/architecture.md); a program that loads modules of CUDA source lends them its
// own, and is linked with copies in which nothing is hidden.
#pragma once

#include <string>

namespace simt::cuda_source {

// The copy of `file` in `folder`. Throws std::runtime_error where it is no archive of 64-bit ELF objects, or cannot be
// written.
std::string exported_copy(const std::string& file, const std::string& folder);

}  // namespace simt::cuda_source
