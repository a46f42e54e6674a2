// SPDX-License-Identifier: Apache-2.0
// CUDA C++ source files to an executable for the simulator, kept in a cache.
//
// Two keys: the command (files, options, tool chain) finds a list of everything that was read for it, with sizes and
// times; if none of that changed, the executable runs at once. Otherwise the preprocessed text decides.
#pragma once

#include <string>
#include <vector>

#include "tool_chain.hpp"

namespace simt::cuda_source {

struct build_request {
  std::vector<std::string> sources;
  std::vector<std::string> options;       // for compiling: -I, -D, -O, -std, ...
  std::vector<std::string> link_options;  // -l, -L, objects
  bool check = false;                     // the check variant
};

struct build_result {
  std::string executable;  // empty: it could not be built
  std::string text;        // the compiler's messages, errors or warnings
  bool from_cache = false;
};

build_result build(const tool_chain& tools, const build_request& request);

// Where executables are kept: $SIMT_CACHE_DIR, or simt/ in $XDG_CACHE_HOME or ~/.cache.
std::string cache_folder();

}  // namespace simt::cuda_source
