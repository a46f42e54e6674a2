// SPDX-License-Identifier: Apache-2.0
// simt::bfloat16, the upper half of a float: 8 significant bits, a float's range. On a GPU its operations are those of
// CUDA's type (__nv_bfloat16, cuda_bf16.h). Members: <simt/small_float.hpp>. Host and device.
#pragma once

#include <simt/small_float.hpp>
#if defined(SIMT_VARIANT_CUDA)
#include <backends/cuda/bfloat16_arithmetic.hpp>
#else
#include <simt/small_float_bits.hpp>
#endif

namespace simt {

#if defined(SIMT_VARIANT_CUDA)
class bfloat16 : public detail::small_float<bfloat16, gpu::bfloat16_arithmetic> {
  using base = detail::small_float<bfloat16, gpu::bfloat16_arithmetic>;
#else
class bfloat16 : public detail::small_float<bfloat16, detail::bfloat16_arithmetic> {
  using base = detail::small_float<bfloat16, detail::bfloat16_arithmetic>;
#endif

 public:
  using base::base;
};
static_assert(sizeof(bfloat16) == 2 && alignof(bfloat16) == 2);

}  // namespace simt
