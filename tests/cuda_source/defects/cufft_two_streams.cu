// SPDX-License-Identifier: Apache-2.0
// A kernel on one stream still fills what a transform on another reads.
// needs: fftw3.h of libfftw3-dev
// options: --check all
// code: 3
// says: race-global
// says: cufft_two_streams.cu:30 in
// says: cufftExecR2C
#include <cuda_runtime.h>
#include <cufft.h>

__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i % 7;
}

int main() {
  const int n = 256;
  float *signal;
  cufftComplex *spectrum;
  cudaMalloc(&signal, n * sizeof *signal);
  cudaMalloc(&spectrum, (n / 2 + 1) * sizeof *spectrum);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cufftHandle plan;
  cufftPlan1d(&plan, n, CUFFT_R2C, 1);
  cufftSetStream(plan, b);
  fill<<<1, n, 0, a>>>(signal, n);
  cufftExecR2C(plan, signal, spectrum);
  cudaDeviceSynchronize();
  cufftDestroy(plan);
  cudaFree(signal);
  cudaFree(spectrum);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  return 0;
}
