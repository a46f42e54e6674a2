// SPDX-License-Identifier: Apache-2.0
// Each thread clears a flag of one byte and reads it before the first barrier: it reads what it wrote itself, and all wrote
// the same, so what races is a warning. In the second kernel the threads write different values.
// options: --check all
// code: 3
// says: warning.race-shared.: two writes of found.0. are not ordered
// says: flag_of_all_threads.cu:16
// says: error.race-shared.: two writes of chosen.0. are not ordered
// says: flag_of_all_threads.cu:26
// says: 1 error, 1 warning;
#include <cstdio>
__global__ void search(const int* in, int* rounds, int n) {
  __shared__ bool found;
  int* const mine = rounds + blockIdx.x * blockDim.x + threadIdx.x;
  int round = 0;
  found = false;
  for (; round < n && !found; ++round) {
    __syncthreads();
    if (in[round * blockDim.x + threadIdx.x] == 7) found = true;
    __syncthreads();
  }
  *mine = round;
}
__global__ void choose(int* rounds) {
  __shared__ bool chosen;
  chosen = threadIdx.x == 40;
  rounds[threadIdx.x] = chosen;
}
int main() {
  constexpr int threads = 64, n = 4;
  int in[n * threads] = {}, *d_in, *rounds, host[threads];
  in[2 * threads + 5] = 7;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&rounds, sizeof host);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  search<<<1, threads>>>(d_in, rounds, n);
  cudaMemcpy(host, rounds, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d rounds\n", host[0]);
  choose<<<1, threads>>>(rounds);
  cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(rounds);
}
