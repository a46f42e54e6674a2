// SPDX-License-Identifier: Apache-2.0
// The guard is the wrong way round, so nothing is accessed: a run in which nothing was judged does not say "no findings".
// options: --check all
// code: 0
// says: nothing was found; no kernel touched memory, so no access was judged
__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) x[i] = 1;
}
int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  fill<<<1, 32>>>(x, 32);
  cudaDeviceSynchronize();
  cudaFree(x);
}
