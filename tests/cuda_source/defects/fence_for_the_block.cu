// SPDX-License-Identifier: Apache-2.0
// Data behind a fence that reaches the block only, read by another block: the fence's line is named. `kept` has a wide one.
// options: --check races
// code: 3
// says: race-scope
// says: why: line 12 orders for its block only, and another block is the other side
// says: fix: widen the scope at line 12: __threadfence
// says: 1 error;
template <bool Wide>
__global__ void pass(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42; if (Wide) __threadfence(); else __threadfence_block();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {}
    __threadfence();
    *out = *data;
  }
}
int main() {
  int* d;
  cudaMalloc(&d, 6 * sizeof(int));
  cudaMemset(d, 0, 6 * sizeof(int));
  pass<true><<<2, 1>>>(d, d + 1, d + 2);
  pass<false><<<2, 1>>>(d + 3, d + 4, d + 5);
  cudaDeviceSynchronize();
  cudaFree(d);
}
