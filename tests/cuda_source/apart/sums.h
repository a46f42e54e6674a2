// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr int kThreads = 64;
float sum_of(const float* values, int count);  // sums.cu
void scale(float* values, int count);          // scale.cu
