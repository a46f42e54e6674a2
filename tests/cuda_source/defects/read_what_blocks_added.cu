// SPDX-License-Identifier: Apache-2.0
// A block reads the sum that others still add to: atomics alone order nothing, so a second launch must read, or the last block.
// options: --check races
// code: 3
// says: race-global
// says: fix: read it at line 11 in a second launch
// says: 1 error;
__global__ void mean(const float* values, float* sum, float* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, values[i]);
  if (i == 0) *result = *sum / n;
}
int main() {
  const int n = 256;
  float *d_values, *d_sum, *d_result;
  cudaMalloc(&d_values, n * sizeof(float));
  cudaMalloc(&d_sum, sizeof(float));
  cudaMalloc(&d_result, sizeof(float));
  cudaMemset(d_values, 0, n * sizeof(float));
  cudaMemset(d_sum, 0, sizeof(float));
  mean<<<4, 64>>>(d_values, d_sum, d_result, n);
  cudaDeviceSynchronize();
  cudaFree(d_values);
  cudaFree(d_sum);
  cudaFree(d_result);
}
