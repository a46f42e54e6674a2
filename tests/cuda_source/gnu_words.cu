// SPDX-License-Identifier: Apache-2.0
// GNU's spellings of const, volatile and signed in declarations of the device.
#include <cstdio>

static __device__ __const__ float kSteps[] = {0.25f, 0.5f, 1.0f, 2.0f};
static __device__ __const__ unsigned char kMask = 3;
__device__ __const int kOffset = 10;
__device__ __signed__ char lowest = -5;

__device__ float at(__const__ float* steps, int k) { return steps[k & kMask]; }

__global__ void sum(float* out, __const__ int* in) {
  __volatile int k = threadIdx.x;
  out[k] = at(kSteps, k) + (float)kOffset + (float)lowest + (float)in[k];
}

int main() {
  int in[8];
  float out[8];
  for (int i = 0; i < 8; ++i) in[i] = 100 * i;
  int* d_in;
  float* d_out;
  cudaMalloc(&d_in, sizeof(in));
  cudaMalloc(&d_out, sizeof(out));
  cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
  sum<<<1, 8>>>(d_out, d_in);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  for (float x : out) printf("%.2f ", x);
  printf("\n");
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}
