// SPDX-License-Identifier: Apache-2.0
// What is said about an asynchronous copy and an access that nothing orders. Part of the phrasebook.
#pragma once

#include <string>

#include "finding.hpp"
#include "phrasebook.hpp"

namespace simt {

std::string why_of_copy(const finding& f);
std::string order_of_copy(const finding& f, dialect d);

}  // namespace simt
