// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "../simt_cuda/thrust/all.hpp"

namespace thrust {
using std::bad_optional_access;
using std::in_place;
using std::in_place_t;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;
}  // namespace thrust
