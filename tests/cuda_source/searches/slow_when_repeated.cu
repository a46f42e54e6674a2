// SPDX-License-Identifier: Apache-2.0
// slow_when_repeated FILE: done at once in its first three runs, which FILE counts; then it takes a minute.
#include <cstdio>
#include <cuda_runtime.h>
#include <sys/stat.h>
#include <unistd.h>
__global__ void kernel(int* counter) { atomicAdd(counter, 1); }
int main(int, char** arguments) {
  int* counter;
  cudaMalloc(&counter, sizeof *counter);
  cudaMemset(counter, 0, sizeof *counter);
  kernel<<<2, 1>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
  struct stat counted = {};
  if (stat(arguments[1], &counted) == 0 && counted.st_size >= 3) sleep(60);
  std::FILE* const count = std::fopen(arguments[1], "a");
  std::fputc('.', count);
  std::fclose(count);
}
