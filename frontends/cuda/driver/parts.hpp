// SPDX-License-Identifier: Apache-2.0
// A source with several kernels is compiled in two parts at once where a processor is free: two compilers read it, and
// the plugin leaves in each what is of its part (sim/compile/parts.hpp).
#pragma once

#include <string>

#include "host_compiler.hpp"

namespace simt::cuda_source {

// `text`: of the source alone, translated. SIMT_COMPILE_PARTS=1 and =2 in the environment ask for one part and for two,
// whatever else the processors do.
bool compiles_in_parts(const tool_chain& tools, const build_request& request, const std::string& text,
                       source_language language);
// Beside the object of a source: that of its second part, if it was compiled in two.
std::string second_object(const std::string& object);
// As run_compiler. Both read all of the source, so what is wrong with it is said by the first.
process_result run_compiler_in_parts(const tool_chain& tools, const build_request& request, const std::string& from,
                                     const std::string& to, source_language language, const std::string& headers);

}  // namespace simt::cuda_source
