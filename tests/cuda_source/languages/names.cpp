// SPDX-License-Identifier: Apache-2.0
// C++ of the host with a lerp and a midpoint of its own, which reads <cmath> before CUDA's headers and <math.h> after.
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include <cuda.h>
#include <cuda_runtime.h>
#include <math.h>

static float lerp(float a, float b, float t) { return a + t * (b - a); }
static int midpoint(int a, int b) { return a + (b - a) / 2; }

int main() {
  float *d = nullptr;
  cudaMalloc(&d, sizeof(float));
  float h = lerp(1.0f, 3.0f, 0.25f);
  cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
  h = 0;
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::printf("%.2f %d %.2f\n", h, midpoint(2, 9), std::sqrt(4.0));
}
