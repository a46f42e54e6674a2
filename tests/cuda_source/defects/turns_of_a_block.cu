// SPDX-License-Identifier: Apache-2.0
// Loops in which a block shares memory: where threads make different numbers of turns with one tile, the fix lets them
// make the same number; a barrier at the end of a sort's turn also orders what reads behind the loop. Its clean twin is
// turns_as_advised.cu.
// options: --check races --json -
// code: 3
// says: fix": "put a barrier \(__syncthreads\(\)\) between line 16 and line 17, and another at the end of the body of the loop at line 15. of which all threads have to make the same number of turns
// says: fix": "put a barrier \(__syncthreads\(\)\) at the end of the loop's body, line 34: no thread may begin its next turn before all have ended this one",
#include <cuda_runtime.h>

__global__ void differences(float* out, const float* in, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  // The last turn is not one of all threads.
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    tile[t] = in[i];
    out[i] = tile[t] - tile[(t + 32) % 64];
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
  cudaFree(in);
  cudaFree(out);
  cudaFree(values);
}
