// SPDX-License-Identifier: Apache-2.0
// When nothing is found the program's own exit code is passed on, as are its arguments.
// code: 7
// options: -- seven
// says: argument seven
#include <cuda_runtime.h>
#include <cstdio>
int main(int argc, char** argv) {
  printf("argument %s\n", argc > 1 ? argv[1] : "missing");
  cudaDeviceSynchronize();
  return 7;
}
