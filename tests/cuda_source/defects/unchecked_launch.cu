// SPDX-License-Identifier: Apache-2.0
// A launch that failed and whose error nobody asked for is said.
// code: 2
// says: 2048 threads, the limit is 1024
// says: , at .*unchecked_launch.cu:9 in main .the program never asked for this error
#include <cuda_runtime.h>
__global__ void kernel() {}
int main() {
  kernel<<<1, 2048>>>();
  return 0;
}
