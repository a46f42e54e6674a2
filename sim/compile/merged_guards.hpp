// SPDX-License-Identifier: Apache-2.0
// One guard in front of a loop: of `if (a) if (b) for (...)`, where threads go different ways at both conditions,
// `if (a && b) for (...)`. A loop in which another one is has its guards so, because the inner loop's is asked in front
// of both.
#pragma once

#include "regions.hpp"

namespace simt::compile {

void merge_guards(kernel_form& k);

}  // namespace simt::compile
