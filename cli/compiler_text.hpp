// SPDX-License-Identifier: Apache-2.0
// The compiler's messages as compilers print them: place, what is wrong, the line and a caret under it.
#pragma once

#include <string>
#include <vector>

#include "frontends/cuda/driver/compiler_messages.hpp"
#include "sim/report/text_report.hpp"

namespace simt::cli {

// `fit`: breaks messages and cuts lines to style.width, around the caret; else each keeps its line, for editors and
// files.
std::string compiler_text(const std::vector<cuda_source::compiler_message>& messages, const text_style& style,
                          bool fit);

}  // namespace simt::cli
