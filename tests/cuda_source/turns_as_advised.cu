// SPDX-License-Identifier: Apache-2.0
// defects/turns_of_a_block.cu, mended as its reports say.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void differences(float* out, const float* in, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  for (int first = blockIdx.x * blockDim.x; first < n; first += gridDim.x * blockDim.x) {
    const int i = first + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = tile[t] - tile[(t + 32) % 64];
    __syncthreads();
  }
}

__global__ void odd_even_sort(int* values, int n) {
  extern __shared__ int s[];
  const int t = threadIdx.x;
  s[t] = values[t];
  __syncthreads();
  for (int phase = 0; phase < n; ++phase) {
    if (phase % 2 == t % 2 && t + 1 < n) {
      if (s[t] > s[t + 1]) {
        const int larger = s[t];
        s[t] = s[t + 1];
        s[t + 1] = larger;
      }
    }
    __syncthreads();
  }
  values[t] = s[t];
}

int main() {
  constexpr int n = 1000, sorted = 64;
  float *in, *out;
  int* values;
  cudaMallocManaged(&in, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  cudaMallocManaged(&values, sorted * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 7;
  for (int i = 0; i < sorted; ++i) values[i] = (i * 37) % sorted;
  differences<<<2, 64>>>(out, in, n);
  odd_even_sort<<<1, sorted, sorted * sizeof(int)>>>(values, sorted);
  cudaDeviceSynchronize();
  float sum = 0;
  bool is_sorted = true;
  for (int i = 0; i < n; ++i) sum += out[i];
  for (int i = 0; i < sorted; ++i) is_sorted &= values[i] == i;
  std::printf("%g %s\n", sum, is_sorted ? "sorted" : "not sorted");
  cudaFree(in);
  cudaFree(out);
  cudaFree(values);
}
