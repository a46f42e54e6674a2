// SPDX-License-Identifier: Apache-2.0
// Options, timers and comparisons of NVIDIA's samples; no image files.
#ifndef COMMON_HELPER_FUNCTIONS_H_
#define COMMON_HELPER_FUNCTIONS_H_

#include "../simt_cuda/hide_names.hpp"

#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "helper_string.h"
#include "helper_timer.h"

// Whether the relative error in the Euclidean norm is below epsilon.
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned int length, const float epsilon) {
  double error = 0, norm = 0;
  for (unsigned int i = 0; i < length; ++i) {
    const double d = static_cast<double>(reference[i]) - data[i];
    error += d * d;
    norm += static_cast<double>(reference[i]) * reference[i];
  }
  return norm > 1e-7 && std::sqrt(error) / std::sqrt(norm) < epsilon;
}
// Whether all but a share of the elements differ by at most epsilon.
template <class T, class S>
inline bool compareData(const T* reference, const T* data, const unsigned int length, const S epsilon,
                        const float share) {
  unsigned int wrong = 0;
  for (unsigned int i = 0; i < length; ++i)
    if (!(std::fabs(static_cast<double>(reference[i]) - static_cast<double>(data[i])) <= static_cast<double>(epsilon)))
      ++wrong;
  return static_cast<float>(wrong) <= share * static_cast<float>(length);
}

#include "../simt_cuda/restore_names.hpp"

#endif
