// SPDX-License-Identifier: Apache-2.0
// A vector that is copied whole from an address that does not suit it: this CPU traps, and the report says why.
// code: 4
// says: no multiple of its size
#include <cuda_runtime.h>
__global__ void kernel(const float* a, float4* out) { out[threadIdx.x] = *(const float4*)(a + 1); }
int main() {
  float* a;
  float4* out;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMalloc(&out, 8 * sizeof(float4));
  cudaMemset(a, 0, 64 * sizeof(float));
  kernel<<<1, 8>>>(a, out);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(out);
}
