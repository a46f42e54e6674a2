// SPDX-License-Identifier: Apache-2.0
// What the tests of streams, graphs and the host's memory share.
#pragma once

#include <simt/simt.hpp>

// One more in every element, by any number of threads.
SIMT_DEVICE void add_one(simt::thread t, simt::view<int> x) {
  for (auto i : t.grid_stride(x.size())) x[i] += 1;
}

inline constexpr simt::launch_config kSmall{.grid = 2, .block = 64};
inline constexpr simt::stream::options kNonBlocking{.non_blocking = true};

#if defined(SIMT_VARIANT_CHECK)
inline constexpr bool kChecked = true;
#else
inline constexpr bool kChecked = false;
#endif
