// SPDX-License-Identifier: Apache-2.0
// Scrambled Sobol sequences: the numbers are the simulator's own, so what is printed holds for any scrambling. Of 2^k
// numbers of a dimension, as many lie in each of 16 equal parts; a sequence by the host's interface and one by a kernel
// with the same constants are the same.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

constexpr int kCount = 1024, kDimensions = 3;

template <class State, class Vectors, class Word>
__global__ void draw(const Vectors* vectors, const Word* constants, float* to) {
  const int d = blockIdx.x;
  Vectors own;
  for (unsigned k = 0; k < sizeof(Vectors) / sizeof(own[0]); ++k) own[k] = vectors[d][k];
  State s;
  curand_init(own, constants[d], Word(threadIdx.x * 16), &s);
  for (int i = 0; i < 16; ++i) to[d * kCount + static_cast<int>(threadIdx.x) * 16 + i] = curand_uniform(&s);
}

bool is_even(const std::vector<float>& v) {
  for (int d = 0; d < kDimensions; ++d) {
    int parts[16] = {};
    for (int i = 0; i < kCount; ++i) {
      const int part = static_cast<int>(v[static_cast<std::size_t>(d * kCount + i)] * 16);
      ++parts[part < 16 ? part : 15];
    }
    for (int n : parts)
      if (n < kCount / 16 - 1 || n > kCount / 16 + 1) return false;
  }
  return true;
}

template <class State, class Vectors, class Word>
void compare(const char* name, curandRngType_t type, const Vectors* vectors, const Word* constants) {
  float* d = nullptr;
  cudaMalloc(&d, kDimensions * kCount * sizeof(float));
  curandGenerator_t g = nullptr;
  curandCreateGenerator(&g, type);
  curandSetQuasiRandomGeneratorDimensions(g, kDimensions);
  curandGenerateUniform(g, d, kDimensions * kCount);
  std::vector<float> by_host(kDimensions * kCount), by_kernel(by_host.size());
  cudaMemcpy(by_host.data(), d, by_host.size() * sizeof(float), cudaMemcpyDeviceToHost);
  curandDestroyGenerator(g);

  Vectors* v = nullptr;
  Word* c = nullptr;
  cudaMalloc(&v, kDimensions * sizeof(Vectors));
  cudaMalloc(&c, kDimensions * sizeof(Word));
  cudaMemcpy(v, vectors, kDimensions * sizeof(Vectors), cudaMemcpyHostToDevice);
  cudaMemcpy(c, constants, kDimensions * sizeof(Word), cudaMemcpyHostToDevice);
  draw<State><<<kDimensions, kCount / 16>>>(v, c, d);
  cudaMemcpy(by_kernel.data(), d, by_kernel.size() * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s: %s, %s\n", name, is_even(by_host) ? "even" : "uneven", by_host == by_kernel ? "the same" : "others");
  cudaFree(d);
  cudaFree(v);
  cudaFree(c);
}

int main() {
  curandDirectionVectors32_t* v32 = nullptr;
  curandDirectionVectors64_t* v64 = nullptr;
  unsigned int* c32 = nullptr;
  unsigned long long* c64 = nullptr;
  curandGetDirectionVectors32(&v32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors64(&v64, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
  curandGetScrambleConstants32(&c32);
  curandGetScrambleConstants64(&c64);
  compare<curandStateScrambledSobol32_t>("32 bits", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, v32, c32);
  compare<curandStateScrambledSobol64_t>("64 bits", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, v64, c64);
  return 0;
}
