// SPDX-License-Identifier: Apache-2.0
// What the parts of the driver API share: contexts, and calls of the runtime API in their name.
#pragma once

#include <cstdint>

#include <frontends/cuda/headers/simt_cuda/runtime_api.hpp>
#include <frontends/cuda/headers/simt_cuda/driver_api.hpp>
#include <backends/sim/frontend.hpp>

#include "state.hpp"

namespace simt_cuda {

// The runtime's own errors (pitches, symbols, directions) are wrong values to the driver.
CUresult as_driver(cudaError_t e);

inline void* as_pointer(CUdeviceptr p) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(p)); }
inline CUdeviceptr as_device(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

// A copy of a box as the runtime has it; false: its parts do not fit. (driver_rarer.cpp)
bool runtime_box(const CUDA_MEMCPY3D* c, cudaMemcpy3DParms& p);

// A call of the driver API: what it asks of the runtime makes no context current, belongs to the line `caller`, and
// leaves no error that a program should have asked for.
class driver_call {
 public:
  explicit driver_call(const void* caller);
  ~driver_call();
  driver_call(const driver_call&) = delete;
  driver_call& operator=(const driver_call&) = delete;
  // Whether the driver was started, and a context of this thread is current.
  CUresult ready() const;
  std::uintptr_t pc() const { return pc_; }

 private:
  simt::backend::calling_from line_;
  std::uintptr_t pc_;
  bool outer_;
};

}  // namespace simt_cuda

// Begins a function of the driver API that needs a context.
#define SIMT_DRIVER_CALL                                            \
  const simt_cuda::driver_call driver(__builtin_return_address(0)); \
  if (const CUresult not_ready = driver.ready(); not_ready != CUDA_SUCCESS) return not_ready
