// SPDX-License-Identifier: Apache-2.0
// One round of a loop that waits for another OS thread, for a moment.
#pragma once

namespace simt::check {

inline void pause_a_moment() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace simt::check
