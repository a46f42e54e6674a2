// SPDX-License-Identifier: Apache-2.0
// What a line that names CUDA source asks to be made. Each function says what goes wrong and returns an exit code of
// the tool.
#pragma once

#include <optional>

#include "frontends/cuda/driver/build.hpp"
#include "frontends/cuda/driver/cache.hpp"
#include "frontends/cuda/driver/options.hpp"
#include "run_options.hpp"

namespace simt::cli {

// The program, built or taken from the cache. -1: it is there, and named in `built`.
int build_program(const cuda_source::source_command& c, const run_options& o,
                  std::optional<cuda_source::program_cache>& cache, cuda_source::build_result& built);

// -c: each source compiled for plain and for checked runs, in one file.
int make_objects(cuda_source::source_command c, run_options& o);

// -shared: a library for programs of any kind. It holds its sources' objects as well (source_objects.hpp), for simrun
// to link.
int make_shared_library(cuda_source::source_command c, run_options& o);

// -lib: an archive of the object files that are named, and of those of its sources.
int make_archive(cuda_source::source_command c, run_options& o);

// -dlink: an object file for a link by simrun, which links device code itself.
int link_device_code(const cuda_source::source_command& c);

}  // namespace simt::cli
