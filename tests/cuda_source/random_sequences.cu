// SPDX-License-Identifier: Apache-2.0
// Sobol's sequences, MRG32k3a and Poisson numbers, in kernels and from cuRAND's host API; host generators give what
// those of the device give.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

template <class State, class Directions>
__global__ void begin(State *states, Directions *directions, unsigned int offset) {
  curand_init(directions[threadIdx.x], offset, &states[threadIdx.x]);
}
template <class State>
__global__ void draw(State *states, float *to, int n) {
  State s = states[threadIdx.x];
  for (int i = 0; i < n; ++i) to[threadIdx.x * n + i] = curand_uniform(&s);
}
__global__ void combined(double *to) {
  curandStateMRG32k3a s;
  curand_init(0, 0, 0, &s);
  for (int i = 0; i < 3; ++i) to[i] = curand_uniform_double(&s);
  curandStateMRG32k3a behind;
  curand_init(0, 0, 2, &behind);
  to[3] = curand_uniform_double(&behind);
}
__global__ void poisson(unsigned int *to, double mean, int n) {
  curandState s;
  curand_init(7, threadIdx.x, 0, &s);
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] = curand_poisson(&s, mean);
}

template <class State, class Directions>
void sobol(Directions *directions, unsigned int offset) {
  Directions *on_device;
  State *states;
  float *d, h[12];
  cudaMalloc(&on_device, 3 * sizeof(Directions));
  cudaMalloc(&states, 3 * sizeof(State));
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(on_device, directions, 3 * sizeof(Directions), cudaMemcpyHostToDevice);
  begin<<<1, 3>>>(states, on_device, offset);
  draw<<<1, 3>>>(states, d, 4);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12; ++i) printf("%.4f%c", h[i], i % 4 == 3 ? '\n' : ' ');
  cudaFree(on_device);
  cudaFree(states);
  cudaFree(d);
}

void generator(const char *name, curandRngType_t type) {
  const size_t n = 10000;
  curandGenerator_t on_device, on_host;
  curandCreateGenerator(&on_device, type);
  curandCreateGeneratorHost(&on_host, type);
  std::vector<float> a(n), b(n);
  float *d;
  cudaMalloc(&d, n * sizeof(float));
  for (int twice = 0; twice < 2; ++twice) {
    curandGenerateUniform(on_device, d, n);
    curandGenerateUniform(on_host, b.data(), n);
  }
  cudaMemcpy(a.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float x : a) sum += x;
  printf("%s: mean right %d, as on the host %d\n", name, std::fabs(sum / n - 0.5) < 0.01, a == b);
  curandDestroyGenerator(on_device);
  curandDestroyGenerator(on_host);
  cudaFree(d);
}

int main() {
  curandDirectionVectors32_t *v32;
  curandDirectionVectors64_t *v64;
  curandGetDirectionVectors32(&v32, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors64(&v64, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  sobol<curandStateSobol32>(v32, 0);
  sobol<curandStateSobol64>(v64, 5);
  double *d, h[4];
  cudaMalloc(&d, sizeof h);
  combined<<<1, 1>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%.6f %.6f %.6f, with an offset %.6f\n", h[0], h[1], h[2], h[3]);
  cudaFree(d);
  const int n = 4096;
  unsigned int *p;
  cudaMallocManaged(&p, n * sizeof(unsigned int));
  for (double mean : {3.0, 500.0}) {
    poisson<<<1, 128>>>(p, mean, n);
    cudaDeviceSynchronize();
    double sum = 0, squares = 0;
    for (int i = 0; i < n; ++i) sum += p[i], squares += (p[i] - mean) * (p[i] - mean);
    printf("Poisson %.0f: mean right %d, variance right %d\n", mean, std::fabs(sum / n / mean - 1) < 0.05,
           std::fabs(squares / n / mean - 1) < 0.1);
  }
  cudaFree(p);
  generator("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  generator("MTGP32", CURAND_RNG_PSEUDO_MTGP32);
  generator("Sobol32", CURAND_RNG_QUASI_SOBOL32);
  generator("Sobol64", CURAND_RNG_QUASI_SOBOL64);
  generator("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
}
