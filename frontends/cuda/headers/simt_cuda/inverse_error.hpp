// SPDX-License-Identifier: Apache-2.0
// Inverses of the error functions and of the normal distribution, for device code and for random numbers that sources
// of the host draw.
#pragma once

#include <cmath>

namespace simt_cuda {

// Inverses by Newton's method from Giles's approximation ("Approximating the erfinv function", GPU Computing Gems).
inline double inverse_erf(double y) {
  if (!(y > -1.0 && y < 1.0)) return y == 1.0 ? HUGE_VAL : y == -1.0 ? -HUGE_VAL : static_cast<double>(NAN);
  double w = -::log((1.0 - y) * (1.0 + y));
  double p;
  if (w < 5.0) {
    w -= 2.5;
    p = 1.50140941 + w * (0.246640727 + w * (-0.00417768164 + w * (-0.00125372503 + w * 0.00021858087)));
  } else {
    w = ::sqrt(w) - 3.0;
    p = 2.83297682 + w * (1.00167406 + w * (0.00943887047 + w * (-0.0076224613 + w * 0.00573950773)));
  }
  double x = p * y;
  for (int i = 0; i < 3; ++i) {
    // Near 1 the error function is 1 to the last bits: the complement keeps what is left.
    const double error = x > 0 ? (1.0 - y) - ::erfc(x) : ::erfc(-x) - (1.0 + y);
    x -= error / (1.1283791670955126 * ::exp(-x * x));
  }
  return x;
}
inline double inverse_erfc(double y) {
  if (!(y > 0.0 && y < 2.0)) return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : static_cast<double>(NAN);
  if (y > 0.0625) return inverse_erf(1.0 - y);
  double x = ::sqrt(-::log(y * 1.7724538509055159 * ::sqrt(-::log(y))));
  for (int i = 0; i < 6; ++i) x += (::erfc(x) - y) / (1.1283791670955126 * ::exp(-x * x));
  return x;
}
inline double inverse_normal(double p) { return -1.4142135623730951 * inverse_erfc(2.0 * p); }

}  // namespace simt_cuda
