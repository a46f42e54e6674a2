// SPDX-License-Identifier: Apache-2.0
// The primitive pipeline interface.
#pragma once

#include "simt_cuda/hide_names.hpp"

#include <cuda_runtime.h>

#include "simt_cuda/async_copies.hpp"

[[gnu::always_inline]] inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                                           std::size_t zero_fill = 0) {
  simt_cuda::expect_aligned(to, from, bytes, bytes == 8 || bytes == 16 ? bytes : 4,
                            false);  // 4, 8 or 16 bytes, aligned to them
  simt_cuda::copy_later(to, from, bytes - zero_fill);
  for (std::size_t i = bytes - zero_fill; i < bytes; ++i) static_cast<char*>(to)[i] = 0;
}
inline void __pipeline_commit() { simt_cuda::commit_copies(); }
[[gnu::always_inline]] inline void __pipeline_wait_prior(std::size_t prior) {
  simt_cuda::wait_for_copies(static_cast<unsigned>(prior));
}

#include "simt_cuda/restore_names.hpp"
