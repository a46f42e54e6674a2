// SPDX-License-Identifier: Apache-2.0
// The names of enumerators in data, both ways. Private to sim/report; others call name().
#pragma once

#include <span>
#include <string_view>

namespace simt {

// In the order of the enumerators. Defined for every enum that a report holds.
template <class E>
std::span<const std::string_view> names_of();

}  // namespace simt
