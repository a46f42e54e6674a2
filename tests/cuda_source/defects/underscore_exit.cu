// SPDX-License-Identifier: Apache-2.0
// _Exit runs no handlers, and the report is made all the same; not for a child.
// options: --detect-races
// code: 3
// says: error.race-global.*underscore_exit.cu: 1 error; judged
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

__global__ void race(int* x) { x[0] = threadIdx.x; }

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 4);
  if (const pid_t child = fork(); child == 0)
    _exit(7);
  else if (int status = 0; waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7)
    return 1;
  race<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
  std::_Exit(0);
}
