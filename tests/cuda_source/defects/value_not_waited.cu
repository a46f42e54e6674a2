// SPDX-License-Identifier: Apache-2.0
// One stream writes a number behind its kernel, and the other one does not wait for that number but for another.
// options: --check all
// code: 3
// says: race-global
// says: in bump
// says: stream
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void bump(int *x) { x[threadIdx.x] += 1; }

int main() {
  int *x;
  unsigned int *turn;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMalloc(&turn, 2 * sizeof(unsigned int));
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaMemset(turn, 0, 2 * sizeof(unsigned int));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaDeviceSynchronize();
  bump<<<1, 32, 0, s>>>(x);
  cuStreamWriteValue32(s, (CUdeviceptr)turn, 1, 0);
  cuStreamWaitValue32(t, (CUdeviceptr)(turn + 1), 0, CU_STREAM_WAIT_VALUE_GEQ);
  bump<<<1, 32, 0, t>>>(x);
  cudaDeviceSynchronize();
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(x);
  cudaFree(turn);
  return 0;
}
