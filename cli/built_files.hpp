// SPDX-License-Identifier: Apache-2.0
// The files that a build of CUDA source was asked to write. Each function says what goes wrong and returns the tool's
// exit code.
#pragma once

#include <set>
#include <string>

#include "frontends/cuda/driver/build.hpp"
#include "frontends/cuda/driver/options.hpp"

namespace simt::cli {

// Copies the executable to the file of -o.
int place(const std::string& executable, const std::string& output);
// Copies what was made to a file with this mode.
int place_file(const std::string& made, const std::string& output, unsigned mode);
// The file of -ptx, -cubin or -fatbin.
int write_module_file(const cuda_source::source_command& c, const std::string& object);
// The file of -c: one source, built for plain and for checked runs.
int write_object(const cuda_source::tool_chain& tools, const cuda_source::build_result& plain,
                 const cuda_source::build_result& checked, const std::string& to);
// For -MF: what the file of -o was made from, as a rule for make.
int write_dependencies(const cuda_source::source_command& c, const std::set<std::string>& files);

}  // namespace simt::cli
