// SPDX-License-Identifier: Apache-2.0
// CUDA C++ source files to an executable for the simulator: preprocessed, translated, compiled, linked, and kept in the
// cache (cache.hpp).
#pragma once

#include <string>

#include "host_compiler.hpp"
#include "tool_chain.hpp"

namespace simt::cuda_source {

struct build_result {
  std::string executable;  // empty: it could not be built
  std::string text;        // the compiler's messages, errors or warnings
};

// Throws std::runtime_error with advice where the cache or the compiler cannot be used.
build_result build(const tool_chain& tools, const build_request& request);

}  // namespace simt::cuda_source
