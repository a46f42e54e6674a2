// SPDX-License-Identifier: Apache-2.0
// What is said where a flag or counter tells another block of data, and nothing keeps the data before it.
#pragma once

#include <string>

#include "cause.hpp"
#include "phrasebook.hpp"

namespace simt {

// The places are words: "line 7", "the write".
std::string why_unfenced(const way_to_flag& way, const std::string& flag);
std::string mended_way(const way_to_flag& way, const std::string& write, const std::string& flag, dialect d);

}  // namespace simt
