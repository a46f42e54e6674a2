// SPDX-License-Identifier: Apache-2.0
// Several modules as one, for cuLink... and nvJitLink...: their sources are compiled again, together.
#pragma once

#include <string>
#include <vector>

#include "modules.hpp"

namespace simt_cuda {

// One module is itself. Of several the exit code is the compiler's, or -1 where their options do not go together; then
// `messages` says why.
compilation link_modules(const std::vector<simt::cuda_source::module_file>& parts);

}  // namespace simt_cuda
