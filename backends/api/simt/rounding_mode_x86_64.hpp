// SPDX-License-Identifier: Apache-2.0
// Directed rounding by the control word of SSE alone: nothing here is computed by the x87, whose word takes most of
// fesetround's time.
#pragma once

#include <simt/dim3.hpp>

namespace simt::detail {

// mode: FE_UPWARD and its like, of <cfenv>. Gives the mode before.
SIMT_INLINE inline int set_rounding(int mode) {
  constexpr unsigned kBits = 0x6000, kShift = 3;  // MXCSR has FE_DOWNWARD and its like three bits further up
  unsigned word = 0;
  asm volatile("stmxcsr %0" : "=m"(word));
  const unsigned changed = (word & ~kBits) | static_cast<unsigned>(mode) << kShift;
  asm volatile("ldmxcsr %0" : : "m"(changed));
  return static_cast<int>((word & kBits) >> kShift);
}

}  // namespace simt::detail
