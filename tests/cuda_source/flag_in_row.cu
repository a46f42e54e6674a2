// SPDX-License-Identifier: Apache-2.0
// Threads side by side write, one of them sets a flag at once, and another block reads what it wrote while the row of writes
// still goes on (docs/decisions/0016-rows.md): nothing to find. (mutants/flag_in_row.txt: no fence before the flag.)
#include <cstdio>

__global__ void pass_on(int* data, int* flag, int* seen, unsigned* sink) {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t + 1;
    if (t == 20) {
      __threadfence();  // the flag stands for what was written
      atomicExch(flag, 1);
    }
    if (t == 31) {
      unsigned h = 1;
      for (int i = 0; i < 20000000; ++i) h = h * 1664525u + 1013904223u + (h >> 7);
      *sink = h;
    }
  } else if (t == 0) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *seen = data[20];
  }
}

int main() {
  int *data, *flag, *seen;
  unsigned* sink;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&seen, sizeof(int));
  cudaMalloc(&sink, sizeof(unsigned));
  cudaMemset(data, 0, 32 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  pass_on<<<2, 32>>>(data, flag, seen, sink);
  int result = 0;
  cudaMemcpy(&result, seen, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(data), cudaFree(flag), cudaFree(seen), cudaFree(sink);
  return result == 21 ? 0 : 1;
}
