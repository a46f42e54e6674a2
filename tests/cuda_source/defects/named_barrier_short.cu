// SPDX-License-Identifier: Apache-2.0
// A named barrier for 64 threads to which 32 come, while 32 others wait at another one and the rest has left: each
// barrier's number and counts, and where the others are.
// code: 4
// says: error.deadlock
// says: named_barrier_short.cu:11.*waits at barrier 1: 32 of 64 threads have come
// says: named_barrier_short.cu:13.*waits at barrier 5: 32 of 96 threads have come
// says: thread .64,0,0. of block .0,0,0.: has left the kernel
__global__ void kernel(int* x) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else if (threadIdx.x < 64) {
    asm volatile("bar.sync 5, 96;" ::: "memory");
  }
  x[threadIdx.x] = 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 128 * sizeof(int));
  kernel<<<1, 128>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
