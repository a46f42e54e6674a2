// SPDX-License-Identifier: Apache-2.0
// cuRAND's host API: uniform and normal numbers, their means, the same again from the same seed.
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const size_t n = 20000;
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  std::vector<float> h(n), again(n);
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
  curandGenerateUniform(g, d, n);
  cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  bool inside = true;
  for (float v : h) {
    sum += v;
    inside = inside && v > 0 && v <= 1;
  }
  std::printf("uniform: inside %d, mean right %d\n", inside, std::fabs(sum / n - 0.5) < 0.01);
  curandGenerateNormal(g, d, n, 10.0f, 2.0f);
  cudaMemcpy(again.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  sum = 0;
  double squares = 0;
  for (float v : again) {
    sum += v;
    squares += (v - 10.0) * (v - 10.0);
  }
  std::printf("normal: mean right %d, deviation right %d, odd %d\n", std::fabs(sum / n - 10) < 0.06,
              std::fabs(std::sqrt(squares / n) - 2) < 0.06, (int)curandGenerateNormal(g, d, 3, 0, 1));
  curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
  curandGenerateUniform(g, d, n / 2);
  curandGenerateUniform(g, d + n / 2, n / 2);
  cudaMemcpy(again.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("again: %d\n", again == h);
  curandDestroyGenerator(g);
  curandGenerator_t on_host;
  curandCreateGeneratorHost(&on_host, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  curandGenerateUniform(on_host, h.data(), n);
  std::printf("host: %d\n", h != again);
  curandDestroyGenerator(on_host);
  cudaFree(d);
  return 0;
}
