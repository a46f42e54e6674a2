// SPDX-License-Identifier: Apache-2.0
// What stands in a .ptx, .cubin or .fatbin file of ours: no code of a GPU but the source, how it was compiled, and the
// shared object that was made of it. cuModuleLoad of a program that simrun built reads it
// (frontends/cuda/runtime/module_files.cpp), and has it compiled again where the program is of another variant.
#pragma once

#include <string>
#include <vector>

#include "host_compiler.hpp"

namespace simt::cuda_source {

// `typed`: the words that shape the build; `object`: what was built.
std::string module_text(const build_request& request, const std::vector<std::string>& typed, const std::string& object);

}  // namespace simt::cuda_source
