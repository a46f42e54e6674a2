// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types, the make_ functions, and dim3.
#pragma once

#include <backends/sim/vector_types.hpp>

struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
