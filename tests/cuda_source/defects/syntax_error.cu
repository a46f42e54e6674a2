// SPDX-License-Identifier: Apache-2.0
// A syntax error is shown by the compiler at the user's line.
// code: 2
// says: syntax_error.cu:9:[0-9]+: error: .*undeclared
// says: was not built
#include <cuda_runtime.h>
__global__ void kernel(int* p) {
  if (threadIdx.x == 0)
    p[0] = undeclared;
}
int main() {
  kernel<<<1, 1>>>(nullptr);
  return 0;
}
