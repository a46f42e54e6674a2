// SPDX-License-Identifier: Apache-2.0
// Copies of 5, 6, 12 and 28 bytes are watched like others: neighbours' pieces overlap.
// options: --detect-races
// code: 3
// says: two writes of pieces
// says: count: 60 conflicting accesses
#include <cuda_runtime.h>

template <int Bytes>
__global__ void copy(char* out) {
  __shared__ char pieces[512];
  const char mine[Bytes] = {static_cast<char>(threadIdx.x)};
  __builtin_memcpy(pieces + threadIdx.x * (Bytes - 1), mine, Bytes);
  __syncthreads();
  out[threadIdx.x] = pieces[threadIdx.x];
}

int main() {
  char* out;
  cudaMalloc(&out, 16);
  copy<5><<<1, 16>>>(out);
  copy<6><<<1, 16>>>(out);
  copy<12><<<1, 16>>>(out);
  copy<28><<<1, 16>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
