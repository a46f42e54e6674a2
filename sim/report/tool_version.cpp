// SPDX-License-Identifier: Apache-2.0
#include "tool_version.hpp"

#ifndef SIMT_VERSION
#define SIMT_VERSION "0.1.0"
#endif

namespace simt {

std::string tool_version() { return SIMT_VERSION; }

}  // namespace simt
