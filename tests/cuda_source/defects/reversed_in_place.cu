// SPDX-License-Identifier: Apache-2.0
// One statement reads an element and overwrites another: first all must have read. Between blocks no barrier helps.
// options: --check races
// code: 3
// says: fix: read into a variable of the thread, put a barrier .__syncthreads\(\). behind that
// says: fix: write to a second array at line
// says: 2 errors;
__global__ void in_block(int* d, int n) {
  const int t = threadIdx.x;
  d[n - 1 - t] = d[t];
}
__global__ void in_blocks(int* d, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  d[n - 1 - t] = d[t];
}
__global__ void kept(int* d, int n) {
  const int t = threadIdx.x, mine = d[t];
  __syncthreads();
  d[n - 1 - t] = mine;
}
int main() {
  const int n = 128;
  int host[n], *d;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&d, sizeof host);
  cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
  kept<<<1, n>>>(d, n);
  in_block<<<1, n>>>(d, n);
  cudaMemcpy(d, host, sizeof host, cudaMemcpyHostToDevice);
  in_blocks<<<4, n / 4>>>(d, n);
  cudaDeviceSynchronize();
  cudaFree(d);
}
