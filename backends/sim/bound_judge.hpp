// SPDX-License-Identifier: Apache-2.0
// Who judges the accesses of the check variant where they are made: the detector. The one place that says so.
#pragma once

#include <sim/check/access_judge.hpp>

namespace simt::sim {
using bound_judge = check::access_judge;
}
