// SPDX-License-Identifier: Apache-2.0
// CUDA C++ source files to an executable for the simulator: preprocessed, translated, compiled, linked, and kept in the
// cache (cache.hpp).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "compiler_messages.hpp"
#include "host_compiler.hpp"
#include "tool_chain.hpp"

namespace simt::cuda_source {

struct build_result {
  std::string executable;                  // empty: it could not be built
  std::vector<compiler_message> messages;  // errors and warnings, in the user's own lines
  std::set<std::string> files_read;
};

// `cache`: a folder that only we can write (program_cache). Throws std::runtime_error with advice where it or the
// compiler cannot be used.
build_result build(const tool_chain& tools, const build_request& request, const std::filesystem::path& cache);

}  // namespace simt::cuda_source
