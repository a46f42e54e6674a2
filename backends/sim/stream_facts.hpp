// SPDX-License-Identifier: Apache-2.0
// What backends/sim knows of streams and captures, for the check session and for front ends.
#pragma once

#include <simt/backend.hpp>

namespace simt::backend {
// Ordered with the default stream? True for handles that do not exist.
bool stream_is_blocking(stream_handle s);
bool event_exists(event_handle e);
// Throws if there is no such stream, or it is captured.
void require_free_stream(stream_handle s);
// Memory that is there already counts as made by work of `s`.
void made_on_stream(void* device_pointer, std::size_t bytes, stream_handle s);
// CUDA's number of the last error of a capture on this thread (cudaErrorStreamCapture...), 0 if there was none since.
int take_capture_error();
}  // namespace simt::backend
