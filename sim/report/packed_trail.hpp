// SPDX-License-Identifier: Apache-2.0
// A search's trail as bytes, from a run that is another process to the tool. It may hold as many choices as steps times
// threads; as objects of JSON each would cost a microsecond on both sides. For sim/report and the tool.
#pragma once

#include <cstdint>
#include <vector>

#include "explored_run.hpp"

namespace simt::data {

std::vector<std::uint8_t> packed(const std::vector<explored_step>& trail);

// Throws report_error where the bytes are not those of a trail.
std::vector<explored_step> unpacked(const std::vector<std::uint8_t>& bytes);

}  // namespace simt::data
