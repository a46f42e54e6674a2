// SPDX-License-Identifier: Apache-2.0
// How CUDA source is compiled and linked on this machine: the file cuda_tool_chain.txt that the build wrote.
#pragma once

#include <string>
#include <vector>

namespace simt::cuda_source {

struct tool_chain {
  std::string compiler;
  std::string plugin;                 // that makes loops of kernels with barriers; empty: none
  std::string headers;                // ours by CUDA's names
  std::string raw_strings;            // "again": its -E repeats their newlines (translate/token.hpp)
  std::vector<std::string> includes;  // the API's and the engine's
  std::vector<std::string> flags, sim_flags, check_flags;
  std::vector<std::string> sim_libraries;
  std::string check_runtime;  // linked whole and first: its start-up comes before the program's
  std::vector<std::string> check_libraries;
  std::vector<std::string> libraries;  // of both
};

// Reads cuda_tool_chain.txt in `folder`. Throws std::runtime_error with advice.
tool_chain read_tool_chain(const std::string& folder);

}  // namespace simt::cuda_source
