// SPDX-License-Identifier: Apache-2.0
// What app.cu includes: a change here must build it again.
#pragma once

inline constexpr int kShift = SHIFT;
