// SPDX-License-Identifier: Apache-2.0
// Of cufftXt: plans by number formats, on one device. Callbacks and several devices are refused by name.
#pragma once

#include <cufft.h>

#include "simt_cuda/hide_names.hpp"

#define _CUFFTXT_H_

namespace simt_cuda::libraries {
// False where cuFFT has no such transform, or the simulator has not (halves).
inline bool fft_type_of(cudaDataType in, cudaDataType out, cudaDataType computed, cufftType* type) {
  const bool wide = computed == CUDA_C_64F;
  if (!wide && computed != CUDA_C_32F) return false;
  const cudaDataType number = wide ? CUDA_R_64F : CUDA_R_32F;
  if (in == computed && out == computed)
    *type = wide ? CUFFT_Z2Z : CUFFT_C2C;
  else if (in == number && out == computed)
    *type = wide ? CUFFT_D2Z : CUFFT_R2C;
  else if (in == computed && out == number)
    *type = wide ? CUFFT_Z2D : CUFFT_C2R;
  else
    return false;
  return true;
}
}  // namespace simt_cuda::libraries

inline cufftResult cufftXtMakePlanMany(cufftHandle h, int rank, long long* n, long long* in_embed, long long in_stride,
                                       long long in_distance, cudaDataType in, long long* out_embed,
                                       long long out_stride, long long out_distance, cudaDataType out, long long batch,
                                       std::size_t* work, cudaDataType computed) {
  cufftType type;
  if (!simt_cuda::libraries::fft_type_of(in, out, computed, &type)) return CUFFT_NOT_SUPPORTED;
  return cufftMakePlanMany64(h, rank, n, in_embed, in_stride, in_distance, out_embed, out_stride, out_distance, type,
                             batch, work);
}
SIMT_LIBRARY_CALL cufftResult cufftXtExec(cufftHandle h, void* in, void* out, int direction) {
  using namespace simt_cuda::libraries;
  const void* const place = SIMT_CALLED_FROM;
  const fft_plan* const p = fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  const bool wide = p->shape.is_double;
  const cufftType type = p->shape.kind == fft_kind::complex      ? (wide ? CUFFT_Z2Z : CUFFT_C2C)
                         : p->shape.kind == fft_kind::to_complex ? (wide ? CUFFT_D2Z : CUFFT_R2C)
                                                                 : (wide ? CUFFT_Z2D : CUFFT_C2R);
  if (type == CUFFT_R2C || type == CUFFT_D2Z) direction = CUFFT_FORWARD;
  if (type == CUFFT_C2R || type == CUFFT_Z2D) direction = CUFFT_INVERSE;
  return transform("cufftXtExec()", place, h, type, in, out, direction);
}

#include "simt_cuda/restore_names.hpp"
