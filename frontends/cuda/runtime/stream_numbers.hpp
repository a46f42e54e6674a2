// SPDX-License-Identifier: Apache-2.0
// Streams and events of the runtime API are the backend's numbers in a pointer's clothes.
#pragma once

#include <frontends/cuda/headers/simt_cuda/runtime_types.hpp>
#include <simt/backend.hpp>

namespace simt_cuda {

// Handles start above the two that CUDA reserves; those and null are default streams. Null: the legacy one, or that of
// the thread where the program was built with --default-stream per-thread.
inline constexpr std::uintptr_t kFirstHandle = 16;
// Those that kernels make, for the kernels that they launch. To all other calls they are the default stream.
inline constexpr std::uintptr_t kFirstOfKernels = std::uintptr_t{1} << 47;
cudaStream_t new_stream_of_kernels();
simt::backend::stream_handle stream_of_this_thread();
inline bool null_is_per_thread = false;
void use_stream_per_thread();
inline simt::backend::stream_handle stream_number(cudaStream_t s) {
  if (s == cudaStreamPerThread || (s == nullptr && null_is_per_thread)) return stream_of_this_thread();
  const auto v = reinterpret_cast<std::uintptr_t>(s);
  return v < kFirstHandle || v >= kFirstOfKernels ? 0 : v - kFirstHandle;
}
inline cudaStream_t stream_pointer(simt::backend::stream_handle n) {
  return reinterpret_cast<cudaStream_t>(n + kFirstHandle);
}
inline simt::backend::event_handle event_number(cudaEvent_t e) {
  return reinterpret_cast<std::uintptr_t>(e) - kFirstHandle;
}
inline cudaEvent_t event_pointer(simt::backend::event_handle n) {
  return reinterpret_cast<cudaEvent_t>(n + kFirstHandle);
}

}  // namespace simt_cuda
