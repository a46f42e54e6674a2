// SPDX-License-Identifier: Apache-2.0
// Of cufftXt: plans by number formats, callbacks, and descriptors of data on several devices, of which there is one.
#pragma once

#include <cudalibxt.h>
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

// ---- callbacks
typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0x0,
  CUFFT_CB_LD_COMPLEX_DOUBLE = 0x1,
  CUFFT_CB_LD_REAL = 0x2,
  CUFFT_CB_LD_REAL_DOUBLE = 0x3,
  CUFFT_CB_ST_COMPLEX = 0x4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 0x5,
  CUFFT_CB_ST_REAL = 0x6,
  CUFFT_CB_ST_REAL_DOUBLE = 0x7,
  CUFFT_CB_UNDEFINED = 0x8
} cufftXtCallbackType;
#define SIMT_CUFFT_CALLBACKS(X, T)                                                 \
  typedef T (*cufftCallbackLoad##X)(void*, std::size_t, void* info, void* shared); \
  typedef void (*cufftCallbackStore##X)(void*, std::size_t, T, void* info, void* shared);
SIMT_CUFFT_CALLBACKS(C, cufftComplex)
SIMT_CUFFT_CALLBACKS(Z, cufftDoubleComplex)
SIMT_CUFFT_CALLBACKS(R, cufftReal)
SIMT_CUFFT_CALLBACKS(D, cufftDoubleReal)
#undef SIMT_CUFFT_CALLBACKS

namespace simt_cuda::libraries {
// Where a plan keeps a callback of this type; nullptr: its elements are of another type.
inline fft_callback* callback_of(fft_plan& p, cufftXtCallbackType type) {
  const bool loads = type < CUFFT_CB_ST_COMPLEX;
  const fft_side side = p.shape.side(loads, false);
  const bool real = side.bytes == (p.shape.is_double ? 8 : 4);
  if (type >= CUFFT_CB_UNDEFINED || type % 4 != (real ? 2 : 0) + (p.shape.is_double ? 1 : 0)) return nullptr;
  return loads ? &p.load : &p.store;
}
}  // namespace simt_cuda::libraries

inline cufftResult cufftXtSetCallback(cufftHandle h, void** function, cufftXtCallbackType type, void** info) {
  using namespace simt_cuda::libraries;
  fft_plan* const p = fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  fft_callback* const c = callback_of(*p, type);
  if (c == nullptr || function == nullptr) return CUFFT_INVALID_TYPE;
  *c = {*function, info == nullptr ? nullptr : *info};
  return CUFFT_SUCCESS;
}
inline cufftResult cufftXtClearCallback(cufftHandle h, cufftXtCallbackType type) {
  using namespace simt_cuda::libraries;
  fft_plan* const p = fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  fft_callback* const c = callback_of(*p, type);
  if (c == nullptr) return CUFFT_INVALID_TYPE;
  *c = {};
  return CUFFT_SUCCESS;
}

// ---- data on several devices: on the first
typedef enum cufftXtSubFormat_t {
  CUFFT_XT_FORMAT_INPUT = 0x00,
  CUFFT_XT_FORMAT_OUTPUT = 0x01,
  CUFFT_XT_FORMAT_INPLACE = 0x02,
  CUFFT_XT_FORMAT_INPLACE_SHUFFLED = 0x03,
  CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED = 0x04,
  CUFFT_XT_FORMAT_DISTRIBUTED_INPUT = 0x05,
  CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT = 0x06,
  CUFFT_FORMAT_UNDEFINED = 0x07
} cufftXtSubFormat;
typedef enum cufftXtCopyType_t {
  CUFFT_COPY_HOST_TO_DEVICE = 0x00,
  CUFFT_COPY_DEVICE_TO_HOST = 0x01,
  CUFFT_COPY_DEVICE_TO_DEVICE = 0x02,
  CUFFT_COPY_UNDEFINED = 0x03
} cufftXtCopyType;
typedef enum cufftXtWorkAreaPolicy_t {
  CUFFT_WORKAREA_MINIMAL = 0,
  CUFFT_WORKAREA_USER = 1,
  CUFFT_WORKAREA_PERFORMANCE = 2
} cufftXtWorkAreaPolicy;

inline cufftResult cufftXtSetGPUs(cufftHandle h, int count, int* devices) {
  if (simt_cuda::libraries::fft_plan_of(h) == nullptr) return CUFFT_INVALID_PLAN;
  if (count < 1 || devices == nullptr) return CUFFT_INVALID_VALUE;
  return count == 1 && devices[0] == 0 ? CUFFT_SUCCESS : CUFFT_INVALID_DEVICE;
}
inline cufftResult cufftXtSetWorkArea(cufftHandle h, void**) {
  return simt_cuda::libraries::fft_plan_of(h) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
inline cufftResult cufftXtSetWorkAreaPolicy(cufftHandle h, cufftXtWorkAreaPolicy, std::size_t*) {
  return simt_cuda::libraries::fft_plan_of(h) == nullptr ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
}
inline cufftResult cufftXtMalloc(cufftHandle h, cudaLibXtDesc** to, cufftXtSubFormat format) {
  const auto* const p = simt_cuda::libraries::fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  const auto bytes_of = [&](bool input) {
    const simt_cuda::libraries::fft_side s = p->shape.side(input, true);
    return static_cast<std::size_t>(s.extent() * s.bytes);
  };
  const std::size_t bytes = bytes_of(true) > bytes_of(false) ? bytes_of(true) : bytes_of(false);
  void* data = nullptr;
  if (cudaMalloc(&data, bytes) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  auto* const one = new cudaXtDesc{};
  one->version = CUDA_XT_DESCRIPTOR_VERSION;
  one->nGPUs = 1;
  one->data[0] = data;
  one->size[0] = bytes;
  *to = new cudaLibXtDesc{CUDA_XT_DESCRIPTOR_VERSION, one, LIB_FORMAT_CUFFT, static_cast<int>(format), nullptr};
  return CUFFT_SUCCESS;
}
inline cufftResult cufftXtFree(cudaLibXtDesc* d) {
  if (d == nullptr) return CUFFT_INVALID_VALUE;
  const cudaError_t freed = cudaFree(d->descriptor->data[0]);
  delete d->descriptor;
  delete d;
  return freed == cudaSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
}
// Between a descriptor and an array of the host, or between two descriptors. The host's array has no padding.
inline cufftResult cufftXtMemcpy(cufftHandle h, void* to, void* from, cufftXtCopyType type) {
  const auto* const p = simt_cuda::libraries::fft_plan_of(h);
  if (p == nullptr || !p->made) return CUFFT_INVALID_PLAN;
  const bool to_device = type != CUFFT_COPY_DEVICE_TO_HOST, from_device = type != CUFFT_COPY_HOST_TO_DEVICE;
  if (type >= CUFFT_COPY_UNDEFINED || to == nullptr || from == nullptr) return CUFFT_INVALID_VALUE;
  const cudaXtDesc* const d = static_cast<cudaLibXtDesc*>(to_device ? to : from)->descriptor;
  void* const target = to_device ? d->data[0] : to;
  const void* const source = from_device ? static_cast<cudaLibXtDesc*>(from)->descriptor->data[0] : from;
  return cudaMemcpy(target, source, d->size[0], cudaMemcpyDefault) == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}
#define SIMT_CUFFT_DESCRIPTORS(X, direction_parameter, direction)                                           \
  SIMT_LIBRARY_CALL cufftResult cufftXtExecDescriptor##X(cufftHandle h, cudaLibXtDesc* in,                  \
                                                         cudaLibXtDesc* out direction_parameter) {          \
    if (in == nullptr || out == nullptr) return CUFFT_INVALID_VALUE;                                        \
    return simt_cuda::libraries::transform("cufftXtExecDescriptor" #X "()", SIMT_CALLED_FROM, h, CUFFT_##X, \
                                           in->descriptor->data[0], out->descriptor->data[0], direction);   \
  }
#define SIMT_CUFFT_DIRECTION , int direction
SIMT_CUFFT_DESCRIPTORS(C2C, SIMT_CUFFT_DIRECTION, direction)
SIMT_CUFFT_DESCRIPTORS(Z2Z, SIMT_CUFFT_DIRECTION, direction)
SIMT_CUFFT_DESCRIPTORS(R2C, , CUFFT_FORWARD)
SIMT_CUFFT_DESCRIPTORS(D2Z, , CUFFT_FORWARD)
SIMT_CUFFT_DESCRIPTORS(C2R, , CUFFT_INVERSE)
SIMT_CUFFT_DESCRIPTORS(Z2D, , CUFFT_INVERSE)
#undef SIMT_CUFFT_DIRECTION
#undef SIMT_CUFFT_DESCRIPTORS

#include "simt_cuda/restore_names.hpp"
