// SPDX-License-Identifier: Apache-2.0
// A program that spoils the descriptor of its report: simrun says so and takes nothing of it.
// options: --check all
// code: 2
// says: the program's report cannot be read
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdlib>
int main() {
  cudaDeviceSynchronize();
  const char* fd = getenv("SIMT_REPORT_FD");
  if (fd != nullptr && write(atoi(fd), "not a report", 12) != 12) return 1;
  _exit(0);
}
