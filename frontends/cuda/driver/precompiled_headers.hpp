// SPDX-License-Identifier: Apache-2.0
// CUDA's headers are the first 91,000 lines of every source, and what takes most of the time where the rest is short.
// clang reads them once for a set of options; what it has understood of them (14 to 16 MB) is kept in the cache. So is
// what it has understood of the headers that the source includes before its own first line, on top of that.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "host_compiler.hpp"

namespace simt::cuda_source {

// The file with what the compiler understood of `headers`, taken from the cache or made now; of the files that nobody
// has used for long, all but a few go. `after`: such a file that these headers follow; empty: none. Empty where there
// is none: the compiler is not clang, or could not write it.
std::string precompiled_headers(const tool_chain& tools, const build_request& request, std::string_view headers,
                                const std::filesystem::path& cache, const std::string& after = {});

// Whether a compilation with such a file failed because of the file.
bool failed_by_headers(const process_result& compilation);

}  // namespace simt::cuda_source
