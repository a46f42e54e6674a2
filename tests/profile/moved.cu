// SPDX-License-Identifier: Apache-2.0
// Arithmetic that the compiler moves in front of a condition, where it loses its line, counts nevertheless.
#include "check.hpp"

__global__ void rounds(const float* x, float* y, float step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = y[i];
  for (float left = threadIdx.x % 5; left > 0; left -= 1) {
    a += step * b;
    b -= step * a;
    if (b < -10) break;
  }
  y[i] = a;
}

int main() {
  float* x = zeroed<float>(16384);
  float* y = zeroed<float>(16384);
  RUN(rounds, 64, 256, x, y, 0.5f);
  LOOK(cudaFree(x));
  LOOK(cudaFree(y));
  return 0;
}
