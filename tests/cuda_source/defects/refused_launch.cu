// SPDX-License-Identifier: Apache-2.0
// A checked run in which a launch was refused ends with what was judged all the same, and that not all of it ran.
// options: --check all
// code: 2
// says: launch of last refused: block .2048, 1, 1. has 2048 threads
// says: refused_launch.cu: not all of it ran; judged races, memory, uninit, barrier in 1 launch and 32 accesses
__global__ void last(int* x) { x[threadIdx.x] = threadIdx.x; }
int main() {
  int *x, first;
  cudaMalloc(&x, 32 * sizeof(int));
  last<<<1, 32>>>(x);
  last<<<1, 2048>>>(x);
  cudaMemcpy(&first, x, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(x);
  return first;
}
