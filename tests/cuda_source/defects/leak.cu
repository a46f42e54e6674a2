// SPDX-License-Identifier: Apache-2.0
// Memory that is never freed is reported with its name.
// options: --check memory
// code: 3
// says: .leak.
// says: forgotten
// says: leak.cu:11
#include <cuda_runtime.h>
int main() {
  float* forgotten;
  cudaMalloc(&forgotten, 100 * sizeof(float));
  return 0;
}
