// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace simt {

// The version of the tool that writes the reports.
std::string tool_version();

}  // namespace simt
