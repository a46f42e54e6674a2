// SPDX-License-Identifier: Apache-2.0
// The barrier stands between both accesses in one line: what is missing is one at the end of the loop's body. `kept` has it.
// options: --check races
// code: 3
// says: fix: put a barrier .__syncthreads\(\). at the end of the loop's body, line 15
// says: what stands in
// says: 1 error;
template <bool Both>
__global__ void shift(const int* x, int* y) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    s[t] = x[t] + round; __syncthreads(); sum += s[127 - t];
    if (Both) __syncthreads(); }
  y[t] = sum;
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&y, 128 * sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  shift<true><<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  shift<false><<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
