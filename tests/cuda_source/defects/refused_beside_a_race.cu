// SPDX-License-Identifier: Apache-2.0
// A launch that was refused does not hide what was found: both are said, and findings decide over the exit code.
// options: --check races
// code: 3
// says: race-global
// says: launch of last refused: block .2048, 1, 1. has 2048 threads
// says: 1 error, not all of it ran; judged races in 1 launch and 32 accesses
__global__ void last(int* x) { x[0] = threadIdx.x; }
int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  last<<<1, 32>>>(x);
  last<<<1, 2048>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
