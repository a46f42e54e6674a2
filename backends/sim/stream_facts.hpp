// SPDX-License-Identifier: Apache-2.0
// What backends/sim/host.cpp knows of a stream, for the check session.
#pragma once

#include <simt/backend.hpp>

namespace simt::backend {
// Ordered with the default stream? True for handles that do not exist.
bool stream_is_blocking(stream_handle s);
}  // namespace simt::backend
