// SPDX-License-Identifier: Apache-2.0
// The host damages its own heap, and the C library ends the program inside free(): no report, but no endless wait either.
// options: --check all
// code: 4
// says: (crashed in host code|ended by a signal)
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  int* d;
  cudaMalloc(&d, 128);
  fill<<<1, 32>>>(d);
  char* volatile before = static_cast<char*>(malloc(2000));
  char* volatile behind = static_cast<char*>(malloc(2000));
  memset(before, 0, 2100);  // over the heap's record of the block behind
  free(behind);
  free(before);
  cudaFree(d);
  return 0;
}
