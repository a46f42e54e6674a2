// SPDX-License-Identifier: Apache-2.0
// simt::half, IEEE 754 binary16: 11 significant bits, up to 65504. On a GPU its operations are those of
// CUDA's type (__half, cuda_fp16.h). Members: <simt/small_float.hpp>. Host and device.
#pragma once

#include <simt/small_float.hpp>
#if defined(SIMT_VARIANT_CUDA)
#include <backends/cuda/half_arithmetic.hpp>
#else
#include <simt/small_float_bits.hpp>
#endif

namespace simt {

#if defined(SIMT_VARIANT_CUDA)
class half : public detail::small_float<half, gpu::half_arithmetic> {
  using base = detail::small_float<half, gpu::half_arithmetic>;
#else
class half : public detail::small_float<half, detail::half_arithmetic> {
  using base = detail::small_float<half, detail::half_arithmetic>;
#endif

 public:
  using base::base;
};
static_assert(sizeof(half) == 2 && alignof(half) == 2);

}  // namespace simt
