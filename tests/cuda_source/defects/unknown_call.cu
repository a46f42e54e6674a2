// SPDX-License-Identifier: Apache-2.0
// A call that is not covered names itself and the nearest that is.
// code: 2
// says: unknown_call.cu:9:3: error: 'cudaMallocManagedd' is not supported; the nearest that is: 'cudaMallocManaged'
#include <cuda_runtime.h>

int main() {
  float* p;
  cudaMallocManagedd(&p, 100);
  return 0;
}
