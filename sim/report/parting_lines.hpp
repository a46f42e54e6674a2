// SPDX-License-Identifier: Apache-2.0
// Where two accesses of one kernel part: the calls around them, from the kernel inwards, until their lines differ.
#pragma once

#include <utility>
#include <vector>

#include "finding.hpp"

namespace simt {

// Copies of both whose function and line are those of the outermost function that holds both and has them at different
// lines: of two calls of one helper, the calls. As they are where there is no such function. Their columns are then 0.
std::pair<access, access> parting_lines(const access& later, const access& earlier);

// The calls around the place that parting_lines() gives, which both accesses have in common, as places of the accesses'
// file.
std::vector<access> common_calls(const access& later, const access& earlier);

inline bool of_one_function(const access& a, const access& b) { return a.file == b.file && a.function == b.function; }

}  // namespace simt
