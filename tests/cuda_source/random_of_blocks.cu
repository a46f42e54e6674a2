// SPDX-License-Identifier: Apache-2.0
// cuRAND's generators that a block shares (MTGP32) and its discrete distributions. Their numbers are not NVIDIA's, so
// only what a GPU's numbers have as well is told.
#include <curand.h>
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

constexpr int kBlocks = 16, kThreads = 256, kRounds = 8;

__global__ void draw(curandStateMtgp32* states, unsigned int* words, double* sums) {
  double uniform = 0, normal = 0, square = 0, poisson = 0;
  for (int i = 0; i < kRounds; ++i) {
    words[(blockIdx.x * kRounds + i) * kThreads + threadIdx.x] = curand(&states[blockIdx.x]);
    uniform += curand_uniform(&states[blockIdx.x]);
    const double n = curand_normal(&states[blockIdx.x]);
    normal += n;
    square += n * n;
    poisson += curand_poisson(&states[blockIdx.x], 4.0);
  }
  atomicAdd(&sums[0], uniform);
  atomicAdd(&sums[1], normal);
  atomicAdd(&sums[2], square);
  atomicAdd(&sums[3], poisson);
}
__global__ void discrete(curandDiscreteDistribution_t d, double* sum) {
  curandStatePhilox4_32_10_t s;
  curand_init(7, blockIdx.x * blockDim.x + threadIdx.x, 0, &s);
  const uint4 v = curand_discrete4(&s, d);
  atomicAdd(sum, double(v.x) + v.y + v.z + v.w + curand_discrete(&s, d));
}

int main() {
  curandStateMtgp32* states;
  mtgp32_kernel_params* parameters;
  cudaMalloc(&states, kBlocks * sizeof *states);
  cudaMalloc(&parameters, sizeof *parameters);
  std::printf("%d", static_cast<int>(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, parameters)));
  std::printf(" %d\n", static_cast<int>(curandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, parameters,
                                                                    kBlocks, 1234)));
  constexpr int kWords = kBlocks * kThreads * kRounds;
  unsigned int* words;
  double* sums;
  cudaMalloc(&words, kWords * sizeof *words);
  cudaMallocManaged(&sums, 4 * sizeof *sums);
  for (int i = 0; i < 4; ++i) sums[i] = 0;
  draw<<<kBlocks, kThreads>>>(states, words, sums);
  std::vector<unsigned int> h(kWords);
  cudaMemcpy(h.data(), words, kWords * sizeof *words, cudaMemcpyDeviceToHost);
  const std::set<unsigned int> different(h.begin(), h.end());
  std::printf("nearly all differ: %d\n", different.size() > kWords - 10);
  std::printf("uniform %.1f, normal %.1f, square %.1f, Poisson %.1f\n", sums[0] / kWords,
              std::abs(sums[1] / kWords), sums[2] / kWords, sums[3] / kWords);
  curandDiscreteDistribution_t d;
  std::printf("%d\n", static_cast<int>(curandCreatePoissonDistribution(20.0, &d)));
  sums[0] = 0;
  discrete<<<32, 256>>>(d, sums);
  cudaDeviceSynchronize();
  std::printf("%.0f\n", sums[0] / (32 * 256 * 5));
  std::printf("%d\n", static_cast<int>(curandDestroyDistribution(d)));
  cudaFree(states);
  cudaFree(parameters);
  cudaFree(words);
  cudaFree(sums);
}
